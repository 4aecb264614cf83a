"""Which pages of a site a crawl takes."""

import re
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightread.crawler.corpus import Corpus
from sightread.crawler.crawl import CrawlOptions, crawl
from sightread.crawler.urls import Scope, article_score, is_listing, list_urls, normalize, parse_start_url, site_of, url_key
from sightread.render.errors import Rejected, Unusable
from sightread.render.network.address import origin_of
from sightread.render.network.egress import LOCAL
from sightread.render.static.parse import read_html
from tests.crawler.sites import article, link, render

_SEGMENT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
_ADDRESSES = st.builds(
    lambda scheme, host, port, path, query: f"{scheme}://{host}{port}/{'/'.join(path)}{query}",
    st.sampled_from(["http", "https", "HTTP"]),
    st.sampled_from(["example.com", "WWW.Example.com", "münchen.de", "127.0.0.1", "[::1]", "example.com."]),
    st.sampled_from(["", ":80", ":443", ":8080"]),
    st.lists(_SEGMENT, max_size=3),
    st.one_of(st.just(""), st.builds("?{}".format, _SEGMENT), st.builds("?a={}&utm_source=x&b={}#c".format, _SEGMENT, _SEGMENT)),
)


@settings(deadline=None)  # a busy machine must not fail a property
@given(_ADDRESSES)
def test_a_normal_url_is_its_own_normal_form_and_has_a_site_an_origin_and_a_key(url):
    normal = normalize(url)
    if normal is not None:
        assert normalize(normal) == normal
        assert normal.startswith(origin_of(normal))
        assert url_key(normal).startswith(site_of(normal))


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("http://www.example.com/a", "https://example.com/a", True),
        ("https://example.com/a?b=2&a=1", "https://example.com/a?a=1&b=2", True),
        ("https://example.com/a", "https://example.com/a/", False),
        ("https://example.com/a?s=1&s=2", "https://example.com/a?s=2&s=1", False),
        ("https://example.com/a", "https://example.com:8443/a", False),
        ("https://example.com/a", "https://news.example.com/a", False),
    ],
)
def test_two_addresses_of_one_page_have_one_key(one, other, is_same):
    assert (url_key(one) == url_key(other)) is is_same


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTPS://Example.COM:443/a#part", "https://example.com/a"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com:8080/a/../b", "http://example.com:8080/b"),
        ("https://example.com/a?utm_source=x&id=7&fbclid=y&gclid=z", "https://example.com/a?id=7"),
        ("https://example.com/a?b=2&a=1", "https://example.com/a?b=2&a=1"),
        ("https://example.com/新闻", "https://example.com/%E6%96%B0%E9%97%BB"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("mailto:a@example.com", None),
        ("javascript:void(0)", None),
        ("https://user:secret@example.com/", None),
        ("https://example.com\\@127.0.0.1/", None),
        ("https://example.com:99999/", None),
        ("https:///path", None),
        ("https://example.com/" + "a" * 2000, None),
    ],
)
def test_the_url_that_is_visited_keeps_what_the_site_wrote(url, normal):
    assert normalize(url) == normal


@pytest.mark.parametrize(
    ("typed", "url", "assumed"),
    [
        ("https://example.com/news", "https://example.com/news", ""),
        (" example.com ", "https://example.com/", "no scheme given: https assumed"),
        ("example.com:8080/a", "https://example.com:8080/a", "no scheme given: https assumed"),
        ("localhost:8000", "http://localhost:8000/", "no scheme given: http assumed"),
        ("127.0.0.1:8000/x", "http://127.0.0.1:8000/x", "no scheme given: http assumed"),
    ],
)
def test_a_start_url_states_what_was_assumed(typed, url, assumed):
    assert parse_start_url(typed) == (url, assumed)


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        ("", "empty"),
        ("ftp://example.com", "only http and https"),
        ("mailto:someone@example.com", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("http:example.com", "only http and https"),
        ("https://me:secret@example.com", "user name or password"),
        ("https://example.com\\@10.0.0.1", "backslash"),
        ("https://exa mple.com", "space"),
        ("https://example.com/\x00", "control character"),
        ("https://", "check its spelling"),
        ("https://example.com:99999", "check its spelling"),
    ],
)
def test_a_start_url_that_cannot_be_used_is_rejected_with_the_reason(typed, complaint):
    with pytest.raises(Rejected, match=complaint) as caught:
        parse_start_url(typed)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


HOST = "https://example.com"


@pytest.mark.parametrize(
    ("article", "other"),
    [
        ("/2024/05/12/council-votes-on-new-bridge", "/politics"),
        ("/news/council-votes-on-new-bridge-482913.html", "/tag/council-votes-on-new-bridge"),
        ("/a/20240512A05KLM00", "/author/jane-doe"),
        ("/story.php?id=48123", "/story.php?page=2"),
        ("/world/%E6%96%B0%E5%A4%A7%E6%A1%A5%E8%8E%B7%E5%BE%97%E6%89%B9%E5%87%86%E5%BC%80%E5%B7%A5", "/world"),
        ("/blog/why-bridges-fail", "/blog/page/2"),
        ("/why-bridges-fail", "/"),
        ("/why-bridges-fail", "/login"),
        ("/storm-breaks-moorings", "/about-us"),
    ],
)
def test_an_article_scores_above_what_is_none(article, other):
    assert article_score(HOST + article) > article_score(HOST + other)


