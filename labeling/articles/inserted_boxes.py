"""Boxes inside an article that do not belong to it: advertisements, appeals, teasers.

Ours, not the paper's. On many pages their text repeats. On few pages it does not, but such a box is composed like a page of its own: it
holds none of the article's paragraphs, but a title or label and then blocks of another look.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.articles.prose import is_prose
from sightread.labeling.evidence.article_place import ArticlePlace
from sightread.labeling.evidence.evidence import Evidence

LEAST_BOXED_SHARE = 0.8
"""Share of a cluster's blocks that are in such boxes."""
FLOW = frozenset({"ul", "ol", "dl", "table", "figure", "blockquote", "details", "pre"})
"""Structures of an article, which may hold several looks."""


def is_inserted(evidence: Evidence, members: NDArray[np.intp], article: NDArray[np.intp], places: Mapping[int, ArticlePlace]) -> bool:
    """Return whether the blocks are in boxes put into the articles.

    `article` counts the articles' headlines and paragraphs ahead of each block, shape (blocks + 1,).
    """
    boxed = [_in_box(evidence, int(index), article, places[int(evidence.table.page[index])]) for index in members]
    return sum(boxed) >= LEAST_BOXED_SHARE * len(boxed)


def _in_box(evidence: Evidence, index: int, article: NDArray[np.intp], place: ArticlePlace) -> bool:
    """Return whether the block's box is titled and of several looks: the largest element around it without the article's own blocks."""
    page, row = evidence.table.pages[evidence.table.page[index]], int(evidence.table.row[index])
    if not place.inside[row] or place.captions[row]:
        return False
    box = index, index
    for element in page.ancestors(page.blocks[row].element):
        low, high = (place.extent[element] + (index - row)).tolist()
        if article[high] > article[low]:
            break
        if page.elements[element].tag in FLOW:
            return False
        box = low, high
    return len(set(evidence.cluster[slice(*box)].tolist())) > 1 and not is_prose(evidence.table.block(box[0]).text)
