"""The map of all blocks of a site: where each is on its page, what it looks like, and whether it is kept."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sightread.render.labels import BOILERPLATE, CONTENT
from sightread.render.page import Page, Size
from sightread.viewer.build import Findings, block_decisions
from sightread.viewer.records import SiteMap

MOST_POINTS = 60_000
"""Blocks of a map: beyond it an even sample is drawn, which looks the same, so that the browser need not hold millions."""
LARGEST_COORDINATE = 2.0**53
"""CSS px: stored boxes can be larger than any integer of an array."""
KEPT, UNCERTAIN, DISAGREES, LABELLED_CONTENT, LABELLED_BOILERPLATE, HIDDEN = (1 << bit for bit in range(6))
_COLUMNS = 9


def build_map(findings: Findings) -> SiteMap:
    """Return the map of the blocks that have a box; without any box it is empty."""
    rows = np.array([point for row in range(len(findings.pages)) for point in _points(findings, row)], np.int64).reshape(-1, _COLUMNS)
    total = len(rows)
    if total > MOST_POINTS:
        rows = rows[np.linspace(0, total - 1, MOST_POINTS).astype(np.int64)]
    page, block, x, y, width, height, characters, cluster, flags = (tuple(column.tolist()) for column in rows.T)
    sizes = tuple(map(_size, findings.pages))
    return SiteMap(page, block, x, y, width, height, characters, cluster, flags, sizes, total)


def _points(findings: Findings, row: int) -> Iterator[tuple[int, ...]]:
    page, decisions = findings.pages[row], block_decisions(findings, row)
    labels = findings.labels
    for number, block in enumerate(page.blocks):
        if block.box is None or not block.box.width * block.box.height:
            continue
        label = labels.labels[row][number] if labels else None
        flags = (
            KEPT * bool(decisions.kept[number]) + UNCERTAIN * bool(decisions.unsure[number]) + DISAGREES * bool(decisions.disagrees[number])
        )
        flags += LABELLED_CONTENT * (label == CONTENT) + LABELLED_BOILERPLATE * (label == BOILERPLATE) + HIDDEN * bool(block.hidden)
        cluster = int(labels.assignments[row][number]) if labels else -1
        yield row, number, *(_whole(side) for side in block.box), len(block.text), cluster, int(flags)


def _size(page: Page) -> Size:
    """Return the extent of the page's visible blocks, of its window at least, in whole CSS px; zeros if it has no boxes."""
    boxes = [block.box for block in page.blocks if block.box and not block.hidden]
    if not boxes:
        return Size(0, 0)
    width = max(page.viewport.width if page.viewport else 0, *(box.x + box.width for box in boxes))
    return Size(_whole(width), _whole(max(box.y + box.height for box in boxes)))


def _whole(side: float) -> int:
    """Return whole CSS px, of a size that JavaScript's numbers keep exact."""
    return round(min(max(side, -LARGEST_COORDINATE), LARGEST_COORDINATE))
