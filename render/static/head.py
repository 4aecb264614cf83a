"""The head of a static page (titles, descriptions, metas, JSON-LD, canonical URL, language), its links resolved to
absolute URLs, and the sources of its images.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import accumulate
from typing import NamedTuple

import ada_url
from selectolax.lexbor import LexborHTMLParser

from sightread.render.network.address import join_url, percent_encode
from sightread.render.page import Link, Meta, Page
from sightread.render.static.block_text import above, fold

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
        try:
            parsed = ada_url.URL(base)
            self._origin = str(parsed.origin) if parsed.protocol in ("http:", "https:") else ""
        except ValueError:
            self._origin = ""
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


_METAS, _CONTENT, _JSON_LD, _LINK_TEXT, _LINKS = 300, 4000, 500_000, 200, 20_000
"""Caps: metas per page, characters of a meta's content, of all JSON-LD, of a link's text, and links per page; those of `collect.js`."""


def base_url(tree: LexborHTMLParser, url: str) -> str:
    """Return what the page's references are relative to: its `<base>`, else its own URL."""
    base = tree.css_first("base[href]")
    return Resolver(url).absolute(base.attributes.get("href") or "") or url if base is not None else url


def read_head(tree: LexborHTMLParser, url: str, resolver: Resolver) -> Callable[..., Page]:
    """Return a page that lacks elements, blocks and links, with the page-level fields from anywhere in the document, in document order."""
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
    titles = [read_title(tree), *(meta.content for name in ("og:title", "twitter:title") for meta in metas if meta.name == name)]
    described = ("description", "og:description", "twitter:description")
    descriptions = [meta.content for name in described for meta in metas if meta.name == name]
    scripts = [script.text() for script in tree.css('script[type="application/ld+json" i]')]
    read = accumulate(map(len, scripts))
    canonical = tree.css_first('link[rel~="canonical" i][href]')
    return partial(
        Page,
        url=url,
        final_url=url,
        source="static",
        titles=tuple(dict.fromkeys(title for title in titles if title)),
        descriptions=tuple(dict.fromkeys(descriptions)),
        metas=tuple(metas),
        json_ld=tuple(script for script, characters in zip(scripts, read, strict=True) if characters <= _JSON_LD),
        canonical=resolver.absolute(canonical.attributes.get("href") or "") if canonical is not None else "",
        language=language.strip(),
        password_fields=len(tree.css('input[type="password" i]')),
    )


def read_links(tree: LexborHTMLParser, resolver: Resolver) -> tuple[dict[int, str], set[str], tuple[Link, ...]]:
    """Return where each link leads, by its node; the fragments to which links lead, as they are written; and the page's http(s) links, each
    URL once without its fragment, from the first that has text.
    """
    targets: dict[int, str] = {}
    fragments: set[str] = set()
    links: dict[str, Link] = {}
    for node in tree.css("a[href], area[href]"):
        attributes = node.attributes
        written = reference(attributes)
        target = resolver.target(written)
        if written:
            targets[node.mem_id] = target
        url = target.partition("#")[0]
        if "#" in written:
            fragments.add(written.partition("#")[2])
        known = links.get(url)
        is_new = len(links) < _LINKS if known is None else not known.text
        if is_new and url.startswith("http"):
            links[url] = Link(url, fold(node.text())[:_LINK_TEXT], attributes.get("rel") or "")
    return targets, fragments - {""}, tuple(links.values())


def read_title(tree: LexborHTMLParser) -> str:
    """Return the text of the document's first `<title>`, which old pages have in the body; an SVG's is none."""
    titles = (node for node in tree.css("title") if not any(each.tag == "svg" for each in above(node)))
    return next((fold(node.text()) for node in titles), "")


# The source of an image that a browser would choose, from markup alone; same rules as `collect_image.js`.


