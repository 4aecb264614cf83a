"""Precision, recall, F1 and the area under the curve over weighted blocks, as Weka gives them, with intervals by a bootstrap over pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classify.heuristics.boilerpipe.decision_trees import Blocks

DRAWS = 1000
"""Resamples of the pages behind an interval."""
SEED = 20100204
EDGES = (2.5, 97.5)
"""Percentiles between which an interval lies."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """How verdicts agree with labels; F1s between 0 and 1. Where there are two classes, content is the second."""

    precision: float
    recall: float
    f1: float
    """Of content; of four classes the mean, weighted by their shares."""
    interval: tuple[float, float]
    """Of that F1."""
    mean_f1: float
    """Over the classes, weighted by their shares: Weka's "weighted average"."""
    by_class: tuple[float, ...]
    false_positives: float
    """Share of boilerplate that is predicted as content."""
    area: float
    """Under the ROC curve, of content against the first class."""


def judge(blocks: Blocks, scores: Floats) -> Verdicts:
    """Score the predictions of labelled blocks; `scores` has shape (rows, classes)."""
    classes = scores.shape[1]
    told = scores.argmax(axis=1)
    counts = np.stack([_by_page(blocks, blocks.weights * ((blocks.labels == each) & (told == each))) for each in range(classes)], axis=1)
    given = np.stack([_by_page(blocks, blocks.weights * (told == each)) for each in range(classes)], axis=1)
    wanted = np.stack([_by_page(blocks, blocks.weights * (blocks.labels == each)) for each in range(classes)], axis=1)
    draws = np.random.default_rng(SEED).multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=DRAWS)
    weights = np.concatenate([np.ones((1, len(counts))), draws])
    agreed, given, wanted = weights @ counts, weights @ given, weights @ wanted
    f1s = 2 * agreed / np.maximum(given + wanted, 1e-9)
    means = (f1s * wanted).sum(axis=1) / wanted.sum(axis=1)
    asked = f1s[:, 1] if classes == 2 else means
    low, high = np.percentile(asked[1:], EDGES)
    agreed, given, wanted = agreed[0], given[0], wanted[0]
    return Verdicts(
        precision=float(agreed[1:].sum() / max(given[1:].sum(), 1e-9)),
        recall=float(agreed[1:].sum() / wanted[1:].sum()),
        f1=float(asked[0]),
        interval=(float(low), float(high)),
        mean_f1=float(means[0]),
        by_class=tuple(f1s[0].tolist()),
        false_positives=float((wanted[0] - agreed[0]) / wanted[0]),
        area=area_under_curve(1 - scores[:, 0], blocks.labels > 0, blocks.weights),
    )


def area_under_curve(scores: Floats, positive: NDArray[np.bool_], weights: Floats) -> float:
    """Return the weighted chance that a positive scores higher than a negative, ties counting half."""
    _, rank = np.unique(scores, return_inverse=True)
    ups, downs = np.bincount(rank, weights * positive), np.bincount(rank, weights * ~positive)
    below = np.cumsum(downs) - downs
    return float(ups @ (below + downs / 2) / (ups.sum() * downs.sum()))


def mean_interval(values: Floats) -> tuple[float, float, float]:
    """Return the mean over pages and its interval."""
    draws = np.random.default_rng(SEED).multinomial(len(values), np.full(len(values), 1 / len(values)), size=DRAWS) @ values / len(values)
    low, high = np.percentile(draws, EDGES)
    return float(values.mean()), float(low), float(high)


def _by_page(blocks: Blocks, amounts: Floats) -> Floats:
    return np.asarray(np.bincount(blocks.pages, amounts, minlength=int(blocks.pages.max()) + 1))
