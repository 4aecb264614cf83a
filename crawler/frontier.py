"""Crawl frontier: the next URL is a pure function of the journal's entries, so that a crawl can be replayed.

Visits are chosen while earlier ones are still under way, but only from what has been *committed*, and visits are committed in the order in
which they were chosen. So it does not matter which tab was faster: a crawl with two tabs always visits the same URLs in the same order.
"""

from __future__ import annotations

import copy
import hashlib
import heapq
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from sightread.crawler.fetch import FORBIDDEN, Robots
from sightread.crawler.journal import (
    ELSEWHERE,
    OUTSIDE,
    Begun,
    Candidate,
    Duplicate,
    Failed,
    JournalEntry,
    Promoted,
    RobotsRead,
    SetAside,
    SitemapRead,
    Stored,
    VisitEntry,
)
from sightread.crawler.sections import Sections, look_of
from sightread.crawler.urls import (
    DEFAULT_SCOPE,
    SECTION,
    Scope,
    article_score,
    is_asset,
    is_listing,
    is_template,
    names_list,
    normalize,
    site_of,
    url_key,
)
from sightread.render.page import Link, Page


@dataclass(frozen=True, slots=True)
class FrontierLimits:
    """How far a crawl goes: a site of lists, errors and duplicates must end too."""

    visits_per_page: int = 4
    """URLs visited for each page that is wanted."""
    spare_visits: int = 10
    """URLs visited besides those."""
    links_per_page: int = 2000
    """Links taken from one page, the most promising ones."""
    demotion: float = 1000.0
    """Taken from the score of a URL that is visited for its links alone; scores are from -20 to 20."""
    forbidden_per_visit: int = 10
    """URLs that robots.txt forbids and that would have been visited, for each that may be; a crawl that meets more of them ends."""
    refusals: int = 10_000
    """URLs outside the scope that are remembered, with the reason."""

    def visits(self, requested: int) -> int:
        """Return the most visits of a crawl for the given number of pages."""
        return self.visits_per_page * requested + self.spare_visits


LIMITS = FrontierLimits()


class Step(NamedTuple):
    """The next step of a crawl: read the robots.txt of `url`, visit it, read the sitemaps of its site, or promote it."""

    kind: Literal["robots", "visit", "sitemaps", "promote"]
    url: str


class _Met(NamedTuple):
    """How an address was met."""

    depth: int
    """Links from the start page."""
    score: float
    source: str
    is_included: bool = True
    """Whether its page is wanted, and not its links alone."""


class Aside(NamedTuple):
    """A page that was set aside: its row among them, and its look if it is no list."""

    row: int
    look: tuple[int, ...]


