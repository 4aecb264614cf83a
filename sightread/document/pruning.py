"""Removes unwanted parts of a document: comments, tables, images or links."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Literal, get_args

from sightread.document.tree.inlines import Inlines, Span
from sightread.document.tree.nodes import Cell, Definitions, Entry, Figure, Footnote, Heading, List, Node, Paragraph, Quote, Table

Part = Literal["comments", "tables", "images", "links"]
PARTS: tuple[Part, ...] = get_args(Part)


def prune(nodes: Iterable[Node], unwanted: Collection[Part]) -> tuple[Node, ...]:
    """Return the nodes without tables, without images (a caption stays, as a paragraph), and with links replaced by their text."""
    return tuple(_pruned(nodes, unwanted))


def _pruned(nodes: Iterable[Node], unwanted: Collection[Part]) -> Iterator[Node]:
    for node in nodes:
        match node:
            case Heading(text=text) | Paragraph(text=text):
                yield replace(node, text=_unlinked(text, unwanted))
            case Figure(caption=caption):
                caption = _unlinked(caption, unwanted)
                if "images" not in unwanted:
                    yield replace(node, caption=caption)
                elif caption:
                    yield Paragraph(caption)
            case Table(rows=rows, caption=caption):
                if "tables" not in unwanted:
                    yield replace(
                        node, rows=tuple(tuple(_cell(cell, unwanted) for cell in row) for row in rows), caption=_unlinked(caption, unwanted)
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


def _cell(cell: Cell, unwanted: Collection[Part]) -> Cell:
    return replace(cell, children=prune(cell.children, unwanted))


def _unlinked(text: Inlines, unwanted: Collection[Part]) -> Inlines:
    return tuple(_without_links(text)) if "links" in unwanted else text


def _without_links(text: Inlines) -> Iterator[str | Span]:
    for part in text:
        if isinstance(part, str):
            yield part
        elif part.kind == "link":
            yield from _without_links(part.children)
        else:
            yield replace(part, children=tuple(_without_links(part.children)))
