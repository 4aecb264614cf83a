"""The blocks of HTML for readers of its text alone, in half of the time of `sightread.render.static.parse.read_html`.

Blocks are divided by the same rules but that hidden text and buttons divide the text around them too; of a hundred pages 99.6 % of the
blocks are the same. There are no ranges of links and emphasis, images, markers, anchors and metadata.
"""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborNode

from sightread.render.page import Block, Element, Hidden, Page, uncollected
from sightread.render.static.block_text import INK, WIDE_BREAK
from sightread.render.static.charset import Html
from sightread.render.static.head import read_title
from sightread.render.static.parse import NODE_CAP, open_html
from sightread.render.static.tags import BLOCK, BREAK, BUTTON, HEADING, INLINE, LINK, PHRASING, PRE, TREATMENT
from sightread.render.static.walk import DEEPEST, FIRST_TAG, TEXT
from sightread.render.text.words import unveil

_LINE_BREAK = "\0"
"""Of a `<br>` among pieces of text, in which a parser leaves none."""
_KEPT = ("role", "itemprop")
_NO_ATTRIBUTES: Mapping[str, str] = {}

_Around = tuple[int, int, bool, Hidden]
"""The depth of the block-level element, its heading level, whether its white space stays, and how it is hidden."""


@uncollected
def read_brief(html: Html, url: str = "") -> Page:
    """Return the page's blocks, and of its head the title and the language. Raises `Unusable` for binary data."""
    decoded, tree, undisplayed = open_html(html, url)
    walk = _Walk(undisplayed)
    if tree.body is not None:
        walk.read(tree.body)
    root, title = tree.root, read_title(tree)
    return Page(
        url,
        url,
        "static",
        tuple(walk.elements) or (Element("body", -1),),
        tuple(walk.blocks),
        titles=(title,) if title else (),
        language=((root.attributes.get("lang") if root is not None else "") or "").strip(),
        truncated=walk.truncated,
        guessed_charset=decoded.charset if decoded.is_guessed else "",
    )


class _Walk:
    """The open elements, those with blocks, and the finished blocks."""

    __slots__ = (
        *("blocks", "elements", "truncated"),
        *("_block", "_classes", "_heading", "_hidden", "_linked", "_nodes", "_pieces", "_preserved", "_rows", "_tags", "_undisplayed"),
    )

    def __init__(self, undisplayed: Mapping[int, Hidden]) -> None:
        self.elements: list[Element] = []
        self.blocks: list[Block] = []
        self.truncated = False
        self._classes: dict[str, tuple[str, ...]] = {}
        self._undisplayed = undisplayed
        self._nodes: list[LexborNode] = []
        self._tags: list[str] = []
        self._rows: list[int] = []
        """Rows of the open elements, as far down as they are in the table."""
        self._block, self._heading, self._preserved = 0, 0, False
        self._hidden: Hidden = ""
        self._pieces: list[str] = []
        """The text of the block so far, and of its links."""
        self._linked: list[str] = []

    def read(self, body: LexborNode) -> None:
        """Read the body and everything under it, up to `NODE_CAP` nodes."""
        nodes, tags, rows, pieces, linked = self._nodes, self._tags, self._rows, self._pieces, self._linked
        kinds: dict[int, tuple[str, int]] = {}  # by the tag's number in this document
        around: list[_Around | bool] = [False]  # what the end of each open element brings back; of an inline one, whether it is a link
        links = 0
        nodes.append(body)
        tags.append("body")
        node = body.first_child
        for _ in range(NODE_CAP):
            while node is None:
                before = around.pop()
                if before is True:
                    links -= 1
                elif before is not False:
                    self._finish()
                    self._block, self._heading, self._preserved, self._hidden = before
                closed = nodes.pop()
                tags.pop()
                if not nodes:
                    self._finish()
                    return
                if len(rows) > len(nodes):
                    rows.pop()
                node = closed.next
            number = node.tag_id
            if number == TEXT:
                if not node.is_empty_text_node:
                    text = node.text_content or ""
                    if pieces or self._preserved or not text.isspace():
                        if not pieces:
                            self._enter(self._block)
                        pieces.append(text)
                        if links:
                            linked.append(text)
                elif pieces:
                    pieces.append(node.text_content or "" if self._preserved else " ")
            elif number >= FIRST_TAG:
                kind = kinds.get(number)
                if kind is None:
                    tag = node.tag or ""
                    kind = kinds[number] = tag, TREATMENT.get(tag, INLINE)
                tag, step = kind
                if step >= INLINE:
                    if tag == "noscript" and self._is_block(node):
                        step = BLOCK
                    child = node.first_child
                    is_block = BLOCK <= step <= PRE or (step == BUTTON and child is not None)
                    hidden = self._undisplayed.get(node.mem_id, "")
                    if is_block or (hidden and child is not None):
                        self._finish()
                        if child is not None:
                            outer = around[-1]
                            around.append((self._block, self._heading, self._preserved, self._hidden))
                            if is_block:
                                self._block = len(nodes)
                            if step == HEADING:
                                self._heading = int(tag[1])
                            elif step == PRE:
                                self._preserved = True
                            if tag == "summary" and tags[-1] == "details" and isinstance(outer, tuple):
                                self._hidden = outer[3]
                            self._hidden = self._hidden or hidden
                    elif child is not None:
                        around.append(step == LINK)
                        links += step == LINK
                    if child is not None:
                        nodes.append(node)
                        tags.append(tag)
                        node = child
                        continue
                elif step == BREAK and pieces:
                    pieces.append(_LINE_BREAK)
            node = node.next
        self._finish()
        self.truncated = True

    def _is_block(self, noscript: LexborNode) -> bool:
        return TREATMENT.get(self._tags[-1]) == BLOCK and self._tags[-1] not in PHRASING and INK.search(noscript.text()) is not None

    def _enter(self, depth: int) -> None:
        """Enter the open elements down to this depth in the table."""
        rows = self._rows
        for at in range(len(rows), depth + 1):
            parent = rows[-1] if rows else -1
            if at >= DEEPEST:
                rows.append(parent)
                continue
            found = self._nodes[at].attributes
            rows.append(len(self.elements))
            names = found.get("class") or ""
            classes = self._classes.get(names)
            if classes is None:
                classes = self._classes[names] = tuple(names.split())
            kept = _NO_ATTRIBUTES
            if "role" in found or "itemprop" in found:
                kept = {name: found[name] or "" for name in _KEPT if name in found}
            self.elements.append(tuple.__new__(Element, (self._tags[at], parent, found.get("id") or "", classes, kept, 0)))

    def _finish(self) -> None:
        """Write the block that is read, if it has text."""
        if not self._pieces:
            return
        whole = "".join(self._pieces)
        self._pieces.clear()
        if self._preserved:
            text = whole.replace(_LINE_BREAK, "\n").strip("\n").rstrip()
        else:
            if not whole.isascii() and "\n" in whole:
                whole = WIDE_BREAK.sub("", whole)
            text = " ".join(whole.split())
            if _LINE_BREAK in text:
                text = "\n".join(filter(None, map(str.strip, text.split(_LINE_BREAK))))
        links = 0
        if self._linked:
            links = min(len(" ".join("".join(self._linked).split())), len(text))
            self._linked.clear()
        if not text.isascii():
            text, _ = unveil(text)
        if text and (text.isascii() or INK.search(text)):
            reachable = None if self._hidden in ("", "display") else False
            row, hidden = self._rows[self._block], self._hidden
            self.blocks.append(Block(text, row, None, None, (), links, hidden, 0, self._heading, reachable=reachable))
