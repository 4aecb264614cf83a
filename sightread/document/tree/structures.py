"""Tables, lists and code that are more or less than their markup: layout tables, lists written with characters, line numbers of code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

from sightread.document.tree.inlines import Inlines, Span, edged, joined, plain
from sightread.document.tree.nodes import Cell, Code, Heading, List, Node, Paragraph, Quote, Table, blocks_of, has_heading, lines
from sightread.render.page import Page

MAX_SPAN = 100
"""Most columns or rows that a cell spans, so that a hostile table stays small."""

LAYOUT_BLOCKS, LAYOUT_CHARS = 3, 200
"""Without header cells, blocks of a cell, or characters of a cell of two blocks, from which on it is a part of a page's layout."""

MOST_CODE_LINES = 5

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
    headed = [content for content in cells if has_heading([content])]
    plain_rows = sum(len(row) > 1 and not has_heading(row) for row in filled)
    names = all(len(content) == 1 and isinstance(content[0], Heading) and content[0].level > 1 for content in headed)
    if not names or 2 * len(headed) > len(cells) or plain_rows < LABELLED_ROWS or any(map(_is_long, cells)):
        return rows

    def label(node: Node) -> Node:
        return Paragraph((Span("strong", node.text),), node.blocks) if isinstance(node, Heading) else node

    return [row._replace(content={cell: list(map(label, content)) for cell, content in row.content.items()}) for row in rows]


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
    codes = [node.text for node in nodes if isinstance(node, Code)]  # Markdown writes its lines one below the other
    if codes and not (has_header and all(code.count("\n") < MOST_CODE_LINES and len(code) < LAYOUT_CHARS for code in codes)):
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


def _is_section(cell: Cell) -> bool:
    blocks = len(cell.children)
    return blocks >= LAYOUT_BLOCKS or (blocks > 1 and _is_long(cell.children))


def _is_long(nodes: Sequence[Node]) -> bool:
    return sum(len(plain(line)) for line in lines(nodes)) >= LAYOUT_CHARS


# Lists that the markup does not show as one: items split into several lists, and lines that begin with a bullet or a number.


class Piece(NamedTuple):
    """The nodes of one structural element, and its relation to the element before."""

    nodes: list[Node]
    adjoins: bool
    """Whether no text of the page, kept or not, is between the two."""
    is_sibling: bool
    """Whether both are in one element."""


def joined_lists(pieces: Iterable[Piece]) -> list[Node]:
    """Return the nodes of all pieces, with each list that continues the one right before it merged into it.

    Two such lists are in one element, or have one item each; numbers must continue if the page declares them. Of 434 inspected pages, 17
    have such lists; on 15 they are one to a reader, on two they are columns side by side, which lose little.
    """
    found: list[Node] = []
    run: list[List] = []
    for piece in pieces:
        node = piece.nodes[0] if len(piece.nodes) == 1 else None
        if isinstance(node, List) and run and piece.adjoins and _goes_on(run, node, piece.is_sibling):
            run.append(node)
            continue
        found += _whole(run)
        run = [node] if isinstance(node, List) else []
        found += [] if run else piece.nodes
    return found + _whole(run)


def is_of_headings(items: Sequence[Sequence[Node]]) -> bool:
    """Return whether each item is a heading, with at most a list below: items in large type. A card holds more than a heading."""
    return len(items) > 1 and all(isinstance(item[0], Heading) and all(isinstance(node, List) for node in item[1:]) for item in items)


def _goes_on(run: list[List], node: List, is_sibling: bool) -> bool:
    last = run[-1]
    if not is_sibling and (len(last.items) > 1 or len(node.items) > 1):
        return False
    return node.start is None if last.start is None else node.start == last.start + len(last.items)


def _whole(run: list[List]) -> list[Node]:
    return [List(tuple(item for node in run for item in node.items), run[0].start)] if run else []


# Lists written with characters.


BULLETS = "•‣◦▪●∙⁃▢☐□"
"""Characters that are always bullets, or boxes to tick. A dash, a middle dot and an arrow have other meanings too."""

_BULLET = re.compile(rf"[{BULLETS}]+\s*")
_NUMBER = re.compile(r"([0-9]{1,3})([.)])\s+(?=\S)")
_SIGN = re.compile(f"[{BULLETS}]")
_NUMBERED = re.compile(r"(?:\A\s*|\n[^\S\n]*)[0-9]{1,3}[.)](?:\s|\Z)")
_SET = ("code", "math", "display", "note")
"""Marks of verbatim text."""


