"""Duplicate texts on a page: versions for wide and narrow screens, teasers, `<noscript>`.

A reader sees one of them, so the document contains one. Text that repeats in similar places is no duplicate: the plans of a price table and
the steps of a recipe repeat each other. On WCXB dev, by domain, word F1 is .8769 without duplicates, .8722 with them; also removing text
that repeats in similar places costs the pages of mozilla/readability, which consist of such repetition, .03 of ROUGE-LSum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Page
from sightread.render.page.page_arrays import class_places, enclosing

SHORTEST_TEXT = 20
"""Least characters of a text that is compared: 10 is as good, 40 worse by .0002 (WCXB dev)."""

WHOLES = frozenset(("table", "pre"))
"""Elements that are kept or dropped as a whole. With lists among them word F1 on WCXB dev, by domain, is .0007 less; with these it is the
same."""


def without_duplicates(page: Page, rows: Sequence[int], probabilities: NDArray[np.float64], *, keep_prose: bool = False) -> tuple[int, ...]:
    """Return the rows of blocks without duplicates of a likelier block in another place of the page.

    A place is the tags and classes from the body down; of equally likely blocks the first is kept. A table stays whole, unless all that is
    kept of it is a duplicate: without a few cells its meaning changes. `keep_prose` keeps text that a browser shows twice and that is
    neither heading nor mostly link. `probabilities`: shape (blocks,).
    """
    rows_of = defaultdict(list)
    for row in rows:
        text = page.blocks[row].text
        if len(text) >= SHORTEST_TEXT:
            rows_of[" ".join(text.split())].append(row)
    repeated = [same for same in rows_of.values() if len(same) > 1 and not (keep_prose and all(_is_shown_prose(page, row) for row in same))]
    if not repeated:
        return tuple(rows)
    places = class_places(page)
    duplicates: set[int] = set()
    for same in repeated:
        likeliest = max(same, key=lambda row: probabilities[row])
        duplicates.update(row for row in same if places[page.blocks[row].element] != places[page.blocks[likeliest].element])
    whole = _wholes(page, rows, duplicates)
    torn = {whole[row] for row in rows if row in whole and row not in duplicates}
    return tuple(row for row in rows if row not in duplicates or whole.get(row) in torn)


def _is_shown_prose(page: Page, row: int) -> bool:
    block = page.blocks[row]
    return block.box is not None and not block.hidden and not block.heading and 2 * block.link_chars <= len(block.text)


def _wholes(page: Page, rows: Sequence[int], duplicates: set[int]) -> dict[int, int]:
    """Return the table or code element of each row; nothing if no duplicate is in such an element."""
    holder = enclosing(page, WHOLES)
    if all(holder[page.blocks[row].element] < 0 for row in duplicates):
        return {}
    return {row: holder[page.blocks[row].element] for row in rows if holder[page.blocks[row].element] >= 0}
