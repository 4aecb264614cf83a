"""Growing of Boilerpipe's decision trees with scikit-learn.

The paper grows C4.5 trees (Weka's J48). Departures: scikit-learn's trees (CART with entropy: every split is binary, no error-based
pruning). In its place, leaves have a least number of blocks and minimal cost-complexity pruning removes splits. Both are
chosen on a third of the training pages by the logarithmic loss: areas under curves need probabilities and not only classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier

from sightread.classify.heuristics.boilerpipe.decision_tree import DecisionTree
from sightread.render.page.array_types import Floats, Labels


class TreeLimits(NamedTuple):
    """How far a tree may grow."""

    least: int
    """Blocks of a leaf at least."""
    price: float
    """Entropy, in bits over the whole training set, that a split must save (`ccp_alpha`)."""


SHAPES = (TreeLimits(50, 0.0), TreeLimits(100, 0.0), TreeLimits(200, 1e-4))
"""Tried in every training set. On L3S-GN1, 64 features, words as weights, trees of leaves of 20 blocks had an area under the curve of
0.977, those of 100 blocks 0.981, at the same F1 within 0.002."""
HOLD_OUT_EVERY = 3
"""Every third page is held out to choose the limits of the trees."""
SMOOTHING = 1.0
"""Blocks of each class that a leaf is given beforehand (Laplace), so that no probability is 0 or 1."""


@dataclass(frozen=True, slots=True)
class Blocks:
    """Training data of a tree: rows of features, one label, weight and page each; shapes (rows, features) and (rows,)."""

    features: Floats
    labels: Labels
    """Classes, counted from 0."""
    weights: Floats
    pages: NDArray[np.intp]

    def of(self, rows: NDArray[np.bool_]) -> Blocks:
        """Return some of the rows."""
        return Blocks(self.features[rows], self.labels[rows], self.weights[rows], self.pages[rows])


def grow_tree(blocks: Blocks, classes: int, shape: TreeLimits | None = None) -> DecisionTree:
    """Return a tree of these blocks; its shape is chosen on pages held out, unless it is given. Deterministic."""
    return _grow(blocks, classes, shape or choose_shape(blocks, classes))


def choose_shape(blocks: Blocks, classes: int) -> TreeLimits:
    """Return the shape under which the labels of every third page are likeliest to a tree of the others; of equal ones the first."""
    numbers = np.unique(blocks.pages)
    held = np.isin(blocks.pages, numbers[::HOLD_OUT_EVERY])
    kept, unseen = blocks.of(~held), blocks.of(held)
    if not len(kept.labels) or not unseen.weights.any():
        return SHAPES[0]
    losses = []
    for shape in SHAPES:
        shares = _grow(kept, classes, shape).predict(unseen.features)[np.arange(len(unseen.labels)), unseen.labels]
        losses.append(float(-unseen.weights @ np.log(shares)))
    return SHAPES[int(np.argmin(losses))]


def _grow(blocks: Blocks, classes: int, shape: TreeLimits) -> DecisionTree:
    learner = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=shape.least, ccp_alpha=shape.price, random_state=0)
    learner.fit(blocks.features, blocks.labels, sample_weight=blocks.weights)
    grown = learner.tree_
    shares = np.zeros((grown.node_count, classes))
    shares[:, learner.classes_] = grown.value[:, 0]
    smoothed = (shares * grown.n_node_samples[:, None] + SMOOTHING) / (grown.n_node_samples[:, None] + SMOOTHING * classes)
    thresholds = np.where(grown.feature >= 0, grown.threshold, 0.0)
    return DecisionTree(
        np.maximum(grown.feature, -1).tolist(),
        [float(f"{value:.9g}") for value in thresholds],
        grown.children_left.tolist(),
        grown.children_right.tolist(),
        np.round(smoothed, 6).tolist(),
    )
