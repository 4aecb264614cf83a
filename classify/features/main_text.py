"""Features relating a block to the likely main text of the page, and features of the whole page."""

from __future__ import annotations

import numpy as np

from sightread.render.page.array_types import Bools, Floats
from sightread.render.page.page_arrays import PageArrays, ratio, signed_log

ANCHORS = {
    "main look": "the look of most unlinked text",
    "main container": "the element whose own and children's blocks hold most unlinked text",
    "half": "the lowest element that holds half of the page's unlinked text",
}
"""Three candidates for the main text; a model learns their weights."""
HALF = 0.5

ANCHOR_WORDS = {
    "in": "whether the block belongs to it",
    "across": "share of the block's width inside its left and right sides",
    "down": "position of the block's top between its top, 0, and its bottom, 1",
    "width": "the block's width against its own",
    "left": "distance of their left sides, in its widths",
    "before": "logarithm of the number of blocks before its first; 0 from there on",
    "after": "logarithm of the number of blocks after its last; 0 until there",
    "common": "depth of the lowest common ancestor with its longest block, as part of that block's",
    "rise": "steps from the block up to that ancestor",
}

HEADING_WORDS = {
    "heading.place": "blocks after the page's first highest heading, as a signed logarithm; none if the page has no such heading",
    "heading.down": "px below that heading, as a signed logarithm",
    "heading.left": "px between their left sides, as a signed logarithm",
    "heading.common": "depth of the lowest common ancestor with it, as part of its own",
    "heading.last": "blocks since the last heading of any level, as a logarithm",
}

PAGE_WORDS = {
    "page.blocks": "logarithm of its blocks",
    "page.text": "logarithm of its unlinked text",
    "page.links": "its link density",
    "page.longest": "logarithm of its longest block's unlinked text",
    "page.looks": "logarithm of its number of looks",
    "page.main": "part of its unlinked text that has the main look",
    "page.height": "logarithm of the px from its first to its last block",
    "page.place": "position of the block among the page's blocks",
    "page.text before": "share of the page's unlinked text before the block",
    "page.depth": "steps from the body down to the block",
    "page.deep": "these steps against those of the main look's longest block",
}


def anchors(page: PageArrays) -> dict[str, Floats]:
    """Return the features relating each block to each candidate for the main text: `main look.across` and so on."""
    look = page.looks == _main_look(page)
    text, blocks, near = page.text_below, page.blocks_below, page.near(page.unlinked)
    halves = np.flatnonzero((text >= HALF * text[0]) & (blocks > 0))  # if all text is linked, every element holds half of none
    container, half = int(near.argmax()), int(halves[page.depth[halves].argmax()])
    members = (look, (page.lineage == container).any(axis=1), (page.lineage == half).any(axis=1))
    return {
        f"{name}.{measure}": values
        for name, member in zip(ANCHORS, members, strict=True)
        for measure, values in zip(ANCHOR_WORDS, _relation(page, member), strict=True)
    }


def headings(page: PageArrays) -> dict[str, Floats]:
    """Return the features relating each block to the page's headline, and to the last heading before it."""
    level = np.array([block.heading or np.inf for block in page.page.blocks])
    place = np.arange(page.count)
    last = np.maximum.accumulate(np.where(np.isfinite(level), place, -1))
    since = np.where(last >= 0, np.log1p(place - last), np.nan)
    if not np.isfinite(level).any():
        return dict.fromkeys(HEADING_WORDS, np.full(page.count, np.nan))
    first = np.full(page.count, int(level.argmin()))
    found = (
        signed_log(place - first),
        signed_log(page.boxes[:, 1] - page.boxes[first, 3]),
        signed_log(page.boxes[:, 0] - page.boxes[first, 0]),
        ratio(page.common_depth(place, first), page.depth[page.element[first]]),
        since,
    )
    return dict(zip(HEADING_WORDS, found, strict=True))


def totals(page: PageArrays) -> dict[str, Floats]:
    """Return features of the page, the same for all of its blocks, and the position of each block in it."""
    text = page.unlinked.sum()
    main = page.looks == _main_look(page)
    depth = page.depth[page.element].astype(np.float64)
    longest = int(np.where(main, page.unlinked, -1.0).argmax())
    of_page = (
        np.log1p(page.count),
        np.log1p(text),
        1.0 - ratio(text, page.length.sum()),
        np.log1p(page.unlinked.max()),
        np.log1p(page.looks.max()),
        ratio(page.unlinked[main].sum(), text),
        np.log1p(page.element_boxes[0, 3] - page.element_boxes[0, 1]),
    )
    found = (
        *(np.full(page.count, value, np.float64) for value in of_page),
        np.arange(page.count) / page.count,
        ratio(np.cumsum(page.unlinked) - page.unlinked, text),
        depth,
        ratio(depth, depth[longest]),
    )
    return dict(zip(PAGE_WORDS, found, strict=True))


def _main_look(page: PageArrays) -> int:
    return int(np.bincount(page.looks, page.unlinked).argmax())


def _relation(page: PageArrays, member: Bools) -> tuple[Floats, ...]:
    place = np.arange(page.count)
    boxes = page.boxes[member]
    left, top = np.fmin.reduce(boxes[:, :2], axis=0)
    right, bottom = np.fmax.reduce(boxes[:, 2:], axis=0)
    across = np.minimum(page.boxes[:, 2], right) - np.maximum(page.boxes[:, 0], left)
    longest = np.full(page.count, int(np.where(member, page.unlinked, -1.0).argmax()))
    common = page.common_depth(place, longest)
    inside = np.flatnonzero(member)
    return (
        member.astype(np.float64),
        ratio(across.clip(min=0), page.width),
        ratio(page.boxes[:, 1] - top, bottom - top),
        ratio(page.width, right - left),
        ratio(page.boxes[:, 0] - left, right - left),
        np.log1p((inside[0] - place).clip(min=0)),
        np.log1p((place - inside[-1]).clip(min=0)),
        ratio(common, page.depth[page.element[longest]]),
        page.depth[page.element] - common,
    )
