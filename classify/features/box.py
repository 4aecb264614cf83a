"""Features of the boxes of blocks: where they are on the page, in which column, beside what; relative to the page and its main text.

Lengths are compared with the page, the window or the main column, so that a layout means the same at any width. All columns are NaN if no
browser measured boxes.
"""

from __future__ import annotations

import numpy as np

from classify.features.context import CONTAINERS, GROUP_WORDS, NEIGHBOURS, group_features, usual
from classify.features.main_text import ANCHOR_WORDS, anchor_relation, main_containers, main_group
from render.page_arrays import Bools, Floats, PageArrays, ratio, signed_log

BANDS = 256
"""Horizontal bands of equal height in which the page is searched for what is beside a block."""
COLUMN = 0.8
"""Share of its width that a block has inside the main column if it belongs to it."""
BLOCK_WORDS = {
    "box.width": "width against the page's",
    "box.height": "logarithm of the height in lines of its page's usual height",
    "box.left": "left side against the page's width",
    "box.centre": "distance of its middle from the page's, in page widths",
    "box.top": "top against the page's height",
    "box.fold": "logarithm of its top in window heights",
    "box.below": "logarithm of the window heights below it",
    "box.density": "characters per area, against the page's usual for text",
    "box.usual width": "width against the page's usual for text",
    "box.usual left": "left side less the page's usual for text, in page widths",
    "box.pinned": "whether it stays in view as the page scrolls",
    "box.concealed": "whether it has a box, but cannot be seen",
    "box.beside": "width of all that is at its height, itself left out, against the page's",
    "box.text beside": "unlinked text of all that is at its height, itself included, of which it is the share",
}
CONTAINER_BOX_WORDS = {
    "width": "its width against the page's",
    "height": "its height against the page's",
    "density": "its unlinked characters per area, against the page's",
    "place": "position of the block in it, from 0 at its top to 1",
}
NEIGHBOUR_BOX_WORDS = {
    "size": "its width against this block's",
    "gap": "distance of the two, up or down, in lines, as a signed logarithm",
    "shift": "distance of their left sides against the page's width",
}
PLACE_WORDS = {
    "across": "share of the block's width inside its left and right sides",
    "down": "position of the block's top between its top, 0, and its bottom, 1",
    "width": "the block's width against its own",
    "left": "distance of their left sides, in its widths",
}
PLACES = {
    "main column": "the boxes of the column of most unlinked text",
    "main container": "the boxes of the element whose own and children's blocks hold most unlinked text",
    "half": "the boxes of the lowest element that holds half of the page's unlinked text",
}
HEADING_BOX_WORDS = {
    "heading.down": "distance below the page's first highest heading, in window heights",
    "heading.left": "distance of their left sides, against the page's width",
}
PAGE_BOX_WORDS = {
    "page.height": "logarithm of the page's height in window heights",
    "page.window": "logarithm of the window's width in usual line heights",
    "page.column": "width of the main column against the page's",
}
BOX_WORDS: dict[str, str] = {
    **BLOCK_WORDS,
    **{f"{name}.{measure}": f"{name}: {words}" for name in CONTAINERS for measure, words in CONTAINER_BOX_WORDS.items()},
    **{f"{name}.{measure}": f"{name} block: {words}" for name in NEIGHBOURS for measure, words in NEIGHBOUR_BOX_WORDS.items()},
    **{f"same column.{measure}": f"blocks of its left side and width: {words}" for measure, words in GROUP_WORDS.items()},
    **{f"main column.{measure}": f"{PLACES['main column']}: {words}" for measure, words in ANCHOR_WORDS.items()},
    **{f"{name}.{measure}": f"{what}: {words}" for name, what in PLACES.items() for measure, words in PLACE_WORDS.items()},
    **HEADING_BOX_WORDS,
    **PAGE_BOX_WORDS,
}
"""Description of each column."""
WINDOW = (1600.0, 1000.0)
"""CSS px of the window, where it is not recorded."""
LINE = 20.0
"""CSS px of a line, where no height can be measured."""

Columns = dict[str, Floats]


def box_features(page: PageArrays) -> Columns:
    """Return the columns of `BOX_WORDS`, each of shape (blocks,); NaN throughout without boxes, and for text that is not laid out."""
    if np.isnan(page.boxes).all():
        return dict.fromkeys(BOX_WORDS, np.full(page.count, np.nan))
    column = main_group(page, page.columns)
    inside = _across(page, *_sides(page, column)) >= COLUMN
    columns = _blocks(page) | _containers(page) | _neighbours(page) | group_features(page, "same column", page.columns)
    columns |= {f"main column.{name}": each for name, each in zip(ANCHOR_WORDS, anchor_relation(page, column | inside), strict=True)}
    for name, member in zip(PLACES, (column, *main_containers(page)), strict=True):
        columns |= {f"{name}.{measure}": values for measure, values in _place(page, member).items()}
    columns |= _heading(page) | _of_page(page, column)
    missing = np.isnan(page.boxes[:, 0])
    return {name: np.where(missing, np.nan, values) for name, values in columns.items()}


def _extent(page: PageArrays) -> tuple[float, float]:
    """Return width and height of the page: of the document if they are recorded, else of all boxes together."""
    if page.page.document is not None:
        return max(page.page.document.width, 1.0), max(page.page.document.height, 1.0)
    right, bottom = page.element_boxes[0, 2:]
    return max(float(right), 1.0), max(float(bottom), 1.0)


def _window(page: PageArrays) -> tuple[float, float]:
    return (max(page.page.viewport.width, 1.0), max(page.page.viewport.height, 1.0)) if page.page.viewport is not None else WINDOW


def _line(page: PageArrays) -> float:
    """Return the lowest tenth of the heights of the blocks, the height of one line, in CSS px."""
    high = page.height[page.height > 0]
    return float(np.quantile(high, 0.1)) if len(high) else LINE


