"""Subword embeddings: a hashed table in the manner of fastText and floret, read with numpy.

Bojanowski, Grave, Joulin and Mikolov (TACL 2017): a word's vector is the mean of those of its character n-grams. Floret (Explosion 2021)
keeps no list of words: word and n-grams are hashed, twice each, into one small table, so any word has a vector, also a new or misspelt one.
The table is stored in 8 bits: what is trained on top sees it so from the beginning, and loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NGRAM_LENGTHS = (4, 5)
"""Least and most characters of an n-gram, the word's two ends counted: floret's own advice for European languages."""
HASHES = 2
"""Rows of an n-gram: two that share one row differ by the other."""
SEED = 2166136261
"""Floret's."""
Vectors = NDArray[np.float32]
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

    def vectors(self, words: Sequence[str]) -> Vectors:
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
