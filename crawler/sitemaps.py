"""Sitemaps (sitemaps.org): XML files, index files and plain lists, optionally gzipped; and RSS and Atom feeds; within caps."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import islice, starmap
from typing import NamedTuple

from lxml import etree

from sightread.crawler.fetch import Fetched, decode
from sightread.crawler.journal import SitemapRead
from sightread.crawler.urls import normalize, site_of
from sightread.render.errors import PageFailed, Private, Unusable


@dataclass(frozen=True, slots=True)
class SitemapLimits:
    """How much of a site's sitemaps is read."""

    index_levels: int = 3
    """The first file included; nothing is followed below."""
    files: int = 12
    """News sites have one for every month of their life."""
    addresses: int = 10_000
    entries: int = 50_000
    """Of all files, whether they are taken or not: the most that the protocol allows in one."""
    events: int = 1_000_000
    """Tags of one file."""


LIMITS = SitemapLimits()
SLICE = 65_536
"""Bytes that are parsed at once: some ms, in which no other thread runs."""


class SitemapEntry(NamedTuple):
    """A `<loc>` with its `<lastmod>`, both unchanged; W3C dates, so that later ones sort higher."""

    url: str
    modified: str = ""


class Sitemap(NamedTuple):
    """One file: the number of entries that were looked at, the pages it names, and further sitemaps if it is an index."""

    entries: int
    pages: tuple[SitemapEntry, ...] = ()
    sitemaps: tuple[SitemapEntry, ...] = ()


def parse_sitemap(data: bytes, url: str = "a sitemap", most: int = LIMITS.entries) -> Sitemap:
    """Read a sitemap, an index of sitemaps, or a list of one address per line; gzip is recognised by its first bytes.

    `most` entries are looked at, those that are no addresses included. Entities are not expanded and nothing is loaded. Damaged XML gives
    what is before the damage. Raises `Unusable` for anything else, such as an HTML page.
    """
    if data[:2] == b"\x1f\x8b":
        data = decode(data, "gzip", url)
        if data[:2] == b"\x1f\x8b":
            raise Unusable(f"{url}: damaged gzip data")
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        lines = tuple(line.decode("utf-8-sig", errors="replace").strip() for line in islice(BytesIO(data), most))
        pages = tuple(SitemapEntry(line) for line in lines if line.startswith(("http://", "https://")))
        return Sitemap(len(lines), pages=pages)
    try:
        found = tuple(islice(_entries(data), most))
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unusable(f"{url}: not a sitemap: {error}") from error
    kind = found[0][0] if found else ""
    if kind not in ("urlset", "sitemapindex"):
        raise Unusable(f"{url}: not a sitemap, its root element is {kind or 'missing'}")
    places = tuple(entry for _, entry in found if entry.url)
    return Sitemap(len(found), pages=places) if kind == "urlset" else Sitemap(len(found), sitemaps=places)


def _entries(data: bytes) -> Iterator[tuple[str, SitemapEntry]]:
    """Yield the name of the root element with each entry, and first without one; nothing that was read stays in memory."""
    kind = ""
    for event, depth, element in _elements(data):
        if event == "start" and depth == 1:
            kind = _name(element)
            yield kind, SitemapEntry("")
        elif event == "end" and depth == 1:
            yield kind, _place(element)
            element.clear()
        elif event == "end" and depth > 2:
            element.clear()


def _elements(data: bytes) -> Iterator[tuple[str, int, etree._Element]]:
    """Yield the elements of XML as they begin and end, with their depth, as far as a hostile file is read."""
    parser = etree.XMLPullParser(
        ("start", "end"),
        **{"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False, "recover": True},
        **{"remove_comments": True, "remove_pis": True},
    )
    depth, count, before = 0, 0, -1
    for begin in range(0, len(data), SLICE):
        if count > LIMITS.events or count == before:
            return  # a tag, a text or a comment of that length is no part of a sitemap
        before = count
        parser.feed(data[begin : begin + SLICE])
        for event, element in parser.read_events():
            count += 1
            depth += 1 if event == "start" else -1
            yield event, depth, element


def _name(element: etree._Element) -> str:
    return str(etree.QName(element).localname).lower()


def _place(entry: etree._Element) -> SitemapEntry:
    texts = {_name(child): (child.text or "").strip() for child in entry.iterchildren(tag=etree.Element)}
    return SitemapEntry(texts.get("loc", ""), texts.get("lastmod", ""))


async def read_sitemaps(get: Callable[[str], Awaitable[Fetched]], roots: tuple[str, ...], start: str) -> SitemapRead:
    """Follow a site's sitemaps from `roots`, newest first, and return the addresses of its pages, newest first.

    A file that cannot be had or read is passed over: a sitemap is a help, never a condition. Addresses of other sites are dropped.
    """
    queue = [(root, 1) for root in roots]
    seen = set(roots)
    found: dict[str, str] = {}
    files = entries = 0
    while queue and files < LIMITS.files and len(found) < LIMITS.addresses and entries < LIMITS.entries:
        url, depth = queue.pop(0)
        files += 1
        try:
            answer = await get(url)
            sitemap = Sitemap(0)
            if answer.status < 300:
                sitemap = await asyncio.to_thread(read_sitemap, answer.body, url, start, LIMITS.entries - entries)
        except (PageFailed, Private):
            continue
        entries += sitemap.entries
        for place in sitemap.pages[: LIMITS.addresses - len(found)]:
            found.setdefault(place.url, place.modified)
        if depth < LIMITS.index_levels:
            for child in sitemap.sitemaps[: LIMITS.files]:
                if child.url not in seen:
                    seen.add(child.url)
                    queue.append((child.url, depth + 1))
    return SitemapRead(files, tuple(sorted(found, key=lambda page: found[page], reverse=True)))


def read_sitemap(data: bytes, url: str, start: str, most: int = LIMITS.entries) -> Sitemap:
    """Return a sitemap with normal URLs: pages of the site of `start` alone, and its sitemaps, the newest first. Raises `Unusable`."""
    sitemap = parse_sitemap(data, url, most)
    site = site_of(start)
    pages = {page: place.modified for place in sitemap.pages if (page := normalize(place.url)) and site_of(page) == site}
    newest = sorted(sitemap.sitemaps, key=lambda place: place.modified, reverse=True)
    sitemaps = tuple(SitemapEntry(child) for place in newest if (child := normalize(place.url)))
    return Sitemap(sitemap.entries, tuple(starmap(SitemapEntry, pages.items())), sitemaps)
