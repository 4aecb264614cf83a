"""The source of an image that a browser would choose, from markup alone; same rules as `collect_image.js`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sightread.render.static.head import LONGEST_REFERENCE

_LAZY = ("data-src", "data-lazy-src", "data-original", "data-srcset", "data-lazy-srcset", "srcset")
_LATE = re.compile(r"(?!(?:[:@]|v-|ng-|x-)|.*fallback).*(?:src|srcset|-original|-lazy|-lazyload|-orig-file)", re.IGNORECASE)
"""Other attributes in which scripts find a source (`nitro-lazy-src`, `data-wpfc-original-src`); templates' own are none."""
_ADDRESS = re.compile(r"(?!data:|blob:|about:)(?=[^./]*[./])[^\s{}]+", re.IGNORECASE)
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
            if _ADDRESS.fullmatch(source) and not _is_placeholder(source):
                return source
    return ""


def _is_placeholder(source: str) -> bool:
    lower = source.lower()
    return any(hint in lower for hint in _HINTS) and bool(_PLACEHOLDER.search(source))


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
