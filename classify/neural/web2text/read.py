"""From HTML, or from a `Page`, to the collapsed DOM of Web2Text.

From HTML as the paper reads it: every text node is a leaf, but for those of the tags that it skips. A `Page` no longer holds every element:
its leaves are the runs of a block's text between the ends of links, emphasis and code, and between line breaks. So `span` and `font` are
no nodes there, what a block shows that is not in the markup (markers, `::before`) is text, and `noscript` too; form fields are not
kept, and labels, buttons and fieldsets with text represent them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from classify.neural.web2text.tree import CollapsedTree, Rows, TreeBuilder
from render.errors import Unusable
from render.page import Block, Element, Inline, Page
from render.static.charset import check_is_text, decode_html
from render.static.nesting_guard import flatten
from render.static.parse import NODE_CAP
from render.static.tags import INLINE_TAGS

_FIELDS = frozenset(("input", "select", "textarea"))
_SKIPPED = frozenset(
    (
        *("-comment", "!doctype", "canvas", "head", "iframe", "img", "meta", "noembed", "noframes", "noscript", "object", "option"),
        *("script", "style", "template", "title", "video"),
    )
)
"""The authors' list (head, iframe, img, meta, noscript, script, style, title, video), and what else shows no text of the page."""
_RULES = frozenset(("br", "hr"))

_OF_FORMS = frozenset(("button", "fieldset", "label", "legend"))


class PageTree(NamedTuple):
    """The collapsed DOM of a `Page`."""

    tree: CollapsedTree
    blocks: Rows
    """The block that each leaf is part of; shape (leaves,)."""


def read_tree(html: str | bytes, url: str = "") -> CollapsedTree:
    """Return the collapsed DOM of an HTML document; without text it has no nodes. Raises `Unusable` for what is not HTML."""
    text = decode_html(html) if isinstance(html, bytes) else html
    check_is_text(text, url)
    try:
        parsed = LexborHTMLParser(flatten(text), options=LexborDocumentOptions.WO_EVENTS)
    except SelectolaxError as error:
        raise Unusable(f"{url or 'the document'}: this HTML cannot be parsed: {error}") from error
    builder = TreeBuilder(_classes)
    if parsed.body is not None:
        _walk(parsed.body, builder)
    return builder.finish()


def _walk(body: LexborNode, builder: TreeBuilder) -> None:
    """Read the body and all under it, without recursion; a page of more than `NODE_CAP` nodes is cut short."""
    builder.open("body", body)
    depth, node = 0, body.first_child
    parents: list[LexborNode] = []
    for _ in range(NODE_CAP):
        while node is None:
            if not depth:
                return
            builder.close()
            depth -= 1
            node = parents.pop().next
        tag = node.tag or ""
        if tag == "-text":
            builder.text(node.text_content or "")
        elif tag in _RULES:
            builder.line_break()
        elif tag in _FIELDS:
            builder.form_field()
        elif tag not in _SKIPPED:
            child = node.first_child
            if child is not None:
                builder.open(tag, node)
                parents.append(node)
                depth += 1
                node = child
                continue
        node = node.next


def _classes(node: LexborNode) -> str:
    return node.attributes.get("class") or ""


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
    """Return the ranges as elements open: a page names the inner one first where two are alike."""
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
