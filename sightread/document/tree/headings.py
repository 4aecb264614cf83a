"""Text of headings, and whether one is a paragraph in large type."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from sightread.document.tree.inlines import Inlines, Span, edged, plain, unmarked, without

PROSE_CHARACTERS = 140
"""Characters: on 434 inspected pages, each of the 11 headings below the first level that is longer and ends in a full stop is a standfirst
or a paragraph, whereas most of the 30 between 70 and 140 characters are headings."""


def heading_text(inlines: Inlines, own: Collection[str]) -> Inlines:
    """Return the text of a heading, without links to its own page. `own` are the page's addresses, without fragments.

    Strong text in it is not marked: all of a heading is strong.
    """
    return unmarked(edged(_without_links(unmarked(tuple(without(inlines, "strong"))), own)))


def is_prose(level: int, text: Inlines) -> bool:
    """Return whether a heading is a paragraph in large type."""
    whole = plain(text)
    is_linked = len(text) == 1 and isinstance(text[0], Span) and text[0].kind == "link"
    return level > 1 and len(whole) >= PROSE_CHARACTERS and whole.endswith(".") and not is_linked


def _without_links(inlines: Iterable[str | Span], own: Collection[str]) -> Iterator[str | Span]:
    """Yield the parts, with links within the page replaced by their text."""
    for part in inlines:
        if isinstance(part, str) or part.kind != "link":
            yield part
        else:
            target = part.target.partition("#")[0]
            yield from part.children if target in own else (part,)
