"""A decision tree as data: grown by `sightread.classify.training.decision_trees`, read without scikit-learn."""

from __future__ import annotations

import msgspec
import numpy as np

from sightread.render.page.array_types import Floats


class DecisionTree(msgspec.Struct, frozen=True):
    """A binary tree; row i of every list is node i, and node 0 the root."""

    features: list[int]
    """The column that a node tests; -1 of a leaf."""
    thresholds: list[float]
    """A row goes left if its value is at most this."""
    left: list[int]
    right: list[int]
    probabilities: list[list[float]]
    """Of the classes, in each node."""

    def problem(self, columns: int, classes: int) -> str:
        """Return the reason why this is no tree over this number of columns; empty if it is one."""
        size = len(self.features)
        if not size or {len(rows) for rows in (self.thresholds, self.left, self.right, self.probabilities)} != {size}:
            return "its lists are of unequal length"
        for node, (feature, left, right, shares) in enumerate(zip(self.features, self.left, self.right, self.probabilities, strict=True)):
            if not -1 <= feature < columns or (feature >= 0 and not (node < left < size and node < right < size)):
                return f"node {node} leads nowhere"
            if len(shares) != classes or not all(0 <= share <= 1 for share in shares):
                return f"node {node} has no probabilities"
        return ""

    def predict(self, features: Floats) -> Floats:
        """Return the probabilities of the classes, shape (rows, classes)."""
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
        return np.array(self.probabilities)[at]
