"""Web2Text (Vogels, Ganea and Eickhoff, ECIR 2018): which leaves of the collapsed DOM are content, decided jointly.

One network gives every leaf its probability, another every pair of neighbours the probability of their two labels; the likeliest labels of
the whole page are Viterbi's (section 3.3). The networks have 50, 50, 50, 10 filters with kernels 1, 1, 3, 3, each followed by ReLU, and at
last 2 filters (of leaves) or 4 (of pairs) with kernel 3; zeros are before the first and after the last. The other parts: the collapsed DOM
(`tree`), its features (`features`), and the training (`sightread.classify.training.web2text`).

The output of `predict` is no marginal: for each leaf it is by how much the best labels with it as content beat the best without, so that
one half divides exactly as Viterbi's path does. A block of several leaves gets the least score that the better half of its characters
reaches: it is content where Viterbi's path covers at least half of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Probabilities
from sightread.classify.neural.model import Arrays, NeuralModel
from sightread.classify.neural.web2text.features import BLOCK_NAMES, EDGE_NAMES, page_features
from sightread.classify.neural.web2text.tree import CollapsedTree, NodeRows, derive_tree
from sightread.render.page import Page
from sightread.render.page.array_types import Features, Floats

FILTERS = (50, 50, 50, 10)
KERNELS = (1, 1, 3, 3, 3)
SMALL = 1 << 18
"""Multiplications up to which OpenBLAS keeps a product on one thread. On two busy cores a median page took 22 ms of CPU, and takes 1.2."""
PAIR_WEIGHT = 0.1
"""Weight of a pair of neighbours relative to a leaf (λ, section 3.3)."""
MOST_LOG_ODDS = 500.0
"""Log-odds whose exponential is still a number."""
MOST_DEVIATIONS = 10.0
"""Deviations from the mean: so a number that was almost constant in training weighs no more elsewhere than any other."""


class Convolution(NamedTuple):
    """One convolution."""

    weights: Features
    """Shape (kernel * inputs, filters): the inputs of the place before come first, then its own, then those of the next."""
    bias: Features


class ConvolutionNetwork(NamedTuple):
    """A stack of convolutions behind a standardisation of the features."""

    mean: Features
    scale: Features
    layers: tuple[Convolution, ...]

    def logits(self, features: Features) -> Features:
        """Return the logits of each row's classes, shape (rows, classes). NaN counts as the mean."""
        values = standardise(features, self.mean, self.scale)
        for number, layer in enumerate(self.layers):
            if number:
                np.maximum(values, 0, out=values)
            values = _product(with_neighbours(values) if len(layer.weights) > values.shape[1] else values, layer.weights)
            values += layer.bias
        return values

    def arrays(self, prefix: str) -> dict[str, NDArray[Any]]:
        """Return the network as named arrays."""
        named = {f"{prefix}_mean": self.mean, f"{prefix}_scale": self.scale}
        for number, layer in enumerate(self.layers):
            named |= {f"{prefix}_{number}_weights": layer.weights, f"{prefix}_{number}_bias": layer.bias}
        return named

    @classmethod
    def of(cls, arrays: Arrays, prefix: str, inputs: int, classes: int) -> Self:
        """Return the network of these arrays. Raises `ValueError` if one is missing or does not fit."""
        layers = []
        for number, (kernel, filters) in enumerate(zip(KERNELS, (*FILTERS, classes), strict=True)):
            width = kernel * (FILTERS[number - 1] if number else inputs)
            weights, bias = (_named(arrays, f"{prefix}_{number}_{part}") for part in ("weights", "bias"))
            if weights.shape != (width, filters) or bias.shape != (filters,):
                raise ValueError(f"layer {number} of the {prefix} network has shape {weights.shape}, expected {(width, filters)}")
            layers.append(Convolution(weights, bias))
        mean, scale = (_named(arrays, f"{prefix}_{part}") for part in ("mean", "scale"))
        if mean.shape != (inputs,) or scale.shape != (inputs,):
            raise ValueError(f"the {prefix} network reads {mean.shape} features, expected {inputs}")
        return cls(mean, scale, tuple(layers))


