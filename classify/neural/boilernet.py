"""BoilerNet: the leaves of a page by counts of tags and words (Leonhardt, Anand and Khosla, WWW Companion 2020).

A leaf is what its path holds of the 50 commonest tags and its text of the 1,000 commonest words, as counts, with one count each for all
other tags and words. A dense layer, two bidirectional LSTMs over the page and one output predict the probability of content; the two
classes weigh the same in training, however rare one is.

Departures, besides those of the input below: 64 units a layer and direction where the authors have 256, as
many as SemText has here, so that it trains in minutes on one core; a page is read in windows of at most 200 leaves; 4 passes, not the best
of 50 by their validation set; a leaf learns its block's label. A block's probability is the mean over its leaves, by characters.

Input of BoilerNet: the leaves of a page as counts of tags and words (Leonhardt, Anand and Khosla 2020).

A `Page` keeps no text nodes, but what separates them: a block is cut where an inline element that it keeps begins or ends, and at line
breaks. Departure: inline elements without a meaning of their own (`span`, `font`) separate nothing, and do not count among the tags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Probabilities
from sightread.classify.neural.layers import BiLstm, Floats32, pad, read_windows, squash, unpad
from sightread.classify.neural.model import Arrays, NeuralModel
from sightread.classify.neural.semtext.input import text_words
from sightread.classify.weights import Schedule
from sightread.render.page import Block, Page
from sightread.render.static.tags import INLINE_TAGS

OTHER = 0
"""The number of all words, or tags, that are not in the vocabulary."""

Offsets = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Vocabularies:
    """The commonest words and tags, the commonest first; each has the number of its place, from 1 on."""

    words: dict[str, int]
    tags: dict[str, int]

    @classmethod
    def of(cls, words: Sequence[str], tags: Sequence[str]) -> Vocabularies:
        """Return the vocabularies of these words and tags."""
        return cls(*({item: number for number, item in enumerate(items, 1)} for items in (words, tags)))


@dataclass(frozen=True, slots=True)
class LeafCounts:
    """The leaves of a page as counts."""

    rows: Offsets
    """The block of each leaf."""
    lengths: Offsets
    """Characters of each leaf."""
    tags: Floats32
    """Shape (leaves, tags)."""
    words: Offsets
    """The numbers of the different words of each leaf, one leaf after another."""
    times: Floats32
    """How often each of them occurs."""
    begins: Offsets
    """Where those of each leaf begin, and their number; shape (leaves + 1,)."""

    def __len__(self) -> int:
        return len(self.rows)


def count_leaves(page: Page, vocabularies: Vocabularies) -> LeafCounts:
    """Return the page's leaves as counts of the vocabularies' tags and words."""
    found = list(leaves(page))
    words = [_count(leaf.words, vocabularies.words) for leaf in found]
    begins = np.cumsum([0, *map(len, words)])
    elements = [page.blocks[leaf.row].element for leaf in found]
    return LeafCounts(
        rows=np.array([leaf.row for leaf in found], np.intp),
        lengths=np.array([leaf.length for leaf in found], np.intp),
        tags=_path_counts(page, vocabularies.tags)[elements] + _inline_counts(found, vocabularies.tags),
        words=np.array([number for of_leaf in words for number in of_leaf], np.intp),
        times=np.array([times for of_leaf in words for times in of_leaf.values()], np.float32),
        begins=begins,
    )


def _count(items: Counter[str], numbers: Mapping[str, int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for item, times in items.items():
        number = numbers.get(item, OTHER)
        counts[number] = counts.get(number, 0) + times
    return counts


def _path_counts(page: Page, numbers: Mapping[str, int]) -> Floats32:
    """Return how often each tag is on the path down to each element, shape (elements, tags)."""
    counts = np.zeros((len(page.elements), len(numbers) + 1), np.float32)
    for row, element in enumerate(page.elements):
        if element.parent >= 0:
            counts[row] = counts[element.parent]
        counts[row, numbers.get(element.tag, OTHER)] += 1
    return counts


def _inline_counts(found: Sequence[TextLeaf], numbers: Mapping[str, int]) -> Floats32:
    counts = np.zeros((len(found), len(numbers) + 1), np.float32)
    for row, leaf in enumerate(found):
        for tag, times in leaf.inlines.items():
            counts[row, numbers.get(tag, OTHER)] += times
    return counts


@dataclass(frozen=True, slots=True)
class TextLeaf:
    """A run of text whose tags are the same throughout."""

    row: int
    """Of its block."""
    length: int
    """Characters."""
    words: Counter[str]
    """Its words and how often each is in it, small letters, digits as 0."""
    inlines: Counter[str]
    """The tags of its path below the block's element; those above are the element's."""


def leaves(page: Page) -> Iterator[TextLeaf]:
    """Yield the page's leaves in document order; every block has at least one."""
    for row, block in enumerate(page.blocks):
        found = False
        for start, stop, inlines in _pieces(block):
            text = block.text[start:stop]
            if not text.isspace():
                found = True
                yield TextLeaf(row, stop - start, Counter(text_words(text, stop - start)), inlines)
        if not found:
            yield TextLeaf(row, max(len(block.text), 1), Counter(), Counter())


