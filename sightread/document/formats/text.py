"""Plain text output."""

from __future__ import annotations

from collections.abc import Iterable

from sightread.document.formats import Format
from sightread.document.tree.inlines import Inlines, plain
from sightread.document.tree.nodes import Code, Definitions, Figure, Footnote, Heading, List, Node, Paragraph, Quote, Table, lines


def to_text(nodes: Iterable[Node]) -> str:
    """Return the text as a reader sees it, with an empty line between blocks.

    A list has one item per line behind its marker, nested lists indented by two spaces; a table has one line per row, its cells separated
    by tabs; of a figure only the caption is text; code is unchanged; a footnote begins with its mark in brackets.
    """
    return "\n\n".join(text for node in nodes if (text := _block(node)))


def _block(node: Node) -> str:
    match node:
        case Heading(text=text) | Paragraph(text=text) | Figure(caption=text):
            return "\n".join(filter(None, (" ".join(line.split()) for line in plain(text).split("\n"))))
        case Code(text=code):
            return code
        case Quote(children=children):
            return to_text(children)
        case Footnote(mark=mark, children=children):
            return f"[{mark}] {_stacked(children)}"
        case List(items=items, start=start):
            markers = ("- " if start is None else f"{number}. " for number in range(start or 0, (start or 0) + len(items)))
            return "\n".join(marker + _stacked(item).replace("\n", "\n  ") for marker, item in zip(markers, items, strict=True))
        case Definitions(entries=entries):
            return "\n".join(_stacked(entry.children) for entry in entries if entry.children)
        case Table(caption=caption):
            rows = ("\t".join(_line(lines(cell.children)) if cell else "" for cell in row) for row in node.grid())
            return "\n".join([_line([caption]), *rows] if caption else rows)


def _line(paragraphs: Iterable[Inlines]) -> str:
    return " ".join(" ".join(plain(paragraph) for paragraph in paragraphs).split())


def _stacked(nodes: Iterable[Node]) -> str:
    return "\n".join(text for node in nodes if (text := _block(node)))


FORMAT = Format(lambda document, _: document.text, "text/plain", aliases=("txt",))
