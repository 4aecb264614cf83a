"""Which pages of a site a crawl takes."""

import re
import time
from dataclasses import replace
from random import Random

import pytest

from sightread.crawler.crawl import CrawlOptions, crawl, plan
from sightread.crawler.scope import Scope, list_urls
from sightread.crawler.storage.corpus import Corpus
from sightread.render.errors import Rejected, Unusable
from sightread.render.network.egress import LOCAL
from tests.crawler.sites import article, link
from tests.crawler.stub import render

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


async def test_a_start_at_a_section_takes_no_page_of_another(site_server, tmp_path):
    site = await site_server(paper())
    found = await taken(site, tmp_path, "/topics/")
    assert {story_of("topics", n) for n in range(8)} <= found
    assert all(path.startswith("/topics/") for path in found)


async def test_a_start_at_one_language_takes_no_page_of_another(site_server, tmp_path):
    site = await site_server(paper(("en", "pt"), {"en": "en", "pt": "pt"}))
    found = await taken(site, tmp_path, "/en/")
    assert {story_of("en", n) for n in range(8)} <= found
    assert all(path.startswith("/en/") for path in found)


async def test_a_section_whose_articles_are_elsewhere_is_not_a_limit(site_server, tmp_path):
    pages = paper(("news",))
    pages["/category/town/"] = "<title>Town</title>" + "".join(f"<p>{link(story_of('news', n), 'A story of this town')}" for n in range(8))
    site = await site_server(pages)
    assert {story_of("news", n) for n in range(8)} <= await taken(site, tmp_path, "/category/town/")


async def test_a_start_at_an_article_is_no_limit(site_server, tmp_path):
    site = await site_server(paper())
    assert len(await taken(site, tmp_path, story_of("topics", 0))) > 9


async def test_within_names_another_path_or_the_whole_site(site_server, tmp_path):
    site = await site_server(paper())
    assert all(path.startswith("/sport/") for path in await taken(site, tmp_path / "a", "/", within="/sport"))
    assert len(await taken(site, tmp_path / "b", "/topics/", within="/")) == 25


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


async def test_lists_are_passed_through_before_articles_that_are_not_included(site_server, tmp_path):
    site = await site_server(paper())
    found = await taken(site, tmp_path, "/", include=("/travel/2024/*",))
    assert found == {story_of("travel", n) for n in range(8)}
    assert site.requests.index("/travel/") < min(site.requests.index(story_of("travel", n)) for n in range(8))
    before = set(site.requests[: site.requests.index(story_of("travel", 7))])
    assert len({story_of("topics", n) for n in range(8)} & before) <= FAST.width  # those under way when the section came


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


async def test_a_list_of_urls_is_taken_and_nothing_else(site_server, tmp_path):
    site = await site_server(paper())
    urls = list_urls(["# two stories\n", site.url(story_of("sport", 1)), "", f" {site.url(story_of('topics', 2))}#part"])
    found = paths(await crawl(urls[0], tmp_path, render, replace(FAST, scope=Scope(urls=urls))))
    assert found == {story_of("sport", 1), story_of("topics", 2)}
    assert not any(request.startswith("/sitemap") for request in site.requests)


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


async def test_a_plan_tells_what_would_be_taken_and_why_and_writes_nothing(site_server, tmp_path):
    site = await site_server(paper())
    found = await plan(site.url("/topics/"), render, replace(FAST, pages=5, scope=Scope(exclude=("*/harbour-*",))))
    assert found.section == "/topics/"
    assert [visit.why for visit in found.taken] == ["the start page", *["linked from the start page, looks like an article"] * 4]
    assert len(found.spare) == 3
    refused = {visit.url.removeprefix(site.root): visit.why for visit in found.refused}
    assert refused["/sport/"] == "not below /topics/"
    assert refused[story_of("topics", 0)] == "fits */harbour-*, which is excluded"
    assert not any(request.startswith("/topics/2024") for request in site.requests)
    taken_later = paths(await crawl(site.url("/topics/"), tmp_path, render, replace(FAST, pages=5, scope=Scope(exclude=("*/harbour-*",)))))
    assert taken_later == {visit.url.removeprefix(site.root) for visit in found.taken}


async def test_a_scope_that_no_page_is_in_is_an_error_of_the_page(site_server, tmp_path):
    site = await site_server(paper())
    with pytest.raises(Unusable, match="no page of the site is in the scope"):
        await taken(site, tmp_path, "/", include=("/nothing/*",))


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
