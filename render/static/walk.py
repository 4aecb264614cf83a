"""One pass over a parsed body in document order: blocks, elements and images, by the defaults of the HTML standard."""

from __future__ import annotations

import re
from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from sightread.render.analysis.overlays import DIALOGS, Layer, is_named
from sightread.render.page import Element, Hidden, Image
from sightread.render.static.block_text import INK, LISTS, ItemNumbers, Mark, Run, bullet, is_unmarked, numbers_of, numeral, quotes_of
from sightread.render.static.head import Resolver, image_source, reference
from sightread.render.static.tags import (
    BLOCK,
    BREAK,
    BUTTON,
    CELLS,
    HEADING,
    IMAGE,
    INLINE,
    INLINE_KINDS,
    LINK,
    MARK,
    PHRASING,
    PRE,
    TREATMENT,
)
from sightread.render.text.words import unveil

_SPANS = {"colspan": 1000, "rowspan": 65534}
"""The most that HTML lets a cell span (HTML standard, 4.9.11)."""
DEEPEST = 512
"""Levels of elements kept, as in Chromium's parser; what nests deeper becomes a child of the last of them."""
_DIGITS = re.compile(r"\s*\+?(\d+)")


def _kept(name: str, value: str, tag: str) -> str:
    """Return the attribute's value; the span of a cell as HTML bounds it."""
    if name not in _SPANS or tag not in CELLS:
        return value
    digits = _DIGITS.match(value)
    span = int(digits[1][:9]) if digits else 1
    return str(min(span, _SPANS[name]) if span or name == "rowspan" else 1)


_NONE: Mapping[str, str] = {}
_LISTED = LISTS | {"li"}
_DATETIME = 100
_PLAIN, _FLOW = -1, -2
"""Treatments with a fast path because they are common and simple: an inline element and a block that do no more."""
_STEPS = {
    **{tag: {INLINE: _PLAIN, BLOCK: _FLOW}.get(treatment, treatment) for tag, treatment in TREATMENT.items()},
    **{"q": INLINE, "math": INLINE, "noscript": INLINE},
    **dict.fromkeys(("li", "summary", "details", *CELLS), BLOCK),
}
TEXT = 2
"""The parser's number of a text, in place of a tag."""
FIRST_TAG = 6
"""Its number of the first tag; comments and the like have lower ones."""


_Inline = tuple[Mark | None, int, Hidden]
_Flow = tuple[int, Run | None, Run | None, Mark | None, int, Hidden, list[int], bool]


