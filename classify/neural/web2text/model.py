"""Web2Text (Vogels, Ganea and Eickhoff, ECIR 2018): which leaves of the collapsed DOM are content, decided jointly.

One network gives every leaf its probability, another every pair of neighbours the probability of their two labels; the likeliest labels of
the whole page are Viterbi's (section 3.3). The parts: the collapsed DOM (`tree`, `read`), its features (`features`, `text`), the
networks and their chain (`network`), their training (`sightread.classify.training.web2text`).

The output of `predict` is no marginal: for each leaf it is by how much the best labels with it as content beat the best without, so that
one half divides exactly as Viterbi's path does. A block of several leaves gets the least score that the better half of its characters
reaches: it is content where Viterbi's path covers at least half of it. Networks of a page's `Page` and of its HTML are not the same
(`read`): `fit` learns from pages, the other ways to fit from the features of any collapsed DOM.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Needs, Prediction, Probabilities, check_labels
from sightread.classify.neural.web2text.features import BLOCK_NAMES, EDGE_NAMES, PageFeatures, page_features
from sightread.classify.neural.web2text.network import PAIR_WEIGHT, ConvolutionNetwork, log_softmax, path_probabilities
from sightread.classify.neural.web2text.tree import CollapsedTree, NodeRows, derive_tree
from sightread.classify.weights import load_weights, save_weights
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Page
from sightread.render.page.array_types import Floats

if TYPE_CHECKING:
    from sightread.classify.training.web2text import LabelledLeaves


class Potentials(NamedTuple):
    """Output of the networks for a page: log probabilities."""

    leaves: Floats
    """Of boilerplate and content, shape (leaves, 2)."""
    pairs: Floats
    """Of the labels 00, 01, 10, 11 of each leaf and the next, shape (leaves - 1, 4)."""


class Web2Text:
    """The paper's model; `fit` needs PyTorch, all else numpy alone."""

    name = "web2text"
    needs = Needs.DOM

    def __init__(self) -> None:
        self._leaves: ConvolutionNetwork | None = None
        self._pairs: ConvolutionNetwork | None = None
        self.pages = 0
        """How many pages it was fitted on, those among them that chose the networks."""

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Learn from pages; deterministic. Raises `Rejected` if a class is missing, and `Unequipped` without PyTorch."""
        from sightread.classify.training.web2text import label_leaves  # noqa: PLC0415  (reading needs no training)

        check_labels(pages, labels)
        return self.fit_labelled(label_leaves(pages, labels))

    def fit_labelled(self, training: LabelledLeaves, held_out: LabelledLeaves | None = None) -> Self:
        """Learn from the leaves of pages; those held out (a part of the pages if none are given) choose among the networks of training.

        Raises `Rejected` if no page has two leaves.
        """
        from sightread.classify.training.web2text import train_networks  # noqa: PLC0415

        self._leaves, self._pairs = train_networks(training, held_out)
        self.pages = len(training.pages) + (len(held_out.pages) if held_out else 0)
        return self

    def potentials(self, features: PageFeatures) -> Potentials:
        """Return what the networks make of a page's leaves and pairs. Raises `Rejected` before the model has learned."""
        if self._leaves is None or self._pairs is None:
            raise Rejected("this web2text has not learned yet: fit or load it first")
        return Potentials(log_softmax(self._leaves.logits(features.blocks)), log_softmax(self._pairs.logits(features.edges)))

    def predict_leaves(self, tree: CollapsedTree) -> Probabilities:
        """Return one score per leaf, at least one half where Viterbi's path calls it content; shape (leaves,)."""
        leaves, pairs = self.potentials(page_features(tree))
        return path_probabilities(leaves, PAIR_WEIGHT * pairs)

    def predict(self, page: Page) -> Prediction:
        """Return one score per block, at least one half where Viterbi's path covers half of its characters; shape (blocks,)."""
        tree, blocks = derive_tree(page)
        lengths = np.fromiter(map(len, tree.texts), np.int64, len(tree.texts))
        return Prediction(_of_better_half(self.predict_leaves(tree), lengths, blocks, len(page.blocks)))

    def save(self, path: Path) -> None:
        """Write the networks and the names of the features that they read. Raises `Rejected` before the model has learned."""
        if self._leaves is None or self._pairs is None:
            raise Rejected(f"{path}: nothing to save: this web2text has not learned yet")
        arrays = self._leaves.arrays("leaves") | self._pairs.arrays("pairs")
        save_weights(path, self.name, arrays, {"blocks": BLOCK_NAMES, "edges": EDGE_NAMES, "pages": self.pages})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the networks. Raises `BadRecord`, also if they read other features than this sightread measures."""
        arrays, about = load_weights(path, cls.name)
        if [about.get("blocks"), about.get("edges")] != [list(BLOCK_NAMES), list(EDGE_NAMES)]:
            raise BadRecord(f"{path}: reads other features than this sightread measures; train it again")
        model = cls()
        try:
            model._leaves = ConvolutionNetwork.of(arrays, "leaves", len(BLOCK_NAMES), 2)
            model._pairs = ConvolutionNetwork.of(arrays, "pairs", len(EDGE_NAMES), 4)
            model.pages = int(about.get("pages", 0))
        except (TypeError, ValueError) as error:
            raise BadRecord(f"{path}: not a web2text model: {error}; train it again") from error
        return model


def _of_better_half(scores: Probabilities, lengths: NodeRows, blocks: NodeRows, count: int) -> Probabilities:
    """Return the least score in the better half of each block's characters; 0 for a block without leaves."""
    order = np.lexsort((-scores, blocks))
    owners, covered = blocks[order], np.cumsum(lengths[order])
    totals = np.bincount(blocks, lengths, minlength=count).astype(np.int64)
    before = np.cumsum(totals) - totals
    reaches = 2 * (covered - before[owners]) >= totals[owners]
    rows = np.flatnonzero(reaches)
    firsts = rows[np.diff(owners[rows], prepend=-1) != 0]
    probabilities = np.zeros(count)
    probabilities[owners[firsts]] = scores[order][firsts]
    return probabilities
