"""Features of a block's text by itself, relative to its page."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np

from render.page_arrays import Floats, PageArrays, ratio

_DIGIT, _COMMA, _STOP = (
    re.compile(r"\d"),
    re.compile(r"[,\u060c\u3001\uff0c;\uff1b]"),
    re.compile(r"[.!?\u2026\u3002\uff01\uff1f\u0964\u06d4\u061f]"),
)


def _rate(pattern: re.Pattern[str], page: PageArrays) -> Floats:
    return ratio(np.array([len(pattern.findall(block.text)) for block in page.page.blocks], np.float64), page.length)


Trait = tuple[str, Callable[[PageArrays], Floats]]

TEXT: dict[str, Trait] = {
    "text.length": ("logarithm of its characters", lambda page: np.log1p(page.length)),
    "text.unlinked": ("logarithm of its characters outside links", lambda page: np.log1p(page.unlinked)),
    "text.links": ("share of its characters inside links", lambda page: ratio(page.linked, page.length)),
    "text.share": ("its part of the page's text outside links", lambda page: ratio(page.unlinked, page.unlinked.sum())),
    "text.largest": (
        "its text outside links against the page's longest",
        lambda page: ratio(page.unlinked, page.unlinked.max(initial=0.0)),
    ),
    "text.digits": ("digits per character", partial(_rate, _DIGIT)),
    "text.commas": ("commas per character", partial(_rate, _COMMA)),
    "text.stops": ("sentence marks per character", partial(_rate, _STOP)),
    "text.ends": ("whether it ends as a sentence does", lambda page: page.ends),
    "text.heading": ("its heading level, 0 for none", lambda page: np.array([block.heading for block in page.page.blocks], np.float64)),
    "text.hidden": ("whether it is not laid out", lambda page: np.array([block.hidden == "display" for block in page.page.blocks], float)),
}


def traits(page: PageArrays) -> dict[str, Floats]:
    """Return the columns of `TEXT`, each of shape (blocks,)."""
    return {name: compute(page) for name, (_, compute) in TEXT.items()}