@pytest.mark.parametrize("headline", ["Council votes on the new bridge after a long night", "市议会经过漫长的夜晚后就新大桥进行表决"])
def test_a_headline_as_link_text_speaks_for_a_link_and_a_button_against_it(headline):
    url = f"{HOST}/x/bridge"
    assert article_score(url, headline) > article_score(url) > article_score(url, "More")


def _page(path: str, teasers: int, paragraphs: Sequence[str]):
    links = "".join(f'<li><a href="/story/{i}">What happened on day {i} of the fair</a></li>' for i in range(teasers))
    return read_html(f"<ul>{links}</ul>" + "".join(f"<p>{text}</p>" for text in paragraphs), HOST + path)


PARAGRAPH = "The council voted for the bridge after a debate of nine hours, and the works are to begin before the summer is over. "


CHINESE = "市议会经过九个小时的辩论后投票赞成修建大桥，工程将在夏季结束之前开始，市长对结果表示满意并感谢所有参与者。"


@pytest.mark.parametrize(
    ("path", "teasers", "paragraphs", "is_list"),
    [
        ("/fair", 40, ["All the stories"], True),
        ("/story/1", 40, [PARAGRAPH] * 8, False),
        ("/story/1", 40, [CHINESE] * 8, False),
        ("/story/1", 10, ["A short note."], False),
        ("/", 5, [PARAGRAPH] * 8, True),
        ("/", 2, [PARAGRAPH] * 8, False),
    ],
)
def test_a_page_of_teasers_is_a_list_and_a_front_page_with_links_is_one_even_if_it_has_text(path, teasers, paragraphs, is_list):
    assert is_listing(_page(path, teasers, paragraphs)) is is_list


FAST = CrawlOptions(pages=25, backoff=0.001, egress=LOCAL)
WORDS = ("harbour", "market", "ferry", "school", "bridge", "garden", "library", "station")


def story_of(section: str, number: int) -> str:
    return f"/{section}/2024/05/{WORDS[number]}-story-of-the-{section}-town"


def page(section: str, number: int, language: str = "en", links: str = "") -> str:
    return article(f"{section} {WORDS[number]}", links).replace("<html", f"<html lang={language}", 1)


def paper(sections=("topics", "sport", "travel"), languages=None) -> dict:
    """A paper whose every page links to all sections, each with eight stories."""
    menu = "".join(link(f"/{section}/", section) for section in sections)
    pages = {"/": f"<title>Paper</title>{menu}"}
    for section in sections:
        language = (languages or {}).get(section, "en")
        stories = "".join(f"<p>{link(story_of(section, n), f'The {WORDS[n]} of the {section} town looks back')}" for n in range(8))
        pages[f"/{section}/"] = f"<html lang={language}><title>{section}</title>{menu}{stories}"
        for n in range(8):
            pages[story_of(section, n)] = page(
                section, n, language, menu + link(story_of(sections[-1], n), "Elsewhere in this paper, a story")
            )
    return pages


def paths(corpus: Corpus) -> set[str]:
    return {"/" + found.url.split("/", 3)[3] for found in corpus}


async def taken(site, folder, start="/", **scope):
    return paths(await crawl(site.url(start), folder, render, replace(FAST, scope=Scope(**scope))))


@pytest.mark.parametrize(("section", "language"), [("topics", {}), ("en", {"en": "en", "pt": "pt"})])
async def test_a_start_at_a_section_or_a_language_takes_no_page_of_another(site_server, tmp_path, section, language):
    site = await site_server(paper((section, "pt"), language))
    found = await taken(site, tmp_path, f"/{section}/")
    assert {story_of(section, n) for n in range(8)} <= found
    assert all(path.startswith(f"/{section}/") for path in found)


async def test_within_names_another_path_or_the_whole_site_and_an_article_or_a_bare_list_is_no_limit(site_server, tmp_path):
    pages = paper()
    pages["/category/town/"] = "<title>Town</title>" + "".join(f"<p>{link(story_of('sport', n), 'A story of this town')}" for n in range(8))
    site = await site_server(pages)
    assert all(path.startswith("/sport/") for path in await taken(site, tmp_path / "a", "/", within="/sport"))
    assert len(await taken(site, tmp_path / "b", "/topics/", within="/")) == 25
    assert len(await taken(site, tmp_path / "c", story_of("topics", 0))) > 9
    assert {story_of("sport", n) for n in range(8)} <= await taken(site, tmp_path / "d", "/category/town/")


