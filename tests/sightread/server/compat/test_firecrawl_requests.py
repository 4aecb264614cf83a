"""Requests of the Firecrawl API in terms of ours, regular expressions over paths among them: pure translation."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.crawler.urls import Scope
from sightread.render.errors import Rejected
from sightread.server.compat.firecrawl.requests import translate_batch, translate_crawl, translate_scrape
from sightread.server.compat.firecrawl.scrape_options import path_patterns
from sightread.server.schema.requests import ClickAction, PressAction, ScrollAction, TypeAction, WaitAction

URL = "https://paper.example/news/"


def test_actions_in_their_order():
    actions = [
        {"type": "wait", "milliseconds": 500},
        {"type": "wait", "selector": "#more"},
        {"type": "click", "selector": "#search"},
        {"type": "write", "text": "ferry"},
        {"type": "press", "key": "Enter"},
        {"type": "scroll", "direction": "up"},
    ]
    expected = translate_scrape({"url": URL, "actions": actions})
    assert expected.request.actions == (
        WaitAction(seconds=0.5),
        WaitAction(until="#more"),
        ClickAction(selector="#search"),
        TypeAction(selector="#search", text="ferry"),
        PressAction(key="Enter"),
        ScrollAction(to="top"),
    )
    assert expected.warnings == ()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"actions": [{"type": "write", "text": "x"}]}, "action 1: write needs a click on its field before it"),
        ({"actions": [{"type": "wait"}]}, "action 1: wait needs milliseconds, or a selector"),
        ({"formats": [{"type": "json", "prompt": "title"}]}, "format 'json' needs a language model"),
        ({"formats": "markdown"}, r"Expected `array \| null`, got `str` - at `\$.formats`"),
        ({"waitFor": "long"}, r"at `\$.waitFor`"),
        ({"waitFor": 100_000}, "waitFor is 100000: at most 96000 ms"),
        ({"formats": [{"type": "screenshot", "viewport": {"width": 9}}]}, "viewport"),
    ],
)
def test_wrong_values_are_refused_with_their_place(options, message):
    with pytest.raises(Rejected, match=message):
        translate_scrape({"url": URL, **options})


def test_a_misspelt_optional_key_gets_a_warning_with_the_right_one_even_if_it_is_false():
    expected = translate_scrape({"url": URL, "onlyMainContnt": False, "wait_for": 3, "newOption": False})
    assert expected.warnings == (
        "option 'onlyMainContnt' is ignored: it is not known here: did you mean onlyMainContent?",
        "option 'wait_for' is ignored: it is not known here: did you mean waitFor?",
    )


@pytest.mark.parametrize(
    ("options", "deadline", "min_wait"),
    [
        ({}, 30, 0),
        ({"timeout": 5000}, 5, 0),
        ({"timeout": 5000, "waitFor": 4000}, 9, 4),
        ({"waitFor": 60_000}, 90, 60),
        ({"timeout": 2000, "actions": [{"type": "wait", "milliseconds": 3000}]}, 5, 0),
        ({"timeout": 100_000, "waitFor": 96_000}, 120, 96),
    ],
)
def test_the_time_that_a_caller_lets_the_page_wait_is_added_to_the_timeout(options, deadline, min_wait):
    expected = translate_scrape({"url": URL, **options})
    assert (expected.request.deadline, expected.request.min_wait, expected.warnings) == (deadline, min_wait, ())


def test_headers_and_cookies_are_for_the_site():
    expected = translate_scrape({"url": URL, "headers": {"X-Key": "1", "Cookie": "a=b; c=d=e", "Accept-Language": "de"}})
    assert expected.request.access is not None
    assert (expected.request.access.headers, expected.request.access.cookies) == ({"X-Key": "1"}, {"a": "b", "c": "d=e"})
    assert expected.warnings == ("header 'Accept-Language' is ignored: the browser sends its own",)


@pytest.mark.parametrize(
    ("options", "within", "depth", "warnings"),
    [
        ({}, "/news/", None, 0),
        ({"crawlEntireDomain": True, "maxDiscoveryDepth": 2}, "/", 2, 0),
        ({"allowBackwardLinks": True, "maxDepth": 3}, "/", 3, 1),
        ({"allowExternalLinks": True, "ignoreRobotsTxt": True, "sitemap": "skip", "prompt": "all about ferries"}, "/news/", None, 4),
    ],
)
def test_the_scope_of_a_crawl(options, within, depth, warnings):
    expected = translate_crawl({"url": URL, "limit": 7, **options}, 2)
    assert (expected.request.pages, expected.request.scope.within, expected.request.scope.depth) == (7, within, depth)
    assert len(expected.note.warnings) == warnings


def test_a_crawl_has_the_options_of_its_pages_and_a_webhook():
    options = {
        "scrapeOptions": {"formats": ["html"], "proxy": "stealth"},
        "webhook": "https://me.example/hook",
        "excludePaths": ["^/news/old/"],
    }
    expected = translate_crawl({"url": URL, **options}, 1)
    assert (expected.request.outputs, expected.request.scope.exclude) == (("html", "response"), ("/news/old/*",))
    assert expected.note.webhook is not None and expected.note.webhook.url == "https://me.example/hook"
    assert expected.note.warnings == ("option 'proxy' is ignored: requests go out from this service's own address",)


def test_invalid_addresses_of_a_batch():
    urls = [URL, "ftp://paper.example/", "news"]
    assert translate_batch({"urls": urls}, 2).invalid == ("ftp://paper.example/", "news")
    with pytest.raises(Rejected, match=r"'ftp://paper\.example/' in urls is no http or https URL"):
        translate_batch({"urls": urls}, 1)
    with pytest.raises(Rejected):
        translate_batch({"urls": ["news"], "ignoreInvalidURLs": True}, 2)


HOST = "https://paper.example"


def takes(patterns: tuple[str, ...], path: str) -> bool:
    return Scope(include=patterns).includes(HOST + path)


@pytest.mark.parametrize(
    ("expression", "patterns"),
    [
        ("blog/.*", ("*blog/*",)),
        ("^/blog/.+$", ("/blog/*",)),
        (r"/\d{4}/.*\.html$", ("*/*/*.html",)),
        ("^/(news|sport)/", ("/news/*", "/sport/*")),
        ("/a(?:/b)?$", ("*/a", "*/a/b")),
        ("", ("*",)),
    ],
)
def test_an_expression_becomes_patterns(expression, patterns):
    assert path_patterns("includePaths", [expression]) == patterns


LITERAL = st.text(alphabet="abz/-_0", min_size=1, max_size=6)
PART = LITERAL | st.sampled_from([".*", ".+", "[a-z]+", r"\d*", "a|b", "(news|blog)", "x?"])


@given(st.lists(PART, min_size=1, max_size=5).map("".join), LITERAL.map("/".__add__))
def test_what_an_expression_finds_its_patterns_take(expression, path):
    if re.search(expression, path):
        assert takes(path_patterns("includePaths", [expression]), path)


@pytest.mark.parametrize("expression", ["(?!admin)", "a(b", "[a", r"\bblog", "*a", "a{2", "a^b", "(" * 12 + ")" * 12, "(a|b)" * 8])
def test_what_has_no_equivalent_is_refused(expression):
    with pytest.raises(Rejected, match=r"includePaths: .* has no equivalent here"):
        path_patterns("includePaths", [expression])


def test_a_pattern_of_whole_addresses():
    assert path_patterns("excludePaths", ["^https://paper.example/x/", "paper.example/y"], full_url=True) == (
        "https://paper*example/x/*",
        "*://*paper*example/y*",
    )