class _Line(NamedTuple):
    """A node, or a line of a paragraph; the first `length` characters of its text are a bullet or a number, with the space after it."""

    node: Node
    length: int = 0
    number: int = -1
    sign: str = ""


def without_bullet(nodes: list[Node]) -> list[Node]:
    """Return the content of a list item without a leading bullet in its text: the list has markers of its own."""
    if nodes and isinstance(nodes[0], Paragraph) and (line := _read(nodes[0])).length and line.number < 0:
        text = _cut(nodes[0].text, line.length)
        return [replace(nodes[0], text=text), *nodes[1:]] if text else nodes[1:]
    return nodes


def as_list(nodes: list[Node]) -> list[Node]:
    """Return the nodes with each run of two or more lines that begin with a bullet, or with consecutive numbers, as a list.

    A run consists of paragraphs, or of the lines of one paragraph; text before the first bullet of a paragraph stays a paragraph before the
    list. Numbers begin at 1, or continue those of a list before; if other paragraphs are between the first ones, none is an item.
    """
    if not any(isinstance(node, Paragraph) and _may_begin(node.text) for node in nodes):
        return nodes
    found: list[Node] = []
    run: list[_Line] = []
    expected = 0
    for line in (*(line for node in nodes for line in _list_lines(node)), None):
        if run and (line is None or not _continues(run[-1], line)):
            is_list = (len(run) > 1 and run[0].number <= 1) or run[0].number == expected > 1
            found += _listed(run) if is_list else (each.node for each in run)
            expected = run[-1].number + 1 if is_list and run[0].number >= 0 else expected
            run = []
        if line:
            run.append(line)
    return found


def lines_of(text: Inlines) -> list[Inlines]:
    """Return the lines of a paragraph; a mark that goes over several becomes one per line."""
    lines: list[list[str | Span]] = [[]]
    for part in text:
        pieces: list[str | Span] = []
        if isinstance(part, str):
            pieces += part.split("\n")
        else:
            pieces += [Span(part.kind, line, part.target) if line else "" for line in lines_of(part.children)]
        lines[-1].append(pieces[0])
        lines += ([piece] for piece in pieces[1:])
    return [edged(line) for line in lines]


def _list_lines(node: Node) -> Iterator[_Line]:
    """Yield a node, or its lines if two or more of them are of a list; lines between lists stay one paragraph."""
    if not isinstance(node, Paragraph) or not _may_begin(node.text):
        yield _Line(node)
        return
    lines = [_read(replace(node, text=line)) for line in lines_of(node.text) if line]
    if not any(_continues(*pair) for pair in pairwise(lines)):
        is_one = lines and not any(line.length for line in lines[1:])
        yield lines[0]._replace(node=node) if is_one else _Line(node)
        return
    for is_marked, run in groupby(lines, key=lambda line: line.length > 0):
        if is_marked:
            yield from run
        else:
            texts = (line.node.text for line in run if isinstance(line.node, Paragraph))
            yield _Line(replace(node, text=tuple([part for text in texts for part in ("\n", *text)][1:])))


def _read(node: Paragraph) -> _Line:
    text = node.text
    if text and isinstance(text[0], Span) and text[0].kind in _SET:
        return _Line(node)
    whole = plain(text)
    if bullet := _BULLET.match(whole):
        return _Line(node, bullet.end())
    number = _NUMBER.match(whole)
    return _Line(node, number.end(), int(number[1]), number[2]) if number else _Line(node)


def _continues(before: _Line, line: _Line) -> bool:
    if before.number < 0 or line.number < 0:
        return min(before.length, line.length) > 0 and before.number == line.number
    return line.number == before.number + 1 and line.sign == before.sign


def _listed(run: list[_Line]) -> list[Node]:
    """Return consecutive lines as a list."""
    texts = [(line.node, _cut(line.node.text, line.length)) for line in run if isinstance(line.node, Paragraph)]
    items = tuple((replace(node, text=text),) for node, text in texts if text)
    return [List(items, run[0].number if run[0].number >= 0 else None)] if items else []


def _may_begin(text: Inlines) -> bool:
    for part in text:
        if not isinstance(part, str):
            if _may_begin(part.children):
                return True
        elif (_NUMBERED.search if "\n" in part else _NUMBERED.match)(part) or (not part.isascii() and _SIGN.search(part)):
            return True
    return False


def _cut(text: Inlines, count: int) -> Inlines:
    """Return the text without its first characters, and without the white space after them."""
    parts = list(text)
    while count and parts:
        first = parts.pop(0)
        size = len(plain((first,)))
        if size > count:
            parts.insert(0, first[count:] if isinstance(first, str) else Span(first.kind, _cut(first.children, count), first.target))
        count = max(count - size, 0)
    return edged(parts)


