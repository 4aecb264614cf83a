"""Pages that show no text and tell it to machines."""

import json

import pytest

from render.analysis.fallback_text import recover_text, recover_unscripted
from render.errors import Unusable
from render.static.parse import read_html
from tests.pages.shown import texts


def page_of(*reported, body="<div id=app></div>"):
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(each)}</script>' for each in reported)
    return f"<!doctype html><title>The ferry</title>{scripts}<body>{body}"


ARTICLE = {"@type": "NewsArticle", "headline": "The ferry", "articleBody": "It runs all night.\n\nNobody &amp; nothing stops it."}
THREAD = {
    "@type": "QAPage",
    "mainEntity": {
        "@type": "Question",
        "text": "<p>Which boat?</p><p>A <b>small</b> one?</p>",
        "acceptedAnswer": {"@type": "Answer", "text": "A dinghy."},
        "suggestedAnswer": [{"@type": "Answer", "text": "A canoe."}, "nonsense", {"text": 7}],
    },
}


@pytest.mark.parametrize(
    ("reported", "paragraphs"),
    [
        (ARTICLE, ["It runs all night.", "Nobody & nothing stops it."]),
        (THREAD, ["Which boat?", "A small one?", "A dinghy.", "A canoe."]),
        ({"@type": "Product", "description": "A boat."}, ["A boat."]),
        ({"@type": "Organization", "description": "We sell boats."}, []),
        ({"@type": "Article", "articleBody": ["no", "text"]}, []),
    ],
    ids=["an article", "a thread", "a product", "who made the page", "no text"],
)
def test_what_the_page_is_about_is_recovered(reported, paragraphs):
    page = recover_text(read_html(page_of(reported)))
    assert texts(page) == paragraphs
    assert page.recovered == bool(paragraphs)
    assert all(block.hidden == "display" for block in page.blocks)


NIGHT = "It runs all night. " * 30
TOLD = f"<h1>The ferry</h1><p>{NIGHT}</p><ul><li><a href=/a>Boats</a></ul><p>Best viewed with JavaScript enabled</p>"
TOLD = f"<noscript>{TOLD}</noscript>"
PLEA = "<noscript><div>Please enable JavaScript to see this page.</div></noscript>"
MENU = f"<ul>{'<li><a href=/a>Boats of the harbour</a>' * 100}</ul>"


def test_what_readers_without_scripts_are_reported_is_recovered_with_its_structure():
    page = recover_unscripted(read_html(page_of()), TOLD)
    assert texts(page) == ["The ferry", ("It runs all night. " * 30).strip(), "Boats"]
    assert ([block.heading for block in page.blocks], page.recovered) == ([1, 0, 0], True)
    assert all(block.hidden == "display" for block in page.blocks)
    assert page.elements[page.blocks[2].element].tag == "li"


@pytest.mark.parametrize("markup", ["", PLEA, MENU, PLEA * 50, "\0\1\2" * 9000], ids=["nothing", "plea", "menu", "pleas", "binary"])
def test_a_plea_for_scripts_or_a_menu_is_not_recovered(markup):
    page = read_html(page_of())
    assert recover_unscripted(page, markup) is page


async def test_an_application_that_never_fills_itself_is_read_by_what_it_tells(browser, site_server):
    site = await site_server({"/": page_of(ARTICLE), "/mute": page_of(), "/shown": page_of(ARTICLE, body="<p>Shown")})
    page = (await browser.render(site.url())).page
    assert (texts(page), page.recovered) == (["It runs all night.", "Nobody & nothing stops it."], True)
    shown = (await browser.render(site.url("/shown"))).page
    assert (texts(shown), shown.recovered) == (["Shown"], False)
    with pytest.raises(Unusable, match="no text on the page"):
        await browser.render(site.url("/mute"))


async def test_what_is_reported_to_readers_without_scripts_is_read_where_a_page_shows_nothing_else(browser, site_server):
    site = await site_server(
        {
            "/": page_of(body=f"<img name=querySelectorAll>{TOLD}"),
            "/both": page_of(ARTICLE, body=TOLD),
            "/shown": page_of(body=f"<p>Shown{TOLD}"),
            "/plea": page_of(body=PLEA),
        }
    )
    for path in ("/", "/both"):
        page = (await browser.render(site.url(path))).page
        assert (texts(page)[0], page.recovered) == ("The ferry", True)
    shown = (await browser.render(site.url("/shown"))).page
    assert (texts(shown)[0], shown.recovered) == ("Shown", False)
    with pytest.raises(Unusable, match="no text on the page"):
        await browser.render(site.url("/plea"))
