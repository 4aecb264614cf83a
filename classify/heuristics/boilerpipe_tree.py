"""Boilerpipe with a decision tree of our own over the 64 shallow features that need a single page.

The paper's other three features are frequencies in a corpus, which a single page does not have; on L3S-GN1 they add little
(docs/experiments/rebuilt-models.md). The paper grows C4.5 trees (Weka's J48). Departures: scikit-learn's trees (CART with entropy: every
split is binary, no error-based pruning). In its place, leaves have a least number of blocks and minimal cost-complexity pruning removes
splits. Both are chosen on a third of the training pages by the logarithmic loss: areas under curves need probabilities and not only
classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.classify.heuristics.boilerpipe import CONTEXT, page_blocks, shallow_features
from sightread.classify.model import Prediction, check_labels, load_payload, save_payload
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Page
from sightread.render.page.array_types import Floats, Labels

CLASSES = 2
"""Boilerplate and content."""


class DecisionTree(msgspec.Struct, frozen=True):
    """A binary tree as data, read without scikit-learn; row i of every list is node i, and node 0 the root."""

    features: list[int]
    """The column that a node tests; -1 of a leaf."""
    thresholds: list[float]
    """A row goes left if its value is at most this."""
    left: list[int]
    right: list[int]
    probabilities: list[list[float]]
    """Of the classes, in each node."""

    def problem(self) -> str:
        """Return the reason why this is no tree over the 64 features; empty if it is one."""
        size = len(self.features)
        if not size or {len(rows) for rows in (self.thresholds, self.left, self.right, self.probabilities)} != {size}:
            return "its lists are of unequal length"
        for node, (feature, left, right, shares) in enumerate(zip(self.features, self.left, self.right, self.probabilities, strict=True)):
            if not -1 <= feature < len(CONTEXT) or (feature >= 0 and not (node < left < size and node < right < size)):
                return f"node {node} leads nowhere"
            if len(shares) != CLASSES or not all(0 <= share <= 1 for share in shares):
                return f"node {node} has no probabilities"
        return ""

    def predict(self, features: Floats) -> Floats:
        """Return the probability of content of each row, shape (rows,)."""
        features = features.astype(np.float32)  # as it is while growing
        columns, thresholds = np.array(self.features), np.array(self.thresholds)
        left, right = np.array(self.left), np.array(self.right)
        at = np.zeros(len(features), np.intp)
        moving = np.flatnonzero(columns[at] >= 0)
        while len(moving):
            node = at[moving]
            goes_left = features[moving, columns[node]] <= thresholds[node]
            at[moving] = np.where(goes_left, left[node], right[node])
            moving = moving[columns[at[moving]] >= 0]
        return np.array([content for _, content in self.probabilities])[at]


class BoilerpipeTree:
    """A decision tree over the shallow features."""

    name = "boilerpipe-tree"

    def __init__(self, tree: DecisionTree | None = None) -> None:
        self._tree = tree

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Grow the tree; blocks count by their words, as in the paper. Raises `Rejected` if there is nothing to learn from."""
        check_labels(pages, labels)
        read = [page_blocks(page) for page in pages]
        features = np.concatenate([shallow_features(blocks) for _, blocks in read])
        of_blocks = np.concatenate([of_page[rows] for of_page, (rows, _) in zip(labels, read, strict=True)])
        numbers = np.repeat(np.arange(len(pages)), [len(rows) for rows, _ in read])
        blocks = TrainingRows(features, of_blocks, numbers).of((of_blocks >= 0) & (features[:, 0] > 0))
        if set(np.unique(blocks.labels).tolist()) != {0, 1}:
            raise Rejected(f"nothing to learn from: the {len(pages)} pages show no words of both kinds; give more pages")
        self._tree = grow_tree(blocks)
        return self

    def predict(self, page: Page) -> Prediction:
        """Return one probability of content per block, shape (blocks,); 0 for hidden ones. Raises `Rejected` before `fit` or `load`."""
        if self._tree is None:
            raise Rejected("boilerpipe-tree is not fitted: fit it or load a model")
        rows, blocks = page_blocks(page)
        probabilities = np.zeros(len(page.blocks))
        probabilities[rows] = self._tree.predict(shallow_features(blocks))
        return Prediction(probabilities)

    def save(self, path: Path) -> None:
        """Write the tree. Raises `StorageFailed`, and `Rejected` if there is none."""
        if self._tree is None:
            raise Rejected("boilerpipe-tree is not fitted: fit it first")
        save_payload(path, self.name, self._tree)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a tree. Raises `BadRecord`."""
        tree = load_payload(path, cls.name, DecisionTree)
        if problem := tree.problem():
            raise BadRecord(f"{path}: not a {cls.name} model: {problem}; train it again")
        return cls(tree)


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


class TrainingRows(NamedTuple):
    """Training data of a tree: features, of which the first is the weight, label and page of each block."""

    features: Floats
    labels: Labels
    pages: NDArray[np.intp]

    def of(self, rows: NDArray[np.bool_]) -> TrainingRows:
        """Return some of the rows."""
        return TrainingRows(self.features[rows], self.labels[rows], self.pages[rows])


def grow_tree(blocks: TrainingRows) -> DecisionTree:
    """Return a tree of the shape under which the labels of every third page are likeliest to a tree of the others. Deterministic."""
    held = np.isin(blocks.pages, np.unique(blocks.pages)[::HOLD_OUT_EVERY])
    kept, unseen = blocks.of(~held), blocks.of(held)
    if not len(kept.labels) or not len(unseen.labels):
        return _grow(blocks, SHAPES[0])
    losses = []
    for shape in SHAPES:
        content = _grow(kept, shape).predict(unseen.features)
        losses.append(float(-unseen.features[:, 0] @ np.log(np.where(unseen.labels, content, 1 - content))))
    return _grow(blocks, SHAPES[int(np.argmin(losses))])


def _grow(blocks: TrainingRows, shape: TreeLimits) -> DecisionTree:
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415  (only training needs it, and it takes a second to import)

    learner = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=shape.least, ccp_alpha=shape.price, random_state=0)
    learner.fit(blocks.features, blocks.labels, sample_weight=blocks.features[:, 0])
    grown = learner.tree_
    shares = np.zeros((grown.node_count, CLASSES))
    shares[:, learner.classes_] = grown.value[:, 0]
    smoothed = (shares * grown.n_node_samples[:, None] + SMOOTHING) / (grown.n_node_samples[:, None] + SMOOTHING * CLASSES)
    thresholds = np.where(grown.feature >= 0, grown.threshold, 0.0)
    return DecisionTree(
        np.maximum(grown.feature, -1).tolist(),
        [float(f"{value:.9g}") for value in thresholds],
        grown.children_left.tolist(),
        grown.children_right.tolist(),
        np.round(smoothed, 6).tolist(),
    )
