"""Markdown output: CommonMark with the tables and strikethrough of GitHub.

A CommonMark parser reads the same text and structure from it. What Markdown has no notation for is written in the nearest way: a table
without a head gets an empty one, the places that a cell spans are empty, a term of a definition list is a strong line. Formulas are between
dollars and footnotes behind `[^1]:`, as GitHub and Pandoc read them; to other parsers both are text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from sightread.document.formats import Format
from sightread.document.tree.inlines import Inlines, Span, joined, strong
from sightread.document.tree.markdown_inlines import to_image, to_phrase
from sightread.document.tree.nodes import (
    Cell,
    Code,
    Definitions,
    Entry,
    Figure,
    Footnote,
    Heading,
    List,
    Node,
    Paragraph,
    Quote,
    Table,
    blocks_of,
    lines,
)

_LINE_START = re.compile(
    r"\A(?P<number>[0-9]{1,9}(?=[.)](?:\s|$)))?"
    r"(?P<sign>(?(number)[.)]|(?:[-+](?=\s|$)|-(?=[-\s]*$)|=(?==*\s*$)|#(?=#{0,5}(?:\s|$))|>|[|:-](?=[-:|\s]*$))))",
)
_SIGNS = frozenset("0123456789-+=#>|:")
"""Characters that `_LINE_START` may begin with."""
_CLOSING = re.compile(r"(^|\s)(#+)$")
_TICKS = re.compile("`{3,}")
_BREAK = re.compile(r"\r\n?|\n")
_LANGUAGE = re.compile(r"[\w+#.-]+")
"""A language that Markdown can name: a backtick in it would end the fence's line, and the code would be Markdown."""
_DEFINES = re.compile(r"[^ \t]+(?:[ \t]+[\"'(].*)?")


Cite = Callable[[Sequence[int], list[str]], list[str]]
"""A function from the rows of the blocks that some lines show, and these lines, to lines with marks."""


def to_markdown(nodes: Iterable[Node], cite: Cite | None = None) -> str:
    """Return the nodes as Markdown, without a newline at the end; `cite` marks the text of each heading, paragraph, cell and the like."""
    return "\n".join(_Writer(cite).lines(nodes))


def to_blocks(nodes: Iterable[Node]) -> Iterator[tuple[Node, Iterable[str]]]:
    """Yield each node with its lines; in a document an empty line is between two nodes."""
    return _Writer(None).blocks(nodes)


