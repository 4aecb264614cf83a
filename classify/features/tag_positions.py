"""Positions of the tags of a page: in the gaps between its blocks, and inside them.

A `Page` keeps the elements that hold text, images and cells, and the links and emphasis inside a block; spans and empty elements it does
not. Hidden blocks are passed over.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Page
from sightread.render.page.array_types import Floats
from sightread.render.text.words import count_words


@dataclass(frozen=True, slots=True)
class TagCounts:
    """Arrays of shape (visible blocks,)."""

    rows: NDArray[np.intp]
    """Rows of the visible blocks in `Page.blocks`, in document order."""
    before: Floats
    """Tags, opening and closing ones and images, since the text before."""
    inside: Floats
    """Tags inside the text: two for each of its inlines and one for each line break."""
    words: Floats
    characters: Floats
    """Of the text, without white space at its ends."""


def count_tags(page: Page) -> TagCounts:
    """Count the tags of a page; linear in its size."""
    rows = [row for row, block in enumerate(page.blocks) if not block.hidden]
    blocks = [page.blocks[row] for row in rows]
    steps = _steps(page, [block.element for block in blocks])
    images = np.bincount([image.before for image in page.images], minlength=len(page.blocks) + 1)
    seen = np.concatenate(([0], np.cumsum(images)))[np.array(rows, np.intp) + 1]  # images before each visible block
    return TagCounts(
        np.array(rows, np.intp),
        steps + np.diff(seen, prepend=0),
        np.array([2.0 * len(block.inlines) + block.text.count("\n") for block in blocks]),
        np.array([count_words(block.text) for block in blocks]),
        np.array([float(len(block.text)) for block in blocks]),
    )


def _steps(page: Page, elements: list[int]) -> Floats:
    """Return how many elements are closed and opened on the way from each element of the list to the next; the first starts at the body.

    Two blocks in a row of the same element are parted by something that holds no text of its own: two tags.
    """
    parents = [element.parent for element in page.elements]
    depths = [0] * len(parents)
    for row, parent in enumerate(parents[1:], 1):
        depths[row] = depths[parent] + 1
    steps = np.zeros(len(elements))
    at = 0
    for place, target in enumerate(elements):
        here, there = at, target
        while here != there:
            if depths[here] >= depths[there]:
                here = parents[here]
            else:
                there = parents[there]
            steps[place] += 1
        if at == target and place:
            steps[place] = 2
        at = target
    return steps
