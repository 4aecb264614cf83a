"""Post-processing: keeps dropped blocks that belong to kept content by the page's own structure, regardless of their probability.

A headline, the rest of a table, the code between two paragraphs, an item in the middle of a numbered list: without them the text around
them is wrong or incomprehensible. The labels of the training pages contain them only by chance. The effect of each rule is measured in
docs/experiments/rendering.md ("Post-processing").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from sightread.render.page import Page
from sightread.render.page.array_types import Bools
from sightread.render.page.view import enclosing, find_headline, outermost, rows_of_tags
from sightread.render.static.tags import CELLS


@dataclass(frozen=True, slots=True)
class PostprocessingLimits:
    """When dropped blocks belong to kept ones."""

    least_kept_share: float = 0.5
    """Least share of a table's characters in kept blocks for the table to be kept whole."""
    most_cell_characters: int = 400
    """A table with a longer block is a layout table."""
    least_lines: int = 2
    """Least lines in rows of more than one cell, with a kept block, of a data table."""
    most_levels_dropped: int = 2
    """Most levels from a dropped block up to a container that it shares with kept ones."""
    most_levels_kept: int = 3
    """The same from the kept blocks beside it: a more distant container is the layout of the page."""
    most_item_blocks: int = 2
    """Most blocks of a list item: longer ones are comments or cards, each decided by itself."""


LIMITS = PostprocessingLimits()

LISTS = frozenset(("ul", "ol", "dl"))
ITEMS = frozenset(("li", "dt", "dd"))

Addition = Literal["headline", "rest of a table", "between kept blocks", "closing code", "footnote"]
"""The rules, named by what they keep."""


def belonging(page: Page, kept: Bools) -> dict[int, Addition]:
    """Return the rows of dropped blocks that belong to kept ones, each with its rule; `kept` has shape (blocks,).

    What the browser did not lay out, such as code that opens on a click, belongs to no text that it did.
    """
    if not kept.any():
        return {}
    collapsed = np.array([block.hidden == "display" for block in page.blocks], np.bool_)
    last = np.maximum.accumulate(np.where(kept, np.arange(len(kept)), 0))
    joins = ~collapsed | (collapsed & kept)[last]  # it is laid out, or the last kept block before it is not
    tables = _tables(page)
    samples = _Samples(page, tables)
    headline = find_headline(page, np.flatnonzero(kept).tolist())
    found: dict[int, Addition] = {}
    rules: tuple[tuple[Addition, Iterable[list[int]]], ...] = (
        ("headline", [[headline]] if headline >= 0 else []),
        ("rest of a table", _rests_of_tables(page, tables, kept)),
        ("between kept blocks", _gaps(samples, kept)),
        ("closing code", _closing_code(samples, kept)),
    )
    for rule, added in rules:
        for rows in added:
            for row in rows:
                if not kept[row] and joins[row]:
                    found.setdefault(row, rule)
    return found


# Tables of which half is kept.


class _Line(NamedTuple):
    """A `<tr>` with text."""

    blocks: list[int]
    cells: int
    """Number of cells with blocks."""
    height: int
    """Number of blocks of its fullest cell, if it has several cells: a row of four cells with ten names each has ten lines; else 0."""
    is_plain: bool
    """Whether each cell is one block or several lines of one kind, as in data: siblings with one tag."""


_Tables = dict[int, list[_Line]]


def _tables(page: Page) -> _Tables:
    """Return the rows with text of each table, by its element; rows of a nested table belong to the nested one."""
    if "table" not in rows_of_tags(page):
        return {}
    tables, lines, cells = (enclosing(page, tags) for tags in (("table",), ("table", "tr"), ("table", "tr", *CELLS)))
    held: dict[int, dict[int, list[int]]] = {}
    for row, block in enumerate(page.blocks):
        line = lines[block.element]
        if tables[block.element] >= 0 and page.elements[line].tag == "tr":
            held.setdefault(tables[block.element], {}).setdefault(line, []).append(row)

    def line_of(rows: list[int]) -> _Line:
        elements = [page.blocks[row].element for row in rows]
        filled = Counter(cells[element] for element in elements)
        kinds = {(cells[each], page.elements[each].parent, page.elements[each].tag) for each in elements}
        is_plain = len(rows) == len(filled) or len(kinds) == len(filled)
        return _Line(rows, len(filled), max(filled.values()) if len(filled) > 1 else 0, is_plain)

    return {table: [line_of(rows) for rows in lines_of_table.values()] for table, lines_of_table in held.items()}


