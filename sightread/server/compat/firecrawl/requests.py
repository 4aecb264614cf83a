"""Requests of the Firecrawl API as requests of ours. Both versions of the API share one translation: the names of v2 include those of v1.

Facts of the protocol: Firecrawl's API reference (v1 and v2), and the requests that the clients in `firecrawl-py` 4.53 send.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from sightread.crawler.urls import path_of
from sightread.render.errors import Rejected, quoted
from sightread.render.network.address import host_of, join_url
from sightread.server.compat.firecrawl.scrape_options import OutputRequest, ScrapeOptions, page_fields, path_patterns, unused_options
from sightread.server.schema.requests import (
    MOST_PAGES,
    BatchRequest,
    CrawlRequest,
    ExtractRequest,
    MapRequest,
    convert,
    ignored_options,
    known_options,
)

Version = Literal[1, 2]
MAP_LIMITS: dict[Version, int] = {1: 5000, 2: 100}
"""Addresses of a map by default, by version."""
LONGEST_CRAWL = 10_000
EVENTS = ("started", "page", "completed", "failed")


class Webhook(msgspec.Struct, frozen=True):
    """Where the events of a job are sent."""

    url: str
    headers: dict[str, str] = {}
    metadata: dict[str, Any] = {}
    """Sent back with every event."""
    events: tuple[str, ...] = EVENTS


class JobNote(msgspec.Struct, frozen=True):
    """Data of a job of this API that its answers need."""

    version: Version
    output: OutputRequest
    webhook: Webhook | None = None
    warnings: tuple[str, ...] = ()


class ScrapeRequest(ScrapeOptions, kw_only=True, rename="camel"):
    """`POST /scrape`."""

    url: str


class BatchScrapeRequest(ScrapeOptions, kw_only=True, rename="camel"):
    """`POST /batch/scrape`: the options of a scrape beside the addresses."""

    urls: list[str]
    webhook: str | Webhook | None = None
    ignore_invalid: bool | None = msgspec.field(default=None, name="ignoreInvalidURLs")


class CrawlSiteRequest(msgspec.Struct, kw_only=True, rename="camel"):
    """`POST /crawl`."""

    url: str
    include_paths: list[str] | None = None
    exclude_paths: list[str] | None = None
    regex_on_full_url: bool = msgspec.field(default=False, name="regexOnFullURL")
    max_depth: int | None = None
    max_discovery_depth: int | None = None
    limit: int | None = None
    crawl_entire_domain: bool | None = None
    allow_backward_links: bool | None = None
    sitemap: Literal["skip", "include", "only"] = "include"
    ignore_sitemap: bool | None = None
    delay: float | None = None
    """Seconds."""
    scrape_options: dict[str, Any] | None = None
    webhook: str | Webhook | None = None


class MapSiteRequest(msgspec.Struct, kw_only=True, rename="camel"):
    """`POST /map`."""

    url: str
    search: str | None = None
    limit: int | None = None
    sitemap: Literal["skip", "include", "only"] = "include"
    sitemap_only: bool | None = None
    ignore_sitemap: bool | None = None


_ONE_SITE = "a crawl stays on the site of its start URL"
CRAWL_REASONS = {
    "origin": "",
    "integration": "",
    "auditMetadata": "",
    "deduplicateSimilarURLs": "",
    "prompt": "it needs a language model: give includePaths and excludePaths",
    "allowExternalLinks": _ONE_SITE,
    "allowSubdomains": _ONE_SITE,
    "includeSubdomains": _ONE_SITE,
    "ignoreRobotsTxt": "robots.txt is always obeyed",
    "robotsUserAgent": "robots.txt is read for sightread",
    "ignoreQueryParameters": "addresses with different queries are different pages, unless their content is the same",
    "maxConcurrency": "the service decides how many pages are read at once",
    "zeroDataRetention": "results are kept for the time that the operator set",
    "appendToId": "a new job is started",
    "useIndex": "the site itself is read",
    "location": "",
    "timeout": "",
}
_NO_SITEMAP = "sitemap: the site's sitemaps are read in any case"


class Scrape(NamedTuple):
    """A scrape in our terms."""

    request: ExtractRequest
    output: OutputRequest
    warnings: tuple[str, ...]


class Batch(NamedTuple):
    """A batch scrape in our terms; `invalid` are the addresses that were left out."""

    request: BatchRequest
    note: JobNote
    invalid: tuple[str, ...]


class Crawl(NamedTuple):
    """A crawl in our terms."""

    request: CrawlRequest
    note: JobNote


class MapQuery(NamedTuple):
    """A map in our terms."""

    request: MapRequest
    search: str
    warnings: tuple[str, ...]


def translate_scrape(given: dict[str, Any]) -> Scrape:
    """Return the request for one page. Raises `Rejected`."""
    request = convert(given, ScrapeRequest)
    fields, output, warnings = page_fields(request)
    return Scrape(convert({"url": request.url, **fields}, ExtractRequest), output, (*warnings, *unused_options(given, ScrapeRequest)))


def translate_batch(given: dict[str, Any], version: Version) -> Batch:
    """Return the batch. Addresses that are none are left out, if the caller or v2's default allows it; else they raise `Rejected`."""
    request = convert(given, BatchScrapeRequest)
    fields, output, warnings = page_fields(request)
    invalid = tuple(url for url in request.urls if not host_of(url))
    leave_out = request.ignore_invalid if request.ignore_invalid is not None else version == 2
    if invalid and (not leave_out or len(invalid) == len(request.urls)):
        raise Rejected(f"{quoted(invalid[0], 200)} in urls is no http or https URL: correct it, or set ignoreInvalidURLs")
    urls = [url for url in request.urls if host_of(url)]
    unused = unused_options(given, BatchScrapeRequest, CRAWL_REASONS)
    note = JobNote(version, output, _webhook(request.webhook), (*warnings, *unused))
    return Batch(convert({"kind": "batch", "urls": urls, **fields}, BatchRequest), note, invalid)