async def test_patterns_choose_addresses(site_server, tmp_path):
    site = await site_server(paper())
    found = await taken(site, tmp_path, "/", include=("*/2024/*",), exclude=("/sport/*", f"{site.root}/travel/*"))
    assert found == {story_of("topics", n) for n in range(8)}


def test_patterns_mean_what_a_regular_expression_means_and_cost_no_more_time_for_more_stars():
    random = Random(1)
    for _ in range(5000):
        pattern, path = (
            "/" + "".join(random.choices("ab*", k=random.randrange(7))),
            "/" + "".join(random.choices("ab", k=random.randrange(7))),
        )
        expected = re.fullmatch(".*".join(pattern.split("*")), path) is not None
        assert bool(Scope(exclude=(pattern,)).refusal(f"https://e.com{path}", "/")) == expected, (pattern, path)
    began = time.process_time()
    assert not Scope(exclude=("/" + "*a" * 30 + "*b",)).refusal("https://e.com/" + "a" * 1900, "/")
    assert time.process_time() - began < 1


async def test_depth_counts_links_from_the_start_page(site_server, tmp_path):
    site = await site_server(paper())
    assert await taken(site, tmp_path / "a", "/", depth=1) == {"/", "/topics/", "/sport/", "/travel/"}
    assert len(await taken(site, tmp_path / "b", "/", depth=2)) == 25


async def test_pages_that_declare_another_language_are_not_taken(site_server, tmp_path):
    site = await site_server(paper(("en", "pt"), {"en": "en-GB", "pt": "pt"}))
    corpus = await crawl(site.url(), tmp_path, render, replace(FAST, scope=Scope(language="pt")))
    assert paths(corpus) >= {story_of("pt", n) for n in range(8)}
    assert not any(path.startswith("/en/") for path in paths(corpus))
    assert "outside the scope: its language is en, not pt" in {failure.reason for failure in corpus.failures}


async def test_a_sitemap_is_taken_and_links_are_not_followed(site_server, tmp_path):
    pages = paper()
    site = await site_server(pages)
    locations = "".join(f"<url><loc>{site.url(story_of('sport', n))}</loc></url>" for n in range(3))
    pages["/maps/sport.xml"] = f"<urlset>{locations}</urlset>"
    places = [*(("sport", n) for n in range(3)), *(("travel", n) for n in range(2))]
    pages["/sitemap.xml"] = f"<urlset>{''.join(f'<url><loc>{site.url(story_of(*place))}</loc></url>' for place in places)}</urlset>"
    found = await taken(site, tmp_path, "/", sitemap=site.url("/maps/sport.xml"))
    assert found - {"/"} == {story_of("sport", n) for n in range(3)}
    below = await taken(site, tmp_path / "a", "/", sitemap=site.url("/sitemap.xml"), within="/travel/")
    assert below - {"/"} == {story_of("travel", n) for n in range(2)}
    with pytest.raises(Unusable, match="no sitemap with pages of this site"):
        await taken(site, tmp_path / "b", "/", sitemap=site.url("/maps/none.xml"))


async def test_a_crawl_goes_on_with_the_same_choice_and_refuses_another(site_server, tmp_path):
    site = await site_server(paper())
    begun = replace(FAST, pages=4, scope=Scope(within="/sport/"))
    assert len(await crawl(site.url(), tmp_path, render, begun)) == 4
    for scope in (Scope(), Scope(within="/sport/", depth=3)):
        for pages in (4, 8):
            with pytest.raises(Rejected, match=r"began with another choice of pages \((within|depth)\): give the same"):
                await crawl(site.url(), tmp_path, render, replace(begun, pages=pages, scope=scope))
    assert all(path.startswith("/sport/") for path in paths(await crawl(site.url(), tmp_path, render, replace(begun, pages=8))))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"within": "news"}, "give a path such as /news/"),
        ({"include": ("blog/*",)}, "begin it with / or"),
        ({"exclude": ("",)}, "begin it with / or"),
        ({"exclude": ("/*",) * 201}, "201 patterns: give 200 at most"),
        ({"include": ("/" + "a" * 500,)}, "give 500 characters and 50"),
        ({"include": ("/" + "*" * 51,)}, "give 500 characters and 50"),
        ({"depth": -1}, "give 0 or more links"),
        ({"language": "english"}, "give the language alone"),
        ({"sitemap": "https://a.example/s.xml", "urls": ("https://a.example/",)}, "give one of them"),
    ],
)
def test_a_scope_that_makes_no_sense_is_refused(options, message):
    with pytest.raises(Rejected, match=message):
        Scope(**options)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "the list of URLs is empty"),
        (["# nothing"], "the list of URLs is empty"),
        (["https://a.example/", "news"], "line 2 of the list of URLs: 'news' is no http or https URL"),
        (["https://a.example/", "https://b.example/"], "line 2 of the list of URLs: https://b.example/ is not on a.example"),
    ],
)
def test_a_list_that_is_none_is_refused_with_its_line(lines, message):
    with pytest.raises(Rejected, match=message):
        list_urls(lines)
