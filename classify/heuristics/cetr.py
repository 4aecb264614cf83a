"""Content extraction via tag ratios (Weninger, Hsu and Han, WWW 2010), threshold variant (CETR-TM).

A line's ratio is its characters against its tags (section 3). The ratios are smoothed with a Gaussian kernel; content is what then reaches
their standard deviation (section 3.2).

Departures: a line is a block of the page, with the tags since the block before it (`sightread.classify.features.tag_positions`), since
lines of source are arbitrary on generated pages. The paper's other way clusters ratio and slope by k-means around random points; from fixed
quantiles it had a word F1 between .749 and .764 on WCXB dev (every eighth page), the threshold .768.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sightread.classify.features.tag_positions import count_tags
from sightread.classify.model import Prediction, Published
from sightread.render.page import Page
from sightread.render.page.array_types import Floats

SMOOTHING_RADIUS = 2
"""Lines on either side that smoothing looks at; with 1 the word F1 was .762 in place of .768."""
LEAST_DEVIATIONS = 1.0
"""Standard deviations that content reaches; with a half and a radius of 1 the word F1 was .766."""


class TagRatios(Published):
    """CETR by threshold."""

    name = "cetr"

    def predict(self, page: Page) -> Prediction:
        """Return 1 for content and 0 for boilerplate, shape (blocks,)."""
        tags = count_tags(page)
        ratios = tags.characters / np.maximum(tags.before + tags.inside, 1.0)
        probabilities = np.zeros(len(page.blocks))
        probabilities[tags.rows] = is_content(ratios)
        return Prediction(probabilities)


def is_content(ratios: Floats) -> NDArray[np.bool_]:
    """Tell content lines by their text-to-tag ratios; shape (lines,)."""
    if not len(ratios):
        return np.zeros(0, np.bool_)
    smoothed = smooth(ratios)
    return np.asarray(smoothed >= LEAST_DEVIATIONS * smoothed.std()) & (ratios > 0)


def smooth(values: Floats) -> Floats:
    """Return the values smoothed with a Gaussian kernel of the radius; the ends repeat. Shape (lines,), at least one line."""
    kernel = np.exp(-(np.arange(-SMOOTHING_RADIUS, SMOOTHING_RADIUS + 1) ** 2) / 2)
    return np.convolve(np.pad(values, SMOOTHING_RADIUS, mode="edge"), kernel / kernel.sum(), "valid")


MODEL = TagRatios
