"""Blocks from HTML without a browser: no boxes, no styles, and the defaults of the HTML standard in place of CSS.

The rules of a block are those of `collect.js`, as far as tags tell them: text belongs to its nearest block-level ancestor, a block-level
child interrupts the run around it, a button stands alone. What a browser would not lay out at all (the `hidden` attribute, an inline
`display:none`, a closed `<details>` or `<dialog>`) is kept here and marked hidden="display": without CSS much of it may be content.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode, SelectolaxError

from render.charset import check_is_text, decode_html
from render.errors import Unusable
from render.head import base_url, read_head, read_links
from render.markers import Numbers, marker_of, quotes_of
from render.nesting import DEEPEST, flatten
from render.overlays import find_overlays, named_layers
from render.page import Block, Element, Hidden, Image, Page
from render.resolve import Resolver
from render.shadow import compose_shadows, open_shadows
from render.sources import image_source
from render.tags import BLOCK, BREAK, BUTTON, CELLS, HEADING, IMAGE, INLINE, KINDS, LINK, MARK, PRE, TREATMENT
from render.text import INK, Mark, Run

NODE_CAP = 100_000
"""Nodes read before the page is cut short, as by the collector."""
_ATTRIBUTES = frozenset(("role", "colspan", "rowspan", "start", "lang", "dir", "datetime", "itemprop", "aria-hidden"))
_SPANS = {"colspan": 1000, "rowspan": 65534}
"""The most that HTML lets a cell span (HTML standard, 4.9.11)."""
_NOT_DISPLAYED = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_DATETIME = 100
"""Characters of a `datetime`."""
_DIGITS = re.compile(r"\s*\+?(\d+)")


def read_html(html: str | bytes, url: str = "", attributes: tuple[str, ...] = ()) -> Page:
    """Return the page's blocks without rendering it: no boxes, no styles, source "static".

    `url` resolves relative references; `attributes` are kept on elements besides those that structure needs. Bytes are decoded by byte
    order mark, declaration, UTF-8 or windows-1252. A document without text gives a page without blocks.

    Raises `Unusable` for binary data.
    """
    text = decode_html(html) if isinstance(html, bytes) else html
    check_is_text(text, url)
    try:
        tree = LexborHTMLParser(flatten(open_shadows(text)), options=LexborDocumentOptions.WO_EVENTS)
    except SelectolaxError as error:
        raise Unusable(f"{url or 'the document'}: this HTML cannot be parsed: {error}") from error
    compose_shadows(tree)
    resolver = Resolver(base_url(tree, url))
    walk = _Walk(resolver, _ATTRIBUTES.union(attributes), _undisplayed(tree), _aria_headings(tree))
    if tree.body is not None:
        walk.read(tree.body)
    blocks = walk.blocks()
    head = read_head(tree, resolver)
    return Page(
        url=url,
        final_url=url,
        source="static",
        elements=tuple(walk.elements) or (Element("body", -1),),
        blocks=blocks,
        titles=head.titles,
        descriptions=head.descriptions,
        metas=head.metas,
        json_ld=head.json_ld,
        canonical=head.canonical,
        language=head.language,
        images=tuple(walk.images),
        links=read_links(tree, resolver),
        truncated=walk.truncated,
        overlays=find_overlays(walk.elements, blocks, named_layers(walk.elements), None),
        password_fields=len(tree.css('input[type="password" i]')),
    )


def _undisplayed(tree: LexborHTMLParser) -> frozenset[int]:
    """Return the elements that HTML alone keeps from being laid out."""
    styled = (node for node in tree.css('[style*="display" i]') if _NOT_DISPLAYED.search(node.attributes["style"] or ""))
    closed = tree.css("[hidden], dialog:not([open]), details:not([open])")  # but for the summary: see `_enter`
    return frozenset(node.mem_id for node in (*styled, *closed))


def _aria_headings(tree: LexborHTMLParser) -> dict[int, int]:
    """Return heading levels that ARIA gives; 0 where another role takes a heading's level away."""
    levels = {}
    for node in tree.css('[role="heading" i], h1[role], h2[role], h3[role], h4[role], h5[role], h6[role]'):
        attributes = node.attributes
        level = attributes.get("aria-level") or ""
        is_heading = (attributes["role"] or "").lower() == "heading"
        default = int(node.tag[1]) if TREATMENT.get(node.tag or "") == HEADING and node.tag else 2
        levels[node.mem_id] = min(max(int(level), 1), 9) if is_heading and level.isdecimal() else default if is_heading else 0
    return levels


