"""From a `Page` to the collapsed DOM of Web2Text.

A `Page` no longer holds every element: its leaves are the runs of a block's text between the ends of links, emphasis and code, and between
line breaks. So `span` and `font` are no nodes, text that is not in the markup (markers, `::before`) and that of `noscript` are leaves,
and labels, buttons and fieldsets with text represent form fields. From HTML the tree is read by `benchmarks.datasets.web2text_html`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sightread.classify.neural.web2text.tree import CollapsedTree, NodeRows, TreeBuilder
from sightread.render.page import Block, Element, Inline, Page
from sightread.render.static.tags import INLINE_TAGS

_OF_FORMS = frozenset(("button", "fieldset", "label", "legend"))


class PageTree(NamedTuple):
    """The collapsed DOM of a `Page`."""

    tree: CollapsedTree
    blocks: NodeRows
    """The block that each leaf is part of; shape (leaves,)."""


def derive_tree(page: Page) -> PageTree:
    """Return the collapsed DOM of a page as far as it is known, and the block of each leaf; hidden blocks are read as others are."""
    builder = TreeBuilder(_classes_of)
    path = _Path(page.elements, builder)
    counts = np.zeros(len(page.blocks), np.int64)
    for row, block in enumerate(page.blocks):
        path.go_to(block.element)
        builder.line_break()
        counts[row] = _add_block(block, builder, page.elements[block.element].tag == "pre")
    return PageTree(builder.finish(), np.repeat(np.arange(len(counts)), counts))


class _Path:
    """The elements that are open, from the body down."""

    def __init__(self, elements: Sequence[Element], builder: TreeBuilder) -> None:
        self._elements = elements
        self._builder = builder
        self._rows: list[int] = []
        self._levels = [-1] * len(elements)

    def go_to(self, element: int) -> None:
        """Close and open what leads to the element; one that was closed before is another node."""
        missing = []
        while element >= 0 and self._levels[element] < 0:
            missing.append(element)
            element = self._elements[element].parent
        kept = self._levels[element] + 1 if element >= 0 else 0
        while len(self._rows) > kept:
            self._levels[self._rows.pop()] = -1
            self._builder.close()
        for row in reversed(missing):
            tag = self._elements[row].tag
            self._levels[row] = len(self._rows)
            self._rows.append(row)
            self._builder.open(tag, self._elements[row])
            if tag in _OF_FORMS:
                self._builder.form_field()


def _add_block(block: Block, builder: TreeBuilder, keeps_lines: bool) -> int:
    """Add the block's runs of text, with its links and emphasis as elements; return how many are leaves."""
    leaves = at = 0
    ends: list[int] = []
    for inline in _outermost_first(block.inlines):
        while ends and ends[-1] <= inline.start:
            leaves += _add_text(block.text[at : ends[-1]], builder, keeps_lines)
            at = ends.pop()
            builder.close()
        leaves += _add_text(block.text[at : inline.start], builder, keeps_lines)
        at = inline.start
        builder.open(INLINE_TAGS[inline.kind], None)
        ends.append(min(inline.end, ends[-1]) if ends else inline.end)
    for end in (*reversed(ends), len(block.text)):
        leaves += _add_text(block.text[at:end], builder, keeps_lines)
        at = end
        if ends:
            ends.pop()
            builder.close()
    return leaves


def _outermost_first(inlines: Sequence[Inline]) -> list[Inline]:
    """Return the ranges as elements open: a page names the inner one first if two are alike."""
    rows = sorted(range(len(inlines)), key=lambda row: (inlines[row].start, -inlines[row].end, -row))
    return [inlines[row] for row in rows]


def _add_text(text: str, builder: TreeBuilder, keeps_lines: bool) -> int:
    """Add a text, each of its lines by itself but in `pre`; return how many are leaves."""
    if keeps_lines or "\n" not in text:
        return builder.text(text)
    leaves = 0
    for number, line in enumerate(text.split("\n")):
        if number:
            builder.line_break()
        leaves += builder.text(line)
    return leaves


def _classes_of(element: Element | None) -> str:
    return " ".join(element.classes) if element else ""
