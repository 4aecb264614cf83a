"""Input of BoilerNet: leaves as counts of tags and words (Leonhardt, Anand and Khosla 2020)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classify.neural.boilernet.leaves import Leaf, leaves
from classify.neural.lstm import Floats32
from render.page import Page

TAGS, WORDS = 50, 1000
"""Of the vocabularies: the authors' own settings."""
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

    @classmethod
    def learn(cls, pages: Sequence[Page]) -> Vocabularies:
        """Return the commonest words and tags of the leaves of all pages; where two are as common, the alphabet decides."""
        words: Counter[str] = Counter()
        tags: Counter[str] = Counter()
        for page in pages:
            on_path = _paths(page)
            for leaf in leaves(page):
                words.update(leaf.words)
                tags.update(on_path[page.blocks[leaf.row].element])
                tags.update(leaf.inlines)
        return cls.of(_commonest(words, WORDS), _commonest(tags, TAGS))


@dataclass(frozen=True, slots=True)
class Counts:
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
    """How often each of them stands there."""
    begins: Offsets
    """Where those of each leaf begin, and their number; shape (leaves + 1,)."""

    def __len__(self) -> int:
        return len(self.rows)


def count(page: Page, vocabularies: Vocabularies) -> Counts:
    """Return the page's leaves as counts of the vocabularies' tags and words."""
    found = list(leaves(page))
    words = [_count(leaf.words, vocabularies.words) for leaf in found]
    begins = np.cumsum([0, *map(len, words)])
    elements = [page.blocks[leaf.row].element for leaf in found]
    return Counts(
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


def _inline_counts(found: Sequence[Leaf], numbers: Mapping[str, int]) -> Floats32:
    counts = np.zeros((len(found), len(numbers) + 1), np.float32)
    for row, leaf in enumerate(found):
        for tag, times in leaf.inlines.items():
            counts[row, numbers.get(tag, OTHER)] += times
    return counts


def _paths(page: Page) -> list[Counter[str]]:
    """Return the tags on the path down to each element."""
    paths: list[Counter[str]] = []
    for element in page.elements:
        paths.append((paths[element.parent] if element.parent >= 0 else Counter[str]()) + Counter((element.tag,)))
    return paths


def _commonest(items: Counter[str], most: int) -> list[str]:
    return [item for item, _ in sorted(items.items(), key=lambda pair: (-pair[1], pair[0]))[:most]]
