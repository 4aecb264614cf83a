"""Lists that a page writes with signs of its own: lines and paragraphs that begin with a bullet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from classify.inlines import Inlines, Span, edged
from classify.nodes import List, Node, Paragraph

BULLETS = "•‣◦▪●∙⁃"
"""Signs that are nothing but bullets. A dash, a dot in the middle and an arrow say other things too."""

_BULLET = re.compile(f"[{BULLETS}]")


def without_bullet(nodes: list[Node]) -> list[Node]:
    """Return the content of a list item without a bullet that its text begins with: the list has markers of its own."""
    if nodes and isinstance(nodes[0], Paragraph) and _is_bulleted(nodes[0].text):
        text = _stripped(nodes[0].text)
        return [Paragraph(text), *nodes[1:]] if text else nodes[1:]
    return nodes


def as_list(nodes: list[Node]) -> list[Node]:
    """Return the nodes with each run of bulleted lines, two or more, as a list.

    A run is of paragraphs, or of the lines of one; what stands before the first bullet of a paragraph stays one before the list.
    """
    if not any(isinstance(node, Paragraph) and _has_bullet(node.text) for node in nodes):
        return nodes
    found: list[Node] = []
    for bulleted, run in groupby((line for node in nodes for line in _lines(node)), key=lambda line: line[0]):
        lines = [node for _, node in run]
        if bulleted and len(lines) > 1:
            found.append(List(tuple((item,) for node in lines for item in without_bullet([node]))))
        else:
            found += lines
    return found


def lines_of(text: Inlines) -> list[Inlines]:
    """Return the lines of a paragraph; a mark that goes over several is one line's."""
    lines: list[list[str | Span]] = [[]]
    for part in text:
        first, *rest = part.split("\n") if isinstance(part, str) else [part]
        lines[-1].append(first)
        lines += ([line] for line in rest)
    return [edged(line) for line in lines]


def _lines(node: Node) -> Iterator[tuple[bool, Node]]:
    """Yield a node, or where lines of it are bulleted, its lines; each with whether a bullet begins it."""
    lines = lines_of(node.text) if isinstance(node, Paragraph) and _has_bullet(node.text) else []
    if not any(map(_is_bulleted, lines)):
        yield False, node
        return
    for bulleted, run in groupby(lines, key=_is_bulleted):
        if bulleted:
            yield from ((True, Paragraph(line)) for line in run)
        else:
            rest = [part for line in run if line for part in ("\n", *line)][1:]
            if rest:
                yield False, Paragraph(tuple(rest))


def _has_bullet(text: Inlines) -> bool:
    return any(bool(_BULLET.search(part)) if isinstance(part, str) else _has_bullet(part.children) for part in text)


def _is_bulleted(text: Inlines) -> bool:
    first = text[0] if text else ""
    while isinstance(first, Span):
        first = first.children[0]
    return first[:1] in BULLETS and bool(first)


def _stripped(text: Inlines) -> Inlines:
    """Return the text without its bullet and the white space after it."""
    first, *rest = text
    if isinstance(first, Span):
        children = _stripped(first.children)
        return edged([replace(first, children=children) if children else "", *rest])
    return edged([first.lstrip(BULLETS), *rest])
