"""Bylines and datelines of a site.

A byline is in the container of the article without being about it, so relevance is no evidence for it. Those that no class names are
found by their look over all pages, in any language: short lines, each with a year, an age ("2 days ago") or a time, whose other words
recur on other pages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sightread.labeling.evidence.site_table import SiteTable
from sightread.render.labels import PartKind
from sightread.render.page import Block, Page
from sightread.render.page.array_types import Bools, Rows
from sightread.render.page.view import enclosing
from sightread.render.text.words import words


@dataclass(frozen=True, slots=True)
class DatelineRules:
    """When a look is one of datelines: of an article, or of each post of a thread. Shares are 0 to 1."""

    longest: int = 200
    """Characters."""
    dated: float = 0.8
    """Share of its blocks with a year, an age or a time."""
    recurring: float = 0.5
    """Share of the other words that are on `fewest_pages` different pages in this look."""
    fewest_pages: int = 3
    years: tuple[int, int] = (1990, 2040)
    most_blocks_in_cell: int = 12
    """A cell of a table that holds more lays out the page."""
    lowest_heading: int = 5
    """Heading level from which on a heading may be a dateline: themes style bylines as h5 and h6."""


DATELINE = DatelineRules()
_NO_DATELINE = frozenset({"dd", "dt", "pre", "code", "figcaption", "caption", "blockquote"})
"""Tags whose text belongs to the content though it holds a year: definitions, code, captions, quotations."""
_CELLS = frozenset({"td", "th"})
"""Tags whose text is a dateline only if it holds the time of day too: forums lay their posts out as tables, other tables have years."""
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_TIME_OF_DAY = re.compile(r"(?<!\d)\d{1,2}:[0-5]\d(?!\d)")
_TIME_ALONE = re.compile(r"\W*\d{1,2}:[0-5]\d(?::[0-5]\d)?(?:\s*[ap]\.?m\.?)?\W*", re.IGNORECASE)
"""The time of a line in a chat."""
_AGE = re.compile(
    r"\d[\w\s,]{0,200}?(?:\b(?:ago|geleden|fa|temu|назад|тому|önce|पहले)\b|[前전])|\b(?:vor|il y a|hace|há|منذ|לפני)\s+\d", re.IGNORECASE
)
"""The age of an article in the commonest languages: "2 years, 10 months ago", "vor 3 Tagen", "3 天前"."""


def find_bylines(table: SiteTable, look: Rows, parts: Sequence[Mapping[PartKind, Bools]]) -> tuple[Bools, Bools]:
    """Return which blocks are bylines or breadcrumbs by the names of their elements, and which are datelines by their `look`.

    Shape (blocks,) each. `parts` are those of each page (`sightread.render.page.parts.part_blocks`). Breadcrumbs end with the page's title,
    so relevance is no evidence for them either.
    """
    named = np.concatenate([np.zeros(0, np.bool_), *(of_page["byline"] | of_page["breadcrumbs"] for of_page in parts)])
    dated = np.concatenate([np.zeros(0, np.bool_), *map(_dated_lines, table.pages)])
    share = np.bincount(look, dated) / np.maximum(np.bincount(look), 1)
    datelines = np.zeros(len(dated), np.bool_)
    for number in np.flatnonzero(share >= DATELINE.dated).tolist():
        rows = np.flatnonzero(look == number)
        datelines[rows] = _recurs(table, rows)
    return named, datelines


def _dated_lines(page: Page) -> Bools:
    """Return which blocks are short lines with a year, an age, a declared time, or the time of day alone; shape (blocks,)."""
    cell = enclosing(page, _CELLS)
    blocks = Counter(cell[block.element] for block in page.blocks)
    in_data = (cell[block.element] >= 0 and blocks[cell[block.element]] <= DATELINE.most_blocks_in_cell for block in page.blocks)
    content = enclosing(page, _NO_DATELINE)
    return np.array(
        [content[block.element] < 0 and _is_dated(block, is_data) for block, is_data in zip(page.blocks, in_data, strict=True)], np.bool_
    )


def _is_dated(block: Block, in_data: bool) -> bool:
    if block.hidden or 0 < block.heading < DATELINE.lowest_heading or len(block.text) > DATELINE.longest:
        return False
    low, high = DATELINE.years
    is_timed = any(mark.kind == "time" for mark in block.inlines) or _AGE.search(block.text) is not None
    is_timed = is_timed or _TIME_ALONE.fullmatch(block.text) is not None
    if not (is_timed or any(low <= int(year) <= high for year in _YEAR.findall(block.text))):
        return False
    return not in_data or _TIME_OF_DAY.search(block.text) is not None


def _recurs(table: SiteTable, rows: Rows) -> bool:
    """Return whether most words of the blocks, but for numbers, are on other pages too in the same look."""
    pages = table.original[table.page[rows]].tolist()
    of_block = [{word for word in words(table.block(row).text) if not word.isdigit()} for row in rows]
    on: defaultdict[str, set[int]] = defaultdict(set)
    for page, found in zip(pages, of_block, strict=True):
        for word in found:
            on[word].add(page)
    recurring = sum(len(on[word]) >= DATELINE.fewest_pages for found in of_block for word in found)
    return len(set(pages)) >= DATELINE.fewest_pages and recurring >= DATELINE.recurring * sum(map(len, of_block))
