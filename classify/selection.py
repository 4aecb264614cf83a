"""Which blocks of a page a document keeps, and why it leaves out the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from classify.copies import without_copies
from render.page import Page

THRESHOLD = 0.5
"""A block is content if its probability is at least this."""

ORNAMENTS = frozenset("|·•/›»>,.;:")
"""Signs that part the items of a line, where each of those is a block of its own."""

Probabilities: TypeAlias = NDArray[np.float64]
Reason = Literal["hidden", "overlay", "duplicate", "ornament", "unwanted", "low probability"]


class LeftOut(NamedTuple):
    """A block that is not in the document: its row in the page, its text, what the model gave it, and why it is left out.

    "hidden" is what a browser did not lay out, "overlay" what lay over the page, "duplicate" what stands twice in unlike places
    (`classify.copies`) or is a heading told twice, "ornament" a sign alone, "unwanted" what the caller did not want; everything else did
    not reach the probability that is asked for.
    """

    row: int
    text: str
    probability: float
    reason: Reason


def choose_blocks(page: Page, probabilities: Probabilities, threshold: float = THRESHOLD) -> tuple[int, ...]:
    """Return the rows of the blocks to keep, in document order; shape of `probabilities`: (len(page.blocks),).

    Text that a browser did not lay out is left out, whatever its probability, and so is that of overlays, unless it is all there is.
    Where no browser was asked, the model decides: without CSS much of it may be content. A text that stands twice in unlike places is kept
    once, for readers see one of them. What was recovered is kept whole: no model learned what is content of such.
    """
    if page.recovered:
        return tuple(range(len(page.blocks)))
    chosen = [row for row in np.flatnonzero(probabilities >= threshold).tolist() if not _is_unseen(page, row)]
    beneath = [row for row in chosen if page.overlay_of(row) is None] if page.overlays else chosen
    told = [row for row in beneath or chosen if not _is_ornament(page, row)]
    return _undoubled(page, without_copies(page, told, probabilities))


def left_out(page: Page, probabilities: Probabilities, kept: Iterable[int], threshold: float = THRESHOLD) -> tuple[LeftOut, ...]:
    """Return the blocks that were not kept, in document order."""
    held = frozenset(kept)
    known = frozenset(choose_blocks(page, probabilities, threshold))
    return tuple(
        LeftOut(
            row,
            block.text,
            round(float(probability), 4),
            "unwanted" if row in known else _reason(page, row, bool(probability >= threshold)),
        )
        for row, (block, probability) in enumerate(zip(page.blocks, probabilities, strict=True))
        if row not in held
    )


def _reason(page: Page, row: int, is_chosen: bool) -> Reason:
    if _is_unseen(page, row):
        return "hidden"
    if page.overlay_of(row) is not None:
        return "overlay"
    if not is_chosen:
        return "low probability"
    return "ornament" if _is_ornament(page, row) else "duplicate"


def _is_ornament(page: Page, row: int) -> bool:
    """Say whether the block is a sign that parts others, by itself; in a table such a sign is a value."""
    block = page.blocks[row]
    return block.text in ORNAMENTS and page.elements[block.element].tag not in ("td", "th")


def _is_unseen(page: Page, row: int) -> bool:
    return page.blocks[row].hidden == "display" and page.source != "static"


def _undoubled(page: Page, rows: Iterable[int]) -> tuple[int, ...]:
    """Return the rows without headings that say again what the heading right before them says, a link around one or not."""
    kept: list[int] = []
    for row in rows:
        block = page.blocks[row]
        before = page.blocks[kept[-1]] if kept else None
        if before is None or not block.heading or (before.text, before.heading) != (block.text, block.heading):
            kept.append(row)
    return tuple(kept)
