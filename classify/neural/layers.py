"""Layers of the neural models, in numpy: word vectors with subwords, a bidirectional LSTM, and a linear-chain CRF
(Lafferty, McCallum and Pereira 2001).

Subword embeddings: a hashed table in the manner of fastText and floret, read with numpy.

Bojanowski, Grave, Joulin and Mikolov (TACL 2017): a word's vector is the mean of those of its character n-grams. Floret (Explosion 2021)
keeps no list of words: word and n-grams are hashed, twice each, into one small table, so any word has a vector, also a new or misspelt one.
The table is stored in 8 bits: what is trained on top sees it so from the beginning, and loses nothing.

Bidirectional LSTMs over windows of a page, in numpy: shared by SemText and BoilerNet.

Hochreiter and Schmidhuber (1997), with forget gates; the gates are in the order input, forget, cell, output, as PyTorch keeps them.
A page longer than a window is cut into windows of nearly equal length, which are read side by side: time is linear in the page's length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightread.render.page.array_types import Rows

NGRAM_LENGTHS = (4, 5)
"""Least and most characters of an n-gram, the word's two ends counted: floret's own advice for European languages."""
HASHES = 2
"""Rows of an n-gram: two that share one row differ by the other."""
SEED = 2166136261
"""Floret's."""
Floats32 = NDArray[np.float32]
_Words64 = NDArray[np.uint64]
_C1, _C2 = np.uint64(0x87C37B91114253D5), np.uint64(0x4CF5AD432745937F)
_MIX = (np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53))


@dataclass(frozen=True, slots=True)
class SubwordTable:
    """Rows of 8-bit numbers, shape (rows, size), and the value of one unit."""

    codes: NDArray[np.int8]
    unit: float

    @property
    def size(self) -> int:
        """Numbers of a vector."""
        return int(self.codes.shape[1])

    def vectors(self, words: Sequence[str]) -> Floats32:
        """Return one vector per word, shape (words, size); zeros for the empty word."""
        found = [_grams(word) for word in words]
        counts = np.fromiter(map(len, found), np.intp, len(found))
        vectors = np.zeros((len(words), self.size), np.float32)
        if not counts.any():
            return vectors
        rows = hash_rows([gram for grams in found for gram in grams], len(self.codes))
        starts = np.concatenate(([0], np.cumsum(counts)))[:-1][counts > 0]
        sums = np.add.reduceat(self.codes[rows].sum(axis=1, dtype=np.float32), starts, axis=0)
        vectors[counts > 0] = sums * np.float32(self.unit) / (HASHES * counts[counts > 0, np.newaxis]).astype(np.float32)
        return vectors


