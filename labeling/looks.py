"""Signatures: the look of every block of a site, as a table of few distinct values.

A signature is what the original paper clusters by (Zhou and Mashuq 2013, section 3.2): the tag path and the computed properties that
differ from the body's, with the width beside it. A site of thousands of blocks has a hundred of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Page, Style
from sightread.render.page.array_types import Bools

WIDEST = float(1 << 25)
"""CSS px. Chromium lays nothing out beyond it: its layout unit is a 64th of a px in 32 bits."""


@dataclass(frozen=True, slots=True)
class Signature:
    """A tag path and the computed properties that differ from the body's."""

    tag_path: str
    style: Style

    def digest(self) -> str:
        """Return a digest of 32 hexadecimal digits, equal in every run and for any order of the properties."""
        return blake2b(msgspec.json.encode((self.tag_path, sorted(self.style.items()))), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class SignatureTable:
    """Every block of a site in page and document order: array row i is block i of the concatenated pages."""

    signatures: tuple[Signature, ...]
    signature: NDArray[np.int32]
    """Row of each block's signature."""
    width: NDArray[np.float64]
    """CSS px, from 0 to `WIDEST`; 0 if the page has no boxes."""
    page: NDArray[np.int32]
    """Row of each block's page."""


def build_table(pages: Sequence[Page]) -> SignatureTable:
    """Return the signature of every block of the pages.

    A width that is no number or below 0 counts as not measured, one beyond `WIDEST` as that. Records from a browser or a file hold none
    such, for JSON has no word for them; pages made by hand may.
    """
    styles = _Styles()
    rows: dict[tuple[str, int], int] = {}
    signature, width = [], []
    for page in pages:
        paths = page.tag_paths()
        of_style = [styles.row(style) for style in page.styles]
        for block in page.blocks:
            key = (paths[block.element], of_style[block.style] if block.style is not None else styles.none)
            signature.append(rows.setdefault(key, len(rows)))
            width.append(block.box.width if block.box else 0.0)
    return SignatureTable(
        signatures=tuple(Signature(path, styles.all[row]) for path, row in rows),
        signature=np.array(signature, np.int32),
        width=np.nan_to_num(np.array(width, np.float64), nan=0.0, posinf=WIDEST).clip(0.0, WIDEST),
        page=np.repeat(np.arange(len(pages), dtype=np.int32), [len(page.blocks) for page in pages]),
    )


class _Styles:
    """The distinct styles of a site. They are compared by a hash first, since a hostile page may have thousands of properties."""

    def __init__(self) -> None:
        self.all: list[Mapping[str, str]] = []
        self._rows: dict[int, list[int]] = {}
        self.none = self.row({})

    def row(self, style: Mapping[str, str]) -> int:
        """Return the row of the style, independent of the order of its properties."""
        alike = self._rows.setdefault(hash(frozenset(style.items())), [])
        for row in alike:
            if self.all[row] == style:
                return row
        alike.append(len(self.all))
        self.all.append(style)
        return alike[-1]


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
