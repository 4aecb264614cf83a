"""A page as numpy arrays: measurements of its blocks and elements. Row i of a block array is block i.

What is above blocks is read from their `lineage`, in as many numpy calls as the page is deep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from functools import cached_property
from itertools import count
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Floats, Rows
from sightread.render.page.view import element_kinds
from sightread.render.text.words import count_dense, words

Numbers = NDArray[np.number[Any]]
Values = TypeVar("Values", Floats, Rows, Bools, NDArray[np.uint64])

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
    def texts(self) -> list[str]:
        """The text of each block."""
        return [block.text for block in self.page.blocks]

    @cached_property
    def tags(self) -> list[str]:
        """The tag of each block's element."""
        return [self.page.elements[block.element].tag for block in self.page.blocks]

    @cached_property
    def length(self) -> Floats:
        """Characters of each block; a character of a script with one per syllable or word counts as `CHARACTERS_PER_DENSE`."""
        return np.array([len(text) + (CHARACTERS_PER_DENSE - 1) * count_dense(text) for text in self.texts], np.float64)

    @cached_property
    def linked(self) -> Floats:
        """Characters of each block inside links, counted alike."""
        characters = np.array([len(text) or 1 for text in self.texts], np.float64)
        return np.array([block.link_chars for block in self.page.blocks], np.float64) * (self.length / characters)

    @cached_property
    def unlinked(self) -> Floats:
        """Characters of each block outside links."""
        return (self.length - self.linked).clip(min=0.0)

    @cached_property
    def heading(self) -> Rows:
        """The heading level of each block, 0 for none."""
        return np.array([block.heading for block in self.page.blocks], np.intp)

    @cached_property
    def last(self) -> list[str]:
        """The last character of each block that is no white space."""
        return [text.rstrip()[-1:] for text in self.texts]

    @cached_property
    def ends(self) -> Floats:
        """1 for each block that ends as a sentence does, else 0."""
        return np.array([mark in SENTENCE_ENDS for mark in self.last], np.float64)

    @cached_property
    def first_words(self) -> list[list[str]]:
        """The first words of each block (`sightread.render.text.words.words`)."""
        return [words(text[:FIRST_CHARACTERS])[:FIRST_WORDS] for text in self.texts]

    @cached_property
    def element(self) -> Rows:
        """Row of each block's element."""
        return np.array([block.element for block in self.page.blocks], np.intp)

    @cached_property
    def kind(self) -> Rows:
        """Of each element, its row among the page's `element_kinds`."""
        return np.array(element_kinds(self.page).kind, np.intp)

    @cached_property
    def lineage(self) -> Rows:
        """The elements from each block's own up to the body, shape (greatest depth + 1, blocks), -1 above it."""
        levels = [self.element]
        while (above := self._parent.take(levels[-1])).max(initial=-1) >= 0:
            levels.append(above)
        return np.array(levels)

    @cached_property
    def _parent(self) -> Rows:
        """The row of each element's parent, and of row -1, which is none."""
        return np.array([*(element.parent for element in self.page.elements), -1], np.intp)

    @cached_property
    def depth(self) -> Rows:
        """Steps from the body down to each block's element."""
        return np.asarray((self.lineage >= 0).sum(axis=0) - 1)

    def above(self, steps: Rows | int) -> Rows:
        """Return the row of the element `steps` above each block's own, the body at most; for several steps one row per step."""
        return np.asarray(np.maximum(self.lineage[np.minimum(steps, len(self.lineage) - 1)], 0))

    def of_lineage(self, values: Values, none: float) -> Values:
        """Return element values of each block's own element and those above it, in the shape of `lineage`; `none` above the body."""
        return np.append(values, np.asarray(none, values.dtype)).take(self.lineage)

    def common_depth(self, element: int) -> Rows:
        """Return the depth of the lowest common ancestor of each block and an element."""
        above = np.zeros(len(self.page.elements), np.intp)
        above[list(self.page.ancestors(element))] = 1
        return np.asarray(self.of_lineage(above, 0).sum(axis=0) - 1)

    def sum_elements(self, values: Floats) -> Floats:
        """Return the sum of block values over everything below each element, shape (elements,)."""
        inside = self.lineage >= 0
        found = np.bincount(self.lineage[inside], np.broadcast_to(values, inside.shape)[inside], len(self.page.elements))
        return np.asarray(found, np.float64)

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
    def look(self) -> Rows:
        """Of each element, a number for its tag and classes."""
        return np.array(numbered(each[:2] for each in element_kinds(self.page).kinds), np.intp)[self.kind]

    @cached_property
    def records(self) -> Rows:
        """The record of each block, as the row of its element: the lowest one above it that is among `LEAST_RECORDS` or more siblings with
        text and with its tag and classes, and that holds several blocks; -1 if there is none.
        """
        parents = self._parent[:-1]
        _, kind = np.unique(np.where(self.blocks_below > 0, parents * len(parents) + self.look, -1), return_inverse=True)
        is_record = (np.bincount(kind)[kind] >= LEAST_RECORDS) & (self.blocks_below > 1)
        above = self.of_lineage(is_record, none=0)
        return np.where(above.any(axis=0), self.lineage[above.argmax(axis=0), np.arange(self.count)], -1)

    @cached_property
    def alike(self) -> dict[str, Rows]:
        """Groups of blocks that have something in common, by what: tags and classes from the body down, tag and classes, the tags from the
        body down, the heading they are under.
        """
        by_tag = np.array(numbered(each[0] for each in element_kinds(self.page).kinds), np.intp)[self.kind]
        return {
            "classes": self._paths(self.look),
            "class": self.look[self.element],
            "path": self._paths(by_tag),
            "section": np.cumsum(self.heading > 0),
        }

    def _paths(self, numbers: Rows) -> Rows:
        """Return a number for the numbers of the elements from the body down to each block, by a polynomial hash (Rabin and Karp 1987)."""
        along = self.of_lineage((numbers + 1).astype(np.uint64), 0)
        factors = np.uint64(0x9E3779B97F4A7C15) ** np.arange(len(along), dtype=np.uint64)  # wraps at 2^64, as it should
        return np.asarray(np.unique(factors @ along, return_inverse=True)[1])


def numbered(keys: Iterable[Hashable]) -> list[int]:
    """Return a number for each key, equal for equal keys, counted from 0 in order of first appearance."""
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    return [numbers[key] for key in keys]


def ratio(value: Numbers | float, whole: Numbers | float) -> Floats:
    """Return value / whole, 0 if the whole is 0; NaN stays."""
    return np.asarray(value / np.where(np.equal(whole, 0), np.inf, whole), np.float64)


def signed_log(values: Numbers) -> Floats:
    """Return the logarithm of the distance from 0, with its sign."""
    return np.asarray(np.copysign(np.log1p(np.abs(values)), values), np.float64)
