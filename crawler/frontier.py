"""Crawl frontier: the next URL is a pure function of the journal's entries, so that a crawl can be replayed.

Visits are chosen while earlier ones are still under way, but only from what has been *committed*, and visits are committed in the order in
which they were chosen. So it does not matter which tab was faster: a crawl with two tabs always visits the same URLs in the same order.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from crawler.journal import (
    ELSEWHERE,
    Begun,
    Candidate,
    Duplicate,
    Entry,
    Failed,
    Promoted,
    RobotsRead,
    SetAside,
    SitemapRead,
    Stored,
    Visit,
)
from crawler.link_scores import article_score, is_asset, is_listing
from crawler.robots import Robots
from crawler.urls import is_template, normalize, site_of, url_key
from render.page import Link, Page


@dataclass(frozen=True, slots=True)
class FrontierLimits:
    """How far a crawl goes: a site of lists, errors and duplicates must end too."""

    visits_per_page: int = 4
    """URLs visited for each page that is wanted."""
    spare_visits: int = 10
    """URLs visited besides those."""
    links_per_page: int = 500
    """Links taken from one page, the most promising ones."""

    def visits(self, wanted: int) -> int:
        """Return the most visits of a crawl for so many pages."""
        return self.visits_per_page * wanted + self.spare_visits


LIMITS = FrontierLimits()


class Step(NamedTuple):
    """What the crawl must do next: read the robots.txt of `url`, visit it, read the sitemaps of its site, or promote it."""

    kind: Literal["robots", "visit", "sitemaps", "promote"]
    url: str


class Frontier:
    """The state of a crawl: what waits, what is under way, what has been seen. Give it every entry, in order, through `apply`."""

    def __init__(self, start_url: str, known: frozenset[str] = frozenset()) -> None:
        """Begin at a URL; those `known` are taken only after every other that looks like an article."""
        self.pending: deque[str] = deque()
        """The URLs under way, oldest first."""
        self.promoted = 0
        """How many of the pages set aside have become pages of the corpus; they do in the order in which they were set aside."""
        self.robots: Robots | None = None
        self._home = start_url
        self._pages = self._wanted = self._visits = 0
        self._width = 1
        self._mapped = False
        self._waiting: list[tuple[float, int, str]] = []
        self._offered = {url_key(start_url)}
        self._known = {url_key(normal) for url in known if (normal := normalize(url))}
        self._seen: dict[str, str] = {}
        self._aside: list[str] = []

    def step(self) -> Step | None:
        """Return what is to be done next; None when the crawl has all it wanted, or the site has no more."""
        if self.robots is None:
            return Step("robots", self._home)
        if self.pending:
            return Step("visit", self.pending[0])
        if not self._mapped:
            return Step("sitemaps", self._home)
        if self._pages < self._wanted and self.promoted < len(self._aside):
            return Step("promote", self._aside[self.promoted])
        return None

    def apply(self, entry: Entry) -> None:
        """Take one entry into account, then choose what can be chosen now. Raises `ValueError` if the entry does not follow."""
        match entry:
            case Begun():
                self._wanted, self._width = max(self._wanted, entry.pages), entry.width
            case RobotsRead():
                self.robots = Robots(entry)
            case SitemapRead():
                self._mapped = True
                self._offer(Candidate(url) for url in entry.urls)
            case Promoted():
                if self.step() != Step("promote", entry.url):
                    raise ValueError(f"{entry.url} is not the next page to promote")
                self.promoted += 1
                self._pages += 1
            case _:
                self._commit(entry)
        self._choose()

    def judge(self, url: str, page: Page) -> Visit:
        """Return what becomes of a page rendered from `url`, the oldest one under way."""
        final = normalize(page.final_url) or url
        first = self._visits == 1
        if site_of(final) != site_of(self._home) and not first:
            return Failed(url, f"{ELSEWHERE}{final}")
        if self.robots is not None and site_of(final) == site_of(self._home) and not self.robots.allows(final):
            return Failed(url, f"leads to a page that robots.txt forbids: {final}")
        if not any(block.text for block in page.blocks):
            return Failed(url, "no text on the page")
        digest = _text_digest(page)
        twin = self._seen.get(url_key(final)) or self._seen.get(digest)
        if twin is not None:
            return Duplicate(url, twin)
        links = self._fresh_links(page.links, site_of(final))
        return (SetAside if is_listing(page) else Stored)(url, final, digest, links)

    def _commit(self, entry: Visit) -> None:
        if not self.pending or entry.url != self.pending[0]:
            raise ValueError(f"{entry.url} is not the next visit")
        self.pending.popleft()
        if not isinstance(entry, Stored | SetAside):
            return
        if isinstance(entry, Stored):
            self._pages += 1
        else:
            self._aside.append(entry.url)
        key = url_key(entry.final_url)
        self._offered.add(key)
        self._seen[key] = self._seen[entry.digest] = entry.url
        if site_of(entry.final_url) != site_of(self._home):  # the start page has moved, and the site with it
            self._home, self.robots = entry.final_url, None
        self._offer(entry.links)

    def _choose(self) -> None:
        if self.robots is None:
            return
        if not self._visits:
            self._visits = 1
            self.pending.append(self._home)
        limit = LIMITS.visits(self._wanted)
        while self._mapped and len(self.pending) < self._width and self._pages + len(self.pending) < self._wanted and self._visits < limit:
            if not self._waiting:
                return
            url = heapq.heappop(self._waiting)[2]
            if self.robots.allows(url):
                self._visits += 1
                self.pending.append(url)

    def _offer(self, candidates: Iterable[Candidate]) -> None:
        for candidate in candidates:
            key = url_key(candidate.url)
            if key not in self._offered and not is_asset(candidate.url) and not is_template(candidate.url):
                self._offered.add(key)
                score = article_score(candidate.url, candidate.text)
                rank = min(score, 0.0) if key in self._known else score  # URLs that do not look like articles come after even these
                heapq.heappush(self._waiting, (-rank, len(self._offered), candidate.url))  # equal ones in the order in which they were met

    def _fresh_links(self, links: Iterable[Link], site: str) -> tuple[Candidate, ...]:
        """Links within the site that were not offered yet: one for each page, with the text that gives it the highest score, best first."""
        best: dict[str, tuple[float, Candidate]] = {}
        for link in links:
            url = normalize(link.url)
            if url is None or site_of(url) != site or "nofollow" in link.rel.lower().split() or is_asset(url) or is_template(url):
                continue
            key, score = url_key(url), article_score(url, link.text)
            if key not in self._offered and (key not in best or score > best[key][0]):
                best[key] = score, Candidate(url, link.text)
        ranked = sorted(best.values(), key=lambda scored: -scored[0])
        return tuple(candidate for _, candidate in ranked[: LIMITS.links_per_page])


def _text_digest(page: Page) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for block in page.blocks:
        digest.update(block.text.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()
