"""SemText: text blocks by the meaning of their words, tags and class names (Zhang and Wang, IJCNN 2021).

Each text block's words go through depthwise convolutions (kernels of 3, 5 and 7 words with 128, 128 and 256 filters) and the maximum over
its words; beside them are the vectors of its tags and class names. A bidirectional LSTM reads the text blocks of a page in windows of at
most 85, and a conditional random field labels them. Word vectors are trained beforehand, with subwords, and then frozen.

Written from a description of the method, not from its code. Our choices, besides those of `sightread.classify.neural.semtext.input`: word
vectors from the training pages alone; 96 units of the LSTM in each direction; longer pages in windows of nearly equal length; a block is
content if its probability is at least one half, which differs a little from the likeliest sequence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Needs, Prediction, Probabilities, check_labels
from sightread.classify.neural.layers import BiLstm, Chain, Floats32, SubwordTable, Vectors, cut, pad, unpad
from sightread.classify.neural.semtext.input import MARGIN, PARTS, Numbers, Offsets, SemTextInput, Vocabulary, read_page, surroundings
from sightread.classify.schedule import Schedule, trainer
from sightread.classify.weights import load_weights, save_weights
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Page

if TYPE_CHECKING:
    from sightread.classify.training.semtext_input import TrainingPages

Reads = Literal["text", "tags", "names"]
"""Inputs of the model: the text alone, tags too, or class names too (the paper's ablations)."""

FILTERS = {3: 128, 5: 128, 7: 256}
"""Filters by kernel, in words."""
WINDOW = 85
"""Text blocks of a sequence, at most."""
HIDDEN = 96
"""Units of the LSTM, each direction."""
AT_ONCE = 32
"""Windows that are read side by side: memory stays below 100 MB on any page."""
FIT = Schedule(epochs=6, rate=2e-3)
"""Six passes over 200,000 text blocks take six minutes of one core."""
TUNE = Schedule(epochs=12, rate=1e-3)
"""For continuing with a few pages of another kind."""
KIND = "semtext"

Arrays = Mapping[str, NDArray[Any]]


class SemText:
    """The network; `fit` requires pages of many sites, and PyTorch and floret (the extra `neural`)."""

    name = "semtext"
    needs = Needs.DOM

    def __init__(self, reads: Reads = "names", table: SubwordTable | None = None) -> None:
        self.reads: Reads = reads
        self._table = table
        self._arrays: Arrays = {}
        self._network: _Network | None = None

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Train on the pages, the word vectors too if none were given; deterministic on one thread.

        Raises `Rejected` if a class is missing, `Unequipped` without the extra `neural`.
        """
        check_labels(pages, labels)
        trainer("semtext")  # raises at once if PyTorch is missing
        from sightread.classify.training.semtext_input import train_table, training_lines  # noqa: PLC0415  (reading needs no training)

        return self._train(pages, labels, self._table or train_table(training_lines(pages)), FIT)

    def tune(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Continue training with a few pages of another kind, at a lower rate. Raises as `fit` does, and `Rejected` before it."""
        check_labels(pages, labels)
        if self._table is None or self._network is None:
            raise Rejected("this semtext model is not fitted: fit or load it first")
        return self._train(pages, labels, self._table, TUNE)

    def _train(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]], table: SubwordTable, schedule: Schedule) -> Self:
        from sightread.classify.training.semtext_input import prepare  # noqa: PLC0415

        self._table = table
        return self.learn(prepare(pages, labels, table), schedule)

    def learn(self, examples: TrainingPages, schedule: Schedule) -> Self:
        """Train on pages that `prepare` read, from what is known already; the network is made if there is none."""
        learned = trainer("semtext").train(examples, self.reads, self._arrays, schedule)
        self._take({name: array.astype(np.float16) for name, array in learned.items()})
        return self

    def predict(self, page: Page) -> Prediction:
        """Return one probability of content per block, shape (blocks,). Raises `Rejected` if the model is not fitted."""
        if self._table is None or self._network is None:
            raise Rejected("this semtext model is not fitted: fit or load it first")
        vocabulary = Vocabulary()
        given = read_page(page, vocabulary)
        vectors = self._table.vectors(vocabulary.words)
        found = self._network.read(given, vectors, select(surroundings(given, vectors), self.reads))
        return Prediction(np.repeat(found, np.diff(given.starts)))

    def save(self, path: Path) -> None:
        """Write the model as npz, weights in 16 bits and word vectors in 8. Raises `StorageFailed`, and `Rejected` if it is empty."""
        if self._table is None or self._network is None:
            raise Rejected("this semtext model is not fitted: fit it first")
        save_weights(path, KIND, {**self._arrays, "table": self._table.codes}, {"reads": self.reads, "unit": self._table.unit})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""
        arrays, about = load_weights(path, KIND)
        try:
            reads, unit, codes = about["reads"], float(about["unit"]), arrays.pop("table")
            if reads not in get_args(Reads) or codes.dtype != np.int8 or codes.ndim != 2:
                raise ValueError("its settings or its word vectors are not those of a semtext model")
            model = cls(reads, SubwordTable(codes, unit))
            model._take(arrays)
        except (KeyError, ValueError, TypeError) as error:
            raise BadRecord(f"{path}: not a semtext model of this sightread ({error}); train it again") from error
        return model

    def _take(self, arrays: Arrays) -> None:
        self._arrays = arrays
        self._network = _Network.of(arrays)


