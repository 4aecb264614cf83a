"""Anchors of an alignment: runs of characters that two texts share, found by n-grams.

Everything here is sorting of whole arrays: a text of n characters takes O(n log n) time and some hundred bytes a character.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
Offsets = NDArray[np.int64]
Spans = NDArray[np.int64]
"""Stretches of a text, one per row: its start and its stop."""

SNIPPET = 10
"""Characters of a snippet (Web2Text)."""

_BASE, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)


class Runs(NamedTuple):
    """`page[start:start + length]` equals `gold[gold_start:gold_start + length]`; row i is run i."""

    start: Offsets
    gold_start: Offsets
    length: Offsets


@dataclass(frozen=True, slots=True)
class Coded:
    """A text as code points, with a hash of the snippet that begins at each."""

    codes: Codes
    keys: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.codes)


def code(text: str) -> Coded:
    """Return the text as code points."""
    return hash_snippets(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32))


def hash_snippets(codes: Codes) -> Coded:
    """Return the code points with their snippets' hashes; those that the text's end cuts short have none."""
    keys = np.zeros(max(len(codes) - SNIPPET + 1, 0), np.uint64)
    for offset in range(SNIPPET):
        keys *= _BASE
        keys += codes[offset : offset + len(keys)]
    return Coded(codes, keys)


def unique_runs(page: Coded, gold: Coded, spans: Spans, gold_spans: Spans) -> Runs:
    """Return the runs whose snippets occur exactly once in a span of the page and once in the gold text's span of the same row."""
    (at, keys), (gold_at, gold_keys) = _keys_inside(page, spans), _keys_inside(gold, gold_spans)
    return _runs(page.codes, gold.codes, at, gold_at, _once_in_both(keys, gold_keys))


def repeated_runs(page: Coded, gold: Coded, spans: Spans, gold_spans: Spans) -> Runs:
    """Return the runs that pair the i-th occurrence of a snippet in a span of the page with the i-th in the gold text's span."""
    (at, keys), (gold_at, gold_keys) = _keys_inside(page, spans), _keys_inside(gold, gold_spans)
    return _runs(page.codes, gold.codes, at, gold_at, _once_in_both(_numbered(keys), _numbered(gold_keys)))


def chain(runs: Runs) -> Runs:
    """Return the heaviest of the chains of runs that rise in both texts, cut so that no two overlap; weight is length.

    Runs must come in page order with distinct starts, and overlap by less than a snippet.
    """
    gold_starts = runs.gold_start.tolist()
    lengths = runs.length.tolist()
    before = [-1] * len(lengths)
    ends: list[
        int
    ] = []  # gold start of the last run of a chain; rising, as are the weights: a heavier chain that ends earlier rules others out
    weights: list[int] = []
    lasts: list[int] = []
    for row, (gold_start, length) in enumerate(zip(gold_starts, lengths, strict=True)):
        place = bisect_left(ends, gold_start)
        if place:
            before[row] = lasts[place - 1]
        weight = length + (weights[place - 1] if place else 0)
        beaten = place
        while beaten < len(ends) and weights[beaten] <= weight:
            beaten += 1
        ends[place:beaten], weights[place:beaten], lasts[place:beaten] = [gold_start], [weight], [row]
    rows = []
    row = lasts[-1] if lasts else -1
    while row >= 0:
        rows.append(row)
        row = before[row]
    return _without_overlaps(Runs(*(column[rows[::-1]] for column in runs)))


def _without_overlaps(runs: Runs) -> Runs:
    """Take from the head of each run what the one before it covers; snippets start at distinct places, so something remains."""
    overlap = np.zeros(len(runs.length), np.int64)
    for starts in (runs.start, runs.gold_start):
        overlap[1:] = np.maximum(overlap[1:], (starts + runs.length)[:-1] - starts[1:])
    return Runs(runs.start + overlap, runs.gold_start + overlap, runs.length - overlap)


def _keys_inside(text: Coded, spans: Spans) -> tuple[Offsets, NDArray[np.uint64]]:
    """Return where snippets begin that lie in a span, and their keys, which differ from span to span."""
    counts = np.maximum(spans[:, 1] - spans[:, 0] - SNIPPET + 1, 0)
    owner = np.repeat(np.arange(len(spans)), counts)
    at = np.arange(len(owner)) + (spans[:, 0] - np.cumsum(counts) + counts)[owner]
    return at, text.keys[at] + owner.astype(np.uint64) * _MIX


def _numbered(keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return keys that distinguish the i-th occurrence of a key from its others."""
    order = np.argsort(keys, kind="stable")
    is_first = np.diff(keys[order], prepend=~keys[order[:1]]) != 0
    firsts = np.flatnonzero(is_first)
    number = np.empty(len(keys), np.uint64)
    number[order] = np.arange(len(keys)) - firsts[np.cumsum(is_first) - 1]
    return (keys ^ (keys >> np.uint64(31))) * _BASE + number


def _once_in_both(keys: NDArray[np.uint64], gold_keys: NDArray[np.uint64]) -> tuple[Offsets, Offsets]:
    """Return the rows of the keys that occur once on each side, in the order of the first."""
    once, rows, counts = np.unique(keys, return_index=True, return_counts=True)
    gold_once, gold_rows, gold_counts = np.unique(gold_keys, return_index=True, return_counts=True)
    once, rows = once[counts == 1], rows[counts == 1]
    gold_once, gold_rows = gold_once[gold_counts == 1], gold_rows[gold_counts == 1]
    _, here, there = np.intersect1d(once, gold_once, assume_unique=True, return_indices=True)
    order = np.argsort(rows[here])
    return rows[here][order], gold_rows[there][order]


def _runs(codes: Codes, gold_codes: Codes, at: Offsets, gold_at: Offsets, pairs: tuple[Offsets, Offsets]) -> Runs:
    """Join the paired snippets that follow one another in both texts."""
    starts, gold_starts = at[pairs[0]], gold_at[pairs[1]]
    is_equal = np.ones(len(starts), bool)  # equal keys are not yet equal text
    for offset in range(SNIPPET):
        is_equal &= codes[starts + offset] == gold_codes[gold_starts + offset]
    starts, gold_starts = starts[is_equal], gold_starts[is_equal]
    is_first = np.ones(len(starts), bool)
    is_first[1:] = (np.diff(starts) != 1) | (np.diff(gold_starts) != 1)
    firsts = np.flatnonzero(is_first)
    lengths = np.diff(firsts, append=len(starts)) + SNIPPET - 1
    return Runs(starts[firsts], gold_starts[firsts], lengths)
