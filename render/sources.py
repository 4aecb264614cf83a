"""The source of an image that a reader would see, from markup alone; the rules are those of `collect_image.js`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from render.resolve import LONGEST

_LAZY = ("data-src", "data-lazy-src", "data-original", "data-srcset", "data-lazy-srcset", "srcset")
_PLACEHOLDER = re.compile(r"\A(data|blob|about):|\b(blank|spacer|placeholder|transparent|pixel|1x1|grey|loading)\b[^/]*\.\w{3,4}\b", re.I)
_HINTS = ("blank", "spacer", "placeholder", "transparent", "pixel", "1x1", "grey", "loading", "data:", "blob:", "about:")
"""One of them stands in all that `_PLACEHOLDER` finds, and in few sources: to look for them first is many times faster."""
_URL = re.compile(r"[\s,]*+(\S+)")
_SIZE = re.compile(r"\s+([\d.]{1,20})([wx])")
_SCREEN = 1600.0
"""CSS px: the width asked for, as no layout says how wide the image is."""

Attributes = Mapping[str, str | None]


def image_source(image: Attributes, sources: Iterable[Attributes] = ()) -> str:
    """Return the reference of the image: its own, or that which scripts would load in place of a placeholder.

    `sources` are the attributes of the `<source>` elements before it in its `<picture>`: the first that names one is taken.
    """
    for source in sources:
        if srcset := source.get("srcset"):
            return _best(srcset, 0.0)
    own = image.get("src") or ""
    if own and not _is_placeholder(own[:LONGEST]):
        return own
    for holder in (image, *sources):
        for name in _LAZY:
            if value := holder.get(name):
                return _best(value, _SCREEN) if name.endswith("srcset") else value.strip()
    return own


def _is_placeholder(source: str) -> bool:
    lower = source.lower()
    return any(hint in lower for hint in _HINTS) and bool(_PLACEHOLDER.search(source))


def _best(srcset: str, width: float) -> str:
    """Return the narrowest candidate that fills the width at one device px a CSS px, else the widest."""
    found = sorted(_candidates(srcset), key=lambda candidate: candidate.size)
    fitting = (each.url for each in found if each.size >= (width if each.unit == "w" else 1.0))
    return next(fitting, found[-1].url if found else "")


class _Candidate(NamedTuple):
    url: str
    size: float
    unit: str


def _candidates(srcset: str) -> Iterator[_Candidate]:
    """Yield the candidates in order (HTML, 4.8.4.3.10, for what is found in practice), in time with the length, whatever it holds."""
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
