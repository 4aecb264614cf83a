"""BoilerNet: the leaves of a page by counts of tags and words (Leonhardt, Anand and Khosla, WWW Companion 2020).

A leaf is what its path holds of the 50 commonest tags and its text of the 1,000 commonest words, as counts, with one count each for all
other tags and words. A dense layer, two bidirectional LSTMs over the page and one output predict the probability of content; the two
classes weigh the same in training, however rare one is.

Departures, besides those of `sightread.classify.neural.boilernet.input`: 64 units a layer and direction where the authors have 256, as
many as SemText has here, so that it trains in minutes on one core; a page is read in windows of at most 200 leaves; 4 passes, not the best
of 50 by their validation set; a leaf learns its block's label. A block's probability is the mean over its leaves, by characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Needs, Prediction, Probabilities, check_labels
from sightread.classify.neural.boilernet.input import LeafCounts, Vocabularies, count_leaves
from sightread.classify.neural.lstm import BiLstm, Floats32, cut, pad, squash, unpad
from sightread.classify.schedule import Schedule, trainer
from sightread.classify.weights import load_weights, save_weights
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Page

DENSE = HIDDEN = 64
"""Units of the dense layer, and of each LSTM in each direction."""
LAYERS = ("lstm1", "lstm2")
WINDOW = 200
"""Leaves of a sequence, at most."""
AT_ONCE = 32
"""Windows that are read side by side."""
FIT = Schedule(epochs=4, rate=2e-3, most_windows=4)
TUNE = Schedule(epochs=4, rate=5e-4, most_windows=4)
KIND = "boilernet"

Arrays = Mapping[str, NDArray[Any]]


class BoilerNet:
    """The network; `fit` requires pages of many sites, and PyTorch (the extra `neural`)."""

    name = "boilernet"
    needs = Needs.DOM

    def __init__(self) -> None:
        self._vocabularies = Vocabularies({}, {})
        self._arrays: Arrays = {}
        self._network: _Network | None = None

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Train on the pages; deterministic on one thread. Raises `Rejected` if a class is missing, `Unequipped` without PyTorch."""
        check_labels(pages, labels)
        self._vocabularies, self._arrays = trainer("boilernet").learn_vocabularies(pages), {}
        return self._learn(pages, labels, FIT)

    def tune(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Continue training with a few pages of another kind, more gently. Raises as `fit` does, and `Rejected` before it."""
        check_labels(pages, labels)
        if self._network is None:
            raise Rejected("this boilernet model is not fitted: fit or load it first")
        return self._learn(pages, labels, TUNE)

    def predict(self, page: Page) -> Prediction:
        """Return one probability of content per block, shape (blocks,). Raises `Rejected` if the model is not fitted."""
        if self._network is None:
            raise Rejected("this boilernet model is not fitted: fit or load it first")
        counts = count_leaves(page, self._vocabularies)
        found = self._network.read(counts)
        number = len(page.blocks)
        return Prediction(np.bincount(counts.rows, counts.lengths * found, number) / np.bincount(counts.rows, counts.lengths, number))

    def save(self, path: Path) -> None:
        """Write the model as npz, weights in 16 bits. Raises `StorageFailed`, and `Rejected` if it is empty."""
        if self._network is None:
            raise Rejected("this boilernet model is not fitted: fit it first")
        about = {"words": list(self._vocabularies.words), "tags": list(self._vocabularies.tags)}
        save_weights(path, KIND, self._arrays, about)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""
        arrays, about = load_weights(path, KIND)
        model = cls()
        try:
            model._vocabularies = Vocabularies.of(about["words"], about["tags"])
            model._take(arrays)
        except (KeyError, ValueError, TypeError) as error:
            raise BadRecord(f"{path}: not a boilernet model of this sightread ({error}); train it again") from error
        return model

    def _learn(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]], schedule: Schedule) -> Self:
        learned = trainer("boilernet").train(pages, labels, self._vocabularies, (self._arrays, schedule))
        self._take({name: array.astype(np.float16) for name, array in learned.items()})
        return self

    def _take(self, arrays: Arrays) -> None:
        self._network = _Network.of(arrays)
        self._arrays = arrays


@dataclass(frozen=True, slots=True)
class _Network:
    """The trained weights, ready to read with: a row per word or tag of the dense layer, its bias, the LSTMs and the output."""

    words: Floats32
    tags: Floats32
    bias: Floats32
    layers: tuple[BiLstm, ...]
    out: Floats32
    out_bias: Floats32

    @classmethod
    def of(cls, arrays: Arrays) -> _Network:
        """Return the network of the arrays. Raises `KeyError` if one is missing."""
        full = {name: array.astype(np.float32) for name, array in arrays.items()}
        layers = tuple(BiLstm.of(full, name) for name in LAYERS)
        return cls(full["dense.words"], full["dense.tags"], full["dense.bias"], layers, full["out.weights"], full["out.bias"])

    def read(self, counts: LeafCounts) -> Probabilities:
        """Return one probability per leaf."""
        edges = cut(len(counts), WINDOW)
        found = [np.zeros(0)]
        for first in range(0, len(edges) - 1, AT_ONCE):
            part = edges[first : first + AT_ONCE + 1]
            states, lengths = pad(self._dense(counts, int(part[0]), int(part[-1])), part)
            for layer in self.layers:
                states = layer.read(states, lengths)
            found.append(squash(unpad(states, lengths) @ self.out.T + self.out_bias)[:, 0].astype(np.float64))
        return np.concatenate(found)

    def _dense(self, counts: LeafCounts, start: int, stop: int) -> Floats32:
        rows: Floats32 = counts.tags[start:stop] @ self.tags + self.bias
        begin, end = counts.begins[start], counts.begins[stop]
        owners = np.repeat(np.arange(stop - start), np.diff(counts.begins[start : stop + 1]))
        filled, firsts = np.unique(owners, return_index=True)
        if len(filled):
            rows[filled] += np.add.reduceat(self.words[counts.words[begin:end]] * counts.times[begin:end, np.newaxis], firsts, axis=0)
        read: Floats32 = np.maximum(rows, 0)
        return read