class Walk:
    """The state of the walk: open elements and finished blocks. No recursion: pages nest as deep as they like.

    Text belongs to the nearest block-level element around it, and there to a run: one for displayed text, and one for the rest. The
    start of an element notes in `_outer` what its end brings back: nothing, the depth of the block around, or all that it changed.
    What changes with every element is kept in lists, and not in an object each, for speed.
    """

    __slots__ = (
        *("anchors", "aria_headings", "attributes", "code_lines", "elements", "images", "layers", "resolver", "runs", "targets"),
        *("truncated", "undisplayed"),
        *("_block", "_classes", "_dark", "_heading", "_hidden", "_item", "_mark", "_nodes", "_numbers", "_odd", "_of_lists", "_outer"),
        *("_positions", "_preserved", "_reached", "_rows", "_run", "_tags"),
    )

    def __init__(
        self,
        resolver: Resolver,
        attributes: frozenset[str],
        undisplayed: Mapping[int, Hidden],
        aria_headings: dict[int, int],
        code_lines: frozenset[int],
        anchors: dict[int, str],
        targets: Mapping[int, str],
    ) -> None:
        self.resolver = resolver
        self.attributes = attributes
        self.elements: list[Element] = []
        """The table of elements: those that hold blocks or images, cells, and all around them."""
        self.layers: list[Layer] = []
        """The elements that their names call an overlay."""
        self.undisplayed = undisplayed
        """How nodes, by `mem_id`, are hidden by HTML and styles in the markup."""
        self.aria_headings = aria_headings
        """The levels that ARIA gives to nodes, 0 if it takes them away."""
        self.code_lines = code_lines
        """The nodes that are one line of code each."""
        self.anchors = anchors
        """The inline and empty nodes that links of the page lead to, with their names."""
        self.targets = targets
        """Where the links lead, by their nodes."""
        self._classes: dict[str, tuple[tuple[str, ...], bool]] = {}
        """The class names of each `class`, and whether they are those of an overlay: elements alike share them."""
        self._of_lists: dict[int, Mapping[str, str | None]] = {}
        """The attributes of lists and their items, by their rows."""
        self._reached: list[str] = []
        """Names of those that were entered since the last text."""
        self.images: list[Image] = []
        self.runs: list[Run] = []
        self.truncated = False
        self._odd = frozenset(undisplayed).union(aria_headings, code_lines, anchors)
        self._numbers: dict[int, ItemNumbers] = {}
        self._nodes: list[LexborNode] = []
        self._tags: list[str] = []
        self._positions: list[int] = []
        """Their numbers among the elements of their parents, from 1; that of the body is 0."""
        self._rows: list[int] = []
        """Theirs in the table, as far down as they are in it."""
        self._outer: list[int | _Inline | _Flow | None] = []
        self._block = 0
        """The depth of the block-level element around what is read."""
        self._run: Run | None = None
        self._dark: Run | None = None
        """The run of text that is not displayed."""
        self._mark: Mark | None = None
        self._heading = 0
        self._hidden: Hidden = ""
        self._item: list[int] = []
        """The depth of the list item around what is read, until its first block has shown its marker."""
        self._preserved = False

    def read(self, body: LexborNode, most: int) -> None:
        """Read the body and everything under it, up to `most` nodes."""
        nodes, tags, rows, outer, positions = self._nodes, self._tags, self._rows, self._outer, self._positions
        odd = self._odd
        position = 0
        kinds: dict[int, tuple[str, int]] = {}  # tag and treatment by the tag's number in this document, which is read faster than its name
        nodes.append(body)
        tags.append("body")
        outer.append(None)
        positions.append(0)
        self._row(0)
        node = body.first_child
        for _ in range(most):
            while node is None:
                if len(nodes) == 1:
                    return
                closed = nodes.pop()
                tag = tags.pop()
                back = outer.pop()
                position = positions.pop()
                if back is None:
                    pass
                elif isinstance(back, int):  # a block in flow: what comes behind it begins anew
                    self._block = back
                    self._run = self._dark = None
                else:
                    self._leave(closed, tag, back)
                if len(rows) > len(nodes):
                    rows.pop()
                node = closed.next
            number = node.tag_id
            if number == TEXT:
                if not node.is_empty_text_node:
                    self._text(node.text_content or "")
                elif self._run or self._dark:
                    self._white(node.text_content or "")
                node = node.next
                continue
            if number >= FIRST_TAG:
                position += 1
            kind = kinds.get(number)
            if kind is None:
                tag = node.tag or ""
                kind = kinds[number] = tag, _STEPS.get(tag, _PLAIN)
            tag, step = kind
            if step <= _PLAIN or step >= INLINE:
                child = node.first_child
                if child is not None:
                    positions.append(position)
                    position = 0
                    if odd and node.mem_id in odd:
                        self._enter(node, tag)
                    elif step == _PLAIN:
                        outer.append(None)
                    elif step == _FLOW and not self._hidden:
                        outer.append(self._block)
                        self._block = len(nodes)
                        self._run = self._dark = None
                    elif step == LINK:
                        outer.append((self._mark, self._heading, self._hidden))
                        self._open_link(node)
                    else:
                        self._enter(node, tag)
                    nodes.append(node)
                    tags.append(tag)
                    node = child
                    continue
                if odd and node.mem_id in self.anchors:
                    self._reached.append(self.anchors[node.mem_id])
                if step == _FLOW or BLOCK <= step <= PRE:
                    self._run = self._dark = None
                    if tag in CELLS:
                        self._cell(node, tag, position)
            elif step == BREAK:
                for run in (self._run, self._dark):
                    if run is not None:
                        run.break_line()
            elif step == IMAGE:
                self._image(node)
            node = node.next
        self.truncated = True

    def _enter(self, node: LexborNode, tag: str) -> None:
        """Open an element that does more than to hold text; it is about to be the last of `_nodes`."""
        treatment = TREATMENT.get(tag, INLINE)
        if node.mem_id in self.anchors:
            self._reached.append(self.anchors[node.mem_id])
        if tag == "math" and (node.attributes.get("display") or "").lower() == "block":
            treatment = BLOCK
        if tag == "noscript" and TREATMENT.get(self._tags[-1]) == BLOCK and self._tags[-1] not in PHRASING and INK.search(node.text()):
            treatment = BLOCK
        hidden, item, heading = self._hidden, self._item, self._heading
        if self.undisplayed and node.mem_id in self.undisplayed:
            hidden = hidden or self.undisplayed[node.mem_id]
        elif tag == "summary" and self._tags[-1] == "details":
            hidden, item = self._around_details(), []
        if BLOCK <= treatment <= PRE or treatment == BUTTON:
            run, dark = self._run, self._dark
            if treatment != BUTTON:  # it interrupts the text around it; hidden text interrupts hidden text only
                run, dark = (run, None) if hidden else (None, None)
            self._outer.append((self._block, run, dark, self._mark, self._heading, self._hidden, self._item, self._preserved))
            self._block = len(self._nodes)
            self._run = self._dark = None
            self._hidden, self._item = hidden, item
            self._open_block(node, tag, treatment)
        else:
            self._outer.append((self._mark, self._heading, self._hidden))
            self._hidden = hidden
            self._open_inline(node, tag, treatment)
        if self.aria_headings and node.mem_id in self.aria_headings:
            self._heading = self.aria_headings[node.mem_id] or heading

    def _open_block(self, node: LexborNode, tag: str, treatment: int) -> None:
        if tag == "li":
            self._item = [len(self._nodes)]
        elif tag in CELLS:
            self._rows.append(self._cell(node, tag, self._positions[-1]))
        elif treatment == HEADING:
            self._heading = int(tag[1])
        elif treatment == PRE or (self.code_lines and node.mem_id in self.code_lines):
            self._preserved = True

    def _open_inline(self, node: LexborNode, tag: str, treatment: int) -> None:
        if treatment == LINK:
            self._open_link(node)
        elif treatment == MARK:
            target = (node.attributes.get("datetime") or "").strip()[:_DATETIME] if tag == "time" else ""
            if target or tag != "time":
                self._mark = Mark(INLINE_KINDS[tag], target, self._mark)
        elif tag == "q":
            self._text(quotes_of(node)[0])

    def _open_link(self, node: LexborNode) -> None:
        target = self.targets.get(node.mem_id)
        if target is None and (href := reference(node.attributes)):
            target = self.resolver.target(href)
        if target is not None:
            self._mark = Mark("link", target, self._mark)

    def _leave(self, node: LexborNode, tag: str, back: _Inline | _Flow) -> None:
        if len(back) == 3:
            if tag == "q":
                self._text(quotes_of(node)[1])
            self._mark, self._heading, self._hidden = back
            return
        self._block, self._run, self._dark, self._mark, self._heading, self._hidden, self._item, self._preserved = back
        if tag == "button":
            for run in (self._run, self._dark):
                if run is not None:
                    run.due = True

    def _around_details(self) -> Hidden:
        """Return how the `<details>` that was entered last is hidden by its ancestors."""
        back = self._outer[-1]
        return back[5] if isinstance(back, tuple) and len(back) == 8 else ""

    def _text(self, data: str) -> None:
        if data.isspace() or not (data.isascii() or INK.search(data)):
            self._white(data)
            return
        hidden, heading = self._hidden, self._heading
        run = self._dark if hidden else self._run
        if not data.isascii():
            data, secret = unveil(data)
            if secret:
                self.runs.append(spelt := Run(self._row(self._block), "characters", 0))
                spelt.add(secret, None)
            if not INK.search(data):
                return
        if run is None or run.hidden != hidden:
            block, rows = self._block, self._rows
            run = Run(rows[block] if block < len(rows) else self._row(block), hidden, heading)
            self.runs.append(run)
            if hidden:
                self._dark = run
            else:
                self._run = run
                run.marker = self._marker()
        elif run.heading != heading:
            run.heading = self._block_heading()
        if self._reached:
            run.anchors += tuple(self._reached)
            self._reached.clear()
        if self._preserved:
            run.add_preserved(data, self._mark)
        else:
            run.add(data, self._mark)

    def _white(self, data: str) -> None:
        for run in (self._run, self._dark):
            if run is not None and self._preserved:
                run.add_preserved(data, None)
            elif run is not None:
                run.due = True

    def _block_heading(self) -> int:
        """Return the heading level of the block-level element around what is read."""
        for depth in range(self._block, 0, -1):
            tag = self._tags[depth]
            level = int(tag[1]) if TREATMENT.get(tag) == HEADING else 0
            if level := self.aria_headings.get(self._nodes[depth].mem_id, level):
                return level
        return 0

    def _marker(self) -> str:
        if self._item:
            return self._item_marker(self._item.pop())
        block = self._block
        if self._tags[block] == "summary" and self._tags[block - 1] == "details":
            return "▾" if "open" in self._nodes[block - 1].attributes else "▸"
        return ""

    def _item_marker(self, depth: int) -> str:
        """Return the marker that the open list item at this depth shows by default. Its list and itself are in the table."""
        holder = self._tags[depth - 1]
        if holder not in LISTS:
            return "•"
        own, around = self._list_attributes(depth), self._list_attributes(depth - 1)
        if is_unmarked(own) or is_unmarked(around):
            return ""
        kind = own.get("type") or around.get("type") or ""
        if holder != "ol":
            return bullet(kind, sum(map(LISTS.__contains__, self._tags[: depth - 1])))
        item, ordered = self._nodes[depth].mem_id, self._nodes[depth - 1]
        numbers = self._numbers.get(ordered.mem_id)
        if numbers is None:
            numbers = self._numbers[ordered.mem_id] = numbers_of(ordered)
        return f"{numeral(numbers.get(item, 1), kind)}."

    def _list_attributes(self, depth: int) -> Mapping[str, str | None]:
        return self._of_lists.get(self._rows[depth], _NONE) if depth < DEEPEST else self._nodes[depth].attributes

    def _row(self, depth: int) -> int:
        """Return the row of the open element at this depth in the table, entering it and those above it if they are new."""
        rows = self._rows
        for at in range(len(rows), depth + 1):
            parent = rows[-1] if rows else -1
            rows.append(parent if at >= DEEPEST else self._add(self._nodes[at], self._tags[at], parent, self._positions[at]))
        return rows[depth]

    def _add(self, node: LexborNode, tag: str, parent: int, position: int) -> int:
        """Enter an element whose parent is in the table, and return its row; -1 is the parent of the body."""
        found = node.attributes
        code = node.css_first("pre > code[class]") if tag == "pre" else None  # which names its language
        row = len(self.elements)
        if not found and code is None:
            self.elements.append(tuple.__new__(Element, (tag, parent, "", (), _NONE, position)))
            return row
        kept: Mapping[str, str] = _NONE
        if not self.attributes.isdisjoint(found):
            kept = {name: _kept(name, value or "", tag) for name, value in found.items() if name in self.attributes}
        if tag in _LISTED:
            self._of_lists[row] = found
        identity, names = found.get("id") or "", found.get("class") or ""
        if code is not None:
            names = f"{names} {code.attributes.get('class') or ''}"
        known = self._classes.get(names)
        if known is None:
            known = self._classes[names] = tuple(names.split()), is_named(names)
        classes, is_layer = known
        if row and (is_layer or (identity and is_named(identity)) or (kept and kept.get("role", "").lower() in DIALOGS)):
            self.layers.append(Layer(row, "named"))
        self.elements.append(tuple.__new__(Element, (tag, parent, identity, classes, kept, position)))  # half its time
        return row

    def _cell(self, node: LexborNode, tag: str, position: int) -> int:
        """Return the row of a cell, entering it also if it is empty: it keeps its column."""
        parent = self._row(len(self._nodes) - 1)
        return parent if len(self._nodes) >= DEEPEST else self._add(node, tag, parent, position)

    def _image(self, node: LexborNode) -> None:
        found = node.attributes
        before = []
        if self._tags[-1] == "picture":
            before = [child.attributes for child in self._nodes[-1].iter() if child.tag == "source"]
        source = image_source(found, before)
        target = self.resolver.absolute(source) if source else ""
        target = target if target.startswith("http") else ""
        alt = found.get("alt") or ""
        if target or alt.strip():
            self.images.append(Image(target, alt, self._row(len(self._nodes) - 1), len(self.runs)))
