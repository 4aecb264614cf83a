"""Lists that the markup does not show as one: items split into several lists, and lines that begin with a bullet or a number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

from sightread.document.tree.inlines import Inlines, Span, edged, plain
from sightread.document.tree.nodes import Heading, List, Node, Paragraph


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
_MARKER = re.compile(rf"[{BULLETS}]|(?:\A\s*|\n[^\S\n]*)[0-9]{{1,3}}[.)](?:\s|\Z)")
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
    for line in (*(line for node in nodes for line in _lines(node)), None):
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
            pieces += [replace(part, children=line) if line else "" for line in lines_of(part.children)]
        lines[-1].append(pieces[0])
        lines += ([piece] for piece in pieces[1:])
    return [edged(line) for line in lines]


def _lines(node: Node) -> Iterator[_Line]:
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
    return any(bool(_MARKER.search(part)) if isinstance(part, str) else _may_begin(part.children) for part in text)


def _cut(text: Inlines, count: int) -> Inlines:
    """Return the text without its first characters, and without the white space after them."""
    parts = list(text)
    while count and parts:
        first = parts.pop(0)
        size = len(plain((first,)))
        if size > count:
            parts.insert(0, first[count:] if isinstance(first, str) else replace(first, children=_cut(first.children, count)))
        count = max(count - size, 0)
    return edged(parts)
