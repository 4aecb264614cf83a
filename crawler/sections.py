"""The sections of a site by the paths of its addresses, and the order in which pages are drawn from them.

A sample of a site should contain each section about as often as the site does. So the addresses that wait form a trie of path segments,
and a draw descends into the branch with the highest quotient of known addresses and pages drawn so far (Sainte-Laguë's method of
apportionment), which counts more if the sample has few pages that look like those drawn there: of 25 pages, every section with about 2 % of
the addresses has one. The known addresses reveal little of a section that no visit has been to. So indexes are explored first, then a
page of each such section between the draws, less and less often while they reveal nothing.
"""

from __future__ import annotations

import heapq
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from sightread.crawler.urls import path_of
from sightread.render.network.address import percent_decode
from sightread.render.page import Page

LEVELS = 4
"""Elements from the body down: what is deeper differs between pages of one template."""


def look_of(page: Page) -> tuple[int, ...]:
    """Return hashes of the containers that hold the visible blocks: the tags and classes of their outermost elements, digits left out."""
    containers = {tuple([*page.ancestors(block.element)][-LEVELS - 1 : -1]) for block in page.blocks if not block.hidden}
    outermost = ([page.elements[row] for row in rows] for rows in containers)
    paths = {" ".join(re.sub(r"\d+", "0", ".".join((element.tag, *element.classes[:2]))) for element in each) for each in outermost}
    return tuple(sorted(zlib.crc32(path.encode("utf-8", "surrogatepass")) for path in paths))


Rank = tuple[float, int]
"""Lower is better: the negated score, then the order in which addresses were met."""
Look = frozenset[int]
"""Hashes of the containers of a page's text (`look_of`)."""


@dataclass(frozen=True, slots=True)
class SectionRules:
    """How pages are drawn (docs/experiments/crawling.md)."""

    unlikely: float = 0.5
    """Weight of an address that looks less like an article than like a list, in addresses that do."""
    list_visit: float = 0.25
    """Weight of a visit that found a list, in visits that found a page: a section of lists must not use up the crawl."""
    small: float = 0.02
    """Share of the known addresses below which sections are counted together."""
    lists_in_a_row: int = 1
    """Lists drawn from a section without a page of the corpus, after which it is one of pages that look like lists."""
    fewest_revealed: int = 3
    """New addresses that make an exploration worth another."""
    most_indexes: int = 7
    """Indexes visited for their links, besides the first; no more than pages were drawn: a small crawl spends few visits on them."""
    draws_per_probe: int = 4
    """Draws for each section that is probed: a small crawl spends no visit on it."""
    novelty: float = 0.5
    """Added to the quotient of a section without pages, in its quotient; to that of others less, by the share of their looks."""
    same_look: float = 0.5
    """From this Jaccard index on, two pages have the same look."""


RULES = SectionRules()
_INDEX = re.compile(r"(?:.*[-_])?(?:[a-z]{0,4}index|contents|toc|site-?map)")


