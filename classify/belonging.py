"""Blocks that belong to what a model keeps, and that readers want with it, whatever it says of them: the headline, and heads of tables.

The people who labelled the training pages took or left them by chance. A headline costs .001 of word F1 on WCXB dev, and adds .0016 on a
half of six other sets, where headings of the first level alone add .0010. First rows of tables change nothing anywhere, within .0001.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from classify.metadata import is_title
from render.page import Page

HALF = 0.5
"""Of a table's characters, and more, that are kept."""
CELL = 400
"""Characters: a longer block stands in no table of data."""
ROWS = 2
"""Of more than a cell, in which something is kept, that a table has at least."""

Bools = NDArray[np.bool_]


def belonging(page: Page, kept: Bools) -> list[int]:
    """Return the rows of blocks that belong to the kept ones, kept or not; `kept` has shape (blocks,), and something is kept."""
    return [*_headline(page, int(np.flatnonzero(kept)[-1])), *(row for head in _heads(page, kept) for row in head)]


def _headline(page: Page, last: int) -> list[int]:
    """Return the row of the page's headline where it stands before what is kept: the highest heading that reads like a title."""
    rows = [row for row, block in enumerate(page.blocks[:last]) if block.heading and is_title(block.text, page.titles)]
    return [min(rows, key=lambda row: (page.blocks[row].heading, row))] if rows else []


def _heads(page: Page, kept: Bools) -> Iterator[list[int]]:
    """Yield the blocks of the first row of each table of which half is kept: without them, nobody knows what its columns are."""
    for lines in _tables(page):
        blocks = [block for line in lines for block in line.blocks]
        lengths = np.array([len(page.blocks[row].text) for row in blocks])
        wide = sum(line.cells > 1 and kept[line.blocks].any() for line in lines)
        if wide >= ROWS and lengths.max() <= CELL and lengths @ kept[blocks] >= HALF * lengths.sum() and lines[0].is_plain:
            yield lines[0].blocks


class _Line(NamedTuple):
    """A `<tr>`: its blocks, and in how many cells they stand."""

    blocks: list[int]
    cells: int

    @property
    def is_plain(self) -> bool:
        """Whether each cell is one block, as heads are."""
        return len(self.blocks) == self.cells


def _tables(page: Page) -> list[list[_Line]]:
    """Return the rows with text of each table; those of a table inside a cell are that one's own."""
    if not any(element.tag == "table" for element in page.elements):
        return []
    places: list[tuple[int, int, int]] = []  # the table, the row and the cell that each element stands in, -1 for none
    for row, element in enumerate(page.elements):
        table, line, cell = places[element.parent] if element.parent >= 0 else (-1, -1, -1)
        match element.tag:
            case "table":
                places.append((row, -1, -1))
            case "tr":
                places.append((table, row, -1))
            case "td" | "th":
                places.append((table, line, row))
            case _:
                places.append((table, line, cell))
    held: dict[int, dict[int, list[int]]] = {}
    for row, block in enumerate(page.blocks):
        table, line, _ = places[block.element]
        if min(table, line) >= 0:
            held.setdefault(table, {}).setdefault(line, []).append(row)
    return [[_Line(rows, len({places[page.blocks[row].element] for row in rows})) for rows in lines.values()] for lines in held.values()]
