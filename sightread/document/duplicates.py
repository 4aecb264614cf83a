"""Duplicate texts on a page: versions for wide and narrow screens, teasers, `<noscript>`.

A reader sees one of them, and so should who reads the document. What stands twice in like places is no copy: the plans of a table of
prices and the steps of a recipe repeat themselves. On WCXB dev, by domain, word F1 .8769 where copies are left out, .8722 where they
are not; leaving out what is repeated in like places too costs the pages of mozilla/readability, which consist of such, .03 of ROUGE-LSum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from render.page import Page
from render.page_arrays import class_places

SHORTEST = 20
"""Characters of a text that is compared: with 10 as good, with 40 worse by .0002 (WCXB dev)."""

WHOLES = frozenset(("table", "pre"))
"""Elements that stay whole. With lists word F1 on WCXB dev, by domain, is .0007 less; with these it is the same."""


def without_copies(page: Page, rows: Sequence[int], probabilities: NDArray[np.float64]) -> tuple[int, ...]:
    """Return the rows of blocks without those that say what a likelier one of them says in another place of the page.

    A place is the tags and classes from the body down; of equally likely blocks the first stays. A table stays whole, unless all that is
    kept of it stands elsewhere: without a few of its cells it says something else. `probabilities`: shape (blocks,).
    """
    saying = defaultdict(list)
    for row in rows:
        text = page.blocks[row].text
        if len(text) >= SHORTEST:
            saying[" ".join(text.split())].append(row)
    repeated = [same for same in saying.values() if len(same) > 1]
    if not repeated:
        return tuple(rows)
    places = class_places(page)
    copies: set[int] = set()
    for same in repeated:
        likeliest = max(same, key=lambda row: probabilities[row])
        copies.update(row for row in same if places[page.blocks[row].element] != places[page.blocks[likeliest].element])
    whole = _wholes(page, rows, copies)
    torn = {whole[row] for row in rows if row in whole and row not in copies}
    return tuple(row for row in rows if row not in copies or whole.get(row) in torn)


def _wholes(page: Page, rows: Sequence[int], copies: set[int]) -> dict[int, int]:
    """Return the table or the code that each row stands in, as its element; nothing if no copy stands in such."""
    holder = [-1] * len(page.elements)
    for row, element in enumerate(page.elements):
        if element.tag in WHOLES:
            holder[row] = row
        elif element.parent >= 0:
            holder[row] = holder[element.parent]
    if all(holder[page.blocks[row].element] < 0 for row in copies):
        return {}
    return {row: holder[page.blocks[row].element] for row in rows if holder[page.blocks[row].element] >= 0}