class _Scope:
    """An open element of the walk. `block` is the scope of its block-level ancestor, which holds the open runs by how they are hidden."""

    __slots__ = ("block", "depth", "heading", "hidden", "item", "mark", "node", "open", "parent", "preserved", "row", "tag")

    def __init__(self, node: LexborNode, tag: str, parent: _Scope) -> None:
        self.node = node
        self.tag = tag
        self.parent = parent
        self.row = -1
        self.depth = parent.depth + 1
        self.block = parent.block
        self.mark = parent.mark
        self.heading = parent.heading
        self.hidden = parent.hidden
        self.item = parent.item
        self.preserved = parent.preserved

    depth: int
    block: _Scope
    open: dict[Hidden, Run]
    mark: Mark | None
    heading: int
    hidden: Hidden
    item: _Item | None
    preserved: bool


@dataclass(slots=True)
class _Item:
    """A list item: its first block shows its marker."""

    node: LexborNode
    is_marked: bool = False


class _Root(_Scope):
    """The body, its own parent."""

    __slots__ = ()

    def __init__(self, node: LexborNode) -> None:
        self.node, self.tag, self.parent, self.row, self.depth = node, "body", self, -1, 0
        self.block, self.open, self.mark = self, {}, None
        self.heading, self.hidden, self.item, self.preserved = 0, "", None, False


