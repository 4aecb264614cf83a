"""Character alignment of a page with a part of it: exact on small texts, split at anchors on large ones.

Vogels, Ganea and Eickhoff (Web2Text, ECIR 2018) align a page's source with its cleaned text: snippets of ten characters that occur exactly
once in both are sure to belong together, so they cut the problem into small gaps, which dynamic programming closes. The departures:

- Anchors must form one chain, the heaviest that rises in both texts. The authors' code drops the last two matches where one goes back.
- The search for anchors is repeated inside every gap that is still large, where more snippets are unique. A large gap without any is one of
  repetition: there the i-th occurrence of a snippet belongs to the i-th. What is large after that stays unaligned, which is the bound:
  `MOST_CELLS` cells a gap, so that time and memory grow with the length of the texts, not with its square.
- Skipping text costs the same on both sides, by stretch and not by character. The authors punish every character of the clean text that
  finds no partner, which strews text that is missing from the page over the letters of its menus.
- Of equally good alignments the one that skips whole blocks is taken, by `settle`.
- Text that is in another order is found after that, by `align_moved`; theirs loses it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
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


GAP_COST = SNIPPET // 2
"""Cost of a stretch of skipped text, in aligned characters: a run with skipped text on both its sides must be longer than an anchor.
Without it, 14 times as many blocks were content by chance on 300 real pages with the gold text of another page."""
MOST_CELLS = 1 << 16
"""Cells that dynamic programming fills for one gap, six bytes each; 64 times as many changed no score on 300 real pages."""
MOST_ROUNDS = 12
"""How often gaps are divided by unique snippets; of 300 real pages none could be more than three times."""
MOVED = 2 * SNIPPET
"""Least characters of a run that counts out of order, about four words, for no neighbour vouches for it: from ten on, twice as many blocks
were content by chance."""
MOST_SHIFT = 64
"""How far a skipped stretch is moved to begin or end with a block, in characters: chance agreement ends long before."""

_NEVER = -20_000
"""A score that no alignment reaches, with room below it in 16 bits."""
_ALIGNED, _TAKEN = np.uint32(0x110000), np.uint32(0x110001)
"""No code points, and no two alike: what replaces characters of the page and of the gold text that are aligned already."""


class _Gap(NamedTuple):
    """Neither `page[start:stop]` nor `gold[gold_start:gold_stop]` is aligned; neither is empty."""

    start: int
    stop: int
    gold_start: int
    gold_stop: int

    @property
    def is_large(self) -> bool:
        return (self.stop - self.start) * (self.gold_stop - self.gold_start) > MOST_CELLS


def align(page: str, gold: str) -> Offsets:
    """Return for each character of the page the offset of its partner in the gold text, -1 if it has none; shape (len(page),).

    Partners are equal characters and rise along the page. If the product of the lengths is at most `MOST_CELLS` the alignment is the
    best one: most aligned characters, less `GAP_COST` for every stretch that is skipped on either side.
    """
    page_code, gold_code = code(page), code(gold)
    partner = np.full(len(page), -1, np.int64)
    _divide(partner, page_code, gold_code)
    for gap in _gaps(partner, len(gold)):
        if not gap.is_large:
            rows, columns = _best_path(page_code.codes[gap.start : gap.stop], gold_code.codes[gap.gold_start : gap.gold_stop])
            partner[rows + gap.start] = columns + gap.gold_start
    return partner


def settle(page: str, partner: Offsets, edges: Offsets) -> Offsets:
    """Return an alignment as good, whose skipped stretches of the page begin and end at edges of blocks if they can.

    `edges` are the offsets where blocks begin and the page's end, rising. Of the blocks *Notes*, *Shoes* and *Now*, with the gold text
    *notes now*, two end in *es*: one choice of them tears both blocks, the other none.
    """
    codes, settled = code(page).codes, partner.copy()
    is_edge = np.zeros(len(page) + 1, bool)
    is_edge[edges] = True
    aligned = np.flatnonzero(partner >= 0)
    starts, stops = aligned[:-1] + 1, aligned[1:]
    is_ragged = (stops > starts) & ~(is_edge[starts] & is_edge[stops])
    for start, stop in zip(starts[is_ragged].tolist(), stops[is_ragged].tolist(), strict=True):
        for shift in _shifts((start, stop), edges, is_edge):
            if _shift(settled, codes, (start, stop), shift):
                break
    return settled


def _shifts(stretch: tuple[int, int], edges: Offsets, is_edge: NDArray[np.bool_]) -> list[int]:
    """Return by how far the stretch can be moved for more of its ends to be edges, the best first."""
    ends = np.repeat(stretch, 2)
    nearest = np.clip(np.searchsorted(edges, ends) - (1, 0, 1, 0), 0, len(edges) - 1)  # the edge before each end, and that behind it
    moved = np.array(stretch) + (edges[nearest] - ends)[:, np.newaxis]
    moved = moved[(moved[:, 0] >= 0) & (moved[:, 1] < len(is_edge)) & (abs(moved[:, 0] - stretch[0]) <= MOST_SHIFT)]
    met = is_edge[moved].sum(1)
    shifts = moved[:, 0] - stretch[0]
    order = np.lexsort((abs(shifts), -met))
    return [int(shifts[row]) for row in order if met[row] > is_edge[list(stretch)].sum()]


def _shift(partner: Offsets, codes: Codes, stretch: tuple[int, int], shift: int) -> bool:
    """Move the stretch if the pairs that it passes stay pairs of equal characters; return whether it moved."""
    start, stop = stretch
    passed, place = (
        (slice(start + shift, start), slice(stop + shift, stop)) if shift < 0 else (slice(stop, stop + shift), slice(start, start + shift))
    )
    pairs = partner[passed].copy()
    if (pairs < 0).any() or not np.array_equal(codes[passed], codes[place]):
        return False
    partner[passed] = -1
    partner[place] = pairs
    return True


def align_moved(page: str, gold: str, partner: Offsets) -> Offsets:
    """Return the alignment with the runs added that are in both texts, unaligned, in another order.

    A run counts from `MOVED` characters on. Each character of the gold text has one partner at most; partners no longer rise.
    """
    codes, gold_codes = code(page).codes.copy(), code(gold).codes.copy()
    codes[partner >= 0] = _ALIGNED
    gold_codes[partner[partner >= 0]] = _TAKEN
    runs = repeated_runs(hash_snippets(codes), hash_snippets(gold_codes), np.array([[0, len(page)]]), np.array([[0, len(gold)]]))
    added, is_free = partner.copy(), gold_codes != _TAKEN
    for row in np.argsort(-runs.length, kind="stable"):
        if runs.length[row] < MOVED:
            break
        here = np.arange(runs.start[row], runs.start[row] + runs.length[row])
        there = here - runs.start[row] + runs.gold_start[row]
        fits = (added[here] < 0) & is_free[there]
        if fits.sum() >= MOVED:
            added[here[fits]] = there[fits]
            is_free[there] = False
    return added


def _divide(partner: Offsets, page: Coded, gold: Coded) -> None:
    """Align anchors, and what continues them, until no gap is large or none has anchors."""
    for _ in range(MOST_ROUNDS):
        gaps = _large_gaps(partner, page.codes, gold.codes)
        runs = unique_runs(page, gold, *_spans(gaps))
        if not len(runs.length):
            break
        _take(partner, chain(runs))
    gaps = _large_gaps(partner, page.codes, gold.codes)
    _take(partner, chain(repeated_runs(page, gold, *_spans(gaps))))


def _gaps(partner: Offsets, gold_length: int) -> list[_Gap]:
    """Return the gaps between aligned characters where both texts have something left."""
    aligned = np.flatnonzero(partner >= 0)
    ends, gold_ends = np.append(aligned, len(partner)), np.append(partner[aligned], gold_length)
    starts, gold_starts = np.append(-1, aligned) + 1, np.append(-1, partner[aligned]) + 1
    rows = np.flatnonzero((ends > starts) & (gold_ends > gold_starts))
    return [_Gap(*edges) for edges in np.column_stack((starts, ends, gold_starts, gold_ends))[rows].tolist()]


def _large_gaps(partner: Offsets, codes: Codes, gold_codes: Codes) -> list[_Gap]:
    """Align what large gaps share at their two ends; return those that are large still."""
    for gap in _gaps(partner, len(gold_codes)):
        if gap.is_large:
            here, there = codes[gap.start : gap.stop], gold_codes[gap.gold_start : gap.gold_stop]
            head = _shared_head(here, there)
            tail = _shared_head(here[head:][::-1], there[head:][::-1])
            partner[gap.start : gap.start + head] = np.arange(gap.gold_start, gap.gold_start + head)
            partner[gap.stop - tail : gap.stop] = np.arange(gap.gold_stop - tail, gap.gold_stop)
    return [gap for gap in _gaps(partner, len(gold_codes)) if gap.is_large]


def _shared_head(codes: Codes, others: Codes) -> int:
    """Return how many characters are equal from the start on."""
    shorter = min(len(codes), len(others))
    done, step = 0, 64
    while done < shorter:
        stop = min(done + step, shorter)
        differing = np.flatnonzero(codes[done:stop] != others[done:stop])
        if len(differing):
            return done + int(differing[0])
        done, step = stop, 2 * step
    return shorter


def _spans(gaps: Sequence[_Gap]) -> tuple[Spans, Spans]:
    edges = np.array(gaps, np.int64).reshape(-1, 4)
    return edges[:, :2], edges[:, 2:]


def _take(partner: Offsets, runs: Runs) -> None:
    for start, gold_start, length in zip(*(column.tolist() for column in runs), strict=True):
        partner[start : start + length] = np.arange(gold_start, gold_start + length)


def _best_path(codes: Codes, others: Codes) -> tuple[Offsets, Offsets]:
    """Return the rows and columns of the characters that the best alignment pairs; exact, in O(len(codes) len(others))."""
    if len(codes) > len(others):
        return _best_path(others, codes)[::-1]
    scores = _fill(codes, others)
    paired, skip, skip_other = scores
    row, column = len(codes), len(others)
    state = int(scores[:, row, column].argmax())
    pairs = []
    while row or column:
        if state == 0:
            row, column = row - 1, column - 1
            pairs.append((row, column))
            state = int(scores[:, row, column].argmax())
        elif state == 1:  # skips begin where their score is first reached
            row = int(np.searchsorted(skip[: row + 1, column], skip[row, column])) - 1
            state = 0
        else:
            score = skip_other[row, column]
            column = int(np.searchsorted(skip_other[row, : column + 1], score)) - 1
            state = int(paired[row, column] < skip[row, column])
    found = np.array(pairs[::-1], np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _fill(codes: Codes, others: Codes) -> np.ndarray[tuple[int, int, int], np.dtype[np.int16]]:
    """Return the best score of each pair of prefixes, by what comes last: a pair, skipped rows, or (after them) skipped columns."""
    scores = np.full((3, len(codes) + 1, len(others) + 1), _NEVER, np.int16)
    paired, skip, skip_other = scores
    paired[0, 0] = 0
    skip_other[0, 1:] = -GAP_COST
    for row in range(1, len(codes) + 1):
        best = np.maximum(np.maximum(paired[row - 1], skip[row - 1]), skip_other[row - 1])
        paired[row, 1:] = np.where(others == codes[row - 1], best[:-1] + 1, _NEVER)
        skip[row] = np.maximum(skip[row - 1], paired[row - 1] - GAP_COST)
        skip_other[row, 1:] = np.maximum.accumulate(np.maximum(paired[row], skip[row])[:-1] - GAP_COST)
    return scores
