"""The collapsed DOM of Web2Text, and its leaves, which are the blocks (Vogels, Ganea and Eickhoff, ECIR 2018, section 3.1).

Elements without text are left out, and an element with one child is one node with it: what lists and layout tables wrap around a text is
no distance between texts. Tags are kept as bits, one per tag that some feature uses.

A `Page` no longer holds every element: its leaves are the runs of a block's text between the ends of links, emphasis and code, and between
line breaks. So `span` and `font` are no nodes, text that is not in the markup (markers, `::before`) and that of `noscript` are leaves,
and labels, buttons and fieldsets with text represent form fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Block, Element, Inline, Page
from sightread.render.page.array_types import Bools
from sightread.render.static.block_text import INK, fold
from sightread.render.static.tags import INLINE_TAGS

NodeRows = NDArray[np.int64]

TAGS = (
    *("a", "article", "b", "blockquote", "body", "div", "dl", "em", "form", "h1", "h2", "h3", "h4"),
    *("i", "li", "ol", "p", "pre", "small", "span", "strong", "sup", "table", "td", "tr", "ul"),
)
"""Tags that features use."""
BITS = {tag: 1 << place for place, tag in enumerate(TAGS)}

_OF_FORMS = frozenset(("button", "fieldset", "label", "legend"))


@dataclass(frozen=True, slots=True)
class CollapsedTree:
    """A collapsed DOM in document order: row 0 is the root, a parent is before its children, leaves rise."""

    parent: NodeRows
    """Row of each node's parent, -1 for the root; shape (nodes,)."""
    tags: NDArray[np.uint32]
    """Bits of the tags that each node merges; shape (nodes,)."""
    first: NodeRows
    """The first leaf under each node; shape (nodes,)."""
    stop: NodeRows
    """The leaf behind the last one under each node; shape (nodes,)."""
    has_input: Bools
    """Whether a form field is under the node; shape (nodes,)."""
    leaves: NodeRows
    """Row of each leaf's node; shape (leaves,)."""
    texts: tuple[str, ...]
    """White space folded, none empty; one per leaf."""
    paths: NodeRows
    """A number for each distinct path of tags and classes from the root to the leaf; shape (leaves,)."""
    breaks: Bools
    """Whether a browser would break the line before the leaf; shape (leaves,)."""
    linked: Bools
    """Whether the leaf is in a link; shape (leaves,)."""


def tag_bits(tags: Sequence[str]) -> NDArray[np.uint32]:
    """Return the bit of each tag, shape (tags,)."""
    return np.array([BITS[tag] for tag in tags], np.uint32)


class PageTree(NamedTuple):
    """The collapsed DOM of a `Page`."""

    tree: CollapsedTree
    blocks: NodeRows
    """The block that each leaf is part of; shape (leaves,)."""


def derive_tree(page: Page) -> PageTree:
    """Return the collapsed DOM of a page as far as it is known, and the block of each leaf; hidden blocks are read as others are."""
    nodes = _Nodes()
    way = _Way(page.elements, nodes)
    leaves: list[int] = []
    texts: list[str] = []
    breaks: list[bool] = []
    owners: list[int] = []
    for row, block in enumerate(page.blocks):
        is_broken = True
        of_inlines: dict[int, int] = {}
        keeps_lines = page.elements[block.element].tag == "pre"
        for run, around in _runs(block):
            for number, line in enumerate((run,) if keeps_lines else run.split("\n")):
                is_broken |= number > 0
                text = fold(line)
                if not text or not (text.isascii() or INK.search(text)):
                    continue
                node = way.go_to(block.element, len(texts))
                for inline in around:
                    if inline not in of_inlines:
                        of_inlines[inline] = nodes.add(node, INLINE_TAGS[block.inlines[inline].kind], "", len(texts))
                    node = of_inlines[inline]
                leaves.append(nodes.add(node, "", "", len(texts)))
                texts.append(text)
                breaks.append(is_broken)
                owners.append(row)
                is_broken = False
    return PageTree(nodes.collapse(leaves, tuple(texts), breaks), np.array(owners, np.int64))


