"""A page as numpy arrays: measurements of its blocks and elements. Row i of a block array is block i.

The tree of elements is walked a level at a time, so that a page of 100,000 elements costs as many numpy calls as it is deep.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Page
from sightread.render.page.array_types import Floats, Rows
from sightread.render.page.view import class_places, tag_places
from sightread.render.text.words import count_dense, words

Numbers = NDArray[np.number[Any]]

SENTENCE_ENDS = frozenset(".!?\u2026\u3002\uff01\uff1f\u0964\u06d4\u061f\"'\u201d\u2019\u00bb")
"""Marks of the scripts that we read, and the quotes that may follow them."""
CHARACTERS_PER_DENSE = 3
"""Letters of an alphabet that correspond to one character of Chinese, Japanese or Korean: a paragraph of these must not pass for a
headline (docs/experiments/global-model.md, "Dense scripts")."""
LEAST_RECORDS = 3
"""Siblings of one tag and one set of classes that are the records of a list: cards, posts, rows, entries."""
FIRST_WORDS, FIRST_CHARACTERS = 16, 200
"""Words that are read of a block, and the characters in which they are looked for."""


class PageArrays:
    """The measures of one page, each computed when first requested.

    Lengths are in characters.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = len(page.blocks)

    @cached_property
    def length(self) -> Floats:
        """Characters of each block; a character of a script with one per syllable or word counts as `CHARACTERS_PER_DENSE`."""
        texts = [block.text for block in self.page.blocks]
        return np.array([len(text) + (CHARACTERS_PER_DENSE - 1) * count_dense(text) for text in texts], np.float64)

    @cached_property
    def linked(self) -> Floats:
        """Characters of each block inside links, counted alike."""
        characters = np.array([max(len(block.text), 1) for block in self.page.blocks], np.float64)
        return np.array([block.link_chars for block in self.page.blocks], np.float64) * (self.length / characters)

    @cached_property
    def unlinked(self) -> Floats:
        """Characters of each block outside links."""
        return (self.length - self.linked).clip(min=0.0)

    @cached_property
    def ends(self) -> Floats:
        """1 for each block that ends as a sentence does, else 0."""
        return np.array([block.text.rstrip()[-1:] in SENTENCE_ENDS for block in self.page.blocks], np.float64)

    @cached_property
    def first_words(self) -> list[list[str]]:
        """The first words of each block (`sightread.render.text.words.words`)."""
        return [words(block.text[:FIRST_CHARACTERS])[:FIRST_WORDS] for block in self.page.blocks]

    @cached_property
    def element(self) -> Rows:
        """Row of each block's element."""
        return np.array([block.element for block in self.page.blocks], np.intp)

    @cached_property
    def parent(self) -> Rows:
        """Row of each element's parent; the body is its own."""
        return np.array([max(element.parent, 0) for element in self.page.elements], np.intp)

    @cached_property
    def depth(self) -> Rows:
        """Steps from the body down to each element."""
        depths: list[int] = []
        for element in self.page.elements:
            depths.append(depths[element.parent] + 1 if element.parent >= 0 else 0)
        return np.array(depths, np.intp)

    @cached_property
    def lineage(self) -> Rows:
        """The elements from the body down to each block's own, shape (blocks, greatest depth + 1), -1 below it."""
        depth = self.depth[self.element]
        lineage = np.full((self.count, int(depth.max(initial=0)) + 1), -1, np.intp)
        row = self.element
        for level in range(lineage.shape[1] - 1, -1, -1):
            reached = depth >= level
            lineage[reached, level] = row[reached]
            row = np.where(reached, self.parent[row], row)
        return lineage

    def above(self, steps: int) -> Rows:
        """Return the row of the element `steps` above each block's own, the body at most."""
        row = self.element
        for _ in range(steps):
            row = self.parent[row]
        return row

    def common_depth(self, first: Rows, second: Rows) -> Floats:
        """Return the depth of the lowest common ancestor of pairs of blocks, given as rows."""
        same = (self.lineage[first] == self.lineage[second]) & (self.lineage[first] >= 0)
        return np.asarray(np.cumprod(same, axis=1).sum(axis=1) - 1.0, np.float64)

    def sum_elements(self, values: Floats) -> Floats:
        """Return the sum of block values over everything below each element, shape (elements,)."""
        return self.sum_below(np.bincount(self.element, values, len(self.parent)))

    def sum_below(self, values: Numbers) -> Floats:
        """Return the sum of element values over each element and everything below it, shape (elements,)."""
        gathered = values.astype(np.float64)
        for rows, parents in self._levels:
            np.add.at(gathered, parents, gathered[rows])
        return gathered

    @cached_property
    def text_below(self) -> Floats:
        """Characters outside links below each element, shape (elements,)."""
        return self.sum_elements(self.unlinked)

    @cached_property
    def length_below(self) -> Floats:
        """Characters below each element."""
        return self.sum_elements(self.length)

    @cached_property
    def blocks_below(self) -> Floats:
        """Blocks below each element."""
        return self.sum_elements(np.ones(self.count))

    @cached_property
    def records(self) -> Rows:
        """The record of each block, as the row of its element: the lowest one above it that is among `LEAST_RECORDS` or more siblings with
        text and with its tag and classes, and that holds several blocks; -1 if there is none.
        """
        kind = numbered((element.parent, element.tag, element.classes) for element in self.page.elements)
        siblings = np.bincount(kind, self.blocks_below > 0)[kind]
        record = np.where((siblings >= LEAST_RECORDS) & (self.blocks_below > 1), np.arange(len(kind)), -1)
        for rows, parents in reversed(self._levels):
            record[rows] = np.where(record[rows] >= 0, record[rows], record[parents])
        return np.asarray(record[self.element], np.intp)

    @cached_property
    def _levels(self) -> list[tuple[Rows, Rows]]:
        """The elements of each depth from the deepest up, and their parents; the body left out."""
        order = np.argsort(self.depth, kind="stable")
        bounds = np.searchsorted(self.depth[order], np.arange(1, int(self.depth.max()) + 1))
        levels = np.split(order, bounds)[:0:-1]
        return [(rows, self.parent[rows]) for rows in levels]

    @cached_property
    def class_paths(self) -> Rows:
        """Group of equal tags and classes from the body down of each block."""
        return np.array(class_places(self.page), np.intp)[self.element]

    @cached_property
    def tag_paths(self) -> Rows:
        """Group of equal tags from the body down of each block."""
        return np.array(tag_places(self.page), np.intp)[self.element]

    @cached_property
    def alike(self) -> dict[str, Rows]:
        """Groups of blocks that have something in common, by what: `class_paths`, tag and classes, the tags from the body down, the heading
        they are under.
        """
        kind = numbered((element.tag, element.classes) for element in self.page.elements)
        return {
            "classes": self.class_paths,
            "class": kind[self.element],
            "path": self.tag_paths,
            "section": np.cumsum([block.heading > 0 for block in self.page.blocks]),
        }


def numbered(keys: Iterable[Hashable]) -> Rows:
    """Return a number for each key, equal for equal keys, counted from 0 in order of first appearance."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.intp)


def compressed(groups: Rows) -> tuple[Rows, int]:
    """Return the groups numbered from 0 without gaps, in their order, and how many there are."""
    if not len(groups):
        return groups, 0
    shifted = groups - groups.min()
    numbers = np.cumsum(np.bincount(shifted) > 0) - 1
    return numbers[shifted], int(numbers[-1]) + 1


def ratio(value: Numbers, whole: Numbers | float) -> Floats:
    """Return value / whole, 0 if the whole is 0; NaN stays."""
    total = np.asarray(whole, np.float64)
    return np.asarray(value / np.where(total == 0, 1.0, total) * (total != 0), np.float64)


def signed_log(values: Numbers) -> Floats:
    """Return the logarithm of the distance from 0, with its sign."""
    return np.asarray(np.sign(values) * np.log1p(np.abs(values)), np.float64)
