"""The source of an image that a reader would see, from markup alone; the rules are those of `collect_image.js`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_LAZY = ("data-src", "data-lazy-src", "data-original", "data-srcset", "data-lazy-srcset", "srcset")
_PLACEHOLDER = re.compile(r"\A(data|blob|about):|\b(blank|spacer|placeholder|transparent|pixel|1x1|grey|loading)\b[^/]*\.\w{3,4}\b", re.I)
_CANDIDATE = re.compile(r"\s*(\S*[^\s,])(?:\s+([\d.]+)([wx])[^,]*)?\s*(?:,|$)")
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
    if own and not _PLACEHOLDER.search(own):
        return own
    for holder in (image, *sources):
        for name in _LAZY:
            if value := holder.get(name):
                return _best(value, _SCREEN) if name.endswith("srcset") else value.strip()
    return own


def _best(srcset: str, width: float) -> str:
    """Return the narrowest candidate that fills the width at one device px a CSS px, else the widest."""
    found = []
    for url, number, unit in _CANDIDATE.findall(srcset):
        size = float(number) if number.count(".") < 2 and number.strip(".") else 1.0
        found.append((size, url, size >= (width if unit == "w" else 1.0)))
    found.sort(key=lambda candidate: candidate[0])
    return next((url for _, url, fits in found if fits), found[-1][1] if found else "")
