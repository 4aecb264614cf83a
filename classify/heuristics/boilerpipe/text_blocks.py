"""Atomic text blocks (Kohlschütter, Fankhauser and Nejdl, WSDM 2010, section 3): text that no tag but `<a>` interrupts.

Departure: on a `Page` the blocks are the page's own, which inline tags do not separate, as in the authors' later program. Hidden blocks
are left out. The paper's own blocks of HTML, for its experiments, are in `benchmarks.datasets.atomic_blocks`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sightread.render.page import Block, Page
from sightread.render.static.block_text import fold
from sightread.render.text.words import count_words

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")

ENCLOSING = {**dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "h"), "p": "p", "div": "div"}
"""The tags that are looked for around a block (section 3.1), with their names there."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """An atomic text block."""

    text: str
    """White space folded."""
    linked: float = 0.0
    """How many of its words are inside links."""
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
    """Return how many words of a page's block are inside links; by characters where their ranges are not known."""
    links = [inline for inline in block.inlines if inline.kind == "link"]
    if links:
        return sum(number_of_words(block.text[link.start : link.end]) for link in links)
    return number_of_words(block.text) * block.link_chars / max(len(block.text), 1) if block.link_chars else 0.0
