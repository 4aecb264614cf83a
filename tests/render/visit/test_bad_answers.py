"""What a hostile page may make of the collector's answer: numbers that are none, and properties by the thousand."""

import json

import pytest

from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Unusable
from sightread.render.visit.collector.collect import ALL_PROPERTIES, CollectOptions, collect
from tests.render.visit.test_collect_page import AnsweringTab

PAGE = {
    "elements": [["body", -1]],
    "blocks": [{"text": "x", "element": 0, "box": [0, 0, "WIDTH", 20]}],
    **{name: [] for name in ("styles", "titles", "descriptions", "metas", "json_ld", "images", "links")},
    **{"body_style": {}, "canonical": "", "language": "", "viewport": [1, 1], "document": [1, 1], "truncated": False},
}


def answering(width):
    return AnsweringTab({"result": {"value": json.dumps(PAGE).replace('"WIDTH"', width)}})


@pytest.mark.parametrize("width", ["null", "NaN", "Infinity", "1e999", "-1", '"wide"'])
async def test_a_box_that_is_no_box_makes_the_page_unusable_in_one_line(width):
    with pytest.raises(Unusable, match=r"^http://site\.test/: what the browser collected cannot be read: .*\S$") as raised:
        await collect(answering(width))
    assert "\n" not in str(raised.value)


async def test_a_box_of_numbers_is_read():
    assert (await collect(answering("700"))).blocks[0].box.width == 700


async def test_thousands_of_properties_of_the_pages_own_are_read_with_all_the_others(browser):
    own = ";".join(f"--property-{number}:{number}px" for number in range(3000))
    html = f"<!doctype html><style>p {{ {own}; color: red }}</style><p>One</p><p style='{own}'>Two"
    options = RenderOptions(javascript=False, collect=CollectOptions(ALL_PROPERTIES))
    page = (await browser.render_html(html, "http://site.test/", options)).page
    assert [block.text for block in page.blocks] == ["One", "Two"]
    assert all(page.style_of(block)["color"] == "rgb(255, 0, 0)" for block in page.blocks)
