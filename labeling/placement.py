"""Where the blocks of each look are on their pages: among which other text, and inside or outside the content."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence.site_table import SiteTable
from sightread.render.page.array_types import Bools, Floats, Rows

Groups = NDArray[np.int32] | Rows
"""Numbers of groups, one per block, from 0 on."""
EVEN_SHARE = 0.5
"""The share of content around a block without other text, and the place of a block on a page without content."""
AT_THE_EDGE = 0.01
"""Share of the content's characters on a page that may be before its first or after its last block inside the content."""


def means_of_groups(groups: Groups, weight: Floats, values: Floats) -> Floats:
    """Return for each block the weighted mean of the values of its group."""
    return np.asarray((np.bincount(groups, weight * values) / np.maximum(np.bincount(groups, weight), 1e-9))[groups])


def number_pairs(one: Groups, other: Groups) -> Rows:
    """Return a number for each distinct pair, from 0 on."""
    key = one.astype(np.int64) * (int(other.max(initial=0)) + 1) + other
    numbers: Rows = np.unique(key, return_inverse=True)[1]
    return numbers


def content_around(table: SiteTable, look: Rows, weight: Floats, share: Floats) -> Floats:
    """Return for each look the share of content in the text of other looks in the same parent element, averaged over its blocks."""
    parents, offset = [np.zeros(0, np.intp)], 0
    for page in table.pages:
        above = np.array([max(page.elements[block.element].parent, 0) for block in page.blocks], np.intp)
        parents.append(above + offset)
        offset += len(page.elements)
    below = np.concatenate(parents)
    text = table.length + 5.0
    own = number_pairs(below, look)
    content = np.bincount(below, text * share)[below] - np.bincount(own, text * share)[own]
    other = np.bincount(below, text)[below] - np.bincount(own, text)[own]
    of_block = np.where(other > 0.5, (content + EVEN_SHARE) / (other + 1), EVEN_SHARE)
    return means_of_groups(look, weight, of_block)


def outside_content(table: SiteTable, is_content: Bools) -> Floats:
    """Return which blocks are before the first or after the last content of their page, shape (blocks,); 0.5 on a page without content."""
    text = (table.length * is_content).astype(np.float64)
    outside = []
    for of_page in table.by_page(text):
        up_to = np.cumsum(of_page)
        whole = up_to[-1] if len(of_page) else 0.0
        least = np.minimum(up_to - of_page, whole - up_to)
        outside.append((least < AT_THE_EDGE * whole).astype(np.float64) if whole else np.full(len(of_page), EVEN_SHARE))
    return np.concatenate([np.zeros(0), *outside])


def leading_content(table: SiteTable, is_content: Bools) -> Bools:
    """Return which blocks are headings above content, shape (blocks,): the next shown text on their page that is no heading is content."""
    blocks = [block for page in table.pages for block in page.blocks]
    is_heading = np.array([block.heading > 0 for block in blocks], np.bool_)
    texts = np.flatnonzero(~is_heading & np.array([not block.hidden for block in blocks], np.bool_) & (table.length > 0))
    headings = np.flatnonzero(is_heading)
    following = np.searchsorted(texts, headings)
    found = np.zeros(len(blocks), np.bool_)
    has_one = following < len(texts)
    rows, below = headings[has_one], texts[following[has_one]]
    found[rows] = is_content[below] & (table.page[rows] == table.page[below])
    return found
