"""Nodes of the document tree: headings, paragraphs, lists, tables, code, quotes and figures; and trees without unwanted parts.

`blocks` are the rows, in the page, of the blocks whose text a node shows itself (as text, code or caption), not in nodes inside it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from sightread.document.tree.inlines import Inlines, plain, without


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the highest of 6."""

    level: int
    text: Inlines
    blocks: tuple[int, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A run of text."""

    text: Inlines
    blocks: tuple[int, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Code:
    """Preformatted text, verbatim; `language` is empty if the page declares none."""

    text: str
    language: str = ""
    blocks: tuple[int, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Figure:
    """An image by its absolute URL, with its description on the page; either of `alt` and `caption` may be empty."""

    source: str
    alt: str
    caption: Inlines = ()
    blocks: tuple[int, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation, with all its content."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class List:
    """A list, one tuple of nodes per item; `start` numbers the first item of an ordered list and is None in a bulleted one."""

    items: tuple[tuple[Node, ...], ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A term of a definition list, or a definition of the term before it."""

    is_term: bool
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Definitions:
    """A definition list: terms, each with the entries that follow it."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell; it covers `columns` by `rows` places of the grid."""

    children: tuple[Node, ...]
    is_header: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table of data, row by row; the first `headers` rows are its head."""

    rows: tuple[tuple[Cell, ...], ...]
    headers: int = 0
    caption: Inlines = ()
    blocks: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def grid(self) -> list[list[Cell | None]]:
        """Return the cells by place, all rows equally long: a cell is at its upper left place, None is everywhere else.

        Places that a span covers to the right of the last cell are left out: no page makes a grid wider than its content.
        """
        places: dict[tuple[int, int], Cell] = {}
        free: dict[int, int] = {}
        width = 0
        for row, cells in enumerate(self.rows):
            column = 0
            for cell in cells:
                while free.get(column, 0) > row:
                    column += 1
                places[row, column] = cell
                width = max(width, column + 1)
                free |= dict.fromkeys(range(column, column + cell.columns), row + cell.rows)
                column += cell.columns
        return [[places.get((row, column)) for column in range(width)] for row in range(len(self.rows))]


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: a unique label of letters, digits and hyphens, the mark that the page shows for it, and its content."""

    label: str
    mark: str
    children: tuple[Node, ...]


Node: TypeAlias = Heading | Paragraph | Code | Figure | Quote | List | Definitions | Table | Footnote


def children_of(node: Node) -> Iterator[Node]:
    """Yield the nodes directly inside a node."""
    match node:
        case Quote(children=children) | Footnote(children=children):
            yield from children
        case List(items=items):
            yield from (child for item in items for child in item)
        case Definitions(entries=entries):
            yield from (child for entry in entries for child in entry.children)
        case Table(rows=rows):
            yield from (child for row in rows for cell in row for child in cell.children)
        case _:
            return


def has_heading(groups: Iterable[Iterable[Node]]) -> bool:
    """Return whether a heading is in one of the groups of nodes, but not inside another node."""
    return any(isinstance(node, Heading) for group in groups for node in group)


def blocks_of(nodes: Iterable[Node]) -> Iterator[int]:
    """Yield the rows of the blocks that the nodes show."""
    for node in nodes:
        if isinstance(node, Heading | Paragraph | Code | Figure | Table):
            yield from node.blocks
        yield from blocks_of(children_of(node))


def lines(nodes: Iterable[Node]) -> list[Inlines]:
    """Return all text of the nodes as a flat list of paragraphs: for places without structure, such as a Markdown table's cell."""
    found: list[Inlines] = []
    for node in nodes:
        match node:
            case Heading(text=text) | Paragraph(text=text) | Figure(caption=text) | Table(caption=text):
                found.append(text)
            case Code(text=code):
                found.append((code,))
        found += lines(children_of(node))
    return [line for line in found if plain(line)]


# Unwanted parts.


Part = Literal["comments", "tables", "images", "links"]
PARTS: tuple[Part, ...] = get_args(Part)


def prune(nodes: Iterable[Node], unwanted: Collection[Part]) -> tuple[Node, ...]:
    """Return the nodes without tables, without images (a caption stays, as a paragraph), and with links replaced by their text."""
    return tuple(_pruned(nodes, unwanted))


def _pruned(nodes: Iterable[Node], unwanted: Collection[Part]) -> Iterator[Node]:
    def unlinked(text: Inlines) -> Inlines:
        return tuple(without(text, "link")) if "links" in unwanted else text

    for node in nodes:
        match node:
            case Heading(text=text) | Paragraph(text=text):
                yield replace(node, text=unlinked(text))
            case Figure(caption=caption):
                caption = unlinked(caption)
                if "images" not in unwanted:
                    yield replace(node, caption=caption)
                elif caption:
                    yield Paragraph(caption, node.blocks)
            case Table(rows=rows, caption=caption):
                if "tables" not in unwanted:
                    yield replace(
                        node,
                        rows=tuple(tuple(replace(cell, children=prune(cell.children, unwanted)) for cell in row) for row in rows),
                        caption=unlinked(caption),
                    )
            case Quote(children=children):
                if left := prune(children, unwanted):
                    yield Quote(left)
            case Footnote(children=children):
                yield replace(node, children=prune(children, unwanted))
            case List(items=items):
                if held := tuple(left for item in items if (left := prune(item, unwanted))):
                    yield replace(node, items=held)
            case Definitions(entries=entries):
                left_entries = tuple(Entry(entry.is_term, left) for entry in entries if (left := prune(entry.children, unwanted)))
                if left_entries:
                    yield Definitions(left_entries)
            case _:
                yield node
