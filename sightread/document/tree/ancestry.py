"""For each element of a page, the lists, tables, quotes and other structures that contain it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from sightread.render.page import Element, Page
from sightread.render.static.tags import CODE_LINES

STRUCTURAL = frozenset(
    {"ul", "ol", "li", "table", "tr", "td", "th", "caption", "blockquote", "pre", "figure", "figcaption", "dl", "dt", "dd"},
)
ROLES = {
    "list": "ul",
    "listitem": "li",
    "table": "table",
    "row": "tr",
    "cell": "td",
    "columnheader": "th",
    "rowheader": "th",
    "figure": "figure",
}
"""ARIA roles that give an element without meaning the meaning of a tag."""

_LINES = frozenset(CODE_LINES.values())
MAX_DEPTH = 32
"""Depth from which on structure is flattened: real pages are flatter, and renderers recurse."""


def tag_of(element: Element) -> str:
    """Return the structural tag of the element, or of its ARIA role; empty for an element without structure."""
    role = element.attributes.get("role", "")
    if role in ("presentation", "none"):
        return ""
    return element.tag if element.tag in STRUCTURAL else ROLES.get(role, "")


class Ancestry:
    """The structural ancestors of a page's elements, computed on demand."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tags: dict[int, str] = {}
        """The structural tag of each element on a path returned so far."""
        self._paths: dict[int, tuple[int, ...]] = {-1: ()}

    @cached_property
    def _code(self) -> frozenset[int]:
        """The elements for code whose lines are elements."""
        elements = self.page.elements
        lines = ((element.parent, line) for element in elements for line in _LINES.intersection(element.classes) if element.parent >= 0)
        return frozenset(row for row, line in lines if any(CODE_LINES.get(name) == line for name in elements[row].classes))

    def path(self, row: int) -> tuple[int, ...]:
        """Return the structural ancestors of an element from the outside in, itself included."""
        chain = []
        while row not in self._paths:
            chain.append(row)
            row = self.page.elements[row].parent
        path = self._paths[row]
        for below in reversed(chain):
            tag = tag_of(self.page.elements[below]) or ("pre" if below in self._code else "")
            if tag and len(path) < MAX_DEPTH:
                self.tags[below] = tag
                path = (*path, below)
            self._paths[below] = path
        return path

    @cached_property
    def cells(self) -> Mapping[int, list[int]]:
        """The cells of each table row (`<tr>`) in document order, cells without text included as far as the page lists them."""
        first: dict[int, int] = {}
        for place, block in enumerate(self.page.blocks):
            for row in self.path(block.element):
                first.setdefault(row, place)
        cells: dict[int, list[int]] = {}
        for row, element in enumerate(self.page.elements):
            if tag_of(element) in ("td", "th") and len(path := self.path(row)) > 1 and path[-1] == row:
                cells.setdefault(path[-2], []).append(row)
        return {row: _ordered(held, first) for row, held in cells.items()}


def _ordered(cells: list[int], first: Mapping[int, int]) -> list[int]:
    """Return a row's cells in the order of their first blocks; the element table may list those with images too early."""
    held = iter(sorted((cell for cell in cells if cell in first), key=first.__getitem__))
    return [next(held) if cell in first else cell for cell in cells]
