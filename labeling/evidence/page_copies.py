"""Duplicate pages of a site: fetched twice, print versions, tracking parameters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Page
from sightread.render.page.array_types import Bools


@dataclass(frozen=True, slots=True)
class CopyRules:
    """When two pages are the same."""

    least_text: int = 20
    """Characters from which on equal text of two pages is no coincidence."""
    most_pages: int = 4
    """A text on more pages than this belongs to the site, and distinguishes no pages. With 12, classes that inherit from several ones are
    collections too (YUIDoc's reference: labels .92 to .90)."""
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
    shared = _shared_text(pages, original)
    near = _near(shared)
    collections = _collections(shared, near)
    for one, other in sorted(pair for pair in near if collections.isdisjoint(pair)):
        low, high = sorted((_first(original, one), _first(original, other)))
        original[high] = low
    found = np.array([_first(original, row) for row in original], np.intp)
    return PageCopies(found, np.isin(found, list(collections)))


class _SharedText(NamedTuple):
    """Characters of text that is on few pages: of each page, and of each pair of pages in order."""

    own: Counter[int]
    of_pair: Counter[tuple[int, int]]


def _first(original: Sequence[int], row: int) -> int:
    while original[row] != row:
        row = original[row]
    return row


def _shared_text(pages: Sequence[Page], original: Sequence[int]) -> _SharedText:
    """Return the text outside links that is on few of the pages that are their own originals."""
    places: defaultdict[str, set[int]] = defaultdict(set)
    for row, page in enumerate(pages):
        if original[row] == row:
            for block in page.blocks:
                if len(block.text) >= COPIES.least_text and not block.link_chars:
                    places[block.text].add(row)
    found = _SharedText(Counter(), Counter())
    for text, rows in places.items():
        if len(rows) <= COPIES.most_pages:
            found.own.update(dict.fromkeys(rows, len(text)))
            found.of_pair.update(dict.fromkeys(combinations(sorted(rows), 2), len(text)))
    return found


def _near(shared: _SharedText) -> set[tuple[int, int]]:
    """Return the pairs of pages that share most of the text that is the shorter one's own."""
    return {
        pair
        for pair, length in shared.of_pair.items()
        if length >= max(COPIES.least_characters, COPIES.least_shared * min(shared.own[pair[0]], shared.own[pair[1]]))
    }


def _collections(shared: _SharedText, near: Set[tuple[int, int]]) -> set[int]:
    """Return the pages that share different text with two pages that are not near each other: they hold both."""
    neighbours: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in near:
        neighbours[one].add(other)
        neighbours[other].add(one)
    return {
        page
        for page, others in neighbours.items()
        if any(pair not in near and _shared_with(shared, page, pair) <= shared.own[page] for pair in combinations(sorted(others), 2))
    }


def _shared_with(shared: _SharedText, page: int, others: Iterable[int]) -> int:
    return sum(shared.of_pair[min(page, other), max(page, other)] for other in others)
