"""Pages that show no text and tell it to machines."""

import json

import pytest

from render.browser import Browser
from render.egress import LOCAL
from render.errors import Unusable
from render.recovered import recover_text
from render.static import read_html
from tests.render.shown import texts


def page_of(*told, body="<div id=app></div>"):
    scripts = "".join(f'<script type="application/ld+json">{json.dumps(each)}</script>' for each in told)
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
    ("told", "paragraphs"),
    [
        (ARTICLE, ["It runs all night.", "Nobody & nothing stops it."]),
        (THREAD, ["Which boat?", "A small one?", "A dinghy.", "A canoe."]),
        ({"@type": "Product", "description": "A boat."}, ["A boat."]),
        ({"@type": "Organization", "description": "We sell boats."}, []),
        ({"@type": "Article", "articleBody": ["no", "text"]}, []),
    ],
    ids=["an article", "a thread", "a product", "who made the page", "no text"],
)
def test_what_the_page_is_about_is_recovered(told, paragraphs):
    page = recover_text(read_html(page_of(told)))
    assert texts(page) == paragraphs
    assert page.recovered == bool(paragraphs)
    assert all(block.hidden == "display" for block in page.blocks)


async def test_an_application_that_never_fills_itself_is_read_by_what_it_tells(site_server):
    site = await site_server({"/": page_of(ARTICLE), "/mute": page_of(), "/shown": page_of(ARTICLE, body="<p>Shown")})
    async with Browser(tabs=1, egress=LOCAL) as browser:
        page = (await browser.render(site.url())).page
        assert (texts(page), page.recovered) == (["It runs all night.", "Nobody & nothing stops it."], True)
        shown = (await browser.render(site.url("/shown"))).page
        assert (texts(shown), shown.recovered) == (["Shown"], False)
        with pytest.raises(Unusable, match="no text on the page"):
            await browser.render(site.url("/mute"))