def hash_rows(grams: Sequence[bytes], rows: int) -> NDArray[np.intp]:
    """Return the rows of each n-gram, shape (n-grams, HASHES): the first words of its MurmurHash3 of 128 bits, as floret takes them.

    N-grams hold no zero byte.
    """
    sizes = np.fromiter(map(len, grams), np.int64, len(grams))
    found = np.empty((len(grams), HASHES), np.intp)
    for wide in np.unique(sizes // 16).tolist():
        of_width = np.flatnonzero(sizes // 16 == wide)
        padded = np.array([grams[at] for at in of_width.tolist()], f"S{16 * (wide + 1)}")
        first = _murmur(padded.view("<u8").reshape(len(of_width), -1), sizes[of_width].astype(np.uint64))
        found[of_width, 0] = (first & np.uint64(0xFFFFFFFF)) % np.uint64(rows)
        found[of_width, 1] = (first >> np.uint64(32)) % np.uint64(rows)
    return found


def _grams(word: str) -> list[bytes]:
    """Return the word between its two ends, and all its n-grams; a word as short as an n-gram counts as both."""
    if not word:
        return []
    whole = f"<{word}>"
    parts = [whole[at : at + length] for length in range(NGRAM_LENGTHS[0], NGRAM_LENGTHS[1] + 1) for at in range(len(whole) - length + 1)]
    return [part.encode(errors="replace") for part in (whole, *parts)]


def _murmur(keys: _Words64, sizes: _Words64) -> _Words64:
    """Return the first half of the hash of each row of `keys`, which are padded with zeros to a multiple of 16 bytes beyond their size."""
    h1 = np.full(len(keys), SEED, np.uint64)
    h2 = h1.copy()
    for at in range(0, keys.shape[1] - 2, 2):
        h1 ^= _turn(keys[:, at] * _C1, 31) * _C2
        h1 = (_turn(h1, 27) + h2) * np.uint64(5) + np.uint64(0x52DCE729)
        h2 ^= _turn(keys[:, at + 1] * _C2, 33) * _C1
        h2 = (_turn(h2, 31) + h1) * np.uint64(5) + np.uint64(0x38495AB5)
    h2 ^= _turn(keys[:, -1] * _C2, 33) * _C1  # zero if nothing is left
    h1 ^= _turn(keys[:, -2] * _C1, 31) * _C2
    h1, h2 = h1 ^ sizes, h2 ^ sizes
    h1 = h1 + h2
    h2 = h2 + h1
    return _finish(h1) + _finish(h2)


def _turn(values: _Words64, by: int) -> _Words64:
    return (values << np.uint64(by)) | (values >> np.uint64(64 - by))


def _finish(values: _Words64) -> _Words64:
    for factor in _MIX:
        values = (values ^ (values >> np.uint64(33))) * factor
    return values ^ (values >> np.uint64(33))


DIRECTIONS = ("forward", "backward")
AT_ONCE = 32
"""Windows that are read side by side: memory stays below 100 MB on any page."""


@dataclass(frozen=True, slots=True)
class Lstm:
    """One direction of one layer: weights of shape (4 hidden, inputs) and (4 hidden, hidden), bias of shape (4 hidden,)."""

    inputs: Floats32
    hidden: Floats32
    bias: Floats32

    def read(self, windows: Floats32) -> Floats32:
        """Return the hidden states of each step, shape (windows, steps, hidden), of windows of shape (windows, steps, inputs)."""
        number, steps, _ = windows.shape
        size = self.hidden.shape[1]
        given = (windows.reshape(number * steps, -1) @ self.inputs.T + self.bias).reshape(number, steps, 4 * size)
        state = np.zeros((number, size), np.float32)
        cell = np.zeros((number, size), np.float32)
        states = np.empty((number, steps, size), np.float32)
        turned = np.ascontiguousarray(self.hidden.T)
        for step in range(steps):
            gates = given[:, step] + state @ turned
            opened = squash(gates)
            cell = opened[:, size : 2 * size] * cell + opened[:, :size] * np.tanh(gates[:, 2 * size : 3 * size])
            state = opened[:, 3 * size :] * np.tanh(cell)
            states[:, step] = state
        return states


@dataclass(frozen=True, slots=True)
class BiLstm:
    """Both directions of one layer."""

    forward: Lstm
    backward: Lstm

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]], name: str) -> BiLstm:
        """Return the layer whose weights are the arrays `NAME.forward.inputs` and so on. Raises `KeyError` if one is missing."""
        layers = []
        for direction in DIRECTIONS:
            inputs, hidden, bias = (arrays[f"{name}.{direction}.{part}"].astype(np.float32) for part in ("inputs", "hidden", "bias"))
            if not inputs.shape[0] == hidden.shape[0] == bias.shape[0] == 4 * hidden.shape[1]:
                raise ValueError(f"{name}.{direction}: weights whose shapes do not fit each other")
            layers.append(Lstm(inputs, hidden, bias))
        return cls(*layers)

    def read(self, windows: Floats32, lengths: Rows) -> Floats32:
        """Return both directions' states side by side, shape (windows, steps, 2 hidden). Values beyond a window's length are undefined."""
        there = self.forward.read(windows)
        turned = reverse(lengths, windows.shape[1])
        back = self.backward.read(np.take_along_axis(windows, turned[:, :, np.newaxis], axis=1))
        return np.concatenate((there, np.take_along_axis(back, turned[:, :, np.newaxis], axis=1)), axis=2)


