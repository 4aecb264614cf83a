"""Body text extraction (Finn, Kushmerick and Smyth 2001, section 3).

A page is a row of tokens, tags and words. Its body is the run of tokens for which the words inside and the tags outside are most: the long
plateau in the curve of tags against tokens. The paper tries every pair of ends; the same run is the one of the largest sum where a word
counts 1 and a tag -1, which one pass finds (Bentley 1984, Kadane's algorithm).

Departures: on a `Page` the tags are those that it keeps (`sightread.classify.features.tag_positions`), and a block is taken whole.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sightread.classify.features.tag_positions import count_tags
from sightread.classify.model import Prediction, Published
from sightread.render.page import Page


class BodyText(Published):
    """BTE: the one run of blocks with the most words and the fewest tags."""

    name = "bte"

    def predict(self, page: Page) -> Prediction:
        """Return 1 for the blocks of the run and 0 for all others, shape (blocks,)."""
        tags = count_tags(page)
        gains = np.column_stack([-tags.before, tags.words - tags.inside]).ravel()
        start, end = plateau(gains)
        probabilities = np.zeros(len(page.blocks))
        probabilities[tags.rows[start // 2 : end // 2]] = 1.0
        return Prediction(probabilities)


def plateau(gains: NDArray[np.float64]) -> tuple[int, int]:
    """Return the half-open run of the largest sum, (0, 0) where no sum is positive; of equal sums the first and shortest."""
    sums = np.concatenate(([0.0], np.cumsum(gains)))
    lowest = np.minimum.accumulate(sums)
    end = int(np.argmax(sums - lowest))
    if sums[end] <= lowest[end]:
        return 0, 0
    return int(np.flatnonzero(sums[: end + 1] == lowest[end])[-1]), end


MODEL = BodyText
