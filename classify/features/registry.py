"""Registry of the features that mean the same on every site: no class, id, colour or address; all relative to the page. Only
`classify.features.readability` reads names, a few words that authors of sites use everywhere.

They generalise to unseen sites, which names do not: what a linear SVM over names learns on one site is lost on the next (Zhou and
Mashuq 2013, Table 3, F1 0.31). `DOM` describes the columns that any page has, `BOXES` and `STYLES` those that need a browser; they are NaN
on a page that has none. Tables of words describe each column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from classify.features.block import TEXT, traits
from classify.features.box import BOX_WORDS, box_features
from classify.features.context import (
    CONTAINER_WORDS,
    CONTAINERS,
    GROUP_WORDS,
    GROUPS,
    NEIGHBOUR_WORDS,
    NEIGHBOURS,
    WINDOW_WORDS,
    WINDOWS,
    containers,
    groups,
    neighbours,
    windows,
)
from classify.features.main_text import ANCHOR_WORDS, ANCHORS, HEADING_WORDS, PAGE_WORDS, anchors, headings, totals
from classify.features.readability import CANDIDATE_WORDS, candidates
from classify.features.style import STYLE_WORDS, style_features
from classify.features.title_relation import TITLE_WORDS, title_features
from render.page import Page
from render.page_arrays import PageArrays

DOM: dict[str, str] = {
    **{name: words for name, (words, _) in TEXT.items()},
    **{f"{name}.{measure}": f"{name}: {words}" for name in CONTAINERS for measure, words in CONTAINER_WORDS.items()},
    **{
        f"{name}.{measure}": f"blocks of its {what}: {words}"
        for name, (what, _) in GROUPS.items()
        for measure, words in GROUP_WORDS.items()
    },
    **{
        f"window {reach}.{measure}": f"{reach} blocks to either side: {words}"
        for reach in WINDOWS
        for measure, words in WINDOW_WORDS.items()
    },
    **{f"{name}.{measure}": f"{name} block: {words}" for name in NEIGHBOURS for measure, words in NEIGHBOUR_WORDS.items()},
    **{f"{name}.{measure}": f"{what}: {words}" for name, what in ANCHORS.items() for measure, words in ANCHOR_WORDS.items()},
    **HEADING_WORDS,
    **PAGE_WORDS,
    **TITLE_WORDS,
    **CANDIDATE_WORDS,
}
"""Description of each column that the DOM gives, in order."""
BOXES, STYLES = BOX_WORDS, STYLE_WORDS
VISUAL = BOXES | STYLES
"""Description of each column that a browser gives, in order."""
WORDS = DOM | VISUAL
NAMES = tuple(WORDS)

Features = NDArray[np.float32]


def relative_features(page: Page) -> Features:
    """Return the features of every block of the page, shape (blocks, len(NAMES))."""
    arrays = PageArrays(page)
    return np.column_stack([dom_features(arrays), visual_features(arrays)])


def dom_features(page: PageArrays) -> Features:
    """Return the columns of `DOM`, shape (blocks, len(DOM)); boxes and styles make no difference."""
    if not page.count:
        return np.zeros((0, len(DOM)), np.float32)
    columns = {}
    for family in (traits, containers, groups, windows, neighbours, anchors, headings, totals, title_features, candidates):
        columns.update(family(page))
    return _finite([columns[name] for name in DOM])


def visual_features(page: PageArrays) -> Features:
    """Return the columns of `VISUAL`, shape (blocks, len(VISUAL)); NaN where the page has no boxes or styles."""
    if not page.count:
        return np.zeros((0, len(VISUAL)), np.float32)
    columns = box_features(page) | style_features(page)
    return _finite([columns[name] for name in VISUAL])


def _finite(columns: list[NDArray[np.float64]]) -> Features:
    found = np.column_stack(columns).astype(np.float32)
    found[~np.isfinite(found)] = np.nan
    return found