@dataclass(slots=True)
class _Walk:
    """One pass over the tree, in document order, without recursion: pages nest as deep as they like."""

    resolver: Resolver
    attributes: frozenset[str]
    undisplayed: frozenset[int]
    aria_headings: dict[int, int]
    elements: list[Element] = field(default_factory=list)
    images: list[Image] = field(default_factory=list)
    runs: list[tuple[_Scope, Run]] = field(default_factory=list)
    numbers: dict[int, Numbers] = field(default_factory=dict)
    truncated: bool = False

    def read(self, body: LexborNode) -> None:
        """Read the body and everything under it."""
        root: _Scope = _Root(body)
        scope = root
        self._row(root)
        node = body.first_child
        treatment_of = TREATMENT.get
        for _ in range(NODE_CAP):
            while node is None:
                if scope is root:
                    return
                node, scope = self._leave(scope)
            tag = node.tag or ""
            treatment = treatment_of(tag, INLINE)
            if tag == "-text":
                data = node.text_content or ""
                if scope.block.open or not data.isspace():
                    self._text(scope, data)
            elif treatment >= INLINE:
                child = node.first_child
                if child is not None:
                    if tag == "math" and (node.attributes.get("display") or "").lower() == "block":
                        treatment = BLOCK
                    scope = self._enter(scope, node, tag, treatment)
                    node = child
                    continue
                if BLOCK <= treatment <= PRE:
                    scope.block.open = {}
                    if tag in CELLS:
                        self._row(_Scope(node, tag, scope))
            elif treatment == BREAK:
                for run in scope.block.open.values():
                    run.break_line()
            elif treatment == IMAGE:
                self._image(scope, node)
            node = node.next
        self.truncated = True

    def blocks(self) -> tuple[Block, ...]:
        """Return the blocks of all runs read, in the order in which they began."""
        blocks = []
        for scope, run in self.runs:
            text, inlines, linked = run.finish()
            blocks.append(
                Block(text, scope.row, inlines=inlines, link_chars=linked, hidden=run.hidden, heading=run.heading, marker=run.marker)
            )
        return tuple(blocks)

    def _leave(self, scope: _Scope) -> tuple[LexborNode | None, _Scope]:
        """Close a scope; return what comes next, and the scope that holds it."""
        if scope.tag == "button":
            for run in scope.parent.block.open.values():
                run.due = True
        elif scope.tag == "q":
            self._text(scope, quotes_of(scope.node)[1])
        return scope.node.next, scope.parent

    def _enter(self, parent: _Scope, node: LexborNode, tag: str, treatment: int) -> _Scope:
        scope = _Scope(node, tag, parent)
        if self.undisplayed and node.mem_id in self.undisplayed:
            scope.hidden = "display"
        elif tag == "summary" and parent.tag == "details":
            scope.hidden = parent.parent.hidden
            scope.item = None
        if BLOCK <= treatment <= PRE:
            if scope.hidden:
                parent.block.open.pop(scope.hidden, None)
            else:
                parent.block.open = {}
            scope.block, scope.open = scope, {}
            if tag == "li":
                scope.item = _Item(node)
            elif tag in CELLS:
                self._row(scope)  # also where it is empty: it keeps its column
            if treatment == HEADING:
                scope.heading = int(tag[1])
            elif treatment == PRE:
                scope.preserved = True
        elif treatment == LINK:
            href = node.attributes.get("href")
            if href:
                scope.mark = Mark("link", self.resolver.absolute(href), scope.mark)
        elif treatment == MARK:
            target = (node.attributes.get("datetime") or "").strip()[:_DATETIME] if tag == "time" else ""
            if target or tag != "time":
                scope.mark = Mark(KINDS[tag], target, scope.mark)
        elif tag == "q":
            self._text(scope, quotes_of(node)[0])
        elif treatment == BUTTON:
            scope.block, scope.open = scope, {}
        if self.aria_headings and node.mem_id in self.aria_headings:
            scope.heading = self.aria_headings[node.mem_id] or parent.heading
        return scope

    def _text(self, scope: _Scope, data: str) -> None:
        block = scope.block
        if data.isspace() or not (data.isascii() or INK.search(data)):
            for run in block.open.values():
                run.add_white(data, scope.preserved)
            return
        known = block.open.get(scope.hidden)
        run = known or Run(scope.hidden, scope.heading)
        if known is None:
            block.open[scope.hidden] = run
            self._row(block)
            if not scope.hidden:
                run.marker = self._marker(scope)
            self.runs.append((block, run))
        elif run.heading != scope.heading:
            run.heading = block.heading
        if scope.preserved:
            run.add_preserved(data, scope.mark)
        else:
            run.add(data, scope.mark)

    def _marker(self, scope: _Scope) -> str:
        """Return the marker that the first block of a list item or a summary shows."""
        if scope.item is not None and not scope.item.is_marked:
            scope.item.is_marked = True
            return marker_of(scope.item.node, self.numbers)
        if scope.block.tag == "summary" and scope.block.parent.tag == "details":
            return "▾" if "open" in scope.block.parent.node.attributes else "▸"
        return ""

    def _row(self, scope: _Scope) -> int:
        """Return the element's row in the table, entering it and its ancestors where they are new."""
        if scope.row >= 0:
            return scope.row
        pending = [scope]
        while (at := pending[-1].parent).row < 0 and at is not pending[-1]:
            pending.append(at)
        for at in reversed(pending):
            parent = at.parent.row
            if at.depth >= DEEPEST:
                at.row = parent
                continue
            at.row = len(self.elements)
            found = at.node.attributes
            code = at.node.css_first("pre > code[class]") if at.tag == "pre" else None  # its language stands there
            if not found and code is None:
                self.elements.append(Element(at.tag, parent))
                continue
            plain = self.attributes.isdisjoint(found)
            kept = {} if plain else {name: _kept(name, value or "", at.tag) for name, value in found.items() if name in self.attributes}
            classes = tuple(" ".join((found.get("class") or "", (code.attributes.get("class") or "") if code else "")).split())
            self.elements.append(Element(at.tag, parent, found.get("id") or "", classes, kept))
        return scope.row

    def _image(self, scope: _Scope, node: LexborNode) -> None:
        found = node.attributes
        picture = node.parent
        before = []
        if picture is not None and picture.tag == "picture":
            before = [child.attributes for child in picture.iter() if child.tag == "source"]
        source = image_source(found, before)
        target = self.resolver.absolute(source) if source else ""
        target = target if target.startswith("http") else ""
        alt = found.get("alt") or ""
        if target or alt.strip():
            self.images.append(Image(target, alt, self._row(scope), len(self.runs)))


def _kept(name: str, value: str, tag: str) -> str:
    """Return the attribute's value; the span of a cell as HTML bounds it."""
    if name not in _SPANS or tag not in CELLS:
        return value
    digits = _DIGITS.match(value)
    span = int(digits[1][:9]) if digits else 1
    return str(min(span, _SPANS[name]) if span or name == "rowspan" else 1)
