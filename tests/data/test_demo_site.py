"""The demo site is a whole site: it can be crawled, its gold labels are sound, and it is hard enough to be worth learning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from lxml import etree, html
from protego import Protego

from sightread.data.demo import HELD_OUT, ODD_PAGES, Resource, article_paths, build_site

ORIGIN = "http://127.0.0.1:8000"
TEMPLATES = ("news", "feature", "report")
LANGUAGES = ("en", "zh-CN", "bn", "ar", "hi")
INLINE = {"a", "b", "cite", "code", "em", "i", "small", "span", "strong", "time"}
RESOURCES = "//link[@rel='stylesheet' or @rel='icon']/@href | //@src | //@srcset | //@poster | //object/@data | //form/@action"


class Text(NamedTuple):
    """One text-bearing element as a reader meets it."""

    text: str
    gold: bool
    comment: bool


@pytest.fixture(scope="module")
def site() -> Mapping[str, Resource]:
    return build_site(ORIGIN)


@pytest.fixture(scope="module")
def articles(site: Mapping[str, Resource]) -> dict[str, html.HtmlElement]:
    return {path: parse(site[path]) for path in (*article_paths(), *HELD_OUT)}


def parse(resource: Resource) -> html.HtmlElement:
    return html.document_fromstring(resource.body.decode())


def squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def texts_of(page: html.HtmlElement) -> list[Text]:
    """Gather the text of each nearest ancestor that is not inline, as a renderer would."""
    found: dict[html.HtmlElement, list[str]] = {}
    for node in page.xpath("//body//text()[normalize-space()]"):
        element = node.getparent().getparent() if node.is_tail else node.getparent()
        while element.tag in INLINE and element.get("data-gold") is None:
            element = element.getparent()
        found.setdefault(element, []).append(node)
    return [
        Text(
            squeeze("".join(parts)),
            gold=element.get("data-gold") == "content",
            comment=bool(element.xpath("ancestor-or-self::*[contains('|remark|response|post|', concat('|', @class, '|'))]")),
        )
        for element, parts in found.items()
    ]


def test_it_has_at_least_forty_articles_and_six_list_pages(site):
    assert len(article_paths()) >= 48
    assert all(site[path].status == 200 for path in article_paths())
    assert all(site[path].status == 200 for path in ("/", "/en/", "/zh/", "/bn/", "/ar/", "/hi/"))


def test_every_template_has_at_least_three_articles_in_every_language(site):
    pages = [parse(site[path]) for path in article_paths()]
    count = Counter((page.get("lang"), page.find("body").get("class")) for page in pages)
    assert set(count) == {(language, template) for language in LANGUAGES for template in TEMPLATES}
    assert min(count.values()) >= 3


def test_every_gold_element_holds_text_and_no_other_gold_element(articles):
    for path, page in articles.items():
        gold = page.xpath("//*[@data-gold]")
        assert len(gold) >= 3, path
        for element in gold:
            assert element.get("data-gold") == "content", path
            assert squeeze(element.text_content()), f"{path}: an empty <{element.tag}>"
            assert not element.xpath(".//*[@data-gold]"), f"{path}: gold inside gold in <{element.tag}>"


def test_gold_is_the_article_and_nothing_around_it(articles):
    around = ["header[@class='masthead']", "footer[@class='foot']", "div[@class='cookie']", "div[@class='ad']", "div[@class='letter']"]
    for path, page in articles.items():
        assert len(page.xpath("//h1[@data-gold]")) == 1, path
        assert not page.xpath(" | ".join(f"//{name}//*[@data-gold]" for name in around)), path
        assert not page.xpath("//*[@class='byline']/descendant-or-self::*[@data-gold]"), path
        assert not any(text.gold and text.comment for text in texts_of(page)), path


def test_every_link_leads_to_a_page_of_the_site_except_the_declared_one(site):
    for path, resource in site.items():
        if not resource.content_type.startswith("text/html") or not resource.body:
            continue
        page = parse(resource)
        for href in page.xpath("//a/@href"):
            target, fragment = urldefrag(urljoin(path, href))
            assert target in site or target == ODD_PAGES["missing"], f"{path} links to {href}"
            if fragment and fragment != "offer" and target in site:
                assert parse(site[target]).get_element_by_id(fragment) is not None


def test_nothing_is_loaded_from_another_host(site):
    for path, resource in site.items():
        if resource.content_type.startswith("text/html") and resource.body:
            for address in parse(resource).xpath(RESOURCES):
                assert not urlsplit(address).netloc, f"{path} loads {address}"
                assert address in site, f"{path} loads {address}, which is not there"
        elif resource.content_type.startswith("text/css"):
            assert not re.search(r"url\(|@import", resource.body.decode()), path


def test_robots_and_sitemap_name_the_articles_and_hide_the_rest(site):
    robots = Protego.parse(site["/robots.txt"].body.decode())
    assert list(robots.sitemaps) == [f"{ORIGIN}/sitemap.xml"]
    assert not robots.can_fetch(ORIGIN + ODD_PAGES["private"], "sightread")
    assert all(robots.can_fetch(ORIGIN + path, "sightread") for path in article_paths())
    locations = etree.fromstring(site["/sitemap.xml"].body).xpath("//*[local-name()='loc']/text()")
    assert locations == [ORIGIN + path for path in article_paths()]


def test_held_out_articles_are_served_but_no_page_tells_of_them(site):
    assert {parse(site[path]).get("lang") for path in HELD_OUT} == set(LANGUAGES)
    assert {parse(site[path]).find("body").get("class") for path in HELD_OUT} == set(TEMPLATES)
    for path in HELD_OUT:
        assert [other for other, resource in site.items() if other != path and path.encode() in resource.body] == []


def test_odd_pages_are_what_they_are_called_and_the_front_page_links_to_them(site):
    assert set(ODD_PAGES.values()) <= set(parse(site["/"]).xpath("//a/@href"))
    assert ODD_PAGES["missing"] not in site
    assert site[ODD_PAGES["pdf"]].content_type == "application/pdf"
    assert site[ODD_PAGES["pdf"]].body.startswith(b"%PDF-1.4") and site[ODD_PAGES["pdf"]].body.endswith(b"%%EOF\n")
    assert site[ODD_PAGES["empty"]].body == b""
    assert not squeeze(parse(site[ODD_PAGES["picture"]]).find("body").text_content())
    redirect = site[ODD_PAGES["redirect"]]
    assert redirect.status == 302 and redirect.location in article_paths()


def test_the_same_origin_gives_the_same_bytes_and_another_only_moves_the_urls(site):
    assert build_site(ORIGIN) == site
    moved = build_site("https://news.example")
    assert {path: page.body.replace(b"https://news.example", ORIGIN.encode()) for path, page in moved.items()} == {
        path: page.body for path, page in site.items()
    }
