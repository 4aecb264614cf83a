"""Duplicate pages of a site: fetched twice, print versions, tracking parameters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from render.page import Page
from render.page.array_types import Bools


@dataclass(frozen=True, slots=True)
class CopyRules:
    """When two pages are the same."""

    least_text: int = 20
    """Characters from which on equal text of two pages is no coincidence."""
    most_pages: int = 4
    """A text on more pages than this belongs to the site, and distinguishes no pages."""
    least_shared: float = 0.6
    """Two pages that share this part of the shorter one's own text are one; a teaser or a quotation is less."""
    least_characters: int = 200
    """Characters that they must share at least: a page that is little more than its teaser cannot be judged."""


COPIES = CopyRules()


@dataclass(frozen=True, slots=True)
class PageCopies:
    """Which pages of a site are the same page. Shape (pages,) each."""

    original: NDArray[np.intp]
    """The row of the first page that is the same: its own row if there is none before it."""
    is_collection: Bools
    """Whether the page holds several others whole, as a front does that shows articles: it is a copy of none of them."""


def find_copies(pages: Sequence[Page]) -> PageCopies:
    """Return which pages are the same, and which hold several others.

    Pages are the same if their address or all of their text is, or if they share most of the text outside links that almost no other
    page has.
    """
    original = list(range(len(pages)))
    first: dict[str | tuple[str, ...], int] = {}
    for row, page in enumerate(pages):
        names = [name for name in (page.final_url, tuple(block.text for block in page.blocks)) if name]
        original[row] = min((original[first[name]] for name in names if name in first), default=row)
        first.update((name, row) for name in names if name not in first)
    near, collections = _near(pages, original)
    for one, other in near:
        low, high = sorted((_first(original, one), _first(original, other)))
        original[high] = low
    found = np.array([_first(original, row) for row in original], np.intp)
    return PageCopies(found, np.isin(found, collections))


def _first(original: Sequence[int], row: int) -> int:
    while original[row] != row:
        row = original[row]
    return row


def _near(pages: Sequence[Page], original: Sequence[int]) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the pairs of different pages that share most of the text that is one's own, and the pages that hold several others.

    Such a page shares different text with two pages that share none: they are its articles, and it is in no pair.
    """
    places: defaultdict[str, set[int]] = defaultdict(set)
    for row, page in enumerate(pages):
        if original[row] == row:
            for block in page.blocks:
                if len(block.text) >= COPIES.least_text and not block.link_chars:
                    places[block.text].add(row)
    own: Counter[int] = Counter()
    shared: Counter[tuple[int, int]] = Counter()
    for text, rows in places.items():
        if len(rows) <= COPIES.most_pages:
            own.update(dict.fromkeys(rows, len(text)))
            shared.update(dict.fromkeys(combinations(sorted(rows), 2), len(text)))
    near = {
        pair: length
        for pair, length in sorted(shared.items())
        if length >= max(COPIES.least_characters, COPIES.least_shared * min(own[pair[0]], own[pair[1]]))
    }
    neighbours: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for (one, other), length in near.items():
        neighbours[one][other] = neighbours[other][one] = length
    collections = [
        page
        for page, others in neighbours.items()
        if any(pair not in near and others[pair[0]] + others[pair[1]] <= own[page] for pair in combinations(sorted(others), 2))
    ]
    return [pair for pair in near if set(collections).isdisjoint(pair)], collections