def _rests_of_tables(page: Page, tables: _Tables, kept: Bools) -> Iterator[list[int]]:
    """Yield the blocks of each data table that is half kept: without its head and all its cells its meaning changes."""
    for lines in tables.values():
        blocks = [block for line in lines for block in line.blocks]
        lengths = np.array([len(page.blocks[row].text) for row in blocks])
        wide = sum(line.cells > 1 and kept[line.blocks].any() for line in lines)
        if (
            wide >= LIMITS.least_lines
            and lengths.max() <= LIMITS.most_cell_characters
            and lengths @ kept[blocks] >= LIMITS.least_kept_share * lengths.sum()
        ):
            yield from (line.blocks for line in lines if len(line.blocks) == line.cells)


# Code, tables, headings and list items between kept blocks, and code at the end of a text.


class _Samples:
    """The code and data tables of a page, which are part of the text between its paragraphs."""

    def __init__(self, page: Page, tables: _Tables) -> None:
        self.page = page
        self._code = enclosing(page, ("pre",))
        nesting = {above for table in tables for above in page.ancestors(table)[1:]}
        found = {table for table, lines in tables.items() if table not in nesting and self._is_table(lines)}
        self._sample = outermost(page, found.union(rows_of_tags(page).get("pre", ())))
        """The outermost sample that contains each element, or the element itself; -1 for none."""

    def is_code(self, row: int) -> bool:
        """Whether the block of this row is code."""
        return self._code[self.page.blocks[row].element] >= 0

    def containers(self, row: int, most: int) -> tuple[int, ...]:
        """Return the elements around a block from the inside out, starting around its whole sample."""
        element = self.page.blocks[row].element
        sample = self._sample[element]
        return self.page.ancestors(element if sample < 0 else sample)[1 : most + 1]

    def is_part(self, row: int, containers: frozenset[int]) -> bool:
        """Whether the block is a heading or in a sample, directly inside one of the containers."""
        block = self.page.blocks[row]
        is_kind = block.heading > 0 or self._sample[block.element] >= 0
        return is_kind and not containers.isdisjoint(self.containers(row, LIMITS.most_levels_dropped))

    def _is_table(self, lines: Sequence[_Line]) -> bool:
        """Whether the rows of a table are code with its line numbers, or data: cells of short lines of one kind, several cells in two lines
        or more.
        """
        blocks = [row for line in lines for row in line.blocks]
        if all(map(self.is_code, blocks)):
            return True
        is_short = all(len(self.page.blocks[row].text) <= LIMITS.most_cell_characters for row in blocks)
        return is_short and all(line.is_plain for line in lines) and sum(line.height for line in lines) >= LIMITS.least_lines


def _gaps(samples: _Samples, kept: Bools) -> Iterator[list[int]]:
    """Yield the dropped blocks between two kept ones that are part of the surrounding text, gap by gap."""
    page = samples.page
    for before, after in pairwise(np.flatnonzero(kept).tolist()):
        if after - before == 1:
            continue
        rows = range(before + 1, after)
        shared = frozenset(samples.containers(before, LIMITS.most_levels_kept)).intersection(
            samples.containers(after, LIMITS.most_levels_kept)
        )
        if all(samples.is_part(row, shared) for row in rows) or _are_items(page, rows, before, after):
            yield list(rows)


def _closing_code(samples: _Samples, kept: Bools) -> Iterator[list[int]]:
    """Yield the dropped code right after a kept block, with other dropped blocks after it: an example ends the text that introduces it."""
    for last in np.flatnonzero(kept & ~np.append(kept[1:], True)).tolist():
        containers = frozenset(samples.containers(last, LIMITS.most_levels_kept)) - {0}
        row = last + 1
        while row < len(kept) and not kept[row] and samples.is_code(row) and samples.is_part(row, containers):
            row += 1
        if row > last + 1:
            yield list(range(last + 1, row))


def _are_items(page: Page, rows: Sequence[int], before: int, after: int) -> bool:
    """Whether the blocks are items of the numbered or definition list that contains the kept blocks around them."""
    above = frozenset(page.ancestors(page.blocks[after].element))
    common = (each for each in page.ancestors(page.blocks[before].element) if each in above)
    holder = next((each for each in common if page.elements[each].tag in LISTS), -1)
    if holder < 0 or page.elements[holder].tag == "ul":
        return False
    items: Counter[int] = Counter()
    for row in rows:
        path = page.ancestors(page.blocks[row].element)
        if holder not in path:
            return False
        items[next((each for each in path if page.elements[each].tag in ITEMS), -1)] += 1
    return max(items.values()) <= LIMITS.most_item_blocks
