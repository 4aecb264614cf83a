"""Sitemaps (sitemaps.org): XML files, index files and plain lists, optionally gzipped, within caps."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from lxml import etree

from crawler.fetch import Fetched, decode
from crawler.storage.journal import SitemapRead
from crawler.urls import normalize, site_of
from render.errors import PageFailed, Private, Unusable


@dataclass(frozen=True, slots=True)
class SitemapLimits:
    """How much of a site's sitemaps is read."""

    index_levels: int = 3
    """The first file included; nothing is followed below."""
    files: int = 12
    """News sites have one for every month of their life."""
    addresses: int = 10_000


LIMITS = SitemapLimits()


class SitemapEntry(NamedTuple):
    """A `<loc>` with its `<lastmod>`, both unchanged; W3C dates, so that later ones sort higher."""

    url: str
    modified: str = ""


class Sitemap(NamedTuple):
    """One file: the pages it names, and further sitemaps if it is an index."""

    pages: tuple[SitemapEntry, ...] = ()
    sitemaps: tuple[SitemapEntry, ...] = ()


def parse_sitemap(data: bytes, url: str = "a sitemap") -> Sitemap:
    """Read a sitemap, an index of sitemaps, or a list of one address per line; gzip is recognised by its first bytes.

    Entities are not expanded and nothing is loaded. Damaged XML gives what is before the damage. Raises `Unusable` for
    anything else, such as an HTML page.
    """
    if data[:2] == b"\x1f\x8b":
        data = decode(data, "gzip", url)
        if data[:2] == b"\x1f\x8b":
            raise Unusable(f"{url}: damaged gzip data")
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        lines = data.decode("utf-8-sig", errors="replace").split()
        return Sitemap(pages=tuple(SitemapEntry(line) for line in lines if line.startswith(("http://", "https://"))))
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True, remove_comments=True)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unusable(f"{url}: not a sitemap: {error}") from error
    kind = "" if root is None else etree.QName(root).localname.lower()
    if kind not in ("urlset", "sitemapindex"):
        raise Unusable(f"{url}: not a sitemap, its root element is {kind or 'missing'}")
    places = tuple(place for child in root.iterchildren(tag=etree.Element) if (place := _place(child)).url)
    return Sitemap(pages=places) if kind == "urlset" else Sitemap(sitemaps=places)


def _place(entry: etree._Element) -> SitemapEntry:
    texts = {etree.QName(child).localname.lower(): (child.text or "").strip() for child in entry.iterchildren(tag=etree.Element)}
    return SitemapEntry(texts.get("loc", ""), texts.get("lastmod", ""))


async def read_sitemaps(get: Callable[[str], Awaitable[Fetched]], roots: tuple[str, ...], start: str) -> SitemapRead:
    """Follow a site's sitemaps from `roots`, newest first, and return the addresses of its pages, newest first.

    A file that cannot be had or read is passed over: a sitemap is a help, never a condition. Addresses of other sites are dropped.
    """
    queue = [(root, 1) for root in roots]
    seen = set(roots)
    found: dict[str, str] = {}
    files = 0
    while queue and files < LIMITS.files and len(found) < LIMITS.addresses:
        url, depth = queue.pop(0)
        files += 1
        try:
            answer = await get(url)
            sitemap = parse_sitemap(answer.body, url) if answer.status < 300 else Sitemap()
        except (PageFailed, Private):
            continue
        for place in sitemap.pages:
            page = normalize(place.url)
            if page and site_of(page) == site_of(start) and len(found) < LIMITS.addresses:
                found.setdefault(page, place.modified)
        if depth < LIMITS.index_levels:
            children = [normalize(place.url) for place in sorted(sitemap.sitemaps, key=lambda place: place.modified, reverse=True)]
            for child in children:
                if child and child not in seen:
                    seen.add(child)
                    queue.append((child, depth + 1))
    return SitemapRead(files, tuple(sorted(found, key=lambda page: found[page], reverse=True)))
