"""The order in which a reader meets blocks, where it is not that of the markup."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.document.document import build_document
from sightread.document.reading_order import reading_order
from sightread.render.page import Block, Box, Element, Image, Page


def page(*boxes: tuple[float, float, float, float], language: str = "en") -> Page:
    """A page of one `<div>`, with a paragraph at each of the boxes."""
    elements = (Element("body", -1), Element("div", 0), *(Element("p", 1) for _ in boxes))
    blocks = tuple(Block(f"text {row}", row + 2, box=Box(*box)) for row, box in enumerate(boxes))
    return Page(url="", final_url="", source="browser", elements=elements, blocks=blocks, language=language)


def order(shown: Page) -> tuple[int, ...]:
    return reading_order(shown, range(len(shown.blocks)))


@pytest.mark.parametrize(
    ("boxes", "expected"),
    [
        (((0, 0, 100, 20), (0, 20, 100, 20), (0, 40, 100, 20)), (0, 1, 2)),
        (((0, 40, 100, 20), (0, 0, 100, 20), (0, 20, 100, 20)), (1, 2, 0)),
        (((200, 0, 90, 300), (100, 0, 90, 200), (0, 0, 90, 250)), (2, 1, 0)),
        (((0, 40, 100, 20), (200, 0, 100, 20)), (0, 1)),  # two columns: no part stands above the other
        (((0, 30, 100, 20), (0, 0, 100, 40)), (0, 1)),  # they overlap
        (((100, 0, 90, 20), (0, 0, 90, 20), (100, 30, 90, 20), (0, 30, 90, 20)), (0, 1, 2, 3)),  # a grid
        (((200, 0, 100, 100), (0, 0, 300, 100)), (0, 1)),  # a picture floats to the right of text
    ],
)
def test_parts_are_read_as_they_are_shown_where_that_is_clear(boxes: tuple, expected: tuple[int, ...]) -> None:
    assert order(page(*boxes)) == expected


def test_a_row_of_a_language_written_leftward_is_in_order() -> None:
    boxes = (200, 0, 90, 20), (100, 0, 90, 20), (0, 0, 90, 20)
    assert order(page(*boxes, language="ar")) == (0, 1, 2)
    assert order(page(*boxes[::-1], language="he-IL")) == (2, 1, 0)


def test_without_boxes_the_markup_tells() -> None:
    shown = page((0, 40, 100, 20), (0, 0, 100, 20))
    assert order(replace(shown, blocks=(replace(shown.blocks[0], box=None), shown.blocks[1]))) == (0, 1)


def test_a_part_moves_as_a_whole_with_its_picture() -> None:
    elements = tuple(Element(*each) for each in (("body", -1), ("section", 0), ("p", 1), ("p", 1), ("section", 0), ("p", 4)))
    boxes = ((2, 100), (3, 120), (5, 0))
    blocks = tuple(Block(f"text {row}", element, box=Box(0, top, 100, 20)) for row, (element, top) in enumerate(boxes))
    image = Image("https://e.org/a.jpg", "a", 1, 1, Box(0, 110, 100, 90))
    shown = Page(url="", final_url="", source="browser", elements=elements, blocks=blocks, images=(image,))
    document = build_document(shown, np.ones(3))
    assert document.rows == (2, 0, 1)
    assert document.markdown == "text 2\n\ntext 0\n\n![a](https://e.org/a.jpg)\n\ntext 1"


@given(st.lists(st.tuples(*[st.integers(0, 50).map(float)] * 4), max_size=8))
def test_every_block_is_read_once(boxes: list) -> None:
    shown = page(*boxes)
    assert sorted(order(shown)) == list(range(len(boxes)))
