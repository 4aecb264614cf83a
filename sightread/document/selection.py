"""Selection: which blocks of a page the document keeps, and the reason for leaving out each other block."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from render.labels import THRESHOLD
from render.page import Page
from sightread.document.duplicates import without_copies

ORNAMENTS = frozenset("|·•/›»>,.;:")
"""Signs that part the items of a line, where each of those is a block of its own."""

_RULE = re.compile(r"[-_=*~•·.|–—\s]{2,}")
"""A line drawn with signs, or three stars."""
_MEANT = frozenset(("td", "th", "pre"))

Probabilities: TypeAlias = NDArray[np.float64]
Reason = Literal["hidden", "overlay", "duplicate", "ornament", "unwanted", "low probability"]


class LeftOut(NamedTuple):
    """A block that is not in the document: its row in the page, its text, what the model gave it, and why it is left out.

    "hidden" is what a browser did not lay out and the model does not want, "overlay" what lay over the page, "duplicate" what stands twice
    in unlike places (`sightread.document.duplicates`) or is a heading told twice, "ornament" a sign alone, "unwanted" what the caller did
    not want; everything else did not reach the probability that is asked for.
    """

    row: int
    text: str
    probability: float
    reason: Reason


def choose_blocks(page: Page, probabilities: Probabilities, threshold: float = THRESHOLD) -> tuple[int, ...]:
    """Return the rows of the blocks to keep, in document order; shape of `probabilities`: (len(page.blocks),).

    What lies over the page is left out, unless it is all there is. What a browser did not lay out is kept like all else that the model
    wants: answers that a click opens, tabs, the text that a script would have shown (word F1 of rendered pages of WCXB dev: .873 with it,
    .863 without). A text that stands twice in unlike places is kept once, for readers see one of them. What was recovered is kept whole: no
    model learned what is content of such.
    """
    if page.recovered:
        return tuple(range(len(page.blocks)))
    chosen = np.flatnonzero(probabilities >= threshold).tolist()
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
    if page.overlay_of(row) is not None:
        return "overlay"
    if not is_chosen:
        return "hidden" if page.blocks[row].hidden == "display" and page.source != "static" else "low probability"
    return "ornament" if _is_ornament(page, row) else "duplicate"


def _is_ornament(page: Page, row: int) -> bool:
    """Say whether the block is a sign that parts others, or a line of such, by itself; in a table it is a value, and in code it is code."""
    block = page.blocks[row]
    if block.text in ORNAMENTS:
        return page.elements[block.element].tag not in ("td", "th")
    return bool(_RULE.fullmatch(block.text)) and all(page.elements[each].tag not in _MEANT for each in page.ancestors(block.element))


def _undoubled(page: Page, rows: Iterable[int]) -> tuple[int, ...]:
    """Return the rows without headings that say again what the heading right before them says, a link around one or not."""
    kept: list[int] = []
    for row in rows:
        block = page.blocks[row]
        before = page.blocks[kept[-1]] if kept else None
        if before is None or not block.heading or (before.text, before.heading) != (block.text, block.heading):
            kept.append(row)
    return tuple(kept)
