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

Probabilities: TypeAlias = NDArray[np.float64]
Reason = Literal["hidden", "overlay", "duplicate", "unwanted", "low probability"]


class LeftOut(NamedTuple):
    """A block that is not in the document: its row in the page, its text, what the model gave it, and why it is left out.

    "hidden" is what a browser did not lay out, "overlay" what lay over the page, "duplicate" what stands twice in unlike places
    (`classify.copies`), "unwanted" what the caller did not want; everything else did not reach the probability that is asked for.
    """

    row: int
    text: str
    probability: float
    reason: Reason


def choose_blocks(page: Page, probabilities: Probabilities, threshold: float = THRESHOLD) -> tuple[int, ...]:
    """Return the rows of the blocks to keep, in document order; shape of `probabilities`: (len(page.blocks),).

    Text that a browser did not lay out is left out, whatever its probability, and so is that of overlays, unless it is all there is.
    Where no browser was asked, the model decides: without CSS much of it may be content. A text that stands twice in unlike places is kept
    once, for readers see one of them.
    """
    chosen = [row for row in np.flatnonzero(probabilities >= threshold).tolist() if not _is_unseen(page, row)]
    beneath = [row for row in chosen if page.overlay_of(row) is None] if page.overlays else chosen
    return without_copies(page, beneath or chosen, probabilities)


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
    return "duplicate" if is_chosen else "low probability"


def _is_unseen(page: Page, row: int) -> bool:
    return page.blocks[row].hidden == "display" and page.source != "static" and not page.recovered
