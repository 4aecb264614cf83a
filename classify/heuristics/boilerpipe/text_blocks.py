"""Atomic text blocks (Kohlschütter, Fankhauser and Nejdl, WSDM 2010, section 3): text that no tag but `<a>` interrupts.

From HTML every other tag parts two blocks. On a `Page` the blocks are the page's own, which inline tags do not part: so does the authors'
later program, and a verdict on a block of the page is what an extractor needs. Hidden blocks of a page are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from render.errors import Unusable
from render.page import Block, Page
from render.static.block_text import fold
from render.static.nesting_guard import flatten
from render.static.tags import SKIP, TREATMENT
from render.words import count_words

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")

UNREAD = frozenset(tag for tag, treatment in TREATMENT.items() if treatment == SKIP) | {"noscript"}
"""Elements whose text no reader sees."""
ENCLOSING = {**dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "h"), "p": "p", "div": "div"}
"""The tags that are looked for around a block (section 3.1), with what they are called there."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """An atomic text block."""

    text: str
    """White space folded."""
    linked: float = 0.0
    """How many of its words stand inside links."""
    enclosing: frozenset[str] = frozenset()
    """Which of h, p and div it is in."""


def words_of(text: str) -> list[str]:
    """Return the words of the paper (section 3.2): what white space separates and holds a letter or digit."""
    return [token for token in text.split() if token.isalnum() or _LETTER_OR_DIGIT.search(token)]


def number_of_words(text: str) -> float:
    """Return the number of words. In scripts that write no spaces, where the paper's have no meaning, 1.7 characters are one."""
    found = words_of(text)
    if text.isascii():
        return float(len(found))
    return sum(1.0 if word.isascii() else count_words("".join(filter(str.isalnum, word))) for word in found)


def read_blocks(html: str) -> list[TextBlock]:
    """Return the atomic blocks of a document in its order; linear in its size. Raises `Unusable` for what cannot be parsed."""
    try:
        tree = LexborHTMLParser(flatten(html))
    except SelectolaxError as error:
        raise Unusable(f"this HTML cannot be parsed: {error}") from error
    return list(_walk(tree.body)) if tree.body is not None else []


def page_blocks(page: Page) -> tuple[list[int], list[TextBlock]]:
    """Return the rows of the page's visible blocks, and these as atomic ones."""
    around: list[frozenset[str]] = []
    for element in page.elements:
        above = around[element.parent] if element.parent >= 0 else frozenset()
        name = ENCLOSING.get(element.tag)
        around.append(above | {name} if name and name not in above else above)
    rows = [row for row, block in enumerate(page.blocks) if not block.hidden]
    shown = [page.blocks[row] for row in rows]
    return rows, [TextBlock(fold(block.text), linked_words(block), around[block.element]) for block in shown]


def linked_words(block: Block) -> float:
    """Return how many words of a page's block stand inside links; by characters where their ranges are not known."""
    links = [inline for inline in block.inlines if inline.kind == "link"]
    if links:
        return sum(number_of_words(block.text[link.start : link.end]) for link in links)
    return number_of_words(block.text) * block.link_chars / max(len(block.text), 1) if block.link_chars else 0.0


@dataclass(slots=True)
class _Open:
    """The block that is being read."""

    parts: list[str] = field(default_factory=list)
    linked: float = 0.0
    enclosing: frozenset[str] = frozenset()

    def close(self) -> Iterator[TextBlock]:
        text = fold("".join(self.parts))
        if text:
            yield TextBlock(text, self.linked, self.enclosing)
        self.parts.clear()
        self.linked = 0.0


def _walk(body: LexborNode) -> Iterator[TextBlock]:
    """Yield the blocks, in one pass without recursion."""
    block = _Open()
    path: list[tuple[LexborNode, frozenset[str]]] = [(body, frozenset())]
    links = 0
    node = body.first_child
    while path:
        if node is None:
            left, _ = path.pop()
            if left.tag == "a":
                links -= 1
            else:
                yield from block.close()
            node = left.next
            continue
        tag = node.tag or ""
        if tag == "-text":
            data = node.text_content or ""
            if not block.parts:
                block.enclosing = path[-1][1]
            block.parts.append(data)
            block.linked += number_of_words(data) if links else 0.0
        elif tag != "-comment":
            if tag != "a":
                yield from block.close()
            if tag not in UNREAD and node.first_child is not None:
                around = path[-1][1]
                path.append((node, around | {ENCLOSING[tag]} if tag in ENCLOSING else around))
                links += tag == "a"
                node = node.first_child
                continue
        node = node.next