class _Nodes:
    """Nodes in document order, before they are merged."""

    def __init__(self) -> None:
        self._parent: list[int] = []
        self._tags: list[int] = []
        self._first: list[int] = []
        self._has_input: list[bool] = []
        self._linked: list[bool] = []
        self._paths: list[int] = []
        self._known: dict[tuple[int, str, str], int] = {}

    def add(self, parent: int, tag: str, classes: str, leaf: int) -> int:
        """Add a node before the next leaf and return its row; one without a tag is a leaf, on its parent's path."""
        path = self._paths[parent] if parent >= 0 else -1
        self._parent.append(parent)
        self._tags.append(BITS.get(tag, 0))
        self._first.append(leaf)
        self._has_input.append(tag in _OF_FORMS)
        self._linked.append(tag == "a" or (parent >= 0 and self._linked[parent]))
        self._paths.append(self._known.setdefault((path, tag, classes), len(self._known)) if tag else path)
        return len(self._parent) - 1

    def collapse(self, leaves: Sequence[int], texts: tuple[str, ...], breaks: Sequence[bool]) -> CollapsedTree:
        """Merge each only child into its parent and return the tree; without any text it has no nodes."""
        stop, has_input = [first + 1 for first in self._first], self._has_input
        for row in range(len(stop) - 1, 0, -1):
            above = self._parent[row]
            stop[above] = max(stop[above], stop[row])
            has_input[above] |= has_input[row]
        parent, rows = np.array(self._parent, np.int64), np.array(leaves, np.int64)
        starts = np.ones(len(parent), bool)
        if len(parent):
            starts[1:] = np.bincount(parent[1:], minlength=len(parent))[parent[1:]] > 1  # an only child is right behind its parent
        node = np.cumsum(starts) - 1
        tops = np.flatnonzero(starts)
        return CollapsedTree(
            parent=np.where(parent[tops] < 0, -1, node[parent[tops]]) if len(tops) else parent,
            tags=np.bitwise_or.reduceat(np.array(self._tags, np.uint32), tops) if len(tops) else np.zeros(0, np.uint32),
            first=np.array(self._first, np.int64)[tops],
            stop=np.array(stop, np.int64)[tops],
            has_input=np.array(has_input, bool)[tops],
            leaves=node[rows],
            texts=texts,
            paths=np.array(self._paths, np.int64)[rows],
            breaks=np.array(breaks, bool),
            linked=np.array(self._linked, bool)[rows],
        )


class _Way:
    """The elements that are open, from the body down, and their nodes."""

    def __init__(self, elements: Sequence[Element], nodes: _Nodes) -> None:
        self._elements, self._nodes = elements, nodes
        self._open: list[tuple[int, int]] = []
        """Row of each, and of its node."""
        self._levels = [-1] * len(elements)

    def go_to(self, element: int, leaf: int) -> int:
        """Close and open what leads to the element, and return its node; one that was closed before is another node."""
        missing = []
        while element >= 0 and self._levels[element] < 0:
            missing.append(element)
            element = self._elements[element].parent
        kept = self._levels[element] + 1 if element >= 0 else 0
        while len(self._open) > kept:
            self._levels[self._open.pop()[0]] = -1
        for row in reversed(missing):
            self._levels[row] = len(self._open)
            above = self._open[-1][1] if self._open else -1
            self._open.append((row, self._nodes.add(above, self._elements[row].tag, " ".join(self._elements[row].classes), leaf)))
        return self._open[-1][1]


def _runs(block: Block) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield each run of text of which all characters have the same links and emphasis, with the rows of these, outermost first."""
    at = 0
    around: list[tuple[int, int]] = []  # row and end; a range ends with the one around it
    for row in (*_outermost_first(block.inlines), -1):
        start = block.inlines[row].start if row >= 0 else len(block.text)
        while around and around[-1][1] <= start:
            yield block.text[at : around[-1][1]], tuple(inline for inline, _ in around)
            at = around.pop()[1]
        yield block.text[at:start], tuple(inline for inline, _ in around)
        if row < 0:
            return
        at, end = start, block.inlines[row].end
        around.append((row, min(end, around[-1][1]) if around else end))


def _outermost_first(inlines: Sequence[Inline]) -> list[int]:
    """Return the rows of ranges as elements open: a page names the inner one first if two are alike."""
    return sorted(range(len(inlines)), key=lambda row: (inlines[row].start, -inlines[row].end, -row))
