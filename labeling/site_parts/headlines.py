"""Headlines of a site, which repeat the title of each page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sightread.labeling.evidence.site_table import SiteTable
from sightread.labeling.site_parts.slots import SINGLE, find_single, font_scale, pages_and_blocks
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Rows
from sightread.render.text.titles import both_parts
from sightread.render.text.words import letters


@dataclass(frozen=True, slots=True)
class HeadlineRules:
    """When a look is that of the headlines. Shares are 0 to 1."""

    share_of_blocks: float = 0.5
    """Share of its blocks that repeat their page's title."""
    share_of_pages: float = 0.5
    """Share of the pages that have it, each with another text."""
    different: float = 0.8
    """Texts of a look per page, from which on it may hold headlines that repeat no title: the name of the site is one text."""


HEADLINE = HeadlineRules()


def find_headlines(table: SiteTable, look: Rows) -> Bools:
    """Return which blocks are headlines, shape (blocks,): headings that repeat the titles, else those of one look without a heading's tag.

    Most blocks of the look repeat the title of their page, which is another on each page, and they are on most pages. Without the tag they
    are larger than the text of the body too, and no links. Where no title is repeated, headlines are headings of the first level of one
    look that is once on each page, each with another text.
    """
    repeats = np.concatenate([np.zeros(0, np.bool_), *map(_repeats_title, table.pages)])
    blocks = [block for page in table.pages for block in page.blocks]
    size = np.bincount(look)
    fewest_pages = HEADLINE.share_of_pages * len(set(table.original.tolist()))
    largest, found, headings = 1.0, np.zeros(len(blocks), np.bool_), np.zeros(len(blocks), np.bool_)
    for number in np.flatnonzero(np.bincount(look, repeats) >= HEADLINE.share_of_blocks * size).tolist():
        rows = np.flatnonzero(look == number)
        if min(len({int(table.original[table.page[row]]) for row in rows}), len(set(table.text[rows].tolist()))) < fewest_pages:
            continue
        if blocks[rows[0]].heading:
            headings |= look == number
            continue
        scale = font_scale(table.pages[table.page[rows[0]]], blocks[rows[0]])
        if scale > largest and table.outside_links[rows].sum() * 2 > table.length[rows].sum():
            largest, found = scale, look == number
    if headings.any() or found.any():
        return headings if headings.any() else found
    return _first_headings(table, look)


def _first_headings(table: SiteTable, look: Rows) -> Bools:
    """Return which blocks are headings of the first level of one look, that with most text, once on most pages and different on each."""
    level = np.array([block.heading for page in table.pages for block in page.blocks], np.int8)
    pages, _ = pages_and_blocks(table, look)
    is_candidate = (level == 1) & find_single(table, look) & (pages >= SINGLE.share_of_pages * len(set(table.original.tolist())))[look]
    texts = {number: len(set(table.text[look == number].tolist())) / pages[number] for number in np.unique(look[is_candidate]).tolist()}
    length = {number: int(table.length[look == number].sum()) for number, share in texts.items() if share >= HEADLINE.different}
    return look == max(length, key=lambda number: length[number]) if length else np.zeros(len(look), np.bool_)


def _repeats_title(page: Page) -> Bools:
    """Return which visible blocks equal the page's title, or a part of it, ignoring case and punctuation."""
    titles = {letters(part) for title in page.titles for part in both_parts(title)} - {""}
    longest = 2 * max(map(len, page.titles), default=0)
    return np.array([not block.hidden and len(block.text) <= longest and letters(block.text) in titles for block in page.blocks], np.bool_)
