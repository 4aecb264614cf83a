"""The overlay: blocks in the colours of their predictions, over the picture or on white, in a file in which nothing runs."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Rejected
from sightread.render.page import Block, Box, Element, Page, Size
from sightread.render.static.parse import read_html
from sightread.render.visit.device import Device
from sightread.render.visit.picture import Picture
from sightread.viewer.svg_overlay import draw_overlay

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    '"><script>window.pwned = 1</script><image href="http://127.0.0.1:9/x" onload="window.pwned = 2"/>]]> \x00\x0b\ud800\uffff &amp; '
    + ("javascript:alert(1)")
)


def page_of(texts, url="http://site.test/", **fields):
    blocks = tuple(Block(text, 0, box=Box(10, 100.0 * row, 400, 50)) for row, text in enumerate(texts))
    whole = {"viewport": Size(800, 600), "document": Size(800, 1200)} | fields
    return Page(url, url, "browser", (Element("body", -1),), blocks, **whole)


def rects(svg):
    """Class and box of every block that is drawn, without the legend's, in the order of the file."""
    root = ElementTree.fromstring(svg)
    return [
        (rect.get("class"), tuple(float(rect.get(side)) for side in ("x", "y", "width", "height")))
        for rect in root.iter(f"{SVG}rect")
        if rect.get("class") and float(rect.get("y")) >= 0
    ]


def test_blocks_are_coloured_by_their_predictions_where_they_stand():
    drawn = rects(draw_overlay(page_of(["one", "two", "three"]), np.array([0.9, 0.1, 0.6])))
    assert drawn == [
        ("block kept", (10, 0, 400, 50)),
        ("block dropped", (10, 100, 400, 50)),
        ("block kept unsure", (10, 200, 400, 50)),
    ]


def test_the_legend_counts_them_and_names_page_and_model():
    texts = [
        text.text
        for text in ElementTree.fromstring(draw_overlay(page_of(["a", "b", "c"]), np.array([1, 0, 0.4]), None, "site")).iter(f"{SVG}text")
    ]
    assert {"kept 1", "dropped 2", "unsure 1", "http://site.test/, by site"} <= set(texts)


def test_what_no_reader_sees_is_drawn_only_where_it_was_kept():
    hidden = [Block("hidden", 0, box=Box(0, y, 100, 20), hidden="opacity") for y in (0, 50)]
    blocks = (*hidden, Block("not laid out", 0, hidden="display"), Block("seen", 0, box=Box(0, 100, 100, 20)))
    page = Page("http://site.test/", "http://site.test/", "browser", (Element("body", -1),), blocks)
    assert [box[1] for _, box in rects(draw_overlay(page, np.array([1.0, 0.0, 1.0, 0.0])))] == [0, 100]


def test_pages_probabilities_and_pictures_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="1 probabilities for 2 blocks"):
        draw_overlay(page_of(["one", "two"]), np.ones(1))
    with pytest.raises(Rejected, match="not a WebP"):
        draw_overlay(page_of(["one"]), np.ones(1), Picture((b"torn",)))
    page = read_html("<p>Text", "http://site.test/")
    with pytest.raises(Rejected, match=r"^http://site\.test/: its blocks have no boxes.*: read it with a browser"):
        draw_overlay(page, np.ones(len(page.blocks)))


@given(st.lists(st.text(max_size=300), min_size=1, max_size=5), st.text(max_size=300), st.text(max_size=30))
def test_any_text_gives_a_file_that_can_be_read_and_holds_nothing_but_drawing(texts, url, model):
    root = ElementTree.fromstring(draw_overlay(page_of(texts, url), np.full(len(texts), 0.5), None, model))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {"svg", "style", "rect", "title", "text"}


async def test_what_a_hostile_page_says_is_inert_where_the_file_is_opened(watched, tmp_path):
    path = tmp_path / "overlay.svg"
    page = page_of([HOSTILE, "]]></style><style>@import 'http://127.0.0.1:9/x'"], HOSTILE, body_style={"font-size": "9px;}x{"})
    path.write_bytes(draw_overlay(page, np.array([1.0, 0.0]), None, HOSTILE))
    await watched.tab.goto(path.as_uri())
    assert await watched.tab.evaluate("document.querySelectorAll('rect.block').length") == 5  # it is a drawing, and no error page
    assert (await watched.pwned(), watched.witness.dialogs, watched.witness.errors) == (None, [], [])
    assert watched.witness.requests == [path.as_uri()]


async def test_tiles_stand_behind_the_blocks_where_they_were_taken(browser, watched, tmp_path):
    html = "<!doctype html><body style='margin:0'><p style='margin:0;height:39900px'>Top</p><p style='margin:0;height:100px'>End</p>"
    page, picture, *_ = await browser.render_html(html, options=RenderOptions(picture=True, device=Device(Size(320, 800))))
    path = tmp_path / "overlay.svg"
    path.write_bytes(draw_overlay(page, np.array([1.0, 0.0]), picture))
    root = ElementTree.parse(path).getroot()
    places = [(float(image.get("y")), float(image.get("width")), float(image.get("height"))) for image in root.iter(f"{SVG}image")]
    assert places == [(0, 320, 32_000), (32_000, 320, 8_000)]
    assert rects(path.read_bytes())[-1][1] == (0, 39_900, 320, 100)
    await watched.tab.goto(path.as_uri())
    assert not [url for url in watched.witness.requests if not re.match(r"file:|data:image/webp", url)]
