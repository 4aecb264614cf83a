"""Leaves of a page: text nodes with the tags of their path and their words.

A `Page` keeps no text nodes, but what separates them: a block is cut where an inline element that it keeps begins or ends, and at line
breaks. Departure: inline elements without a meaning of their own (`span`, `font`) separate nothing, and do not count among the tags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from classify.neural.semtext.vocabulary import text_words
from render.page import Block, Page
from render.static.tags import INLINE_TAGS


@dataclass(frozen=True, slots=True)
class Leaf:
    """A run of text whose tags are the same throughout."""

    row: int
    """Of its block."""
    length: int
    """Characters."""
    words: Counter[str]
    """Its words and how often each is in it, small letters, digits as 0."""
    inlines: Counter[str]
    """The tags of its path below the block's element; those above are the element's."""


def leaves(page: Page) -> Iterator[Leaf]:
    """Yield the page's leaves in document order; every block has at least one."""
    for row, block in enumerate(page.blocks):
        found = False
        for start, stop, inlines in _pieces(block):
            text = block.text[start:stop]
            if not text.isspace():
                found = True
                yield Leaf(row, stop - start, Counter(text_words(text, stop - start)), inlines)
        if not found:
            yield Leaf(row, max(len(block.text), 1), Counter(), Counter())


def _pieces(block: Block) -> Iterator[tuple[int, int, Counter[str]]]:
    """Yield start, stop and inline tags of each piece of the block's text between two edges."""
    changes: dict[int, list[tuple[str, int]]] = {0: [], len(block.text): []}
    for inline in block.inlines:
        changes.setdefault(inline.start, []).append((INLINE_TAGS[inline.kind], 1))
        changes.setdefault(inline.end, []).append((INLINE_TAGS[inline.kind], -1))
    at = block.text.find("\n")
    while at >= 0:
        changes.setdefault(at, [])
        at = block.text.find("\n", at + 1)
    open_now: Counter[str] = Counter()
    edges = sorted(changes)
    for start, stop in pairwise(edges):
        for tag, change in changes[start]:
            open_now[tag] += change
        yield start, stop, +open_now
