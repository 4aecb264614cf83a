"""Search-and-Combine Segmentation: a page as the sequence of text blocks that SemText labels (Zhang and Wang 2021).

Search finds the deepest elements that hold text of their own, with their inline children joined: they are the blocks of a `Page`. Combine
joins neighbours that are one thing in small pieces, so that a menu, a row of a table or a bar of links is one text block. The page gets
each verdict back for all the blocks that were joined: of 243,233 blocks of dragnet 161,158 text blocks remain, and a perfect verdict on
these has an F1 of 0.995 by blocks and 0.9997 by characters. Written from a description of the method; the rule for what is joined is ours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.labels import BOILERPLATE, CONTENT, UNKNOWN
from render.page import Page

SHORT = 5
"""Words of a block that may be joined with its like. With 9 there are 8 % fewer text blocks, but the F1 above falls to 0.992."""

Offsets = NDArray[np.intp]


def search_and_combine(page: Page) -> Offsets:
    """Return where each text block begins among the page's blocks, and their number at the end; shape (text blocks + 1,).

    Joined are consecutive blocks of at most `SHORT` words that are in elements of one tag with one parent, alike hidden or seen.
    """
    starts = [0] if page.blocks else []
    like: tuple[int, str, str] | None = None
    for row, block in enumerate(page.blocks):
        element = page.elements[block.element]
        is_short = len(block.text.split(None, SHORT)) <= SHORT
        kind = (element.parent, element.tag, block.hidden) if is_short else None
        if row and (kind is None or kind != like):
            starts.append(row)
        like = kind
    return np.array([*starts, len(page.blocks)], np.intp)


def join_labels(page: Page, starts: Offsets, labels: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return one label a text block: that of most of its characters, -1 if none of its blocks is known; shape (text blocks,)."""
    if len(starts) < 2:
        return np.zeros(0, np.int8)
    lengths = np.array([len(block.text) for block in page.blocks], np.float64)
    content = np.add.reduceat(np.where(labels == CONTENT, lengths, 0), starts[:-1])
    boilerplate = np.add.reduceat(np.where(labels == BOILERPLATE, lengths, 0), starts[:-1])
    return np.where(content + boilerplate == 0, UNKNOWN, content >= boilerplate).astype(np.int8)
