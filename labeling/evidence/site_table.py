"""`SiteTable`: all blocks of a site as arrays, the first record of the labeler and of all later ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence.page_copies import PageCopies, find_copies
from sightread.labeling.evidence.signature import SignatureTable, build_table
from sightread.render.page import Block, Page

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class SiteTable:
    """The blocks of a site in page and document order, with their looks and texts; nothing is decided yet.

    Arrays have one value per block, unless noted.
    """

    pages: tuple[Page, ...]
    looks: SignatureTable
    """The look of each block: what is clustered."""
    copies: PageCopies
    row: NDArray[np.int32]
    """The block's row in its own page."""
    length: NDArray[np.int64]
    """Characters."""
    outside_links: NDArray[np.int64]
    """Characters outside links; 0 if the block is hidden."""
    text: NDArray[np.int32]
    """A number for the text: equal texts have the same number."""

    @property
    def original(self) -> NDArray[np.intp]:
        """For each page, the row of the first page that is the same."""
        return self.copies.original

    @property
    def page(self) -> NDArray[np.int32]:
        """Row of each block's page."""
        return self.looks.page

    def block(self, index: int | np.integer[Any]) -> Block:
        """Return the block behind an index of the arrays."""
        return self.pages[int(self.page[index])].blocks[int(self.row[index])]

    def range_of(self, page: int) -> tuple[int, int]:
        """Return the run of a page's blocks in the arrays, half open."""
        low, high = np.searchsorted(self.page, np.array([page, page + 1], np.int32))  # of another type, all pages would be copied
        return int(low), int(high)

    def by_page(self, values: NDArray[Scalar]) -> tuple[NDArray[Scalar], ...]:
        """Return the values of all blocks as one array per page."""
        return tuple(np.split(values, np.searchsorted(self.page, np.arange(1, len(self.pages)))))


def read_site(pages: Sequence[Page]) -> SiteTable:
    """Return the table of the pages of a site."""
    numbers: dict[str, int] = {}
    blocks = [block for page in pages for block in page.blocks]
    return SiteTable(
        pages=tuple(pages),
        looks=build_table(pages),
        copies=find_copies(pages),
        row=np.concatenate([np.zeros(0, np.int32), *(np.arange(len(page.blocks), dtype=np.int32) for page in pages)]),
        length=np.array([len(block.text) for block in blocks], np.int64),
        outside_links=np.array([0 if block.hidden else max(0, len(block.text) - block.link_chars) for block in blocks], np.int64),
        text=np.array([numbers.setdefault(block.text, len(numbers)) for block in blocks], np.int32),
    )
