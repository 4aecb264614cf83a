"""Data tables: cells with their spans, and header rows; layout tables are excluded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sightread.document.tree.inlines import Span, joined, plain
from sightread.document.tree.nodes import Cell, Code, Heading, Node, Paragraph, Quote, Table, blocks_of, lines
from sightread.render.page import Page

MAX_SPAN = 100
"""Most columns or rows that a cell spans, so that a hostile table stays small."""

LAYOUT_BLOCKS, LAYOUT_CHARS = 3, 200
"""Without header cells, blocks of a cell, or characters of a cell of two blocks, from which on it is a part of a page's layout."""

MOST_CODE_LINES = 5
"""Most lines of code in a cell of a data table."""

LABELLED_ROWS = 2
"""Least number of rows of more than one cell and without headings in a table whose headings name columns and rows."""

_LINE_NUMBERS = re.compile(r"[\d\s]*")


class TableRow(NamedTuple):
    """The content of a `<tr>`: the rows in the element table of itself and of its cells (-1: text outside of any cell)."""

    element: int
    content: Mapping[int, Sequence[Node]]


def labelled(rows: Sequence[TableRow]) -> Sequence[TableRow]:
    """Return the rows with the headings in their cells as bold text, if these can only name columns and rows: each is alone in its cell,
    two rows have short cells, and most cells have none.
    """
    filled = [[content for content in row.content.values() if content] for row in rows]
    cells = [content for row in filled for content in row]
    headed = [content for content in cells if _has_heading(content)]
    plain_rows = sum(len(row) > 1 and not any(map(_has_heading, row)) for row in filled)
    names = all(len(content) == 1 and isinstance(content[0], Heading) and content[0].level > 1 for content in headed)
    if not names or 2 * len(headed) > len(cells) or plain_rows < LABELLED_ROWS or any(map(_is_long, cells)):
        return rows
    return [row._replace(content={cell: [_label(node) for node in content] for cell, content in row.content.items()}) for row in rows]


def table_heading(rows: Sequence[TableRow]) -> Heading | None:
    """Return the heading that is alone in the first row, as in the tables of Doxygen: it names the table; None if there is none."""
    first = list(rows[0].content.values()) if len(rows) > 1 else []
    if len(first) == 1 and len(first[0]) == 1 and isinstance(first[0][0], Heading) and any(len(row.content) > 1 for row in rows[1:]):
        return first[0][0]
    return None


def build_table(page: Page, rows: Sequence[TableRow], caption: Sequence[Node]) -> Table:
    """Return the table of these rows; its head is the leading rows in `<thead>` or of `<th>` alone, else a first row alone in bold."""
    table = tuple(tuple(_cell(page, cell, content) for cell, content in row.content.items()) for row in rows)
    headers = 0
    for row, cells in zip(rows, table, strict=True):
        if page.elements[page.elements[row.element].parent].tag != "thead" and not all(cell.is_header for cell in cells):
            break
        headers += 1
    if not headers and len(table) > 1 and _is_strong(table[0]) and not any(map(_is_strong, table[1:])):
        headers = 1
    return Table(table, headers, joined(lines(caption)), tuple(blocks_of(caption)))


def is_data(table: Table) -> bool:
    """Return whether the table holds data: two columns at least, no sections in its cells, and header cells or two rows of short cells."""
    cells = [cell for row in table.rows for cell in row]
    nodes = [node for cell in cells for node in cell.children]
    has_header = any(cell.is_header for cell in cells)
    if max(map(len, table.rows), default=0) < 2 or any(isinstance(node, Heading | Table | Quote) for node in nodes):
        return False
    if any(isinstance(node, Code) and not (has_header and _is_short(node)) for node in nodes):
        return False
    return has_header or (len(table.rows) > 1 and not any(_is_section(cell) for cell in cells))


def without_number_column(nodes: list[Node]) -> list[Node]:
    """Return the content of a layout table without the column of line numbers beside code."""
    texts = [node.text for node in nodes if isinstance(node, Code)]
    if all(map(_LINE_NUMBERS.fullmatch, texts)):
        return nodes
    return [node for node in nodes if not (isinstance(node, Code) and _LINE_NUMBERS.fullmatch(node.text))]


def _cell(page: Page, row: int, content: Sequence[Node]) -> Cell:
    if row < 0:
        return Cell(tuple(content))
    element = page.elements[row]
    is_header = element.tag == "th" or element.attributes.get("role") in ("columnheader", "rowheader")
    return Cell(tuple(content), is_header, _span(element.attributes.get("colspan", "")), _span(element.attributes.get("rowspan", "")))


def _is_strong(cells: Sequence[Cell]) -> bool:
    """Return whether all text of these cells, of two at least, is strong."""
    texts = [line for cell in cells for line in lines(cell.children)]
    return len(texts) > 1 and all(len(text) == 1 and isinstance(text[0], Span) and text[0].kind == "strong" for text in texts)


def _span(value: str) -> int:
    return min(max(int(value), 1), MAX_SPAN) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _has_heading(content: Sequence[Node]) -> bool:
    return any(isinstance(node, Heading) for node in content)


def _label(node: Node) -> Node:
    return Paragraph((Span("strong", node.text),), node.blocks) if isinstance(node, Heading) else node


def _is_section(cell: Cell) -> bool:
    blocks = len(cell.children)
    return blocks >= LAYOUT_BLOCKS or (blocks > 1 and _is_long(cell.children))


def _is_short(code: Code) -> bool:
    """Return whether code fits into a cell: Markdown writes its lines one below the other."""
    return code.text.count("\n") < MOST_CODE_LINES and len(code.text) < LAYOUT_CHARS


def _is_long(nodes: Sequence[Node]) -> bool:
    return sum(len(plain(line)) for line in lines(nodes)) >= LAYOUT_CHARS
