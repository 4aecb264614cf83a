"""URLs that a page declares besides its links, its rules for crawlers, and the signs of a crawler trap in addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from sightread.crawler.sections import place_of
from sightread.crawler.signatures import key_of
from sightread.crawler.urls import normalize, path_of, site_of, url_key
from sightread.render.network.http import PRODUCT
from sightread.render.page import Page
from sightread.render.static.head import Resolver, base_url

LONGEST_HEAD = 500_000
"""Characters of a page before its body."""
MOST_DECLARED = 200
"""Addresses of one head; a page in all languages of the world has as many."""
_FEED = re.compile(r"application/(?:rss|atom|rdf)\+xml", re.IGNORECASE)
_SESSION = re.compile(
    r"(?:;|(?<=[?&]))(?:jsessionid|phpsessid|aspsessionid\w*|session[-_]?id|sess(?:ion)?|sid|s_id|cfid|cftoken|zenid|oscsid)=[^&;/?#]*&?",
    re.IGNORECASE,
)


class HeadLinks(NamedTuple):
    """Normal URLs of `<link>` elements: the next part of the page, its versions in other languages (language and URL), and its feeds."""

    next: tuple[str, ...] = ()
    alternates: tuple[tuple[str, str], ...] = ()
    feeds: tuple[str, ...] = ()


def head_links(html: str, url: str) -> HeadLinks:
    """Return the addresses that the head of an HTML page declares."""
    end = html.find("<body")
    tree = LexborHTMLParser(html[: min(LONGEST_HEAD, end if end >= 0 else LONGEST_HEAD)])
    resolver = Resolver(base_url(tree, url))
    found: dict[str, list[tuple[str, str]]] = {"next": [], "alternate": [], "feed": []}
    for node in tree.css("link[rel][href]")[:MOST_DECLARED]:
        attributes = node.attributes
        target = normalize(resolver.absolute(attributes.get("href") or ""))
        relations = (attributes.get("rel") or "").lower().split()
        if target and "next" in relations:
            found["next"].append(("", target))
        elif target and "alternate" in relations and _FEED.match(attributes.get("type") or ""):
            found["feed"].append(("", target))
        elif target and "alternate" in relations and (language := (attributes.get("hreflang") or "").strip().lower()):
            found["alternate"].append((language, target))
    next_pages, feeds = (tuple(dict.fromkeys(target for _, target in found[name])) for name in ("next", "feed"))
    return HeadLinks(next_pages, tuple(dict.fromkeys(found["alternate"])), feeds)


def robots_directives(page: Page, header: str) -> frozenset[str]:
    """Return the rules for crawlers that a page and its X-Robots-Tag declare for all, or for sightread: "noindex", "nofollow"."""
    product = PRODUCT.partition("/")[0]
    tokens = [token for meta in page.metas if meta.name in ("robots", product) for token in meta.content.lower().split(",")]
    agent = ""
    for token in header.lower().split(","):
        name, colon, rest = token.partition(":")
        if colon and "-" not in name and "_" not in name:  # not the likes of `max-snippet: 20` and `unavailable_after: …`
            agent, token = name.strip(), rest
        if agent in ("", "*", product):
            tokens.append(token)
    found = frozenset(token.strip() for token in tokens)
    return found | {"noindex", "nofollow"} if "none" in found else found


@dataclass(frozen=True, slots=True)
class TrapRules:
    """When a part of a site is left as a crawler trap (docs/experiments/crawling.md)."""

    barren_visits: int = 12
    """Visits in a row at one place that brought neither text nor addresses that were new."""
    suspicious_visits: int = 2
    """Likewise, from which on addresses at a place are no news."""
    one_look: int = 8
    """Names of pages, the last segments of their paths, that have one text, from which on it is that of an error or a wall."""
    longest_look: int = 2000
    """Characters of such a text: a longer one is an article with many addresses."""
    same_segment: int = 3
    """Places of one segment in a path; what is linked relatively without end repeats it."""
    segments: int = 20
    parameters: int = 12
    """In a query."""


TRAPS = TrapRules()


def page_key(url: str) -> int:
    """Return the key of a page's normal URL: as `url_key`, without the ids of sessions."""
    return key_of(url_key(_SESSION.sub("", url).rstrip("?&") if "=" in url else url))


def trap_sign(url: str) -> str:
    """Return why a normal URL looks like one of an endless number; empty if it does not."""
    segments = [segment for segment in path_of(url).split("/") if segment]
    if len(segments) > TRAPS.segments:
        return f"a trap: more than {TRAPS.segments} folders"
    if segments and max(Counter(segments).values()) > TRAPS.same_segment:
        return "a trap: its path repeats"
    if url.partition("?")[2].count("&") >= TRAPS.parameters:
        return f"a trap: more than {TRAPS.parameters} parameters"
    return ""


def places_of(url: str) -> Iterator[int]:
    """Yield the keys of the places that a normal URL is at, from its first folder down; those of addresses with a query are others."""
    path = site_of(url) + ("?" if "?" in url else "")
    for step in place_of(url):
        path += f"/{step}"
        yield key_of(path)


def words_of(text: str) -> str:
    """Return a text without its digits: the pages of a calendar without events differ in these alone."""
    return " ".join(re.sub(r"\d+", " ", text).split())