def translate_crawl(given: dict[str, Any], version: Version) -> Crawl:
    """Return the crawl. Raises `Rejected`, also for path patterns that have no equivalent (see `patterns`)."""
    request = convert(given, CrawlSiteRequest)
    options = request.scrape_options or {}
    fields, output, warnings = page_fields(convert(options, ScrapeOptions))
    warnings += unused_options(options, ScrapeOptions)
    warnings += ignored_options(given, known_options(CrawlSiteRequest), CRAWL_REASONS)
    if request.sitemap == "skip" or request.ignore_sitemap:
        warnings += (_NO_SITEMAP,)
    depth = request.max_discovery_depth
    if depth is None and request.max_depth is not None:
        depth = request.max_depth
        warnings += ("option 'maxDepth' is taken as the number of links from the start page",)
    scope = {
        "within": "/" if request.crawl_entire_domain or request.allow_backward_links else _folder(request.url),
        "include": path_patterns("includePaths", request.include_paths or (), full_url=request.regex_on_full_url),
        "exclude": path_patterns("excludePaths", request.exclude_paths or (), full_url=request.regex_on_full_url),
        "depth": depth,
        "sitemap": _sitemap_of(request.url) if request.sitemap == "only" else "",
    }
    pages = min(request.limit or LONGEST_CRAWL, MOST_PAGES)
    note = JobNote(version, output, _webhook(request.webhook), warnings)
    return Crawl(
        convert({"kind": "crawl", "url": request.url, "pages": pages, "scope": scope, "delay": request.delay, **fields}, CrawlRequest), note
    )


def translate_map(given: dict[str, Any], version: Version) -> MapQuery:
    """Return the map. Raises `Rejected`."""
    request = convert(given, MapSiteRequest)
    warnings = ignored_options(given, known_options(MapSiteRequest), CRAWL_REASONS)
    if request.sitemap == "skip" or request.ignore_sitemap:
        warnings += (_NO_SITEMAP,)
    only = request.sitemap == "only" or request.sitemap_only
    scope = {"within": "/", "sitemap": _sitemap_of(request.url) if only else ""}
    fields = {"url": request.url, "pages": min(request.limit or MAP_LIMITS[version], MOST_PAGES), "scope": scope}
    return MapQuery(convert(fields, MapRequest), request.search or "", warnings)


def _webhook(given: str | Webhook | None) -> Webhook | None:
    return Webhook(given) if isinstance(given, str) and given else given or None


def _folder(url: str) -> str:
    """Return the path below which the API's crawls stay: that of the start URL."""
    start = join_url(url if "://" in url else f"https://{url}", "")
    return path_of(start) if host_of(start) else "/"


def _sitemap_of(url: str) -> str:
    return join_url(url if "://" in url else f"https://{url}", "/sitemap.xml")
