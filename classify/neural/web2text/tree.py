"""The collapsed DOM of Web2Text, and its leaves, which are the blocks (Vogels, Ganea and Eickhoff, ECIR 2018, section 3.1).

Elements without text are left out, and an element with one child is one node with it: what lists and layout tables wrap around a text is
no distance between texts. Tags are kept as bits, one per tag that some feature uses.

From a `Page` to the collapsed DOM of Web2Text.

A `Page` no longer holds every element: its leaves are the runs of a block's text between the ends of links, emphasis and code, and between
line breaks. So `span` and `font` are no nodes, text that is not in the markup (markers, `::before`) and that of `noscript` are leaves,
and labels, buttons and fieldsets with text represent form fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.render.page import Block, Element, Inline, Page
from sightread.render.page.array_types import Bools
from sightread.render.static.block_text import INK, fold
from sightread.render.static.tags import BLOCK, BREAK, INLINE_TAGS, PRE, TREATMENT

NodeRows = NDArray[np.int64]

TAGS = (
    *("a", "article", "b", "blockquote", "body", "div", "dl", "em", "form", "h1", "h2", "h3", "h4"),
    *("i", "li", "ol", "p", "pre", "small", "span", "strong", "sup", "table", "td", "tr", "ul"),
)
"""Tags that features use."""
BITS = {tag: 1 << place for place, tag in enumerate(TAGS)}

_BREAKS = frozenset(tag for tag, treatment in TREATMENT.items() if treatment == BREAK or BLOCK <= treatment <= PRE)


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


class TreeBuilder:
    """Builds a collapsed tree from elements as they open and close, in document order; linear in their number."""

    def __init__(self, classes_of: Callable[[Any], str]) -> None:
        self._classes_of = classes_of
        """Returns the classes of what an element was opened with; called only for elements with text."""
        self._open: list[tuple[str, Any, int]] = []
        """Tag, source, and the fields met before, of each open element."""
        self._rows: list[int] = []
        """Row of each open element that has text so far: the others are deeper, since they were opened later."""
        self._paths: list[int] = []
        self._links = 0
        self._inputs = 0
        self._is_broken = True
        self._known: dict[tuple[int, str, str], int] = {}
        self._parent: list[int] = []
        self._tags: list[int] = []
        self._first: list[int] = []
        self._stop: list[int] = []
        self._has_input: list[bool] = []
        self._leaves: list[int] = []
        self._texts: list[str] = []
        self._leaf_paths: list[int] = []
        self._breaks: list[bool] = []
        self._linked: list[bool] = []

    def open(self, tag: str, source: Any) -> None:
        """Begin an element."""
        self._open.append((tag, source, self._inputs))
        if tag in _BREAKS:
            self._is_broken = True
        elif tag == "a":
            self._links += 1

    def close(self) -> None:
        """End the element that was opened last."""
        tag, _, inputs = self._open.pop()
        if tag in _BREAKS:
            self._is_broken = True
        elif tag == "a":
            self._links -= 1
        if len(self._rows) > len(self._open):
            row = self._rows.pop()
            self._paths.pop()
            self._stop[row] = len(self._texts)
            self._has_input[row] = self._inputs > inputs

    def text(self, data: str) -> bool:
        """Add a text; return whether it is a leaf: white space is not."""
        text = fold(data)
        if not text or not (text.isascii() or INK.search(text)):
            return False
        for tag, source, _ in self._open[len(self._rows) :]:
            key = (self._paths[-1] if self._paths else -1, tag, self._classes_of(source))
            self._paths.append(self._known.setdefault(key, len(self._known)))
            self._rows.append(self._add(BITS.get(tag, 0)))
        row = self._add(0)
        self._stop[row] += 1
        self._leaves.append(row)
        self._texts.append(text)
        self._leaf_paths.append(self._paths[-1] if self._paths else -1)
        self._breaks.append(self._is_broken)
        self._linked.append(self._links > 0)
        self._is_broken = False
        return True

    def line_break(self) -> None:
        """Add a break of the line."""
        self._is_broken = True

    def form_field(self) -> None:
        """Add a form field."""
        self._inputs += 1

    def finish(self) -> CollapsedTree:
        """Close what is open and return the tree; without any text it has no nodes."""
        while self._open:
            self.close()
        parent = np.array(self._parent, np.int64)
        children = np.bincount(parent[1:], minlength=len(parent)) if len(parent) else parent
        starts = np.ones(len(parent), bool)
        starts[1:] = children[parent[1:]] > 1  # an only child is right behind its parent, and is merged into it
        node = np.cumsum(starts) - 1
        tops = np.flatnonzero(starts)
        return CollapsedTree(
            parent=np.where(parent[tops] < 0, -1, node[parent[tops]]) if len(tops) else parent,
            tags=np.bitwise_or.reduceat(np.array(self._tags, np.uint32), tops) if len(tops) else np.zeros(0, np.uint32),
            first=np.array(self._first, np.int64)[tops],
            stop=np.array(self._stop, np.int64)[tops],
            has_input=np.array(self._has_input, bool)[tops],
            leaves=node[np.array(self._leaves, np.int64)],
            texts=tuple(self._texts),
            paths=np.array(self._leaf_paths, np.int64),
            breaks=np.array(self._breaks, bool),
            linked=np.array(self._linked, bool),
        )

    def _add(self, tags: int) -> int:
        row = len(self._parent)
        self._parent.append(self._rows[-1] if self._rows else -1)
        self._tags.append(tags)
        self._first.append(len(self._texts))
        self._stop.append(len(self._texts))
        self._has_input.append(False)
        return row


def tag_bits(tags: Sequence[str]) -> NDArray[np.uint32]:
    """Return the bit of each tag, shape (tags,)."""
    return np.array([BITS[tag] for tag in tags], np.uint32)


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
