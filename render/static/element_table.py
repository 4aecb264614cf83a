"""The element table of a page, from the nodes of a parsed document."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from sightread.render.analysis.overlays import Layer, is_named
from sightread.render.page import Element
from sightread.render.static.tags import CELLS

_SPANS = {"colspan": 1000, "rowspan": 65534}
"""The most that HTML lets a cell span (HTML standard, 4.9.11)."""
_DIGITS = re.compile(r"\s*\+?(\d+)")


class ElementTable:
    """The elements entered so far, and the rows of those that their names call an overlay."""

    __slots__ = ("attributes", "elements", "layers")

    def __init__(self, attributes: frozenset[str]) -> None:
        self.attributes = attributes
        """The names of those that are kept."""
        self.elements: list[Element] = []
        self.layers: list[Layer] = []

    def add(self, node: LexborNode, tag: str, parent: int) -> int:
        """Enter an element whose parent is in the table, and return its row; -1 is the parent of the body."""
        found = node.attributes
        code = node.css_first("pre > code[class]") if tag == "pre" else None  # which names its language
        row = len(self.elements)
        if not found and code is None:
            self.elements.append(Element(tag, parent))
            return row
        kept = {}
        if not self.attributes.isdisjoint(found):
            kept = {name: _kept(name, value or "", tag) for name, value in found.items() if name in self.attributes}
        identity, names = found.get("id") or "", found.get("class") or ""
        if code is not None:
            names = f"{names} {code.attributes.get('class') or ''}"
        if row and is_named(f"{identity} {names}", found.get("role") or ""):
            self.layers.append(Layer(row, "named"))
        self.elements.append(Element(tag, parent, identity, tuple(names.split()), kept))
        return row


def _kept(name: str, value: str, tag: str) -> str:
    """Return the attribute's value; the span of a cell as HTML bounds it."""
    if name not in _SPANS or tag not in CELLS:
        return value
    digits = _DIGITS.match(value)
    span = int(digits[1][:9]) if digits else 1
    return str(min(span, _SPANS[name]) if span or name == "rowspan" else 1)
