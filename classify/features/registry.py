"""Registry of the features that mean the same on every site: no class, id, colour or address; all relative to the page. Only
`sightread.classify.features.main_text` reads names, a few words that authors of sites use everywhere.

They generalise to unseen sites, which names do not: what a linear SVM over names learns on one site is lost on the next (Zhou and
Mashuq 2013, Table 3, F1 0.31). The DOM alone is read: boxes and styles gained nothing (docs/experiments/global-model.md). Tables of words
describe each column; `WORDS` joins them. Columns are NaN if there is no such neighbour, heading or title.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sightread.classify.features import context, main_text
from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays, ratio

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
    "text.digits": ("digits a character", partial(_rate, _DIGIT)),
    "text.commas": ("commas a character", partial(_rate, _COMMA)),
    "text.stops": ("sentence marks a character", partial(_rate, _STOP)),
    "text.ends": ("whether it ends as a sentence does", lambda page: page.ends),
    "text.heading": ("its heading level, 0 for none", lambda page: np.array([block.heading for block in page.page.blocks], np.float64)),
    "text.hidden": ("whether it is kept from view", lambda page: np.array([bool(block.hidden) for block in page.page.blocks], np.float64)),
}
"""Features of the text of a block by itself."""


WORDS: dict[str, str] = {
    **{name: words for name, (words, _) in TEXT.items()},
    **{f"{name}.{measure}": f"{name}: {words}" for name in context.CONTAINERS for measure, words in context.CONTAINER_WORDS.items()},
    **{
        f"{name}.{measure}": f"blocks of its {what}: {words}"
        for name, (what, _) in context.GROUPS.items()
        for measure, words in context.GROUP_WORDS.items()
    },
    **{
        f"window {reach}.{measure}": f"{reach} blocks to either side: {words}"
        for reach in context.WINDOWS
        for measure, words in context.WINDOW_WORDS.items()
    },
    **{f"{name}.{measure}": f"{name} block: {words}" for name in context.NEIGHBOURS for measure, words in context.NEIGHBOUR_WORDS.items()},
    **{
        f"{name}.{measure}": f"{what}: {words}"
        for name, what in main_text.ANCHORS.items()
        for measure, words in main_text.ANCHOR_WORDS.items()
    },
    **main_text.HEADING_WORDS,
    **main_text.PAGE_WORDS,
    **main_text.TITLE_WORDS,
    **main_text.CANDIDATE_WORDS,
}
"""Description of each column, in the order of the columns."""

NAMES = tuple(WORDS)


def outline_features(outline: PageArrays) -> NDArray[np.float32]:
    """Return the features of every block of the page, shape (blocks, len(NAMES))."""
    if not outline.count:
        return np.zeros((0, len(NAMES)), np.float32)
    columns = {name: compute(outline) for name, (_, compute) in TEXT.items()}
    for family in (context.containers, context.groups, context.windows, context.neighbours):
        columns |= family(outline)
    for family in (main_text.anchors, main_text.headings, main_text.totals, main_text.title_features, main_text.candidates):
        columns |= family(outline)
    found = np.column_stack([columns[name] for name in NAMES]).astype(np.float32)
    found[~np.isfinite(found)] = np.nan
    return found