@dataclass(frozen=True, slots=True)
class _Writer:
    cite: Cite | None

    def blocks(self, nodes: Iterable[Node]) -> Iterator[tuple[Node, Iterable[str]]]:
        """Yield each node with its lines."""
        before: Node | None = None
        turn = 0
        for node in nodes:
            if isinstance(node, List):
                turn = 1 - turn if isinstance(before, List) and (before.start is None) == (node.start is None) else 0
                yield node, self._list(node, turn)
            else:
                yield node, self._block(node)
            before = node

    def lines(self, nodes: Iterable[Node], is_tight: bool = False) -> Iterator[str]:
        """Yield the lines of the nodes, with an empty one between two nodes unless they are those of a tight list's item."""
        for place, (_, node_lines) in enumerate(self.blocks(nodes)):
            if place and not is_tight:
                yield ""
            yield from node_lines

    def _cited(self, blocks: Sequence[int], written: list[str]) -> list[str]:
        return self.cite(blocks, written) if self.cite and blocks and written else written

    def _block(self, node: Heading | Paragraph | Code | Figure | Quote | Definitions | Table | Footnote) -> Iterable[str]:
        match node:
            case Heading(level=level, text=text, blocks=blocks):
                return self._cited(blocks, [f"{'#' * level} " + _CLOSING.sub(r"\1\\\2", " ".join(to_phrase(text).split()))])
            case Paragraph(text=text, blocks=blocks):
                return self._paragraph(text, blocks)
            case Code(text=code, language=language, blocks=blocks):
                fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(code)), default=0))
                begun = fence + (language if _LANGUAGE.fullmatch(language) else "")
                return self._cited(blocks, [begun, *_BREAK.split(code), fence])
            case Figure(caption=caption, blocks=blocks):
                return [to_image(node.alt, node.source), *(["", *self._paragraph(caption, blocks)] if caption else [])]
            case Quote(children=children):
                return [f"> {line}" if line else ">" for line in self.lines(children)]
            case Definitions(entries=entries):
                return self.lines(_as_paragraphs(entries))
            case Table():
                return self._table(node)
            case Footnote():
                return self._note(node)

    def _paragraph(self, text: Inlines, blocks: Sequence[int]) -> list[str]:
        """Return the lines of a paragraph, each but the last ending in the backslash of a hard break."""
        return self._cited(blocks, _broken(_text_lines(text)))

    def _note(self, note: Footnote) -> list[str]:
        """Return a footnote in GitHub's notation, its paragraphs as one: to a plain CommonMark parser it is a paragraph that begins with
        `[^1]:`. Lists, code and the like are indented below it, with all that follows.

        Text that looks like the address and title of a link definition is escaped.
        """
        begun = list(takewhile(lambda node: isinstance(node, Paragraph | Figure), note.children))
        images = [to_image(node.alt, node.source) for node in begun if isinstance(node, Figure)]
        first, *rest = _text_lines(joined(lines(begun))) or [images.pop(0) if images else ""]
        if _DEFINES.fullmatch(first):
            first = re.sub(r"[ \t](?=[\"'(])", r"\g<0>\\", first, count=1) if " " in first else f"{first} &nbsp;"
        text = self._cited(tuple(blocks_of(begun)), _broken([f"[^{note.label}]: {first}".rstrip(), *rest]))
        below = list(self.lines(note.children[len(begun) :]))
        indented = ["", *(line and f"    {line}" for line in below)] if below else []
        return [*text, *images, *indented]

    def _list(self, node: List, turn: int) -> Iterator[str]:
        """Yield the lines of a list; `turn` is 1 if another marker separates it from a similar list right before it."""
        # an item needs no empty lines if it is one paragraph, then lists that may follow a paragraph without one
        is_tight = all(
            isinstance(item[0], Paragraph | List) and all(isinstance(each, List) and each.start in (None, 1) for each in item[1:])
            for item in node.items
        )
        first = 0 if node.start is None else min(max(node.start, 0), 10**9 - len(node.items))
        for number, item in enumerate(node.items, first):
            if number > first and not is_tight:
                yield ""
            marker = "-*"[turn] if node.start is None else f"{number}{'.)'[turn]}"
            for place, line in enumerate(self.lines(item, is_tight)):
                yield f"{marker} {line}" if place == 0 else line and " " * (len(marker) + 1) + line

    def _table(self, table: Table) -> Iterator[str]:
        if table.caption:
            yield from (*self._paragraph(table.caption, table.blocks), "")
        grid = [[self._cell(cell) for cell in row] for row in table.grid()]
        head = grid.pop(0) if table.headers else [""] * len(grid[0])
        for row in (head, ["---"] * len(head), *grid):
            yield f"| {' | '.join(row)} |"

    def _cell(self, cell: Cell | None) -> str:
        parts = []
        for node in cell.children if cell else ():
            if isinstance(node, Figure):
                parts.append(to_image(node.alt, node.source))
            if isinstance(node, Code):
                parts += (to_phrase((Span("code", (line,)),), in_cell=True) for line in _BREAK.split(node.text) if line.strip())
            else:
                parts += (to_phrase(line, in_cell=True) for line in lines([node]))
        text = "<br>".join(parts).replace("\n", "<br>").replace("|", "\\|")
        return "".join(self._cited(tuple(blocks_of(cell.children)), [text])) if cell and text else text


def _text_lines(text: Inlines) -> list[str]:
    whole = (line.strip() for line in to_phrase(text).split("\n"))
    return [_LINE_START.sub(r"\g<number>\\\g<sign>", line, count=1) if line[0] in _SIGNS else line for line in whole if line]


def _broken(lines_of_text: list[str]) -> list[str]:
    return [*(line + "\\" for line in lines_of_text[:-1]), *lines_of_text[-1:]]


def _as_paragraphs(entries: Iterable[Entry]) -> list[Node]:
    """Return a definition list as paragraphs: terms in strong type, each definition on the next line."""
    nodes: list[Node] = []
    after_term = False
    for entry in entries:
        for place, node in enumerate(entry.children):
            if entry.is_term and isinstance(node, Paragraph):
                node = Paragraph((strong(node.text),), node.blocks)
            before = nodes[-1] if nodes else None
            if after_term and place == 0 and isinstance(before, Paragraph) and isinstance(node, Paragraph):
                nodes[-1] = Paragraph((*before.text, "\n", *node.text), (*before.blocks, *node.blocks))
            else:
                nodes.append(node)
        after_term = entry.is_term
    return nodes


FORMAT = Format(
    lambda document, options: document.cited_markdown(options.citations) if options.citations else document.markdown,
    "text/markdown",
    aliases=("md",),
    takes_citations=True,
)
