"""Boilerpipe with a tree of our own over the 64 shallow features that need a single page.

The paper's other three features are frequencies in a corpus, which a single page does not have; on L3S-GN1 they add little
(docs/experiments/rebuilt-models.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.heuristics.boilerpipe.decision_tree import DecisionTree
from sightread.classify.heuristics.boilerpipe.shallow_features import CONTEXT, page_blocks, shallow_features
from sightread.classify.model import Needs, Prediction, check_labels, load_payload, save_payload
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Page

CLASSES = 2
"""Boilerplate and content."""


class BoilerpipeTree:
    """A decision tree over the shallow features."""

    name = "boilerpipe-tree"
    needs = Needs.DOM

    def __init__(self, tree: DecisionTree | None = None) -> None:
        self._tree = tree

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Grow the tree; blocks count by their words, as in the paper. Raises `Rejected` if there is nothing to learn from."""
        from sightread.classify.training.decision_trees import Blocks, grow_tree  # noqa: PLC0415  (reading needs no training)

        check_labels(pages, labels)
        rows = [page_blocks(page)[0] for page in pages]
        features = [page_features(page) for page in pages]
        of_blocks = np.concatenate([of_page[shown] for of_page, shown in zip(labels, rows, strict=True)])
        numbers = np.repeat(np.arange(len(pages)), [len(shown) for shown in rows])
        whole = np.concatenate(features)
        blocks = Blocks(whole, of_blocks, whole[:, 0], numbers).of((of_blocks >= 0) & (whole[:, 0] > 0))
        if set(np.unique(blocks.labels).tolist()) != {0, 1}:
            raise Rejected(f"nothing to learn from: the {len(pages)} pages show no words of both kinds; give more pages")
        self._tree = grow_tree(blocks, CLASSES)
        return self

    def predict(self, page: Page) -> Prediction:
        """Return one probability of content per block, shape (blocks,); 0 for hidden ones. Raises `Rejected` before `fit` or `load`."""
        if self._tree is None:
            raise Rejected("boilerpipe-tree is not fitted: fit it or load a model")
        probabilities = np.zeros(len(page.blocks))
        rows, _ = page_blocks(page)
        probabilities[rows] = self._tree.predict(page_features(page))[:, 1]
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
        if problem := tree.problem(len(CONTEXT), CLASSES):
            raise BadRecord(f"{path}: not a {cls.name} model: {problem}; train it again")
        return cls(tree)


def page_features(page: Page) -> NDArray[np.float64]:
    """Return the 64 features of the page's visible blocks."""
    return shallow_features(page_blocks(page)[1])[:, : len(CONTEXT)]
