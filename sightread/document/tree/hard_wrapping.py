"""Joins paragraphs whose lines are broken at a fixed column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sightread.document.tree.inlines import Inlines, Span, plain

FEWEST = 4
"""Least number of lines: fewer show no pattern."""
SHORTEST, LONGEST = 55, 90
"""Characters of a line that is broken at a column, usually at 72 to 80."""
FULL, RUNNING = 0.6, 0.4
"""Shares of lines that are so long and end in no sentence, and of those that go on with a small letter. Verse begins its lines with a large
one. On 434 pages looked through, this finds the paragraphs of one page, all 17 so broken."""

_ENDS = re.compile(r"[.!?:;]['\"”’)]*\s*\Z")
_ITEM = re.compile(r"\s*(?:[-–—*+•‣◦▪●]|[0-9]{1,3}[.)])\s")


def unwrapped(text: Inlines) -> Inlines:
    """Return the paragraph with its lines joined, if they are broken at a column; else unchanged."""
    lines = [line for line in plain(text).split("\n") if line.strip()]
    if len(lines) < FEWEST or any(map(_ITEM.match, lines)):
        return text
    full = sum(SHORTEST <= len(line) <= LONGEST and not _ENDS.search(line) for line in lines[:-1])
    running = sum(line.lstrip()[:1].islower() for line in lines[1:])
    if full < FULL * (len(lines) - 1) or running < RUNNING * (len(lines) - 1):
        return text
    return tuple(_joined(text))


def _joined(text: Inlines) -> Iterator[str | Span]:
    for part in text:
        yield part.replace("\n", " ") if isinstance(part, str) else replace(part, children=tuple(_joined(part.children)))
