"""Calibration: maps decision values to probabilities (Platt's sigmoid), with a shifted threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightread.render.page.array_types import Floats

LEVELS = np.arange(-20, 21) * 0.05
"""Decision values tried as the least of a block that is kept; an SVM's margin is 1 on either side of 0."""
SLOPES = np.arange(5, 81) * 0.1
"""Slopes tried; with 0.5 all probabilities are near 0.5, with 8 all are near 0 or 1."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Blocks of pages that their model did not see; arrays of shape (blocks,)."""

    decisions: Floats
    content: NDArray[np.bool_]
    lengths: Floats
    """Characters."""
    page: NDArray[np.intp]
    """Which page each block is on, counted from 0."""

    def mean_f1(self, level: float) -> float:
        """Return the mean F1 of a page, by characters, of keeping what reaches the level.

        A page without content scores 1 if nothing is kept, else 0.
        """
        kept = self.decisions >= level
        right, given, expected = (np.bincount(self.page, self.lengths * which) for which in (kept & self.content, kept, self.content))
        return float(np.where(given + expected > 0, 2 * right / np.maximum(given + expected, 1.0), 1.0).mean())

    def best_level(self) -> float:
        """Return the level of the best mean F1."""
        return float(LEVELS[int(np.argmax([self.mean_f1(level) for level in LEVELS]))])

    def best_slope(self, level: float) -> float:
        """Return the slope under which the labels are likeliest, by characters, where the level means 0.5 (after Platt 1999)."""
        share = self.lengths / np.bincount(self.page, self.lengths).clip(min=1.0)[self.page]
        away = np.where(self.content, 1.0, -1.0) * (self.decisions - level)
        return float(SLOPES[int(np.argmin([share @ np.logaddexp(0.0, -slope * away) for slope in SLOPES]))])


def sigmoid(z: Floats | float) -> Floats:
    """Return 1 / (1 + exp(-z)) without overflow."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -500, 500))))


def log_odds(probability: Floats | float) -> Floats:
    """Return the log-odds of probabilities; infinite for 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probability) - np.log1p(-np.asarray(probability, np.float64)))
