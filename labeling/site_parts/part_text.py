"""How much text parts of pages have, beside the content outside of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sightread.render.labels import CONTENT, UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Labels

LEAST_BEFORE_COMMENTS = 0.9
"""Share of the other content that is before the first comment of its page where comments are an article's: a thread's posts are among
them, or little text is outside of them."""


@dataclass(slots=True)
class PartText:
    """The text of one kind of part on the labelled pages that have it, and the content beside it; in characters."""

    pages: int = 0
    characters: int = 0
    content: int = 0
    """Of `characters`."""
    others: int = 0
    """Content outside of such parts."""
    others_before: int = 0
    """Of `others`, before the first such part of the page."""

    @property
    def share(self) -> float:
        """The share of content, 0 to 1."""
        return self.content / max(self.characters, 1)

    @property
    def is_behind(self) -> bool:
        """Whether nearly all of the other content is before the parts, if there is any."""
        return self.others > 0 and self.others_before >= LEAST_BEFORE_COMMENTS * self.others

    @property
    def is_below_article(self) -> bool:
        """Whether the parts are shorter than the other content, and behind nearly all of it."""
        return self.characters < self.others and self.is_behind


def part_text(pages: Sequence[Page], labels: Sequence[Labels], blocks: Sequence[Bools]) -> PartText:
    """Return how much text of a kind of part there is."""
    found = PartText()
    for page, of_page, is_part in zip(pages, labels, blocks, strict=True):
        rows = np.flatnonzero(is_part & (of_page != UNKNOWN))
        if not len(rows):
            continue
        length = np.array([len(block.text) for block in page.blocks])
        content = length * (of_page == CONTENT)
        others = content * ~is_part
        found.pages += 1
        found.characters += int(length[rows].sum())
        found.content += int(content[rows].sum())
        found.others += int(others.sum())
        found.others_before += int(others[: rows[0]].sum())
    return found
