"""Metadata of a static page: titles, descriptions, metas, JSON-LD, canonical URL, language, links."""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from sightread.render.page import Link, Meta
from sightread.render.static.block_text import fold
from sightread.render.static.urls import Resolver, reference

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