# Code: its language, its line numbers and its labels.


_NAMED = re.compile(r"(?:language|lang|gatsby-code|src|highlight(?:-(?:source|text))?)-([\w+#.][\w+#.-]*)", re.IGNORECASE)
"""Class names of Prism and highlight.js, Gatsby, Org, Sphinx, GitHub."""
_SWITCHED = re.compile(r"(?:brush|lang):([\w+#.-]+);?", re.IGNORECASE)
"""SyntaxHighlighter (`brush: js` is two classes) and Crayon."""

_NONE = re.compile(
    "default|none|text|txt|plain|plain-?text|no-?highlight|auto|undefined|unknown|notranslate|wrap|wrapper|container|block|source|lines?"
    "|mode|selector|switch|toggle",
)
_KNOWN = re.compile(
    r"bash|sh|shell|console|zsh|powershell|python3?|py|pycon|javascript|jsx?|typescript|tsx?|json|ya?ml|toml|ini|html|xml|s?css|sql|java"
    r"|kotlin|scala|groovy|go|golang|rust|c|cpp|c\+\+|csharp|c#|objc|swift|php|ruby|rb|perl|lua|haskell|elixir|r|erlang|clojure|dart"
    r"|julia|matlab|diff|dockerfile|makefile|nginx|graphql|latex|zig|ocaml",
)
"""Languages that are recognised as a class of their own on the code element itself."""
_SYNONYMS = {"python3": "python", "ipython": "python", "ipython3": "python", "py3": "python", "html-basic": "html", "shellscript": "shell"}


_CODE_LINE_NUMBER = re.compile(r"[ \t]*(\d{1,6})(?: |(?=\D)|\Z)")
_BUTTONS = frozenset(("copy", "copy code", "copied", "copied!", "copy to clipboard"))
_SESSION = re.compile(r"\s*(?:\([\w.-]+\) ?)?\$ \S")


def code_language(classes: Sequence[Iterable[str]], text: str) -> str:
    """Return the language by the classes of the code's element and of those around it, the innermost first; empty if none names one.

    Code that begins with a shell prompt is not Python, which Sphinx declares for all code.
    """
    language = _declared_language(classes)
    return "console" if language == "python" and _SESSION.match(text) else language


def without_labels(nodes: list[Node]) -> list[Node]:
    """Return the nodes without paragraphs right before code that are its label: a copy button, or its language, which the code then
    gets.
    """
    if not any(isinstance(node, Code) for node in nodes):
        return nodes
    found: list[Node] = []
    for node in nodes:
        while isinstance(node, Code) and found and isinstance(label := found[-1], Paragraph):
            text = plain(label.text).strip().lower()
            language = _SYNONYMS.get(text, text) if _KNOWN.fullmatch(text) else ""
            if text not in _BUTTONS and (not language or node.language not in ("", language)):
                break
            node = replace(node, language=language or node.language)
            found.pop()
        found.append(node)
    return found


def is_code_block(part: str | Span) -> bool:
    """Return whether a part is code of several lines, as in a paragraph that is code."""
    return isinstance(part, Span) and part.kind == "code" and "\n" in plain(part.children)


def without_line_numbers(text: str) -> str:
    """Return code without its line numbers, if each line begins with one, they are consecutive, and not all of the code."""
    lines = text.split("\n")
    numbers = [_CODE_LINE_NUMBER.match(line) for line in lines]
    first = numbers[0]
    if not first or any(not found or int(found[1]) != int(first[1]) + place for place, found in enumerate(numbers)):
        return text
    code = "\n".join(line[found.end() :] for line, found in zip(lines, numbers, strict=True) if found)
    return code if code.strip() else text


def _declared_language(classes: Sequence[Iterable[str]]) -> str:
    for place, names in enumerate(classes):
        held = list(names)
        for before, name in zip(["", *held], held, strict=False):
            found = _NAMED.fullmatch(name) or _SWITCHED.fullmatch(name)
            name_of_language = found[1] if found else name.strip(";") if before.lower() == "brush:" else ""
            language = _SYNONYMS.get(name_of_language.lower(), name_of_language.lower())
            if language and not _NONE.fullmatch(language):
                return language
        if place == 0:
            alone = next((name.lower() for name in held if _KNOWN.fullmatch(name.lower())), "")
            if alone:
                return _SYNONYMS.get(alone, alone)
    return ""
