"""Means over pages with the interval that a bootstrap over pages gives, for one set and for several.

The pages of each set are drawn anew, as many as it has; a mean over sets is the mean of the sets' own (the comparison's macro average).
Every figure of a set is drawn by the same pages, so that the difference of two extractors is paired.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from sightread.render.page.array_types import Floats

DRAWS = 1000
"""As in the article extraction benchmark; the interval's ends are then sure to about a tenth of its width."""
COVERED = 95.0
"""Per cent of the draws that the interval holds."""
SEED = 20230723
SHINGLES = "shingles"
"""The measure whose F1 is that of mean precision and mean recall, by its protocol, and not the mean of the pages' own."""


class Estimate(NamedTuple):
    """A mean and its interval."""

    mean: float
    low: float
    high: float
    pages: int

    def __str__(self) -> str:
        """Return `.953 [.947, .959]`; nothing without pages."""
        return f"{short(self.mean)} [{short(self.low)}, {short(self.high)}]" if self.pages else ""


def estimate(sets: Sequence[pd.DataFrame], measure: str, part: str = "f1") -> Estimate:
    """Return the mean over sets of what a measure's part (precision, recall or f1) is on each."""
    return estimate_of_draws(_over_sets([draws(frame, measure, part) for frame in sets]), sum(map(len, sets)))


def bootstrap(values: Sequence[float] | Floats) -> Estimate:
    """Return the mean of values, one per page or site, and its interval; nothing without values."""
    pages = len(values)
    return (
        estimate_of_draws(page_weights(pages) @ np.asarray(values, np.float64) / pages, pages)
        if pages
        else Estimate(np.nan, np.nan, np.nan, 0)
    )


def draws(frame: pd.DataFrame, measure: str, part: str) -> Floats:
    """Return the mean over the pages, then the same over each draw of them; shape (1 + DRAWS,). NaN is left out of a mean."""
    if measure == SHINGLES and part == "f1":
        precision, recall = (draws(frame, measure, each) for each in ("precision", "recall"))
        whole = precision + recall
        return np.divide(2 * precision * recall, whole, out=np.zeros_like(whole), where=whole > 0)
    values = frame[f"{measure}_{part}"].to_numpy(np.float64)
    weights = page_weights(len(values))
    known = ~np.isnan(values)
    total: Floats = weights[:, known] @ values[known]
    counted: Floats = weights[:, known].sum(axis=1)
    return np.divide(total, counted, out=np.zeros_like(total), where=counted > 0)


@cache
def page_weights(pages: int) -> Floats:
    """Return how often each page is drawn, shape (1 + DRAWS, pages); the first row draws each once."""
    counts = np.random.default_rng(SEED).multinomial(pages, np.full(pages, 1 / max(pages, 1)), size=DRAWS)
    return np.concatenate([np.ones((1, pages)), counts])


def _over_sets(of_sets: Sequence[Floats]) -> Floats:
    return np.mean(of_sets, axis=0) if len(of_sets) else np.zeros(1)


def estimate_of_draws(values: Floats, pages: int) -> Estimate:
    """Return the first value, with the interval of the others, which are the same figure of each draw."""
    edge = (100 - COVERED) / 2
    low, high = np.percentile(values[1:] if len(values) > 1 else values, [edge, 100 - edge])
    return Estimate(float(values[0]), float(low), float(high), pages)


def short(value: float) -> str:
    """Return the value with three digits, without the zero before the point."""
    return f"{value:.3f}".replace("0.", ".", 1)
