"""`ArticlePlace`: where an article is on one page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ArticlePlace:
    """Where the article is on one page, which `Evidence.places` hands out again: not to be changed.

    All but the extents are masks of one value per block.
    """

    inside: NDArray[np.bool_]
    """In the paragraphs' container."""
    before: NDArray[np.bool_]
    """Ahead of the last paragraph, where a headline may be."""
    column: NDArray[np.bool_]
    """As wide as the paragraphs, and between two of them or beside them in the tree."""
    lead: NDArray[np.bool_]
    """Ahead of the first paragraph."""
    heads: NDArray[np.bool_]
    """Headings with a paragraph right behind."""
    captions: NDArray[np.bool_]
    """Set right beneath a picture of the container."""
    extent: NDArray[np.intp]
    """The run of blocks that are in each element, half open; shape (elements, 2)."""
