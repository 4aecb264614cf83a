"""Spans: where each part of a document is on its page, so that a reader of the document can check it there."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from secrets import token_hex
from typing import Literal, TypeAlias

from sightread.document.formats import Marks
from sightread.document.formats.markdown import to_markdown
from sightread.document.text_fragments import TextFragments
from sightread.document.tree.builder import BlockRole, Structure
from sightread.document.tree.inlines import paragraph_ranges
from sightread.render.page import Box, Page

SpanKind: TypeAlias = BlockRole | Literal["link"]


@dataclass(frozen=True, slots=True)
class Span:
    """A block of the document, or a link in one, and where it is: in the document's Markdown, in the page, and on the screen.

    Offsets count code points. A box is in CSS px with the document's origin, None without a browser; that of a link is its block's.
    """

    number: int
    """Its number in the document, from 1."""
    kind: SpanKind
    text: str
    """`Page.text[start:end]`."""
    block: int
    """Row in `Page.blocks`."""
    start: int
    end: int
    markdown_start: int
    """Its range in `Document.markdown`: the line or lines of its paragraph, item or cell, with the marks in them."""
    markdown_end: int
    selector: str
    """CSS selector of the element (`Page.selector`)."""
    box: Box | None
    url: str
    """The page's URL with a text fragment, which browsers scroll to and highlight; empty if it has none."""


def find_spans(page: Page, structure: Structure) -> tuple[Span, ...]:
    """Return the spans of a document's blocks in the order of its Markdown, each followed by its links."""
    shown: list[Sequence[int]] = []
    key = token_hex(8)  # of the marks, so that no page can contain one

    def mark(blocks: Sequence[int], written: list[str]) -> list[str]:
        shown.append(blocks)
        marked = [f"{key}{len(shown) - 1};{written[0]}", *written[1:]]
        marked[-1] += f"{key};"
        return marked

    places = dict(_places(to_markdown(structure.nodes, mark), key))
    starts = [0, *accumulate(len(block.text) + 1 for block in page.blocks)]
    fragments, selectors = TextFragments(page), _Selectors(page)
    spans: list[Span] = []

    def add(kind: SpanKind, row: int, first: int, last: int, place: tuple[int, int]) -> None:
        block = page.blocks[row]
        start, end = starts[row] + first, starts[row] + last
        text, selector, url = block.text[first:last], selectors[block.element], fragments.link(start, end)
        spans.append(Span(len(spans) + 1, kind, text, row, start, end, *place, selector, block.box, url))

    order = sorted(places, key=lambda number: places[number])
    parts = Counter(row for number in order for row in shown[number])
    pending: dict[int, list[tuple[int, int]]] = {}  # the paragraphs of blocks that several nodes show
    links: dict[int, list[tuple[int, int]]] = {}
    for number in order:
        for row in shown[number]:
            block = page.blocks[row]
            if row not in pending:
                ranges = paragraph_ranges(block.text) if parts[row] > 1 else []
                pending[row] = ranges[::-1] if len(ranges) == parts[row] else [(0, len(block.text))] * parts[row]
                links[row] = sorted((inline.start, inline.end) for inline in block.inlines if inline.kind == "link")
            first, last = pending[row].pop()
            add(structure.kinds.get(row, "paragraph"), row, first, last, places[number])
            for start, end in links[row][bisect_left(links[row], (first,)) : bisect_left(links[row], (last,))]:
                if start < end <= last:
                    add("link", row, start, end, places[number])
    return tuple(spans)


def mark_spans(markdown: str, spans: Iterable[Span], marks: Marks) -> str:
    """Return a document's Markdown with a mark behind each of its blocks, `[^s12]` or `<!-- s12 -->`; behind code, in a line of its own.

    `note_spans` returns the footnotes.
    """
    parts: list[str] = []
    last = 0
    for span in sorted(spans, key=lambda span: (span.markdown_end, span.number)):
        if span.kind == "link":
            continue
        start, end = span.markdown_start, span.markdown_end
        gap = " "
        if span.kind == "code" and markdown.startswith("```", start):
            line = markdown.rfind("\n", 0, end) + 1
            gap = f"\n{markdown[line : markdown.index('`', line)]}"
        mark = f"[^s{span.number}]" if marks == "footnotes" else f"<!-- s{span.number} -->"
        parts += [markdown[last:end], gap, mark]
        last = end
    return "".join((*parts, markdown[last:]))


def note_spans(spans: Iterable[Span]) -> list[str]:
    """Return a footnote for each span that is no link: the URL that highlights it, or else the selector of its element."""
    return [f"[^s{span.number}]: {f'<{span.url}>' if span.url else f'`{span.selector}`'}" for span in spans if span.kind != "link"]


def spans_within(spans: Sequence[Span], start: int, end: int) -> Sequence[Span]:
    """Return the spans of blocks, of those in the order of the Markdown, of which some is in `markdown[start:end]`."""
    first = bisect_right(spans, start, key=lambda span: span.markdown_end)
    stop = bisect_left(spans, end, lo=first, key=lambda span: span.markdown_start)
    return [span for span in spans[first:stop] if span.kind != "link"]


class _Selectors(dict[int, str]):
    """The selectors of elements, each computed once."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def __missing__(self, element: int) -> str:
        found = self[element] = self.page.selector(element)
        return found


def _places(marked: str, key: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the number of each part between two marks with this key, and its range in the Markdown without marks."""
    removed, number, start = 0, -1, 0
    for found in re.finditer(f"{key}([0-9]*);", marked):
        place = found.start() - removed
        removed += len(found[0])
        if found[1]:
            number, start = int(found[1]), place
        else:
            yield number, (start, place)