class Frontier:
    """The state of a crawl: what waits, what is under way, what has been seen. Give it every entry, in order, through `apply`."""

    def __init__(self, start_url: str, known: frozenset[str] = frozenset(), scope: Scope = DEFAULT_SCOPE) -> None:
        """Begin at a URL; those `known` are taken only after every other that looks like an article."""
        self.pending: deque[str] = deque()
        """The URLs under way, oldest first."""
        self.aside: dict[str, Aside] = {}
        """The pages set aside that may become pages of the corpus, by URL, in their order."""
        self.robots: Robots | None = None
        self.refused: dict[str, str] = {}
        """URLs that are not taken, the first of them, and why."""
        self.forbidden: list[str] = []
        """URLs that would have been visited next, the first of them, and that robots.txt forbids."""
        self._home = start_url
        self._scope = scope
        self.section = "/" if scope.within == SECTION else scope.within
        """The path that the crawl stays below; that of a section is known once the start page was visited."""
        self._start = start_url
        self._met = {url_key(start_url): _Met(0, 0.0, "")}
        self._pages = self._requested = self._visits = self._forbidden = 0
        self._width = 1
        self._mapped = False
        self._sections = Sections()
        self._later: list[tuple[float, int, str]] = []
        self._drawn: set[str] = set()
        self._is_over = False
        self._offered = {url_key(start_url)}
        self._known = {url_key(normal) for url in known if (normal := normalize(url))}
        self._seen: dict[str, str] = {}
        self._set_aside = 0

    def step(self) -> Step | None:
        """Return what is to be done next; None when the crawl has all it wanted, or the site has no more."""
        if self._is_over:
            return None
        if self.robots is None:
            return Step("robots", self._home)
        if self.pending:
            return Step("promote" if self.pending[0] in self.aside else "visit", self.pending[0])
        if not self._mapped:
            return Step("sitemaps", self._home)
        if self._pages < self._requested and self.aside:
            return Step("promote", next(iter(self.aside)))
        return None

    def apply(self, entry: JournalEntry) -> None:
        """Take one entry into account, then choose what can be chosen now. Raises `ValueError` if the entry does not follow."""
        match entry:
            case Begun():
                self._requested, self._width = max(self._requested, entry.pages), entry.width
            case RobotsRead():
                self.robots = Robots(entry)
            case SitemapRead():
                self._mapped = True
                self._offer((Candidate(url) for url in entry.urls), 1, "in the list" if self._scope.urls else "in a sitemap")
            case Promoted():
                if self.step() != Step("promote", entry.url):
                    raise ValueError(f"{entry.url} is not the next page to promote")
                if self.pending:
                    self._sections.settle(self.pending.popleft(), frozenset(self.aside[entry.url].look))
                del self.aside[entry.url]
                self._pages += 1
            case _:
                self._commit(entry)
        self._choose()

    def assess(self, url: str, page: Page) -> VisitEntry:
        """Return what becomes of a page rendered from `url`, the oldest one under way."""
        final = normalize(page.final_url) or url
        first = self._visits == 1
        if site_of(final) != site_of(self._home) and not first:
            return Failed(url, f"{ELSEWHERE}{final}")
        if self.robots is not None and site_of(final) == site_of(self._home) and not self.robots.allows(final):
            return Failed(url, f"leads to a page that {FORBIDDEN}: {final}")
        if not any(block.text for block in page.blocks):
            return Failed(url, "no text on the page")
        digest = _text_digest(page)
        original = self._seen.get(url_key(final)) or self._seen.get(digest)
        if original is not None:
            return Duplicate(url, original)
        if not first and (refusal := self._scope.refusal(final, self.section) or self._scope.refuses_language(page)):
            return Failed(url, f"{OUTSIDE}{refusal}")
        links = () if self._scope.is_listed else self._fresh_links(page.links, site_of(final))
        if (first and self._is_outside(final, page, links)) or not self._scope.includes(final):
            return SetAside(url, final, digest, links, is_outside=True)
        if is_listing(page) and not (url in self._drawn and self._sections.is_of_lists(url)):
            return SetAside(url, final, digest, links)
        if url in self._sections.explored:
            return SetAside(url, final, digest, links, look=look_of(page))
        return Stored(url, final, digest, links, look_of(page))

    def _is_outside(self, final: str, page: Page, links: Sequence[Candidate]) -> bool:
        scope = self._scope
        is_unlisted = bool(scope.urls) and normalize(self._home) not in scope.urls
        section = scope.section(final, (link.url for link in links))
        return is_unlisted or bool(scope.refusal(final, section) or scope.refuses_language(page))

    def _commit(self, entry: VisitEntry) -> None:
        if not self.pending or entry.url != self.pending[0]:
            raise ValueError(f"{entry.url} is not the next visit")
        self.pending.popleft()
        if not isinstance(entry, Stored | SetAside):
            if isinstance(entry, Failed) and entry.url == self._start and not self._scope.is_listed and FORBIDDEN not in entry.reason:
                self._is_over = True  # its links and the sitemaps of a site where the start page is missing are not what was requested
            self._settle(entry, 0)
            return
        if entry.url == self._start:
            self.section = self._scope.section(entry.final_url, (link.url for link in entry.links))
        if isinstance(entry, Stored):
            self._pages += 1
        else:
            if not entry.is_outside:
                self.aside[entry.url] = Aside(self._set_aside, entry.look)
            self._set_aside += 1
        key = url_key(entry.final_url)
        self._offered.add(key)
        self._seen[key] = self._seen[entry.digest] = entry.url
        if site_of(entry.final_url) != site_of(self._home):  # the start page has moved, and the site with it
            self._home, self.robots = entry.final_url, None
        depth, offered = self._met[url_key(entry.url)].depth + 1, len(self._offered)
        self._offer(entry.links, depth, "linked from the start page" if depth == 1 else f"{depth} links from the start page")
        self._settle(entry, len(self._offered) - offered)

    def _settle(self, entry: VisitEntry, revealed: int) -> None:
        """Take the visit into account in the sections; the entry page of a section comes after all that look like articles."""
        if entry.url in self._drawn:
            look = frozenset(entry.look) if isinstance(entry, Stored) else None
            self._sections.settle(entry.url, look, is_list=isinstance(entry, SetAside))
        elif entry.url in self._sections.explored:
            is_page = entry.url in self.aside and bool(self.aside[entry.url].look)
            if not self._sections.explore(entry.url, revealed, is_page=is_page) and is_page:
                heapq.heappush(self._later, (0.0, len(self._offered), entry.url))

    def _choose(self) -> None:
        if self.robots is None or self._is_over:
            return
        if not self._visits:
            self._visits = 1
            self.pending.append(self._home)
        limit = LIMITS.visits(self._requested)
        while (
            self._mapped and len(self.pending) < self._width and self._pages + len(self.pending) < self._requested and self._visits < limit
        ):
            url = self._draw() if self._forbidden < LIMITS.forbidden_per_visit * limit else None
            if url is None:
                return
            if self.robots.allows(url):
                self._visits += url not in self.aside
                self.pending.append(url)
                continue
            self._forbidden += 1
            if len(self.refused) < LIMITS.refusals:
                self.refused[url] = f"{FORBIDDEN} it"
                self.forbidden.append(url)

    def _draw(self) -> str | None:
        """Return the next URL: from the sections, then one that was known or has the name of a list."""
        if url := self._sections.draw():
            if url not in self._sections.explored or url in self.aside:
                self._drawn.add(url)
        elif self._later:
            url = heapq.heappop(self._later)[2]
        return url

    def _offer(self, candidates: Iterable[Candidate], depth: int, source: str) -> None:
        for candidate in candidates:
            key = url_key(candidate.url)
            if key not in self._offered and not is_asset(candidate.url) and not is_template(candidate.url):
                if refusal := self._refusal(candidate.url, depth):
                    if len(self.refused) < LIMITS.refusals:
                        self.refused.setdefault(candidate.url, refusal)
                    continue
                self._offered.add(key)
                score = article_score(candidate.url, candidate.text)
                is_included = self._scope.includes(candidate.url)
                self._met[key] = _Met(depth, score, source, is_included)
                order = len(self._offered)  # equal ones in the order in which they were met
                if not is_included:  # of what serves for its links, lists come first
                    heapq.heappush(self._later, (score + LIMITS.demotion, order, candidate.url))
                elif key in self._known:
                    heapq.heappush(self._later, (-min(score, 0.0), order, candidate.url))
                elif names_list(candidate.url):
                    heapq.heappush(self._later, (-score, order, candidate.url))
                else:
                    self._sections.add(candidate.url, (-score, order))

    def _refusal(self, url: str, depth: int) -> str:
        most = self._scope.depth
        if most is not None and depth > most:
            return f"{depth} links from the start page"
        return self._scope.refusal(url, self.section)

    def waiting(self) -> tuple[str, ...]:
        """Return the URLs that may be visited, in the order in which they would be if they had no links."""
        sections = copy.deepcopy(self._sections)
        return (*self.pending, *iter(sections.draw, None), *(url for *_, url in sorted(self._later)))

    def why(self, url: str) -> str:
        """Return why a waiting URL is taken."""
        met = self._met[url_key(url)]
        if not met.depth:
            return "the start page"
        if not met.is_included:
            return "fits no pattern of include: visited for its links alone, if needed"
        return f"{met.source}, {'looks like an article' if met.score > 0 else 'may be a list or a section'}"

    def is_planned(self, url: str) -> bool:
        """Return whether the page of a waiting URL is wanted, and not its links alone."""
        return self._met[url_key(url)].is_included

    def _fresh_links(self, links: Iterable[Link], site: str) -> tuple[Candidate, ...]:
        """Links within the site that were not offered yet: one for each page, with the text that gives it the highest score, best first."""
        best: dict[str, tuple[float, Candidate]] = {}
        for link in links:
            url = normalize(link.url)
            if url is None or site_of(url) != site or "nofollow" in link.rel.lower().split() or is_asset(url) or is_template(url):
                continue
            if (key := url_key(url)) not in self._offered:
                score = article_score(url, link.text)
                if key not in best or score > best[key][0]:
                    best[key] = score, Candidate(url, link.text)
        ranked = sorted(best.values(), key=lambda scored: -scored[0])
        return tuple(candidate for _, candidate in ranked[: LIMITS.links_per_page])


def _text_digest(page: Page) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for block in page.blocks:
        digest.update(block.text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()
