"""What of a heading is its text: not the sign that links to its own place, nor a link that leads nowhere else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from classify.inlines import Inlines, Span, edged, plain, unmarked

_SIGN = re.compile(
    r"[\s¶#§\u2693\ufe0f\U0001f517\ue000-\uf8ff]*|(?:permalink|anchor|direct link|link)(?: (?:to|for) .{0,200})?", re.IGNORECASE
)
"""The text of a permalink: Sphinx's pilcrow, a hash, a chain, a glyph of an icon font, or its words for a screen reader."""


def heading_text(inlines: Inlines, url: str) -> Inlines:
    """Return the text of a heading; empty where it was a sign alone. `url` is the page's own."""
    page = url.partition("#")[0]
    return unmarked(edged(_told(inlines, page)))


def _told(inlines: Iterable[str | Span], page: str) -> Iterator[str | Span]:
    """Yield the parts, without permalinks, and with the text of links to a place on the page in their stead."""
    for part in inlines:
        target, mark, _ = part.target.partition("#") if isinstance(part, Span) and part.kind == "link" else ("", "", "")
        if isinstance(part, str) or not mark:
            yield part
        elif not _SIGN.fullmatch(plain(part.children)):
            yield from part.children if target == page else (part,)
