"""Progress events of a crawl, for progress bars and logs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CrawlBegun:
    """The crawl starts, or continues with the pages that it has; sent once."""

    pages: int
    """How many the corpus holds already."""
    requested: int
    note: str = ""
    """Assumptions about the start URL; empty if there are none."""


@dataclass(frozen=True, slots=True)
class DelayKnown:
    """The site's robots.txt was read: two requests start at least `seconds` apart from now on."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Visiting:
    """A URL is being rendered; sent once per try."""

    url: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """A visit failed and is tried again in `seconds`."""

    url: str
    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class PageStored:
    """The corpus has one more page."""

    url: str
    pages: int
    """How many it holds now."""


@dataclass(frozen=True, slots=True)
class PageSetAside:
    """The page is a list of links, stored only if the site has not enough others, or was visited first for its links."""

    url: str
    is_list: bool = True


@dataclass(frozen=True, slots=True)
class PageDuplicate:
    """The page equals an earlier one and is not stored."""

    url: str
    of: str


@dataclass(frozen=True, slots=True)
class VisitFailed:
    """The visit gave no page."""

    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class VisitForbidden:
    """robots.txt forbids a URL that would have been visited."""

    url: str


CrawlEvent = CrawlBegun | DelayKnown | VisitForbidden | Visiting | Waiting | PageStored | PageSetAside | PageDuplicate | VisitFailed