def _pieces(block: Block) -> Iterator[tuple[int, int, Counter[str]]]:
    """Yield start, stop and inline tags of each piece of the block's text between two edges."""
    changes: dict[int, list[tuple[str, int]]] = {0: [], len(block.text): []}
    for inline in block.inlines:
        changes.setdefault(inline.start, []).append((INLINE_TAGS[inline.kind], 1))
        changes.setdefault(inline.end, []).append((INLINE_TAGS[inline.kind], -1))
    at = block.text.find("\n")
    while at >= 0:
        changes.setdefault(at, [])
        at = block.text.find("\n", at + 1)
    open_now: Counter[str] = Counter()
    edges = sorted(changes)
    for start, stop in pairwise(edges):
        for tag, change in changes[start]:
            open_now[tag] += change
        yield start, stop, +open_now


DENSE = HIDDEN = 64
"""Units of the dense layer, and of each LSTM in each direction."""
LAYERS = ("lstm1", "lstm2")
WINDOW = 200
"""Leaves of a sequence, at most."""
FIT = Schedule(epochs=4, rate=2e-3, most_windows=4)


class _Network(NamedTuple):
    """A row per word or tag of the dense layer, its bias, the LSTMs and the output."""

    vocabularies: Vocabularies
    words: Floats32
    tags: Floats32
    bias: Floats32
    layers: tuple[BiLstm, ...]
    out: Floats32
    out_bias: Floats32

    @classmethod
    def of(cls, arrays: Arrays, about: Mapping[str, Any]) -> Self:
        full = {name: array.astype(np.float32) for name, array in arrays.items()}
        words, tags, bias = (full[f"dense.{part}"] for part in ("words", "tags", "bias"))
        layers = tuple(BiLstm.of(full, name) for name in LAYERS)
        return cls(Vocabularies.of(about["words"], about["tags"]), words, tags, bias, layers, full["out.weights"], full["out.bias"])

    def predict(self, page: Page) -> Probabilities:
        counts = count_leaves(page, self.vocabularies)
        found = read_windows(len(counts), WINDOW, lambda edges: self._read(counts, edges))
        number = len(page.blocks)
        return np.bincount(counts.rows, counts.lengths * found, number) / np.bincount(counts.rows, counts.lengths, number)

    def _read(self, counts: LeafCounts, edges: Offsets) -> Probabilities:
        """Return one probability per leaf of the windows between the edges."""
        states, lengths = pad(self._dense(counts, int(edges[0]), int(edges[-1])), edges)
        for layer in self.layers:
            states = layer.read(states, lengths)
        return squash(unpad(states, lengths) @ self.out.T + self.out_bias)[:, 0].astype(np.float64)

    def _dense(self, counts: LeafCounts, start: int, stop: int) -> Floats32:
        rows: Floats32 = counts.tags[start:stop] @ self.tags + self.bias
        begin, end = counts.begins[start], counts.begins[stop]
        owners = np.repeat(np.arange(stop - start), np.diff(counts.begins[start : stop + 1]))
        filled, firsts = np.unique(owners, return_index=True)
        if len(filled):
            rows[filled] += np.add.reduceat(self.words[counts.words[begin:end]] * counts.times[begin:end, np.newaxis], firsts, axis=0)
        read: Floats32 = np.maximum(rows, 0)
        return read


class BoilerNet(NeuralModel):
    """The model; `fit` requires pages of many sites."""

    name = "boilernet"
    network = _Network