def _product(values: Features, weights: Features) -> Features:
    """Return the matrix product, in parts so small that the library starts no other threads, which use CPU time while they wait."""
    rows = max(SMALL // weights.size, 1)
    products = np.empty((len(values), weights.shape[1]), np.float32)
    for start in range(0, len(values), rows):
        np.matmul(values[start : start + rows], weights, out=products[start : start + rows])
    return products


def _named(arrays: Arrays, name: str) -> Features:
    array = arrays.get(name)
    if array is None or array.dtype != np.float32 or not np.isfinite(array).all():
        raise ValueError(f"{name} is missing or not finite")
    return array


def standardise(features: Features, mean: Features, scale: Features) -> Features:
    """Return the features less their mean, by their scale, and within `MOST_DEVIATIONS` of it; NaN becomes 0."""
    values: Features = (features - mean) / scale
    np.clip(values, -MOST_DEVIATIONS, MOST_DEVIATIONS, out=values)
    return np.nan_to_num(values, copy=False, nan=0.0)


def with_neighbours(values: Features) -> Features:
    """Return each row with the one before and the one after beside it, zeros if there is none; shape (rows, 3 * columns)."""
    width = values.shape[1]
    wide = np.zeros((len(values), 3 * width), values.dtype)
    wide[1:, :width] = values[:-1]
    wide[:, width : 2 * width] = values
    wide[:-1, 2 * width :] = values[1:]
    return wide


def log_softmax(logits: NDArray[np.float32]) -> Floats:
    """Return the logarithms of the probabilities of each row's classes."""
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True, initial=-np.inf)
    logs: Floats = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return logs


def path_scores(leaves: Floats, pairs: Floats) -> Floats:
    """Return the score of the best path through each label of each leaf, shape (leaves, 2); of the better ones Viterbi's path is made.

    `leaves` holds the log probabilities of labels 0 and 1, shape (leaves, 2); `pairs` those of the labels 00, 01, 10, 11 of each leaf and
    the next, weighted, shape (leaves - 1, 4).
    """
    forward, backward = _best_before(leaves, pairs), _best_before(leaves[::-1], pairs[::-1, (0, 2, 1, 3)])[::-1]
    return forward + backward + leaves


def _best_before(leaves: Floats, pairs: Floats) -> Floats:
    """Return the best score of what is before each leaf, for each of its labels."""
    boilerplate = content = 0.0
    scores = [(0.0, 0.0)] if len(leaves) else []
    for (score_0, score_1), (pair_00, pair_01, pair_10, pair_11) in zip(leaves[:-1].tolist(), pairs.tolist(), strict=True):
        boilerplate, content = boilerplate + score_0, content + score_1
        boilerplate, content = max(boilerplate + pair_00, content + pair_10), max(boilerplate + pair_01, content + pair_11)
        scores.append((boilerplate, content))
    return np.array(scores, np.float64).reshape(-1, 2)


def path_probabilities(leaves: Floats, pairs: Floats) -> Floats:
    """Return for each leaf how much the best path with it as content beats the best one without, as a probability; shape (leaves,).

    It is at least one half exactly where Viterbi's path calls the leaf content.
    """
    scores = path_scores(leaves, pairs)
    lead = np.clip(scores[:, 1] - scores[:, 0], -MOST_LOG_ODDS, MOST_LOG_ODDS)
    probabilities: Floats = 1 / (1 + np.exp(-lead))
    return probabilities


class Networks(NamedTuple):
    """The networks of leaves and of pairs."""

    leaves: ConvolutionNetwork
    pairs: ConvolutionNetwork

    @classmethod
    def of(cls, arrays: Arrays, about: Mapping[str, Any]) -> Self:
        """Return the networks of a file's contents. Raises `ValueError`, also if they read other features than are measured here."""
        if [about.get("blocks"), about.get("edges")] != [list(BLOCK_NAMES), list(EDGE_NAMES)]:
            raise ValueError("it reads other features than this sightread measures")
        return cls(ConvolutionNetwork.of(arrays, "leaves", len(BLOCK_NAMES), 2), ConvolutionNetwork.of(arrays, "pairs", len(EDGE_NAMES), 4))

    def predict_leaves(self, tree: CollapsedTree) -> Probabilities:
        """Return one score per leaf, at least one half where Viterbi's path calls it content; shape (leaves,)."""
        features = page_features(tree)
        leaves, pairs = log_softmax(self.leaves.logits(features.blocks)), log_softmax(self.pairs.logits(features.edges))
        return path_probabilities(leaves, PAIR_WEIGHT * pairs)

    def predict(self, page: Page) -> Probabilities:
        """Return one score per block, at least one half where Viterbi's path covers half of its characters; shape (blocks,)."""
        tree, blocks = derive_tree(page)
        lengths = np.fromiter(map(len, tree.texts), np.int64, len(tree.texts))
        return _of_better_half(self.predict_leaves(tree), lengths, blocks, len(page.blocks))


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


class Web2Text(NeuralModel):
    """The paper's model."""

    name = "web2text"
    network = Networks
