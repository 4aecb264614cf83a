"""Features relating a block to the likely main text of the page, and features of the whole page."""

from __future__ import annotations

import numpy as np

from render.page_arrays import Bools, Floats, PageArrays, Rows, compressed, ratio, signed_log

ANCHORS = {
    "main path": "the tag path of most unlinked text",
    "main container": "the element whose own and children's blocks hold most unlinked text",
    "half": "the lowest element that holds half of the page's unlinked text",
}
"""Three guesses at the main text; a model learns their weights."""
HALF = 0.5

ANCHOR_WORDS = {
    "in": "whether the block belongs to it",
    "before": "logarithm of the number of blocks before its first; 0 from there on",
    "after": "logarithm of the number of blocks after its last; 0 until there",
    "common": "depth of the lowest common ancestor with its longest block, as part of that block's",
    "rise": "steps from the block up to that ancestor",
}

HEADING_WORDS = {
    "heading.place": "blocks after the page's first highest heading, as a signed logarithm; NaN where the page has none",
    "heading.common": "depth of the lowest common ancestor with it, as part of its own",
    "heading.last": "blocks since the last heading of any level, as a logarithm",
}

PAGE_WORDS = {
    "page.blocks": "logarithm of its blocks",
    "page.text": "logarithm of its unlinked text",
    "page.links": "its link density",
    "page.longest": "logarithm of its longest block's unlinked text",
    "page.paths": "logarithm of its number of tag paths",
    "page.main": "part of its unlinked text that has the main tag path",
    "page.place": "position of the block among the page's blocks",
    "page.text before": "share of the page's unlinked text before the block",
    "page.depth": "steps from the body down to the block",
    "page.deep": "these steps against those of the longest block of the main tag path",
}


def anchors(page: PageArrays) -> dict[str, Floats]:
    """Return the features relating each block to each guess at the main text: `main path.in` and so on."""
    members = (main_group(page, page.paths), *main_containers(page))
    return {
        f"{name}.{measure}": values
        for name, member in zip(ANCHORS, members, strict=True)
        for measure, values in zip(ANCHOR_WORDS, anchor_relation(page, member), strict=True)
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
        ratio(page.common_depth(place, first), page.depth[page.element[first]]),
        since,
    )
    return dict(zip(HEADING_WORDS, found, strict=True))


def totals(page: PageArrays) -> dict[str, Floats]:
    """Return features of the page, the same for all of its blocks, and the position of each block in it."""
    text = page.unlinked.sum()
    main = main_group(page, page.paths)
    depth = page.depth[page.element].astype(np.float64)
    longest = int(np.where(main, page.unlinked, -1.0).argmax())
    of_page = (
        np.log1p(page.count),
        np.log1p(text),
        1.0 - ratio(text, page.length.sum()),
        np.log1p(page.unlinked.max()),
        np.log1p(page.paths.max()),
        ratio(page.unlinked[main].sum(), text),
    )
    found = (
        *(np.full(page.count, value, np.float64) for value in of_page),
        np.arange(page.count) / page.count,
        ratio(np.cumsum(page.unlinked) - page.unlinked, text),
        depth,
        ratio(depth, depth[longest]),
    )
    return dict(zip(PAGE_WORDS, found, strict=True))


def main_containers(page: PageArrays) -> tuple[Bools, Bools]:
    """Return which blocks are in the main container, and which in the lowest element with half of the page's unlinked text."""
    text, blocks, near = page.text_below, page.blocks_below, page.near(page.unlinked)
    halves = np.flatnonzero((text >= HALF * text[0]) & (blocks > 0))  # where all text is linked, every element holds half of none
    container, half = int(near.argmax()), int(halves[page.depth[halves].argmax()])
    return (page.lineage == container).any(axis=1), (page.lineage == half).any(axis=1)


def main_group(page: PageArrays, groups: Rows) -> Bools:
    """Return whether each block belongs to the group of most unlinked text, shape (blocks,); `groups` has the same shape."""
    numbers = compressed(groups)[0]
    return np.asarray(numbers == int(np.bincount(numbers, page.unlinked).argmax()), np.bool_)


def anchor_relation(page: PageArrays, member: Bools) -> tuple[Floats, ...]:
    """Return the features relating each block to a guess at the main text: those of `ANCHOR_WORDS`, in order."""
    place = np.arange(page.count)
    longest = np.full(page.count, int(np.where(member, page.unlinked, -1.0).argmax()))
    common = page.common_depth(place, longest)
    inside = np.flatnonzero(member)
    return (
        member.astype(np.float64),
        np.log1p((inside[0] - place).clip(min=0)),
        np.log1p((place - inside[-1]).clip(min=0)),
        ratio(common, page.depth[page.element[longest]]),
        page.depth[page.element] - common,
    )