def _blocks(page: PageArrays) -> Columns:
    (wide, high), window, line = _extent(page), _window(page), _line(page)
    left, top, right, bottom = page.boxes.T
    density = ratio(page.length, page.width * page.height)
    beside, text = _beside(page)
    found = (
        page.width / wide,
        np.log1p(page.height / line),
        left / wide,
        np.abs((left + right) / 2 / wide - 0.5),
        top / high,
        np.log1p(top.clip(min=0) / window[1]),
        np.log1p((high - bottom).clip(min=0) / window[1]),
        density / max(usual(page, density), 1e-9),
        page.width / max(usual(page, page.width), 1.0),
        (left - usual(page, left)) / wide,
        np.array([block.pinned for block in page.page.blocks], np.float64),
        np.array([bool(block.hidden) for block in page.page.blocks], np.float64),
        beside / wide,
        text,
    )
    return dict(zip(BLOCK_WORDS, found, strict=True))


def _beside(page: PageArrays) -> tuple[Floats, Floats]:
    """Return the mean width of other blocks at the height of each, and its share of the unlinked text there.

    The page is cut into bands; a block counts in each band that it reaches, its text spread evenly over them.
    """
    top, bottom = page.boxes[:, 1], page.boxes[:, 3]
    known = np.isfinite(top)
    low, high = float(np.nanmin(top)), float(np.nanmax(bottom))
    scale = BANDS / max(high - low, 1.0)
    first = np.where(known, (np.where(known, top, low) - low) * scale, 0.0).astype(np.intp).clip(0, BANDS - 1)
    last = np.where(known, (np.where(known, bottom, low) - low) * scale, 0.0).astype(np.intp).clip(first, BANDS - 1)
    count = (last - first + 1).astype(np.float64)
    width, text = np.where(known, page.width, 0.0), np.where(known, page.unlinked, 0.0) / count

    def total(values: Floats) -> Floats:
        change = np.bincount(first, values, BANDS + 1) - np.bincount(last + 1, values, BANDS + 1)
        return np.concatenate([[0.0], np.cumsum(np.cumsum(change)[:BANDS])])

    widths, texts = total(width), total(text)
    return (widths[last + 1] - widths[first]) / count - width, ratio(text * count, texts[last + 1] - texts[first])


def _containers(page: PageArrays) -> Columns:
    text, boxes = page.text_below, page.element_boxes
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    overall = max(float(ratio(text[0], wide[0] * high[0])), 1e-9)
    columns: Columns = {}
    for steps, name in enumerate(CONTAINERS):
        row = page.above(steps)
        found = (
            ratio(wide[row], wide[0]),
            ratio(high[row], high[0]),
            ratio(text[row], wide[row] * high[row]) / overall,
            ratio(page.boxes[:, 1] - boxes[row, 1], high[row]),
        )
        columns.update({f"{name}.{measure}": values for measure, values in zip(CONTAINER_BOX_WORDS, found, strict=True)})
    return columns


def _neighbours(page: PageArrays) -> Columns:
    columns: Columns = {}
    place, line, wide = np.arange(page.count), _line(page), _extent(page)[0]
    for name, step in NEIGHBOURS.items():
        other = (place + step).clip(0, max(page.count - 1, 0))
        gap = np.where(step > 0, page.boxes[other, 1] - page.boxes[:, 3], page.boxes[:, 1] - page.boxes[other, 3])
        found = (ratio(page.width[other], page.width), signed_log(gap / line), (page.boxes[other, 0] - page.boxes[:, 0]) / wide)
        missing = np.where(place + step == other, 0.0, np.nan)
        columns.update({f"{name}.{measure}": values + missing for measure, values in zip(NEIGHBOUR_BOX_WORDS, found, strict=True)})
    return columns


def _sides(page: PageArrays, member: Bools) -> tuple[float, float]:
    boxes = page.boxes[member]
    return float(np.fmin.reduce(boxes[:, 0])), float(np.fmax.reduce(boxes[:, 2]))


def _across(page: PageArrays, left: float, right: float) -> Floats:
    """Return the share of each block's width between two sides."""
    return ratio((np.minimum(page.boxes[:, 2], right) - np.maximum(page.boxes[:, 0], left)).clip(min=0), page.width)


def _place(page: PageArrays, member: Bools) -> Columns:
    left, right = _sides(page, member)
    top, bottom = float(np.fmin.reduce(page.boxes[member, 1])), float(np.fmax.reduce(page.boxes[member, 3]))
    found = (
        _across(page, left, right),
        ratio(page.boxes[:, 1] - top, bottom - top),
        ratio(page.width, right - left),
        ratio(page.boxes[:, 0] - left, right - left),
    )
    return dict(zip(PLACE_WORDS, found, strict=True))


def _heading(page: PageArrays) -> Columns:
    level = np.array([block.heading or np.inf for block in page.page.blocks])
    if not np.isfinite(level).any():
        return dict.fromkeys(HEADING_BOX_WORDS, np.full(page.count, np.nan))
    left, bottom = page.boxes[int(level.argmin()), [0, 3]]
    found = ((page.boxes[:, 1] - bottom) / _window(page)[1], (page.boxes[:, 0] - left) / _extent(page)[0])
    return dict(zip(HEADING_BOX_WORDS, found, strict=True))


def _of_page(page: PageArrays, column: Bools) -> Columns:
    (wide, high), window = _extent(page), _window(page)
    left, right = _sides(page, column)
    found = (np.log1p(high / window[1]), np.log1p(window[0] / _line(page)), (right - left) / wide)
    return {name: np.full(page.count, value) for name, value in zip(PAGE_BOX_WORDS, found, strict=True)}
