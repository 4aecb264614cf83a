"""Forecast of the word F1 of a document: an interval for nine pages in ten, calibrated on pages that the model was not fitted on.

Mondrian conformal prediction (Vovk, Gammerman and Shafer 2005, section 4.5): pages are ordered by a predicted mean F1, a fractional logit
(Papke and Wooldridge 1996) of the expected F1 and of the page's types, so that a listing is among pages that are read as badly as
listings are. The bounds are quantiles of the F1 of each tenth of the calibration pages, interpolated between tenths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.render.labels import PAGE_TYPES, PageType
from sightread.render.page.array_types import Floats

CLASSES = 10
"""Classes of calibration pages; 6 to 20 are as good."""
QUANTILES = (0.09, 0.99)
"""Of the F1 of each class, its bounds: F1 is skewed, and the narrowest interval of nine pages in ten leaves out the low end."""
MOST_LOW = 0.93
"""Greatest lower bound: gold texts of different origin differ by more than 7 % on whole sets of pages (docs/experiments/forecasts.md)."""
LEAST_LOW = 0.5
"""A document whose forecast begins below it needs a review (docs/experiments/forecasts.md)."""
NEAR = 1e-3
"""The expected F1 is taken to be this far from 0 and from 1 at least."""


class Forecast(NamedTuple):
    """An interval that holds the word F1 of nine in ten documents with the same forecast, in hundredths."""

    low: float
    high: float

    @property
    def needs_review(self) -> bool:
        """Whether a person or a second extractor should look at the document."""
        return self.low < LEAST_LOW


class KnownDocument(NamedTuple):
    """Word F1 of the document of a page that the model was not fitted on, and the predictions of that model."""

    expected_f1: float
    types: Mapping[PageType, float]
    f1: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Regression and quantiles from which forecasts are computed."""

    weights: Floats
    """Of the log-odds of the expected F1, and of the probability of each page type; shape (1 + page types,)."""
    places: Floats
    """Mean predictor of each class, rising; shape (classes,)."""
    bounds: Floats
    """Lower and upper bound of each class, rising; shape (2, classes)."""

    @classmethod
    def fit(cls, documents: Sequence[KnownDocument]) -> Calibration:
        """Return the calibration by these documents."""
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  (only training needs it, and it takes a second to import)

        table = np.array([_predictors(each.expected_f1, each.types) for each in documents])
        truth, weight = np.array([(each.f1, each.weight) for each in documents], np.float64).T
        twice, halves = np.repeat([1, 0], len(table)), np.concatenate([weight * truth, weight * (1 - truth)])
        found = LogisticRegression(max_iter=1000).fit(np.tile(table, (2, 1)), twice, halves).coef_[0]
        place = table @ found
        classes = [rows for rows in np.array_split(np.argsort(place, kind="stable"), CLASSES) if len(rows)]
        bounds = [[_quantile(truth[rows], weight[rows], share) for rows in classes] for share in QUANTILES]
        places = [np.average(place[rows], weights=weight[rows]) for rows in classes]
        return cls(found, np.array(places), np.maximum.accumulate(bounds, axis=1))

    def forecast(self, expected_f1: float, types: Mapping[PageType, float]) -> Forecast:
        """Return the forecast of a document of this expected F1, of a page of these types; its bounds are rounded outward."""
        place = float(_predictors(expected_f1, types) @ self.weights)
        low, high = (float(np.interp(place, self.places, bound)) for bound in self.bounds)
        return Forecast(min(float(np.floor(100 * low) / 100), MOST_LOW), float(np.ceil(100 * high) / 100))

    def needs_no_review(self, expected_f1: float) -> bool:
        """Return whether a document of this expected F1 needs no review, of any page type."""
        worst = PAGE_TYPES[int(self.weights[1:].argmin())]
        return not self.forecast(expected_f1, {worst: 1.0}).needs_review

    def pack(self) -> dict[str, NDArray[Any]]:
        """Return the arrays as they are stored."""
        return {"weights": self.weights, "places": self.places, "bounds": self.bounds}


def unpack_calibration(arrays: Mapping[str, NDArray[Any]]) -> Calibration:
    """Return what `pack` stored. Raises ValueError if shapes do not fit."""
    found = Calibration(*(np.asarray(arrays.get(name, ()), np.float64) for name in ("weights", "places", "bounds")))
    if (found.weights.shape, found.bounds.shape) != ((1 + len(PAGE_TYPES),), (2, *found.places.shape)):
        raise ValueError("its calibration has other shapes than this sightread reads")
    return found


def _predictors(expected_f1: float, types: Mapping[PageType, float]) -> Floats:
    near = min(max(expected_f1, NEAR), 1 - NEAR)
    return np.array([np.log(near / (1 - near)), *(types.get(kind, 0.0) for kind in PAGE_TYPES)])


def _quantile(values: Floats, weight: Floats, share: float) -> float:
    """Return the least value that this share of the weight does not exceed."""
    order = np.argsort(values)
    reached = np.searchsorted(np.cumsum(weight[order]), share * weight.sum())
    return float(values[order][min(int(reached), len(values) - 1)])
