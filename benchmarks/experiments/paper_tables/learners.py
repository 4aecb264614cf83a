"""Classifiers over the features that carry over to other sites (`sightread.classify.features.registry`), and the look as the unit of
decision.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from sightread.render.page import Page
from sightread.render.page.array_types import Features, Floats, Labels
from sightread.render.page.page_arrays import PageArrays

BINS = 16
"""Quantile bins per feature; 8 cost the SVM 1 point of F1 on unseen sites."""
SVM_C = 0.003
"""Regularisation of the SVM; from 0.001 to 0.1 unseen sites scored the same within 0.2 points."""
TREES = 100
LEAVES = 31
RATE = 0.1
"""100 trees of 15 or 31 leaves, and of 63 or 255 bins, scored the same within half a point."""

Decide = Callable[[Features], Floats]
"""From features to decision values, one per block; content is above 0."""


def fit_boosted(features: Features, labels: Labels) -> Decide:
    """Fit boosted trees; deterministic. NaN is a value of its own, and a column of nothing else is left out."""
    known = np.isfinite(features).any(axis=0)
    trees = HistGradientBoostingClassifier(
        learning_rate=RATE,
        max_iter=TREES,
        max_leaf_nodes=LEAVES,
        max_bins=63,
        max_features=0.25,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=0,
    )
    with threadpool_limits(1):  # on busy cores two threads wait for each other: 170 s where one takes 15
        trees.fit(features[:, known], labels)
    return lambda rows: np.asarray(trees.decision_function(rows[:, known]), np.float64)


def fit_svm(features: Features, labels: Labels) -> Decide:
    """Fit a linear SVM to which quantile each feature falls into; NaN is a quantile of its own.

    A linear model of the numbers themselves cannot express that a block is neither too wide nor too narrow.
    """
    edges = [_edges(column) for column in features.T]
    svm = LinearSVC(C=SVM_C, random_state=0, max_iter=10_000).fit(_one_hot(features, edges), labels)
    return lambda rows: np.asarray(svm.decision_function(_one_hot(rows, edges)), np.float64)


def average_looks(page: Page, decisions: Floats) -> Floats:
    """Return for each block the mean decision over the blocks of its look on the page: what looks alike is kept or dropped together."""
    if not page.blocks:
        return decisions
    looks = PageArrays(page).looks
    return np.asarray((np.bincount(looks, decisions) / np.bincount(looks))[looks], np.float64)


def _edges(column: Features) -> Floats:
    known = column[np.isfinite(column)]
    return np.unique(np.quantile(known, np.arange(1, BINS) / BINS)) if len(known) else np.zeros(0)


def _one_hot(features: Features, edges: list[Floats]) -> sparse.csr_matrix:
    rows, columns = features.shape
    bins = np.empty((rows, columns), np.int32)
    for column, of_column in enumerate(edges):
        values = features[:, column]
        bins[:, column] = np.where(np.isnan(values), BINS, np.searchsorted(of_column, values, side="right")) + column * (BINS + 1)
    ends = np.arange(rows + 1, dtype=np.int32) * columns
    return sparse.csr_matrix((np.ones(bins.size), bins.ravel(), ends), shape=(rows, columns * (BINS + 1)))
