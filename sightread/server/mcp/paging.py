"""Divides a long document into pages at the boundaries of its blocks, and lists its headings with their pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6}) (.+)")


class PageHeading(NamedTuple):
    """A heading of a document: its level from 1 to 6, its text, and the page that it is on, from 1."""

    level: int
    text: str
    page: int


class Pages(NamedTuple):
    """A document in pages."""

    texts: tuple[str, ...]
    """Markdown; an empty document has no page."""
    headings: tuple[PageHeading, ...]


def paginate(markdown: str, size: int) -> Pages:
    """Divide Markdown into pages of at most `size` characters.

    A page ends between two blocks, never within a paragraph, a table or a code block, unless a block alone is longer than a page: that is
    divided between its lines, or as a last resort within one. A heading begins the page of what follows it.
    """
    pages: list[list[str]] = []
    used = 0
    for block in (piece for whole in _blocks(markdown) for piece in _pieces(whole, size)):
        if not pages or used + len(block) + 2 > size:
            moved: list[str] = []
            while pages and len(pages[-1]) > 1 and _HEADING.fullmatch(pages[-1][-1]):
                moved.insert(0, pages[-1].pop())
            used = sum(len(each) + 2 for each in moved)
            if used + len(block) + 2 > size:
                pages += [moved] if moved else []
                moved, used = [], 0
            pages.append(moved)
        pages[-1].append(block)
        used += len(block) + 2
    headings = (
        PageHeading(len(found[1]), found[2], number)
        for number, blocks in enumerate(pages, 1)
        for block in blocks
        if (found := _HEADING.fullmatch(block))
    )
    return Pages(tuple("\n\n".join(blocks) for blocks in pages), tuple(headings))


def _blocks(markdown: str) -> Iterator[str]:
    """Yield the blocks: runs of lines without an empty one, and whole code blocks."""
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        if not line.strip() and not fence:
            if lines:
                yield "\n".join(lines)
            lines = []
            continue
        lines.append(line)
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    if lines:
        yield "\n".join(lines)


def _pieces(block: str, size: int) -> Iterator[str]:
    """Yield a block, or if it is longer than `size` its pieces, divided at the ends of lines, else of words."""
    while len(block) + 2 > size:
        end = block.rfind("\n", 1, size - 2)
        end = end if end > 0 else block.rfind(" ", 1, size - 2)
        end = end if end > 0 else size - 2
        yield block[:end]
        block = block[end:].lstrip("\n") or ""
    if block:
        yield block
