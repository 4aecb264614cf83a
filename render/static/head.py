"""The head of a static page (titles, descriptions, metas, JSON-LD, canonical URL, language), and its links, resolved to absolute URLs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import ada_url
from selectolax.lexbor import LexborHTMLParser

from sightread.render.network.address import join_url, percent_encode
from sightread.render.page import Link, Meta
from sightread.render.static.block_text import fold

LONGEST_REFERENCE = 2000
"""Characters; longer references are data or tracking, not addresses."""

_ADDRESS = re.compile(r"(https?|mailto|tel|ftp):", re.IGNORECASE)
_PLAIN_PATH = re.compile(r"https?://[^/?#]+/")
_NO_PATH = re.compile(r"(https?://[^/?#]+)(?=[?#]|$)")
_REMOVED = str.maketrans("", "", "\t\n\r")
_KEPT = "!#$%&'()*+,-./:;=?@[]_~|\\^`{}"


def reference(attributes: Mapping[str, str | None]) -> str:
    """Return where a link leads by its attributes: links of SVG and MathML may have `xlink:href` alone."""
    return attributes.get("href") or attributes.get("xlink:href") or ""


class Resolver:
    """Resolves references against one base, as a browser writes them; many times faster than a parser of URLs for the usual kinds."""

    __slots__ = ("_base", "_known", "_origin", "_page")

    def __init__(self, base: str) -> None:
        self._base = base
        self._known: dict[str, str] = {}
        self._origin = _origin(base)
        self._page = base.partition("#")[0]

    def absolute(self, reference: str) -> str:
        """Return the absolute URL; empty if there is none: no base, a script, a broken or over-long reference."""
        known = self._known.get(reference)
        if known is None:
            found = self._resolve((reference if reference.isprintable() else reference.translate(_REMOVED)).strip())
            known = self._known[reference] = found if found.isascii() and " " not in found else percent_encode(found, _KEPT)
        return known

    def target(self, reference: str) -> str:
        """Return where a link leads: its absolute URL; the fragment alone if the page has no address and the link stays in the page."""
        target = self.absolute(reference)
        if target or self._base:
            return target
        fragment = reference.translate(_REMOVED).strip()
        return percent_encode(fragment, _KEPT) if fragment.startswith("#") and len(fragment) <= LONGEST_REFERENCE else ""

    def _resolve(self, reference: str) -> str:
        if len(reference) > LONGEST_REFERENCE:
            return ""
        if reference.startswith("#") and self._origin:
            return self._page + reference
        if reference.startswith("/") and self._origin and reference[1:2] != "/" and "/." not in reference:
            return self._origin + reference
        if _PLAIN_PATH.match(reference) and reference.find("://", 8) < 0:
            return reference
        if not _ADDRESS.match(reference):
            reference = join_url(self._base, reference)
        scheme = _ADDRESS.match(reference)
        if not scheme:
            return ""
        return _NO_PATH.sub(r"\1/", scheme[0].lower() + reference[scheme.end() :], count=1)


def _origin(url: str) -> str:
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return ""
    return str(parsed.origin) if parsed.protocol in ("http:", "https:") else ""


_METAS, _CONTENT, _JSON_LD, _LINK_TEXT, _LINKS = 300, 4000, 500_000, 200, 20_000
"""Caps: metas per page, characters of a meta's content, of all JSON-LD, of a link's text, and links per page; those of `collect.js`."""


@dataclass(frozen=True, slots=True)
class Head:
    """The page-level fields of `Page` that are in its markup."""

    titles: tuple[str, ...]
    descriptions: tuple[str, ...]
    metas: tuple[Meta, ...]
    json_ld: tuple[str, ...]
    canonical: str
    language: str


def base_url(tree: LexborHTMLParser, url: str) -> str:
    """Return what the page's references are relative to: its `<base>`, else its own URL."""
    base = tree.css_first("base[href]")
    return Resolver(url).absolute(base.attributes.get("href") or "") or url if base is not None else url


def read_head(tree: LexborHTMLParser, resolver: Resolver) -> Head:
    """Read the page-level fields from anywhere in the document, in document order."""
    metas: list[Meta] = []
    root = tree.root.attributes if tree.root is not None else {}
    language = root.get("lang") or root.get("xml:lang") or ""
    for node in tree.css("meta"):
        attributes = node.attributes
        name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop")
        content = fold(attributes.get("content") or "")[:_CONTENT]
        if not language and (attributes.get("http-equiv") or "").lower() == "content-language":
            language = content
        if name and content and len(metas) < _METAS:
            metas.append(Meta(name.strip().lower(), content))
    titles = [_title(tree), *_named(metas, "og:title", "twitter:title")]
    descriptions = _named(metas, "description", "og:description", "twitter:description")
    canonical = tree.css_first('link[rel~="canonical" i][href]')
    return Head(
        titles=tuple(dict.fromkeys(title for title in titles if title)),
        descriptions=tuple(dict.fromkeys(descriptions)),
        metas=tuple(metas),
        json_ld=_read_json_ld(tree),
        canonical=resolver.absolute(canonical.attributes.get("href") or "") if canonical is not None else "",
        language=language.strip(),
    )


def read_links(tree: LexborHTMLParser, resolver: Resolver) -> tuple[Link, ...]:
    """Return the page's http(s) links, each URL once without its fragment, from the first that has text."""
    links: dict[str, Link] = {}
    for node in tree.css("a[href], area[href]"):
        attributes = node.attributes
        url = resolver.absolute(reference(attributes)).partition("#")[0]
        known = links.get(url)
        if not url.startswith("http") or (known is not None and known.text):
            continue
        if known is None and len(links) >= _LINKS:
            break
        links[url] = Link(url, fold(node.text())[:_LINK_TEXT], attributes.get("rel") or "")
    return tuple(links.values())


def _title(tree: LexborHTMLParser) -> str:
    """Return the text of the document's first `<title>`, which old pages have in the body; an SVG's is none."""
    for node in tree.css("title"):
        above = node.parent
        while above is not None and above.tag != "svg":
            above = above.parent
        if above is None:
            return fold(node.text())
    return ""


def _named(metas: list[Meta], *names: str) -> list[str]:
    return [meta.content for name in names for meta in metas if meta.name == name]


def _read_json_ld(tree: LexborHTMLParser) -> tuple[str, ...]:
    texts = []
    budget = _JSON_LD
    for script in tree.css('script[type="application/ld+json" i]'):
        text = script.text()
        budget -= len(text)
        if budget >= 0:
            texts.append(text)
    return tuple(texts)