def reverse(lengths: Rows, steps: int) -> Rows:
    """Return, for each window, the steps from its last to its first, and then the padding; shape (windows, steps)."""
    at = np.arange(steps)[np.newaxis]
    last = lengths[:, np.newaxis] - 1
    return np.where(at <= last, last - at, at)


def cut(count: int, most: int) -> Rows:
    """Return where windows of at most `most` steps begin in a sequence of `count`, and its end; as few and as equal as can be."""
    windows = -(-count // most)
    return np.linspace(0, count, windows + 1).round().astype(np.intp) if windows else np.zeros(1, np.intp)


def pad(rows: Floats32, edges: Rows) -> tuple[Floats32, Rows]:
    """Return the rows between the edges as windows of one length, padded with zeros, and how long each is."""
    lengths = np.diff(edges)
    padded = np.zeros((len(lengths), int(lengths.max(initial=0)), rows.shape[1]), np.float32)
    padded[np.arange(padded.shape[1])[np.newaxis] < lengths[:, np.newaxis]] = rows
    return padded, lengths


def unpad(padded: NDArray[Any], lengths: Rows) -> NDArray[Any]:
    """Return the rows of windows one after another, without what pads them."""
    return padded[np.arange(padded.shape[1])[np.newaxis] < lengths[:, np.newaxis]]


def read_windows(count: int, most: int, read: Callable[[Rows], NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return what `read` makes of a sequence of `count` steps in windows of at most `most`, given the edges of windows side by side."""
    edges = cut(count, most)
    parts = (edges[first : first + AT_ONCE + 1] for first in range(0, len(edges) - 1, AT_ONCE))
    return np.concatenate([np.zeros(0), *map(read, parts)])


def squash(values: Floats32) -> Floats32:
    """Return the logistic function of each value, without overflow."""
    squashed: Floats32 = np.tanh(np.float32(0.5) * values)
    return np.float32(0.5) * (squashed + np.float32(1))


CLASSES = 2
"""Boilerplate and content, in this order."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Potentials of the first label, of the last, and of each pair of neighbours (from, to)."""

    first: Floats32
    last: Floats32
    pairs: Floats32

    def probabilities(self, scores: Floats32, lengths: Rows) -> NDArray[np.float64]:
        """Return the probability of content at each step, by the forward-backward algorithm; shape (windows, steps).

        `scores` are those of each step alone, shape (windows, steps, 2). Steps beyond a window's length have 0.

        The paper decodes the best sequence; a model here predicts a probability per block, which is this, and keeps those above one half.
        """
        windows, steps, _ = scores.shape
        emitted = scores.astype(np.float64)
        is_step = np.arange(steps)[np.newaxis] < lengths[:, np.newaxis]
        ahead = np.zeros((windows, steps, CLASSES))
        behind = np.zeros((windows, steps, CLASSES))
        for step in range(steps):
            before = ahead[:, step - 1, :, np.newaxis] + self.pairs
            ahead[:, step] = (_sum(before) if step else self.first) + emitted[:, step]
        for step in range(steps - 1, -1, -1):
            after = (behind[:, step + 1] + emitted[:, step + 1])[:, :, np.newaxis] + self.pairs.T if step < steps - 1 else None
            is_last = (lengths == step + 1)[:, np.newaxis]
            behind[:, step] = self.last if after is None else np.where(is_last, self.last, _sum(after))
        joint = ahead + behind
        return np.where(is_step, 1 / (1 + np.exp(np.clip(joint[:, :, 0] - joint[:, :, 1], -700, 700))), 0.0)


def _sum(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the sum over the middle axis, of which there are two."""
    total: NDArray[np.float64] = np.logaddexp(scores[:, 0], scores[:, 1])
    return total