@dataclass(slots=True)
class _Branch:
    known: float = 0.0
    """Addresses below, by weight."""
    count: int = 0
    drawn: float = 0.0
    """Visits below, by weight."""
    lists: int = 0
    """Lists drawn below before there was a page of the corpus; negative from then on."""
    waiting: int = 0
    """Addresses below that were not drawn."""
    is_visited: bool = False
    looks: Counter[int] = field(default_factory=Counter)
    """Pages of the corpus below, by look."""
    children: dict[str, _Branch] = field(default_factory=dict)
    urls: list[tuple[Rank, str]] = field(default_factory=list)
    """Heap of the addresses of this very place."""

    def best(self) -> Rank:
        """Return the best rank of the addresses of this place; that of a folder is no rank of a page."""
        return self.urls[0][0] if self.urls else (0.0, 0)

    def parts(self) -> Iterator[_Branch]:
        """Yield the branches of which one is to be drawn from; the small ones together are one, that would never be drawn from alone."""
        small = _Branch()
        for name, child in self.children.items():
            if child.known >= RULES.small * self.known:
                yield child
                continue
            small.children[name] = child
            small.known += child.known
            small.drawn += child.drawn
            small.waiting += child.waiting
            if child.looks:
                small.looks += child.looks
        if len(small.children) < len(self.children):
            yield small
        else:
            yield from self.children.values()


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
        self._indexes: dict[str, None] = {}
        """The addresses that wait and are named like an index: `/howto/`, `howto/index.html`, `contents.html`."""
        self.explored: dict[str, Rank] = {}
        """The addresses that were visited for their links."""
        self._pause = self._draws = self._drawn = self._probes = 0
        self._looks: list[Look] = []

    def add(self, url: str, rank: Rank) -> None:
        """Add an address that was not added before."""
        is_likely = rank[0] < 0
        branch = self._root
        for branch in self._path(url):
            branch.known += 1.0 if is_likely else RULES.unlikely
            branch.count += 1
            branch.waiting += 1
        heapq.heappush(branch.urls, (rank, url))
        if place_of(url) and (_INDEX.fullmatch(_stem(url)) or (not is_likely and not _stem(url))):
            self._indexes[url] = None

    def draw(self) -> str | None:
        """Return the next address and take it out; None if there is none. One of `explored` is visited for its links."""
        url = self._unexplored()
        if url is not None:
            self._draws = 0
        elif self._root.waiting:
            self._draws += 1
            self._drawn += 1
            url = self._next()
            for branch in self._path(url):
                branch.drawn += 1
        else:
            return None
        for branch in self._path(url):
            branch.waiting -= 1
            branch.is_visited = True
        (rank,) = (rank for rank, each in branch.urls if each == url)
        branch.urls.remove((rank, url))
        heapq.heapify(branch.urls)
        if not self._draws:
            self.explored[url] = rank
            self._probes += url not in self._indexes
        self._indexes.pop(url, None)
        return url

    def explore(self, url: str, revealed: int, *, is_page: bool) -> bool:
        """Take the result of an exploration into account, after its links were added; return whether the page waits to be drawn.

        The entry page of a section does not: it comes after the pages.
        """
        is_worth = revealed >= RULES.fewest_revealed
        self._pause = 0 if is_worth else max(1, 2 * self._pause)
        *_, place = self._path(url)
        if not is_page or place.count > 1:
            return False
        heapq.heappush(place.urls, (self.explored[url], url))
        for branch in self._path(url):
            branch.waiting += 1
        return True

    def settle(self, url: str, look: Look | None, *, is_list: bool = False) -> None:
        """Take the result of a drawn address into account: the look of its page, None if it gave no page of the corpus."""
        number = None if look is None else self._number(look)
        for branch in self._path(url):
            if number is None:
                branch.drawn -= is_list * (1 - RULES.list_visit)
                branch.lists += is_list and branch.lists >= 0
            else:
                branch.looks[number] += 1
                branch.lists = -1

    def is_of_lists(self, url: str) -> bool:
        """Return whether an address is in a section of pages that look like lists."""
        return any(branch.lists >= RULES.lists_in_a_row for branch in [*self._path(url)][1:])

    def _number(self, look: Look) -> int:
        for number, known in enumerate(self._looks):
            if len(look & known) >= RULES.same_look * len(look | known):
                return number
        self._looks.append(look)
        return len(self._looks) - 1

    def _next(self) -> str:
        branch = self._root
        while True:
            best = max((part for part in branch.parts() if part.waiting), key=self._order, default=None)
            if best is None:
                return branch.urls[0][1]
            branch = best

    def _order(self, branch: _Branch) -> tuple[float, float, int]:
        novelty = 1.0
        if branch.looks:
            pages = self._root.looks
            novelty -= sum(count * pages[look] for look, count in branch.looks.items()) / (branch.looks.total() * pages.total())
        score, met = branch.best()
        return branch.known * (1 + RULES.novelty * novelty) / (2 * branch.drawn + 1), -score, -met

    def _unexplored(self) -> str | None:
        """Return the index of the section with the fewest known pages, else a page of the largest section that no visit has been to."""
        if self._draws < self._pause:
            return None
        if self._indexes and len(self.explored) - self._probes <= min(RULES.most_indexes, self._drawn):
            return min(self._indexes, key=self._index_order)
        if self._probes >= self._drawn // RULES.draws_per_probe:
            return None
        found = (branch for name, branch in self._root.children.items() if name != "0" and _may_be_larger(branch))
        branch = max(found, key=lambda each: (each.count, each.best()), default=None)
        while branch and not branch.urls:
            branch = max((child for child in branch.children.values() if child.waiting), key=lambda child: child.count)
        return max(branch.urls)[1] if branch else None

    def _index_order(self, url: str) -> tuple[bool, int, int]:
        *_, place = self._path(url)
        return not _INDEX.fullmatch(_stem(url)) or _stem(url) == "index", place.count, len(place_of(url))

    def _path(self, url: str) -> Iterator[_Branch]:
        """Yield the branches from the root to the place of an address; they are made if they are missing."""
        branch = self._root
        yield branch
        for step in place_of(url):
            branch = branch.children.setdefault(step, _Branch())
            yield branch


def _may_be_larger(branch: _Branch) -> bool:
    """Return whether a section may have more pages than are known: no visit has been to it, and it is no article and no numbered pages."""
    return bool(branch.waiting) and not branch.is_visited and "0" not in branch.children and (branch.count > 1 or branch.best()[0] >= 0)


def _stem(url: str) -> str:
    return path_of(url).lower().rpartition("/")[2].partition(".")[0]
