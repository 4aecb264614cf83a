"""Input of BoilerNet: the leaves of a page as counts of tags and words (Leonhardt, Anand and Khosla 2020).

A `Page` keeps no text nodes, but what separates them: a block is cut where an inline element that it keeps begins or ends, and at line
breaks. Departure: inline elements without a meaning of their own (`span`, `font`) separate nothing, and do not count among the tags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sightread.classify.neural.lstm import Floats32
from sightread.classify.neural.semtext.vocabulary import text_words
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
