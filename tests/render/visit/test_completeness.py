"""About a hundred small pages, one per hard case: every text once, in reading order, and boxes as an independent measurement has them.

The measurement is a layout snapshot through the debugging protocol, taken of the tab that was collected. It says where every piece of
text stands and what box each element has, and no line of the collector has a part in it.
"""

import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import pytest
import pytest_asyncio

from sightread.render.browser.find_browser import find_browser
from sightread.render.browser.launch import launch
from sightread.render.visit.collect import collect
from sightread.render.visit.navigation import attach
from tests.pages.layout import GENERATED, LAYOUT
from tests.pages.text import TEXT

CASES = {**TEXT, **LAYOUT}
NEAR = 1.0
"""CSS px."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tab():
    """One tab for all the pages."""
    chromium = await launch(find_browser(None))
    context = await chromium.browser.new_context(viewport={"width": 1600, "height": 1000}, java_script_enabled=False, offline=True)
    yield await context.new_page()
    await context.close()
    await chromium.close()


def written(page):
    """Return the blocks as the tables of the pages write them."""
    return [
        (f"[{block.hidden}] " if block.hidden else "") + (f"{block.marker}| " if block.marker else "") + block.text for block in page.blocks
    ]


class Piece(NamedTuple):
    """A text node that is laid out: its text, the box of its text, and those of its ancestors by tag, the nearest first."""

    text: str
    box: tuple[float, float, float, float]
    ancestors: list[tuple[str, tuple[float, float, float, float]]]


@dataclass
class Snapshot:
    """What the browser's own layout tree says of the page."""

    answer: dict

    def string(self, index):
        return self.answer["strings"][index] if index >= 0 else ""

    def pieces(self):
        found = []
        self._read(0, (0.0, 0.0, 1.0), found)
        return found

    def _read(self, number, place, found):
        document = self.answer["documents"][number]
        nodes, layout, boxes = document["nodes"], document["layout"], document["textBoxes"]
        bounds = dict(zip(layout["nodeIndex"], layout["bounds"], strict=True))
        x, y, scale = place
        frames = dict(zip(nodes["contentDocumentIndex"]["index"], nodes["contentDocumentIndex"]["value"], strict=True))

        def moved(box):
            return (box[0] * scale + x, box[1] * scale + y, box[2] * scale, box[3] * scale)

        for row, (node, text) in enumerate(zip(layout["nodeIndex"], layout["text"], strict=True)):
            if node in frames:
                left, top, width, _ = moved(layout["bounds"][row])
                inner = scale * width / float(self.attributes(nodes, node).get("width", width / scale))
                self._read(frames[node], (left, top, inner), found)
            if text < 0 or not self.string(text).strip():
                continue
            own = [box for place, box in zip(boxes["layoutIndex"], boxes["bounds"], strict=True) if place == row]
            if not own:
                continue
            ancestors, at = [], node
            while at >= 0:
                if at in bounds:
                    ancestors.append((self.string(nodes["nodeName"][at]).lower(), moved(bounds[at])))
                at = nodes["parentIndex"][at]
            found.append(Piece(self.string(text), moved(joined(own)), ancestors))

    def attributes(self, nodes, node):
        names = [self.string(index) for index in nodes["attributes"][node]]
        return dict(zip(names[::2], names[1::2], strict=True))


def joined(boxes):
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return (left, top, right - left, bottom - top)


async def snapshot(session):
    return Snapshot(await session.send("DOMSnapshot.captureSnapshot", {"computedStyles": [], "includeDOMRects": True}))


@pytest.fixture(scope="module")
async def read(tab):
    """Return the page of a case, and the pieces of the layout tree, measured right after it; once per case, for all tests."""
    known, attached = {}, await attach(tab)

    async def read_case(name):
        if name not in known:
            html = CASES[name][0]
            await tab.set_content(html if html.startswith("<html") else f"<!doctype html>{html}", wait_until="load")  # of its frames too
            page = (await collect(attached)).page("http://site.test/", "http://site.test/", "stored")
            known[name] = page, (await snapshot(attached.session)).pieces()
        return known[name]

    return read_case


def near(one, other):
    return all(abs(a - b) <= NEAR for a, b in zip(one, other, strict=True))


def inked(text):
    """Return the text without white space, in one case: the layout tree has it as it is painted."""
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()


def letters(texts):
    return Counter("".join(map(inked, texts)))


@pytest.mark.parametrize("name", CASES)
async def test_every_text_is_read_once_in_reading_order(read, name):
    page, _ = await read(name)
    assert written(page) == CASES[name][1]


BOXED = [name for name in CASES if name not in GENERATED]
APART = {
    *("an ornament", "a glyph of an icon font", "content-visibility", "content-visibility of the text's own block", "hidden until found"),
    *(name for name in CASES if "formula" in name),
}
"""Pages where the layout tree has other text: ornaments and icons, text that was laid out once and is not shown, and formulas, which are
collected as TeX."""


@pytest.mark.parametrize("name", BOXED)
async def test_boxes_are_those_of_the_layout_tree(read, name):
    page, pieces = await read(name)
    for block in page.blocks:
        if block.hidden == "display":
            assert block.box is None
            continue
        own = [piece for piece in pieces if inked(piece.text) in inked(block.text)]
        assert own, f"no such text in the layout tree: {block.text}"
        tag = page.elements[block.element].tag
        box = next((box for piece in own for name, box in piece.ancestors if name == tag), None)
        assert box is not None, f"no <{tag}> above {block.text}"
        text = joined([piece.box for piece in own])
        candidates = [box, (box[0], text[1], box[2], text[3]), (text[0], box[1], text[2], box[3]), text]
        assert any(near(block.box, candidate) for candidate in candidates), f"{block.text}: {block.box}, measured {candidates}"
        assert block.box.width * block.box.height > 0 or block.hidden


@pytest.mark.parametrize("name", [name for name in CASES if name not in APART])
async def test_no_letter_of_the_layout_tree_is_lost_or_doubled(read, name):
    page, pieces = await read(name)
    collected = letters(text for block in page.blocks if block.hidden != "display" for text in (block.marker, block.text))
    assert collected == letters(piece.text for piece in pieces)
