"""The marked text of a block as a tree: what every renderer of a document walks."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from render.page import Block, Inline, InlineKind

MAX_DEPTH = 12
"""Marks nested deeper than this are plain text: no author writes them, and renderers recurse."""

_TARGET = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_PARAGRAPH_BREAK = re.compile(r"(?<![^\S\n])[^\S\n]*\n\s*\n\s*")  # begun only where white space begins, else long spaces take forever


@dataclass(frozen=True, slots=True)
class Span:
    """Marked text. It neither begins nor ends with white space, and is never empty."""

    kind: InlineKind
    children: Inlines
    target: str = ""


Inlines: TypeAlias = tuple[str | Span, ...]
"""Text and spans, in order; a newline in the text is a line break that a reader sees."""


def read_inlines(block: Block) -> tuple[Inlines, ...]:
    """Return the block's marked text, one tree a paragraph: an empty line in the text (`<br><br>`) parts two.

    White space at the edge of a mark moves out of it, marks of one kind that touch become one, and marks that cross are cut where they
    cross: then every notation can write them. Links elsewhere than to http, https and mailto are plain text, and times, which no notation
    writes. A block of white space gives an empty tuple.
    """
    usable = (mark for mark in block.inlines if mark.kind != "time" and (mark.kind != "link" or _TARGET.match(mark.target)))
    marks = sorted(usable, key=lambda mark: (mark.start, -mark.end))
    ranges = (_trimmed(block.text, start, end) for start, end in _paragraphs(block.text))
    return tuple(tuple(_tree(block.text, start, end, marks)) for start, end in ranges if start < end)


def plain(inlines: Iterable[str | Span]) -> str:
    """Return the text without its marks."""
    return "".join(part if isinstance(part, str) else plain(part.children) for part in inlines)


def joined(paragraphs: Sequence[Inlines]) -> Inlines:
    """Return the paragraphs as one, with a space between them."""
    parts: list[str | Span] = []
    for paragraph in paragraphs:
        parts += [" ", *paragraph] if parts else paragraph
    return tuple(parts)


def unmarked(inlines: Inlines) -> Inlines:
    """Return the text without what marks all of it as strong or emphasised, which says nothing more in a heading."""
    while len(inlines) == 1 and isinstance(inlines[0], Span) and inlines[0].kind in ("strong", "emphasis"):
        inlines = inlines[0].children
    return inlines


def strong(inlines: Inlines) -> Span:
    """Return the text as one strong span, with no other inside of it."""
    return Span("strong", tuple(_without(inlines, "strong")))


def _without(inlines: Inlines, kind: InlineKind) -> Iterator[str | Span]:
    for part in inlines:
        if isinstance(part, str):
            yield part
        elif part.kind == kind:
            yield from _without(part.children, kind)
        else:
            yield replace(part, children=tuple(_without(part.children, kind)))


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    if "\n" in text:
        for gap in _PARAGRAPH_BREAK.finditer(text):
            yield start, gap.start()
            start = gap.end()
    yield start, len(text)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _tree(text: str, start: int, end: int, marks: Sequence[Inline], inside: tuple[InlineKind, ...] = ()) -> list[str | Span]:
    """Build the tree of `text[start:end]`; the marks are sorted by start, the longer first."""
    parts: list[str | Span] = []
    place = start
    pending = deque(mark for mark in marks if mark.start < end and mark.end > start)
    while pending:
        mark = pending.popleft()
        first, last = _trimmed(text, max(mark.start, place), min(mark.end, end))
        if first >= last or mark.kind in inside or len(inside) == MAX_DEPTH:
            continue
        within = []
        while pending and pending[0].start < last:
            within.append(pending.popleft())
        pending.extendleft(other for other in reversed(within) if other.end > last)
        if place < first:
            parts.append(text[place:first])
        _append(parts, Span(mark.kind, tuple(_tree(text, first, last, within, (*inside, mark.kind))), mark.target))
        place = last
    if place < end:
        parts.append(text[place:end])
    return parts


def _append(parts: list[str | Span], span: Span) -> None:
    before = parts[-1] if parts else ""
    if isinstance(before, Span) and (before.kind, before.target) == (span.kind, span.target):
        parts[-1] = replace(before, children=before.children + span.children)
    else:
        parts.append(span)
