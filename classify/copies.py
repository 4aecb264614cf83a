"""Texts that a page holds twice: once for wide screens and once for narrow ones, in a teaser and in a post, in `<noscript>` again.

A reader sees one of them, and so should who reads the document. What stands twice in like places is no copy: the plans of a table of
prices and the steps of a recipe repeat themselves. On WCXB dev, by domain, word F1 .8769 where copies are left out, .8722 where they
are not; leaving out what is repeated in like places too costs the pages of mozilla/readability, which consist of such, .03 of ROUGE-LSum.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from classify.outline import class_places
from render.page import Page

SHORTEST = 20
"""Characters of a text that is compared: with 10 as good, with 40 worse by .0002 (WCXB dev)."""


def without_copies(page: Page, rows: Sequence[int], probabilities: NDArray[np.float64]) -> tuple[int, ...]:
    """Return the rows of blocks without those that say what a likelier one of them says in another place of the page.

    A place is the tags and classes from the body down; of equally likely blocks the first stays. `probabilities`: shape (blocks,).
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
    return tuple(row for row in rows if row not in copies)