_LAZY = ("data-src", "data-lazy-src", "data-original", "data-srcset", "data-lazy-srcset", "srcset")
_LATE = re.compile(r"(?!(?:[:@]|v-|ng-|x-)|.*fallback).*(?:src|srcset|-original|-lazy|-lazyload|-orig-file)", re.IGNORECASE)
"""Other attributes in which scripts find a source (`nitro-lazy-src`, `data-wpfc-original-src`); templates' own are none."""
_IMAGE_ADDRESS = re.compile(r"(?!data:|blob:|about:)(?=[^./]*[./])[^\s{}]+", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\A(data|blob|about):|(?<![a-z])(blank|spacer|placeholder|transparent|pixel|1x1|gr[ea]y|loading|dummy)(?![a-z])[^/]*\.\w{3,4}\b",
    re.IGNORECASE,
)
_HINTS = ("blank", "spacer", "placeholder", "transparent", "pixel", "1x1", "grey", "gray", "loading", "dummy", "data:", "blob:", "about:")
"""One of them is in all that `_PLACEHOLDER` finds, and in few sources: to look for them first is many times faster."""
_EMPTY = frozenset(("blank", "spacer", "placeholder", "transparent", "pixel", "1x1", "loading", "dummy"))
_FILLING = re.compile(
    r"gr[ea]y|white|lazy|load|image|img|default|thumb|photo|empty|horizontal|vertical|square|woocommerce|[\dx]+|[\da-f]{16,}"
)
"""Words that carry no information beside those of `_EMPTY`: `lazy_placeholder.gif`, `grey-placeholder-300x200.png`, but not
`google-pixel.jpg`."""
_WORDS = re.compile(r"[-_.]+")
_URL = re.compile(r"[\s,]*+(\S+)")
_SIZE = re.compile(r"\s+([\d.]{1,20})([wx])")
_SCREEN = 1600.0
"""CSS px: the requested width, since without a layout the image's width is unknown."""

Attributes = Mapping[str, str | None]


def image_source(image: Attributes, sources: Iterable[Attributes] = ()) -> str:
    """Return the reference of the image: its own, or that which scripts would load in place of a placeholder; empty for one alone.

    `sources` are the attributes of the `<source>` elements before it in its `<picture>`: the first that names one is taken.
    """
    for source in sources:
        if srcset := source.get("srcset"):
            return _best(srcset, 0.0)
    own = image.get("src") or ""
    if own and not _is_placeholder(own[:LONGEST_REFERENCE]):
        return own
    for holder in (image, *sources):
        for name in _LAZY:
            if value := holder.get(name):
                return _best(value, _SCREEN) if name.endswith("srcset") else value.strip()
    return _late_source(image) or ("" if _shows_nothing(own[:LONGEST_REFERENCE]) else own)


def _late_source(image: Attributes) -> str:
    """Return the source that an attribute of an unknown name holds; empty if none does."""
    for name, value in image.items():
        if value and name != "src" and _LATE.fullmatch(name):
            source = _best(value[:LONGEST_REFERENCE], _SCREEN) if name.endswith("srcset") else value[:LONGEST_REFERENCE].strip()
            if _IMAGE_ADDRESS.fullmatch(source) and not _is_placeholder(source):
                return source
    return ""


def _is_placeholder(source: str) -> bool:
    lower = source.lower()
    for hint in _HINTS:  # in a loop of its own, since a generator would take twice as long
        if hint in lower:
            return _PLACEHOLDER.search(source) is not None
    return False


def _shows_nothing(source: str) -> bool:
    """Return whether the file is a placeholder by its name alone."""
    name = source.lower().partition("?")[0].partition("#")[0].rpartition("/")[2]
    words = [word for word in _WORDS.split(name.rpartition(".")[0]) if word]
    return not _EMPTY.isdisjoint(words) and all(word in _EMPTY or _FILLING.fullmatch(word) for word in words)


def _best(srcset: str, width: float) -> str:
    """Return the narrowest candidate that fills the width at one device px per CSS px, else the widest."""
    found = sorted(_candidates(srcset), key=lambda candidate: candidate.size)
    fitting = (each.url for each in found if each.size >= (width if each.unit == "w" else 1.0))
    return next(fitting, found[-1].url if found else "")


class _Candidate(NamedTuple):
    url: str
    size: float
    unit: str


def _candidates(srcset: str) -> Iterator[_Candidate]:
    """Yield the candidates in order (HTML, 4.8.4.3.10, for what is found in practice), in linear time for any content."""
    at = 0
    while found := _URL.match(srcset, at):
        url, at = found[1], found.end()
        size = None
        if url.endswith(","):
            url = url.rstrip(",")
        else:
            size = _SIZE.match(srcset, at)
            comma = srcset.find(",", at)
            at = comma + 1 if comma >= 0 else len(srcset)
        number = size[1] if size and size[1].count(".") < 2 and size[1].strip(".") else "1"
        yield _Candidate(url, float(number), size[2] if size else "x")
