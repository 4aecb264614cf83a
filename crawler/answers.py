"""Records of a crawl of whole sites: its options and limits, the answers of servers, and what they change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from sightread.crawler.site_state import State
from sightread.crawler.sitemaps import SitemapEntry
from sightread.crawler.urls import Scope
from sightread.render.archives.cdxj import WarcFolder
from sightread.render.errors import PageFailed
from sightread.render.network.egress import PUBLIC, Egress
from sightread.render.network.exchange import Received
from sightread.render.network.http import NO_HEADERS, PageHeaders
from sightread.render.page import Page

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WholeSiteLimits:
    """How far a crawl of a site goes."""

    known: int = 1_000_000
    """URLs of one site, unless the options name another number."""
    refused: int = 10_000
    """URLs outside the scope that are kept with their reason."""
    sitemaps: int = 2000
    index_levels: int = 3
    """Of sitemaps, the first file included."""
    feeds: int = 20
    feed_depth: int = 1
    """Links from the start page to a page whose feeds are read: below it there is a feed of comments for every article."""
    robots_age: float = 86_400.0
    """Seconds after which robots.txt is read again (RFC 9309, section 2.4)."""
    backoff: float = 1.0
    """Seconds before a page is requested again, and while a host does not answer; twice as long each time."""
    longest_pause: float = 60.0
    """Seconds between two requests for the robots.txt of a host that does not answer."""
    outage: float = 3600.0
    """Seconds without an answer after which the crawl of a site ends; the next run continues it."""


LIMITS = WholeSiteLimits()


@dataclass(frozen=True, slots=True)
class PageAnswer(Generic[T]):
    """A page that was read."""

    page: Page
    text: str
    """Its content's, which decides whether it has changed."""
    result: T
    html: str = ""
    """As it came from the server, for what its head declares; empty if it is not known."""
    headers: PageHeaders = NO_HEADERS


class Unchanged(NamedTuple):
    """The answer that a page is as it was, without its body."""


class Redirected(NamedTuple):
    """The answer that a page is at another address: a normal URL."""

    target: str


class ListAnswer(NamedTuple):
    """The entries of a sitemap or a feed."""

    pages: tuple[SitemapEntry, ...]
    sitemaps: tuple[SitemapEntry, ...]
    headers: PageHeaders


class Change(NamedTuple):
    """The new state of a requested URL."""

    url: str
    state: State
    change: str = ""
    """new, changed, moved or gone; empty for none of these."""
    reason: str = ""
    document: str = ""
    """The name of the document, which it keeps."""
    near: str = ""
    """The address of an earlier document with nearly the same text."""
    similarity: float = 0.0
    """Of the two: the share of the runs of three words that both have."""


class Store(Protocol):
    """Where documents are kept."""

    def add(self, change: Change, result: Any) -> str:
        """Store what became of a page, with its result if it was read, and return the name of its document; called in a thread."""

    def end(self) -> str:
        """Return how far the store is written, to be kept with the state: what is behind it belongs to a page that is read again."""


Answer = PageAnswer[Any] | Unchanged | Redirected | ListAnswer | PageFailed


@dataclass(frozen=True, slots=True)
class WholeSiteOptions:
    """Options of a crawl of whole sites."""

    scope: Scope = field(default_factory=lambda: Scope(within="/"))
    width: int = 4
    """Pages of all sites that are under way at once."""
    per_host: int | None = None
    """Of one site; None for two, and for any number on this machine."""
    delay: float | None = None
    """Seconds between two requests of a site; None for half a second, and for none on loopback. A longer Crawl-delay prevails."""
    egress: Egress = PUBLIC
    """Of robots.txt, sitemaps and feeds; the reader has its own for pages."""
    skips_noindex: bool = False
    follows_nofollow: bool = False
    """Whether links are followed that declare `nofollow`, or whose page does."""
    skips_near_duplicates: bool = False
    """Whether pages are left out whose text is nearly that of another one."""
    most_known: int = LIMITS.known
    """URLs of one site; further ones are not taken."""
    archive: Callable[[Received], None] | None = None
    """Keeps what was received of a page, a list or robots.txt, before what became of it is stored; called in a thread."""
    replayed: WarcFolder | None = None
    """The archive of an earlier crawl, which answers in place of the servers."""
