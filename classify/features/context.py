"""Context features: a block's containers, blocks of the same look, neighbours, and the page's main text.

The strongest features of all, in our runs and in the field's: the text of the containers against the page's largest (as in Readability),
the link density of all blocks of one look, and how much text is nearby (as in Boilerpipe, Kohlschütter et al. 2010).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from sightread.render.page.array_types import Floats, Rows
from sightread.render.page.page_arrays import PageArrays, compressed, ratio, signed_log

Columns = dict[str, Floats]

CONTAINERS = ("element", "parent", "second", "third", "fourth", "fifth")
"""The block's own element and those above it; for the body they equal the page's own."""

CONTAINER_WORDS = {
    "text": "its unlinked text as part of the page's",
    "largest": "its unlinked text against the largest of any block's at this height",
    "own": "unlinked text of its own and of its children, against the largest such",
    "links": "its link density",
    "blocks": "logarithm of the number of its blocks",
    "mean": "logarithm of the mean unlinked text of its blocks",
    "ends": "share of its blocks that end as sentences do",
    "width": "its width against the page's",
    "height": "its height against the page's",
    "density": "its unlinked characters a thousand square px",
    "place": "position of the block in it, from 0 at its top to 1",
}


def containers(page: PageArrays) -> Columns:
    """Return the columns of each container, `parent.text` and so on."""
    text, length, blocks = page.text_below, page.length_below, page.blocks_below
    ends, boxes = page.sum_elements(page.ends), page.element_boxes
    near = page.near(page.unlinked)
    wide, high = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
    columns: Columns = {}
    for steps, name in enumerate(CONTAINERS):
        row = page.above(steps)
        found = (
            ratio(text[row], text[0]),
            ratio(text[row], text[row].max(initial=0.0)),
            ratio(near[row], near.max()),
            1.0 - ratio(text[row], length[row]),
            np.log1p(blocks[row]),
            np.log1p(ratio(text[row], blocks[row])),
            ratio(ends[row], blocks[row]),
            ratio(wide[row], wide[0]),
            ratio(high[row], high[0]),
            1000 * ratio(text[row], wide[row] * high[row]),
            ratio(page.boxes[:, 1] - boxes[row, 1], high[row]),
        )
        columns.update({f"{name}.{measure}": values for measure, values in zip(CONTAINER_WORDS, found, strict=True)})
    return columns


GROUPS: dict[str, tuple[str, Callable[[PageArrays], Rows]]] = {
    "same look": ("tag path, style and width", lambda page: page.looks),
    "same style": ("style", lambda page: page.styles),
    "same classes": ("tags and classes from the body down", lambda page: page.class_paths),
    "same column": ("left side and width", lambda page: page.columns),
}
"""Blocks of a page that have something in common."""

GROUP_WORDS = {
    "text": "their unlinked text as part of the page's",
    "largest": "their unlinked text against the largest group's",
    "rank": "logarithm of the number of groups with more unlinked text",
    "blocks": "logarithm of their number",
    "links": "their link density",
    "mean": "logarithm of their mean length",
    "longest": "the longest of them against the page's longest",
    "ends": "share of them that end as sentences do",
    "spread": "from the first to the last, as part of the page's blocks",
    "first": "position of the first of them among the page's blocks",
    "together": "how much of that stretch they fill",
}


def groups(page: PageArrays) -> Columns:
    """Return the columns of each kind of group, `same look.links` and so on."""
    return {
        f"{name}.{measure}": values
        for name, (_, group_of) in GROUPS.items()
        for measure, values in zip(GROUP_WORDS, _group(page, group_of(page)), strict=True)
    }


def _group(page: PageArrays, groups: Rows) -> tuple[Floats, ...]:
    group, total = compressed(groups)
    text, length = np.bincount(group, page.unlinked, total), np.bincount(group, page.length, total)
    blocks, ends = np.bincount(group, minlength=total).astype(np.float64), np.bincount(group, page.ends, total)
    longest, first, last = np.zeros(total), np.full(total, np.inf), np.zeros(total)
    place = np.arange(page.count, dtype=np.float64)
    np.maximum.at(longest, group, page.unlinked)
    np.minimum.at(first, group, place)
    np.maximum.at(last, group, place)
    rank = total - np.searchsorted(np.sort(text), text, side="right")
    span = last - first + 1
    of_group = (
        ratio(text, text.sum()),
        ratio(text, text.max(initial=0.0)),
        np.log1p(rank),
        np.log1p(blocks),
        1.0 - ratio(text, length),
        np.log1p(length / blocks),
        ratio(longest, page.unlinked.max(initial=0.0)),
        ends / blocks,
        span / max(page.count, 1),
        first / max(page.count, 1),
        blocks / span,
    )
    return tuple(values[group] for values in of_group)


WINDOWS = (1, 2, 4, 8, 16)
"""How many blocks to either side are summed."""

WINDOW_WORDS = {
    "text": "unlinked text around it, against the page's greatest such",
    "links": "link density around it",
    "looks": "share of the blocks around it that have its look",
}

NEIGHBOUR_WORDS = {
    "text": "logarithm of its unlinked text",
    "links": "its link density",
    "ends": "whether it ends as a sentence does",
    "look": "whether it has the same look",
    "size": "its width against this block's",
    "gap": "px between the two, up or down, as a signed logarithm",
    "shift": "px between their left sides, as a signed logarithm",
    "common": "depth of the lowest common ancestor as part of this block's",
    "rise": "steps up to the lowest common ancestor",
}
NEIGHBOURS = {"previous": -1, "next": 1, "second previous": -2, "second next": 2}


def windows(page: PageArrays) -> Columns:
    """Return the columns of the blocks around, `window 4.text` and so on."""
    columns: Columns = {}
    looks = page.looks
    for reach in WINDOWS:
        text, length = _around(page.unlinked, reach), _around(page.length, reach)
        same, known = np.zeros(page.count), np.zeros(page.count)
        for step in range(1, min(reach, page.count - 1) + 1):
            alike = (looks[step:] == looks[:-step]).astype(np.float64)
            for side in (slice(step, None), slice(None, -step)):
                same[side] += alike
                known[side] += 1
        columns[f"window {reach}.text"] = ratio(text, text.max(initial=0.0))
        columns[f"window {reach}.links"] = 1.0 - ratio(text, length)
        columns[f"window {reach}.looks"] = ratio(same, known)
    return columns


def _around(values: Floats, reach: int) -> Floats:
    """Return the sum over each block and `reach` blocks to either side."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    place = np.arange(len(values))
    return np.asarray(total[(place + reach + 1).clip(max=len(values))] - total[(place - reach).clip(min=0)], np.float64)


def neighbours(page: PageArrays) -> Columns:
    """Return the columns of the blocks before and after, `next.links` and so on; NaN if the page ends."""
    columns: Columns = {}
    place = np.arange(page.count)
    depth = page.depth[page.element].astype(np.float64)
    for name, step in NEIGHBOURS.items():
        other = (place + step).clip(0, max(page.count - 1, 0))
        there = (place + step == other).astype(np.float64)
        gap = np.where(step > 0, page.boxes[other, 1] - page.boxes[:, 3], page.boxes[:, 1] - page.boxes[other, 3])
        common = page.common_depth(place, other)
        found = (
            np.log1p(page.unlinked[other]),
            ratio(page.linked, page.length)[other],
            page.ends[other],
            (page.looks[other] == page.looks).astype(np.float64),
            ratio(page.width[other], page.width),
            signed_log(gap),
            signed_log(page.boxes[other, 0] - page.boxes[:, 0]),
            ratio(common, depth),
            depth - common,
        )
        missing = np.where(there > 0, 0.0, np.nan)
        columns.update({f"{name}.{measure}": values + missing for measure, values in zip(NEIGHBOUR_WORDS, found, strict=True)})
    return columns
