"""Precision, recall, F1 and the area under the curve over weighted blocks, as Weka gives them, with intervals by a bootstrap over pages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.metrics.means import Estimate, estimate_of_draws, page_weights
from sightread.classify.training.decision_trees import Blocks
from sightread.render.page.array_types import Floats


@dataclass(frozen=True, slots=True)
class WeightedScores:
    """How predictions agree with labels; F1s between 0 and 1. Of two classes, content is the second."""

    precision: float
    recall: float
    f1: Estimate
    """Of content; of four classes the mean, weighted by their shares."""
    mean_f1: float
    """Over the classes, weighted by their shares: Weka's "weighted average"."""
    by_class: tuple[float, ...]
    area: float
    """Under the ROC curve, of content against the first class."""


def weighted_scores(blocks: Blocks, scores: Floats) -> WeightedScores:
    """Score the predictions of labelled blocks; `scores` has shape (rows, classes)."""
    classes = scores.shape[1]
    found = scores.argmax(axis=1)
    masks = ([(blocks.labels == each) & (found == each), found == each, blocks.labels == each] for each in range(classes))
    by_page = np.array([[_by_page(blocks, blocks.weights * mask) for mask in of_class] for of_class in masks])
    agreed, given, gold = np.moveaxis(by_page @ page_weights(by_page.shape[2]).T, 1, 0)
    f1s = 2 * agreed / np.maximum(given + gold, 1e-9)
    means = (f1s * gold).sum(axis=0) / gold.sum(axis=0)
    return WeightedScores(
        precision=float(agreed[1:, 0].sum() / max(given[1:, 0].sum(), 1e-9)),
        recall=float(agreed[1:, 0].sum() / gold[1:, 0].sum()),
        f1=estimate_of_draws(f1s[1] if classes == 2 else means, by_page.shape[2]),
        mean_f1=float(means[0]),
        by_class=tuple(f1s[:, 0].tolist()),
        area=area_under_curve(1 - scores[:, 0], blocks.labels > 0, blocks.weights),
    )


def area_under_curve(scores: Floats, positive: NDArray[np.bool_], weights: Floats) -> float:
    """Return the weighted chance that a positive scores higher than a negative, ties counting half."""
    _, rank = np.unique(scores, return_inverse=True)
    ups, downs = np.bincount(rank, weights * positive), np.bincount(rank, weights * ~positive)
    below = np.cumsum(downs) - downs
    return float(ups @ (below + downs / 2) / (ups.sum() * downs.sum()))


def _by_page(blocks: Blocks, amounts: Floats) -> Floats:
    return np.asarray(np.bincount(blocks.pages, amounts, minlength=int(blocks.pages.max()) + 1))
