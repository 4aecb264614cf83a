"""Metrics: precision, recall and F1 by block and by character."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sightread.render.labels import BOILERPLATE, CONTENT


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, each 0 to 1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, agreed: float, given: float, expected: float) -> Self:
        """Return the score of counts; if nothing is expected or nothing given, 1 if neither is, else 0."""
        if not given or not expected:
            value = float(given == expected)
            return cls(value, value, value)
        return cls(agreed / given, agreed / expected, 2 * agreed / (given + expected))


def block_score(predicted: ArrayLike, gold: ArrayLike, weights: ArrayLike | None = None) -> Score:
    """Score block labels against gold labels, content being the positive class; all arrays of shape (blocks,).

    Blocks whose gold label is unknown are ignored. `weights` are the weights of the blocks; each counts once if it is not given.
    Without content on either side the score is 1. Raises ValueError if shapes differ.
    """
    found, truth = np.asarray(predicted), np.asarray(gold)
    weight: NDArray[np.float64] = np.ones(truth.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if not truth.shape == found.shape == weight.shape:
        raise ValueError(f"arrays of unequal shape: predicted {found.shape}, gold {truth.shape}, weights {weight.shape}")
    weight = np.where((truth == CONTENT) | (truth == BOILERPLATE), weight, 0.0)
    is_kept, is_content = found == CONTENT, truth == CONTENT
    return Score.of(float(weight[is_kept & is_content].sum()), float(weight[is_kept].sum()), float(weight[is_content].sum()))


def character_score(predicted: ArrayLike, gold: ArrayLike, texts: Sequence[str]) -> Score:
    """Score block labels by character: as `block_score`, each block counting as much as its text is long."""
    return block_score(predicted, gold, [len(text) for text in texts])


def expected_f1(probabilities: NDArray[np.float64], weights: NDArray[np.float64], kept: NDArray[np.bool_]) -> float:
    """Return the F1, by weight, that calibrated probabilities predict for the kept blocks; 0 if none is kept. All of shape (blocks,).

    With expectations in place of counts: 2 * kept probability / (kept weight + all probability). It is low if the kept blocks are
    uncertain, or dropped blocks may be content.
    """
    whole = float(weights[kept].sum() + (weights * probabilities).sum())
    return 2 * float((weights * probabilities)[kept].sum()) / whole if whole and kept.any() else 0.0
