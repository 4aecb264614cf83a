"""Scope of a crawl: which pages of the site are taken, by path, pattern, distance from the start, language, or by a list."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from sightread.crawler.link_scores import names_section
from sightread.crawler.urls import address_of, normalize, path_of, site_of
from sightread.render.errors import Rejected, quoted
from sightread.render.page import Page

SECTION = "section"
"""The default of `Scope.within`: below the start's path if that names a section of the site."""
FEWEST_LINKS_BELOW = 3
"""Links of the start page to addresses below its own path that make it a section: the articles of others are elsewhere."""
MOST_ADDRESSES = 100_000
"""Of a list."""
MOST_PATTERNS = 200
LONGEST_PATTERN = 500
"""Characters."""
MOST_STARS = 50
"""In one pattern: every address of a site is compared with all patterns, which takes 2 ms for these."""

_LANGUAGE = re.compile(r"[a-z]{2,3}")


class Scope(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which pages a crawl takes; recorded in its journal. Raises `Rejected` for values that make no sense."""

    within: str = SECTION
    """A path: only it and what is below it; "/" is the whole site."""
    include: tuple[str, ...] = ()
    """Patterns, one of which an address must fit: its path and query, or the whole of it if the pattern has "://"; `*` is any text.
    Pages at other addresses are visited for their links, after all that fit."""
    exclude: tuple[str, ...] = ()
    """Patterns that no address may fit; pages that do are not visited."""
    depth: int | None = None
    """Most links from the start page to a page."""
    language: str = ""
    """The language that a page must declare (`en` of `en-GB`); one that declares none is taken."""
    sitemap: str = ""
    """The address of a sitemap: its pages alone are taken."""
    urls: tuple[str, ...] = ()
    """Normal URLs: these alone are taken."""

    def __post_init__(self) -> None:
        if self.within != SECTION and not self.within.startswith("/"):
            raise Rejected(f"within is {quoted(self.within)}: give a path such as /news/, or / for the whole site")
        if len(self.include) + len(self.exclude) > MOST_PATTERNS:
            raise Rejected(f"{len(self.include) + len(self.exclude)} patterns: give {MOST_PATTERNS} at most")
        for pattern in (*self.include, *self.exclude):
            if len(pattern) > LONGEST_PATTERN or pattern.count("*") > MOST_STARS:
                raise Rejected(f"pattern {quoted(pattern[:100])}…: give {LONGEST_PATTERN} characters and {MOST_STARS} * at most")
            if not pattern.startswith(("/", "*", "http://", "https://")):
                raise Rejected(f"pattern {quoted(pattern)}: begin it with / or *, as in /blog/* or */2024/*, or give a whole address")
        if self.depth is not None and self.depth < 0:
            raise Rejected(f"depth is {self.depth}: give 0 or more links from the start page")
        if self.language and not _LANGUAGE.fullmatch(self.language):
            raise Rejected(f"language is {quoted(self.language)}: give the language alone, such as en or pt")
        if self.sitemap and self.urls:
            raise Rejected("a sitemap and a list of URLs are two sources of pages: give one of them")

    @property
    def is_listed(self) -> bool:
        """Whether the pages are those of a list or of a sitemap, and links are not followed."""
        return bool(self.sitemap or self.urls)

    def refusal(self, url: str, section: str) -> str:
        """Return why a normal URL is not taken; empty if it is. `section` is the path that `within` means on this site."""
        path = path_of(url)
        if not _is_below(path, section):
            return f"not below {section}"
        fitting = next((pattern for pattern in self.exclude if fits(pattern, url)), "")
        return f"fits {fitting}, which is excluded" if fitting else ""

    def includes(self, url: str) -> bool:
        """Return whether a normal URL fits one of the patterns of `include`, or there are none; others serve for their links alone."""
        return not self.include or any(fits(pattern, url) for pattern in self.include)

    def refuses_language(self, page: Page) -> str:
        """Return why a page's language is refused; empty if it is not."""
        declared = re.split(r"[-_]", page.language.strip().lower())[0]
        return f"its language is {declared}, not {self.language}" if self.language and declared and declared != self.language else ""

    def section(self, start: str, links: Iterable[str]) -> str:
        """Return the path that the crawl stays below, by the start page's final URL and its links."""
        if self.within != SECTION:
            return self.within
        if self.is_listed or not names_section(start):
            return "/"
        folder = re.sub(r"index\.\w+$", "", path_of(start)).rstrip("/") + "/"
        below = {url for url in links if _is_below(path_of(url), folder)}
        return folder if len(below) >= FEWEST_LINKS_BELOW else "/"


DEFAULT_SCOPE = Scope()
"""The whole site, or the section that the start URL names."""


def list_urls(lines: Iterable[str], start: str = "") -> tuple[str, ...]:
    """Return the URLs of a list, one per line, each once in normal form; empty lines and those that begin with # are passed over.

    Raises `Rejected` for an empty list, for anything other than a URL, and for URLs of different sites, or of another site than `start`.
    """
    found: dict[str, None] = {}
    site = site_of(start) if start else ""
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        url = normalize(text)
        if url is None:
            raise Rejected(f"line {number} of the list of URLs: {quoted(text, 100)} is no http or https URL")
        site = site or site_of(url)
        if site_of(url) != site:
            raise Rejected(f"line {number} of the list of URLs: {text[:100]} is not on {site}: a corpus has one site")
        found[url] = None
        if len(found) > MOST_ADDRESSES:
            raise Rejected(f"the list of URLs has more than {MOST_ADDRESSES}: divide it")
    if not found:
        raise Rejected("the list of URLs is empty: give one URL per line")
    return tuple(found)


def _is_below(path: str, folder: str) -> bool:
    return path == folder.rstrip("/") or path.startswith(folder if folder.endswith("/") else f"{folder}/") or path == folder


def fits(pattern: str, url: str) -> bool:
    """Return whether an address fits a pattern, each part at its first place: a regular expression would try all places of all parts."""
    address = url if "://" in pattern else address_of(url)
    first, *middle = pattern.split("*")
    if not middle:
        return address == pattern
    last = middle.pop()
    place, end = len(first), len(address) - len(last)
    if end < place or not address.startswith(first) or not address.endswith(last):
        return False
    for part in middle:
        place = address.find(part, place, end)
        if place < 0:
            return False
        place += len(part)
    return True
