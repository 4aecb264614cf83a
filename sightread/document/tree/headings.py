"""Text of headings without permalink symbols and edit links."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from sightread.document.tree.inlines import Inlines, Span, edged, plain, unmarked, without

PROSE_CHARACTERS = 140
"""Characters: on 434 inspected pages, each of the 11 headings below the first level that is longer and ends in a full stop is a standfirst
or a paragraph, whereas most of the 30 between 70 and 140 characters are headings."""

_SYMBOLS = re.compile(r"[\s¶#§\u25c6\u2693\ufe0f\U0001f517\ue000-\uf8ff]+")
"""A permalink without words: Sphinx's pilcrow, a hash, a chain, a glyph of an icon font."""
_SIGN = re.compile(
    r"[\s¶#§\u25c6\u2693\ufe0f\U0001f517\ue000-\uf8ff]*|(?:permalink|anchor|direct link|link)(?: (?:to|for) .{0,200})?", re.IGNORECASE
)
"""The text of a permalink: Sphinx's pilcrow, a hash, a chain, a glyph of an icon font, or its words for a screen reader."""
_EDITS = re.compile(r"[?&](?:ve)?action=edit\b")
"""Part of the address of MediaWiki's edit links, in any language, which are in brackets behind a heading."""
_BRACKETS = re.compile(r"[\s\[\]|]*")


def heading_text(inlines: Inlines, own: Collection[str]) -> Inlines:
    """Return the text of a heading; empty if it was a permalink symbol alone. `own` are the page's addresses, without fragments.

    Strong text in it is not marked: all of a heading is strong.
    """
    parts = edged(_without_links(unmarked(tuple(without(inlines, "strong"))), own))
    return unmarked(edged(_without_edits(parts)))


def without_permalinks(inlines: Inlines) -> Inlines:
    """Return text without links to its own place that consist of a symbol: also beside definitions and captions."""
    if not any(isinstance(part, Span) and _is_permalink(part) for part in inlines):
        return inlines
    return edged([part for part in inlines if isinstance(part, str) or not _is_permalink(part)])


def _is_permalink(part: Span) -> bool:
    return part.kind == "link" and "#" in part.target and _SYMBOLS.fullmatch(plain(part.children)) is not None


def is_prose(level: int, text: Inlines) -> bool:
    """Return whether a heading is a paragraph in large type."""
    whole = plain(text)
    is_linked = len(text) == 1 and isinstance(text[0], Span) and text[0].kind == "link"
    return level > 1 and len(whole) >= PROSE_CHARACTERS and whole.endswith(".") and not is_linked


def _without_links(inlines: Iterable[str | Span], own: Collection[str]) -> Iterator[str | Span]:
    """Yield the parts, without permalinks, and with links within the page replaced by their text."""
    for part in inlines:
        if isinstance(part, str) or part.kind != "link":
            yield part
            continue
        target, mark, _ = part.target.partition("#")
        if not (mark and _SIGN.fullmatch(plain(part.children))):
            yield from part.children if target in own else (part,)


def _without_edits(parts: Sequence[str | Span]) -> Sequence[str | Span]:
    """Return the parts without links in brackets at the end that edit the section."""
    first = next((place for place, part in enumerate(parts) if isinstance(part, Span) and _EDITS.search(part.target)), None)
    if first is None:
        return parts
    rest = (part for part in parts[first:] if isinstance(part, str) or not _EDITS.search(part.target))
    before = parts[first - 1] if first else ""
    if not isinstance(before, str) or not _BRACKETS.fullmatch(plain(rest)):
        return parts
    return (*parts[: max(first - 1, 0)], before.rstrip().removesuffix("["))
