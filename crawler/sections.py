"""The sections of a site by the paths of its addresses, and the order in which pages are drawn from them.

A sample of a site should contain each section about as often as the site does. So the addresses that wait form a trie of path segments,
and a draw descends into the branch with the highest quotient of known addresses and pages drawn so far (Sainte-Laguë's method of
apportionment): of 25 pages, every section with about 2 % of the addresses has one. A section of which only the entry page is known has an
unknown size: such entry pages are explored between the draws, less and less often while they reveal no section.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from crawler.urls import path_of
from render.network.address import percent_decode

Rank = tuple[float, int]
"""Lower is better: the negated score, then the order in which addresses were met."""

UNLIKELY = 0.5
"""Weight of an address that looks less like an article than like a list, in addresses that do."""
NOT_STORED = 0.5
"""Weight of a visit that gave no page of the corpus, in visits that did: a section of lists must not use up the crawl."""
DRAWS_BETWEEN = 1
"""Draws between two explorations at first; twice as many after one that revealed nothing."""


@dataclass(slots=True)
class _Branch:
    known: float = 0.0
    """Addresses below, by weight."""
    count: int = 0
    """Addresses below."""
    drawn: float = 0.0
    """Visits below, by weight."""
    waiting: int = 0
    """Addresses below that were not drawn."""
    children: dict[str, _Branch] = field(default_factory=dict)
    urls: list[tuple[Rank, str]] = field(default_factory=list)
    """Heap of the addresses of this very place."""

    @property
    def quotient(self) -> float:
        return self.known / (2 * self.drawn + 1)

    def best(self) -> Rank:
        """Return the best rank of the addresses of this place; that of a folder is no rank of a page."""
        return self.urls[0][0] if self.urls else (0.0, 0)


def place_of(url: str) -> tuple[str, ...]:
    """Return the place of a normal URL in the site: its folders, the first word of its file name, and the names of its parameters.

    Digits are alike, so that dates, versions and ids make no sections; an index has the place of its folder.
    """
    *folders, name = re.sub(r"\d+", "0", percent_decode(path_of(url)).lower()).split("/")[1:]
    stem = name.partition(".")[0] if not name.startswith("0") else "0"
    word = "" if stem in ("index", "default") and "?" not in url else re.split(r"[-_]", stem, maxsplit=1)[0]
    names = sorted(part.partition("=")[0] for part in url.partition("?")[2].split("&"))
    return (*folders, *filter(None, (word, "&".join(names))))


class Sections:
    """The addresses that wait, by section."""

    def __init__(self) -> None:
        """Begin without addresses."""
        self._root = _Branch()
        self._entries: dict[str, None] = {}
        self._pause, self._draws = DRAWS_BETWEEN, 0
        self._explored: set[str] = set()

    def add(self, url: str, rank: Rank) -> None:
        """Add an address that was not added before."""
        is_likely = rank[0] < 0
        branch = self._root
        for branch in self._path(url):
            branch.known += 1.0 if is_likely else UNLIKELY
            branch.count += 1
            branch.waiting += 1
        heapq.heappush(branch.urls, (rank, url))
        if not is_likely and place_of(url)[-1:] != ("0",):
            self._entries[url] = None

    def draw(self) -> str | None:
        """Return the next address and take it out; None if there is none."""
        if not self._root.waiting:
            return None
        url = self._unexplored() if self._draws >= self._pause else None
        if url is not None:
            self._draws = 0
            self._explored.add(url)
        else:
            self._draws += 1
            url = self._next()
        *_, place = self._path(url)
        place.urls = [each for each in place.urls if each[1] != url]
        heapq.heapify(place.urls)
        self._entries.pop(url, None)
        for branch in self._path(url):
            branch.waiting -= 1
            branch.drawn += 1
        return url

    def settle(self, url: str, *, is_stored: bool) -> None:
        """Take the result of the visit of a drawn address into account, after its links were added."""
        *_, place = self._path(url)
        if url in self._explored:
            self._pause = DRAWS_BETWEEN if is_stored or place.count > 1 else 2 * self._pause
        if not is_stored:
            for branch in self._path(url):
                branch.drawn -= 1 - NOT_STORED

    def _next(self) -> str:
        branch = self._root
        while True:
            best = max((child for child in branch.children.values() if child.waiting), key=_order, default=None)
            if best is None or (branch.urls and branch.best() < best.best() and best.quotient <= 1):
                return branch.urls[0][1]
            branch = best

    def _unexplored(self) -> str | None:
        """Return an address that may be the entry page of a section: the index of a folder, else the only known page of its place.

        Those near the root come first: their sections are the largest.
        """
        found = [url for url in self._entries if _names_folder(url)]
        found = found or [url for url in self._entries if [*self._path(url)][-1].count == 1]
        return min(found, key=lambda url: len(place_of(url)), default=None)

    def _path(self, url: str) -> Iterator[_Branch]:
        """Yield the branches from the root to the place of an address; they are made if they are missing."""
        branch = self._root
        yield branch
        for step in place_of(url):
            branch = branch.children.setdefault(step, _Branch())
            yield branch


def _names_folder(url: str) -> bool:
    path = path_of(url)
    return path.endswith("/") or path.rpartition("/")[2].startswith("index.")


def _order(branch: _Branch) -> tuple[float, float, int]:
    score, met = branch.best()
    return branch.quotient, -score, -met
