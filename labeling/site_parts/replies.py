"""Comments without a name: entries below an article, each with a dateline."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from itertools import islice

import numpy as np

from sightread.labeling.evidence.site_table import SiteTable
from sightread.labeling.site_parts.datelines import DATELINE
from sightread.labeling.site_parts.part_text import part_text
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Labels, Rows

MOST_REPLIES = 0.5
"""Share of the other content's characters up to which comments without a name are an article's: the answers to a question are longer."""
LEAST_PAGES_BEHIND = 0.75
"""Share of the pages with such entries on which they are behind the other content."""


def find_replies(table: SiteTable, look: Rows, datelines: Bools, content: Bools) -> Bools:
    """Return which blocks are in comments without a name below an article, shape (blocks,).

    Entries with one dateline of a look each are comments if they are behind nearly all of the other content on most pages that have them,
    and much shorter than it. The posts of a thread are most of its text; a front may have whole articles with their comments.
    """
    found = np.zeros(len(look), np.bool_)
    labels = table.by_page(content.astype(np.int8))
    for number in np.unique(look[datelines]).tolist():
        lines: defaultdict[int, list[int]] = defaultdict(list)
        for row in np.flatnonzero(datelines & (look == number)):
            lines[int(table.page[row])].append(table.block(row).element)
        entries = {page: _entries(table.pages[page], of_page) for page, of_page in lines.items()}
        if sum(map(bool, entries.values())) < DATELINE.fewest_pages:
            continue
        kinds = {_kind(table.pages[page], entry) for page, of_page in entries.items() for entry in of_page}
        for page in (page for page, of_page in lines.items() if len(of_page) == 1):
            above = table.pages[page].ancestors(lines[page][0])
            alike = (element for element in above if _kind(table.pages[page], element) in kinds)
            entries[page] = set(islice(alike, 1))  # the nearest
        masks = [_inside(page, entries.get(row, set())) for row, page in enumerate(table.pages)]
        if _are_comments(table.pages, labels, masks):
            found |= np.concatenate(masks)
    return found


def _are_comments(pages: Sequence[Page], labels: Sequence[Labels], masks: Sequence[Bools]) -> bool:
    """Return whether entries are behind the other content on most pages that have them, and much shorter than it on these pages."""
    texts = [part_text([page], [of_page], [mask]) for page, of_page, mask in zip(pages, labels, masks, strict=True) if mask.any()]
    behind = [text for text in texts if text.is_behind]
    is_short = sum(text.characters for text in behind) <= MOST_REPLIES * sum(text.others for text in behind)
    return is_short and len(behind) >= LEAST_PAGES_BEHIND * len(texts)


def _entries(page: Page, datelines: Sequence[int]) -> set[int]:
    """Return the largest elements that hold one of the datelines each; none if there is one dateline."""
    if len(datelines) < 2:
        return set()
    above = [page.ancestors(element) for element in datelines]
    held = Counter(element for of_line in above for element in of_line)
    return {max((element for element in of_line if held[element] == 1), key=of_line.index) for of_line in above if held[of_line[0]] == 1}


def _kind(page: Page, element: int) -> tuple[str, tuple[str, ...], str]:
    """Return the tag and the classes of an element, and its parent's tag."""
    own = page.elements[element]
    return own.tag, own.classes, page.elements[own.parent].tag if own.parent >= 0 else ""


def _inside(page: Page, elements: Set[int]) -> Bools:
    """Return which blocks are in one of the elements."""
    if not elements:
        return np.zeros(len(page.blocks), np.bool_)
    return np.array([not elements.isdisjoint(page.ancestors(block.element)) for block in page.blocks], np.bool_)