def select(around: Floats32, reads: Reads) -> Floats32:
    """Return the part of the surroundings that the model reads."""
    share = {"text": 0, "tags": PARTS // 2, "names": PARTS}[reads]
    return around[:, : around.shape[1] // PARTS * share]


@dataclass(frozen=True, slots=True)
class _Kernel:
    """One width of depthwise convolution: (width, size) weights in depth, (filters, size) weights at the point, (filters,) bias."""

    depth: Floats32
    point: Floats32
    bias: Floats32

    def read(self, words: Vectors, at: Offsets, starts: Offsets) -> Floats32:
        """Return the strongest answer of each filter in each text; `at` are the rows of words, `starts` where texts begin among them."""
        reach = len(self.depth) // 2
        mixed = sum((words[at + shift - reach] * weights for shift, weights in enumerate(self.depth)), np.float32(0))
        strongest = np.maximum.reduceat(np.asarray(mixed) @ self.point.T, starts, axis=0)
        return np.maximum(strongest + self.bias, 0)


@dataclass(frozen=True, slots=True)
class _Network:
    """The trained weights, ready to read with."""

    kernels: tuple[_Kernel, ...]
    lstm: BiLstm
    out: Floats32
    bias: Floats32
    chain: Chain

    @classmethod
    def of(cls, arrays: Arrays) -> _Network:
        """Return the network of the arrays. Raises `KeyError` if one is missing."""
        full = {name: array.astype(np.float32) for name, array in arrays.items()}
        kernels = tuple(_Kernel(*(full[f"words{width}.{part}"] for part in ("depth", "point", "bias"))) for width in FILTERS)
        chain = Chain(full["chain.first"], full["chain.last"], full["chain.pairs"])
        return cls(kernels, BiLstm.of(full, "lstm"), full["out.weights"], full["out.bias"], chain)

    def read(self, given: SemTextInput, vectors: Vectors, around: Floats32) -> Probabilities:
        """Return one probability a text block."""
        edges = cut(len(given), WINDOW)
        found: list[Probabilities] = [np.zeros(0)]
        for first in range(0, len(edges) - 1, AT_ONCE):
            part = edges[first : first + AT_ONCE + 1]
            start, stop = int(part[0]), int(part[-1])
            rows = np.concatenate((self._texts(*given.text(start, stop), vectors), around[start:stop]), axis=1)
            windows, lengths = pad(rows, part)
            scores = self.lstm.read(windows, lengths) @ self.out.T + self.bias
            found.append(unpad(self.chain.probabilities(scores, lengths), lengths))
        return np.concatenate(found)

    def _texts(self, numbers: Numbers, begins: Offsets, vectors: Vectors) -> Floats32:
        """Return what the convolutions make of each text, shape (texts, filters)."""
        counts = np.diff(begins) - MARGIN
        starts = np.cumsum(counts) - counts
        at = np.arange(counts.sum()) + np.repeat(begins[:-1] - starts, counts)
        words = vectors[numbers]
        return np.concatenate([kernel.read(words, at, starts) for kernel in self.kernels], axis=1)
