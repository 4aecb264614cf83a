"""The two ways to a page, with a browser and without, on the hand-made pages; and the same way twice."""

from dataclasses import replace

import pytest

from benchmarks.experiments.extraction.agreement import agreement
from sightread.render.page import encode_page
from sightread.render.static.parse import read_html
from tests.pages.layout import GENERATED, HIDDEN, LAYOUT, MARKERS, PLACED
from tests.pages.text import TEXT

URL = "http://site.test/a/"
STYLED = {name for name, (html, _) in {**TEXT, **LAYOUT}.items() if "style=" in html or "<style" in html}
FRAMED = {name for name, (html, _) in LAYOUT.items() if "<iframe" in html}
"""A parser of one document reads no other."""
PLAIN = {name: case for name, case in {**TEXT, **LAYOUT}.items() if name not in STYLED | FRAMED}
GROUPS = {
    "text": (TEXT, 0.84),
    "hidden": (HIDDEN, 0.94),
    "generated": (GENERATED, 0.5),
    "markers": (MARKERS, 1.0),
    "placed": (PLACED, 0.94),
}
"""Pages, and the share of blocks that agrees on the average; what is missing needs CSS, or a second document."""
REPEATED = ("nested counters", "a frame in a frame", "vertical", "a shadow tree in a shadow tree", "a slide outside its window")


@pytest.fixture(scope="module")
def rendered(browser):
    """Return a function that renders a hand-made page, once: most are in two tests."""
    pages = {}

    async def render(html):
        if html not in pages:
            pages[html] = await render_again(browser, html)
        return pages[html]

    return render


async def render_again(browser, html):
    return (await browser.render_html(f"<!doctype html>{html}", URL)).page


def fields(page):
    paths = page.tag_paths()
    return [(block.text, paths[block.element], block.inlines, block.link_chars, block.heading, block.hidden) for block in page.blocks]


@pytest.mark.parametrize("name", PLAIN)
async def test_a_page_without_style_is_read_alike(rendered, name):
    html, _ = PLAIN[name]
    static, page = read_html(f"<!doctype html>{html}", URL), await rendered(html)
    assert fields(static) == fields(page)
    assert [block.marker for block in static.blocks] == [block.marker for block in page.blocks]
    assert static.elements == page.elements


@pytest.mark.parametrize("group", GROUPS)
async def test_with_style_the_ways_agree_as_far_as_html_allows(rendered, group):
    cases, least = GROUPS[group]
    found = [agreement(read_html(html, URL), await rendered(html)) for html, _ in cases.values()]
    assert sum(found) / len(found) >= least


@pytest.mark.parametrize("name", REPEATED)
async def test_a_page_rendered_again_is_the_same_byte_for_byte(browser, name):
    records = {encode_page(replace(await render_again(browser, LAYOUT[name][0]), timing=None, rendered_at="")) for _ in range(4)}
    assert len(records) == 1
