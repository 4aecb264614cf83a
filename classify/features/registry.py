"""Registry of the features that mean the same on every site: no class, id, colour or address; all relative to the page. Only
`sightread.classify.features.main_text` reads names, a few words that authors of sites use everywhere.

They generalise to unseen sites, which names do not: what a linear SVM over names learns on one site is lost on the next (Zhou and
Mashuq 2013, Table 3, F1 0.31). Tables of words describe each column; `WORDS` joins them. Columns are NaN if the page has no boxes, no
styles, or no such neighbour.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sightread.classify.features.block import TRAITS, traits
from sightread.classify.features.context import (
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
from sightread.classify.features.main_text import (
    ANCHOR_WORDS,
    ANCHORS,
    CANDIDATE_WORDS,
    HEADING_WORDS,
    PAGE_WORDS,
    TITLE_WORDS,
    anchors,
    candidates,
    headings,
    title_features,
    totals,
)
from sightread.render.page.page_arrays import PageArrays

WORDS: dict[str, str] = {
    **{name: words for name, (words, _) in TRAITS.items()},
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
"""Description of each column, in the order of the columns."""

NAMES = tuple(WORDS)


def outline_features(outline: PageArrays) -> NDArray[np.float32]:
    """Return the features of every block of the page, shape (blocks, len(NAMES))."""
    if not outline.count:
        return np.zeros((0, len(NAMES)), np.float32)
    columns = {}
    for family in (traits, containers, groups, windows, neighbours, anchors, headings, totals, title_features, candidates):
        columns.update(family(outline))
    found = np.column_stack([columns[name] for name in NAMES]).astype(np.float32)
    found[~np.isfinite(found)] = np.nan
    return found
