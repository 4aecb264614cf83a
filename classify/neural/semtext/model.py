"""SemText: text blocks by the meaning of their words, tags and class names (Zhang and Wang, IJCNN 2021).

Each text block's words go through depthwise convolutions (kernels of 3, 5 and 7 words with 128, 128 and 256 filters) and the maximum over
its words; beside them are the vectors of its tags and class names. A bidirectional LSTM reads the text blocks of a page in windows of at
most 85, and a conditional random field labels them. Word vectors are trained beforehand, with subwords, and then frozen.

Written from a description of the method, not from its code. Our choices, besides those of `sightread.classify.neural.semtext.input`: word
vectors from the training pages alone; 96 units of the LSTM in each direction; longer pages in windows of nearly equal length; a block is
content if its probability is at least one half, which differs a little from the likeliest sequence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from sightread.classify.model import Probabilities
from sightread.classify.neural.layers import BiLstm, Chain, Floats32, SubwordTable, pad, read_windows, unpad
from sightread.classify.neural.model import Arrays, NeuralModel
from sightread.classify.neural.semtext.input import MARGIN, Numbers, Offsets, Vocabulary, read_page, surroundings
from sightread.classify.weights import Schedule
from sightread.render.page import Page

READS = "names"
"""Input as files name it: text, tags and class names, the last of the paper's ablations."""
FILTERS = {3: 128, 5: 128, 7: 256}
"""Filters by kernel, in words."""
WINDOW = 85
"""Text blocks of a sequence, at most."""
HIDDEN = 96
"""Units of the LSTM, each direction."""
FIT = Schedule(epochs=6, rate=2e-3)
"""Six passes over 200,000 text blocks take six minutes of one core."""


@dataclass(frozen=True, slots=True)
class _Kernel:
    """One width of depthwise convolution: (width, size) weights in depth, (filters, size) weights at the point, (filters,) bias."""

    depth: Floats32
    point: Floats32
    bias: Floats32

    def read(self, words: Floats32, at: Offsets, starts: Offsets) -> Floats32:
        """Return the strongest answer of each filter in each text; `at` are the rows of words, `starts` where texts begin among them."""
        reach = len(self.depth) // 2
        mixed = sum((words[at + shift - reach] * weights for shift, weights in enumerate(self.depth)), np.float32(0))
        strongest = np.maximum.reduceat(np.asarray(mixed) @ self.point.T, starts, axis=0)
        return np.maximum(strongest + self.bias, 0)


class _Network(NamedTuple):
    """The word vectors, the convolutions, the LSTM, the output and the chain."""

    table: SubwordTable
    kernels: tuple[_Kernel, ...]
    lstm: BiLstm
    out: Floats32
    bias: Floats32
    chain: Chain

    @classmethod
    def of(cls, arrays: Arrays, about: Mapping[str, Any]) -> Self:
        codes = arrays["table"]
        if about["reads"] != READS or codes.dtype != np.int8 or codes.ndim != 2:
            raise ValueError("its settings or its word vectors are not those of a semtext model")
        full = {name: array.astype(np.float32) for name, array in arrays.items() if name != "table"}
        kernels = tuple(_Kernel(*(full[f"words{width}.{part}"] for part in ("depth", "point", "bias"))) for width in FILTERS)
        chain = Chain(full["chain.first"], full["chain.last"], full["chain.pairs"])
        table = SubwordTable(codes, float(about["unit"]))
        return cls(table, kernels, BiLstm.of(full, "lstm"), full["out.weights"], full["out.bias"], chain)

    def predict(self, page: Page) -> Probabilities:
        vocabulary: Vocabulary = {"": 0}
        given = read_page(page, vocabulary)
        vectors = self.table.vectors([*vocabulary])
        around = surroundings(given, vectors)

        def read(edges: Offsets) -> Probabilities:
            start, stop = int(edges[0]), int(edges[-1])
            rows = np.concatenate((self._texts(*given.text(start, stop), vectors), around[start:stop]), axis=1)
            windows, lengths = pad(rows, edges)
            scores = self.lstm.read(windows, lengths) @ self.out.T + self.bias
            return unpad(self.chain.probabilities(scores, lengths), lengths)

        return np.repeat(read_windows(len(given), WINDOW, read), np.diff(given.starts))

    def _texts(self, numbers: Numbers, begins: Offsets, vectors: Floats32) -> Floats32:
        """Return what the convolutions make of each text, shape (texts, filters)."""
        counts = np.diff(begins) - MARGIN
        starts = np.cumsum(counts) - counts
        at = np.arange(counts.sum()) + np.repeat(begins[:-1] - starts, counts)
        words = vectors[numbers]
        return np.concatenate([kernel.read(words, at, starts) for kernel in self.kernels], axis=1)


class SemText(NeuralModel):
    """The model; `fit` requires pages of many sites. Its files have weights of 16 bits and word vectors of 8."""

    name = "semtext"
    network = _Network
