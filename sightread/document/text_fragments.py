"""Links that open a page at a text and highlight it: `#:~:text=` (WICG, URL Fragment Text Directives).

A browser takes the first place in what is laid out where these words begin and end at the boundaries of words, without regard to case. So a
directive has the first and the last words of a text, as few as find it; where they repeat something earlier, also the words before it and
after it. None of the four crosses a line: a `<br>` is no space to a browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from sightread.render.page import Page
from sightread.render.page.view import enclosing

LONGEST_WHOLE = 80
"""Characters of a text that is given whole, if it is one line."""
SHORTEST_END = 20
"""Characters of the first and the last words of a longer text."""
LONGEST_PART = 200
"""Characters of each of the four parts of a directive."""
FARTHEST = 200_000
"""Characters before a text in which it is looked for, so that the time for a page is linear in its length."""

_PIECE = re.compile(r"[^\s\0]+?(?:[、。，！？；：…]+|(?=\s)|\Z)")
"""A word; in scripts without spaces, the signs up to a punctuation mark: where words end inside of it, a browser's dictionary decides."""
_ODD = re.compile(r"[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\ufffc\ufffd]")
"""Signs that a browser may not have in the text that it searches."""
_SPACE = re.compile(r"[^\S\n]")
_LINE = re.compile(r"\s*[^\n]*")

Extent = tuple[int, int]


class TextFragments:
    """The text of a page as a browser searches it: what is laid out, each block in lines of its own. Offsets are those of `Page.text`."""

    def __init__(self, page: Page) -> None:
        details = enclosing(page, ("details",))  # which the browser opens for this
        is_laid_out = (block.hidden != "display" or details[block.element] >= 0 for block in page.blocks)
        shown = (block.text if is_there else "\0" * len(block.text) for block, is_there in zip(page.blocks, is_laid_out, strict=True))
        self._text = _SPACE.sub(" ", "\n".join(shown))
        lower = self._text.lower()
        self._searched = lower if len(lower) == len(self._text) else self._text  # the lower case of İ is two characters
        address = (page.final_url or page.url).partition(":~:")[0]
        self._address = f"{address}{'' if '#' in address else '#'}:~:text=" if address.startswith(("http://", "https://")) else ""

    def link(self, start: int, end: int) -> str:
        """Return the URL that highlights this part of the page's text; empty if the page has no address, or does not lay it out."""
        if not self._address or self._text[start] == "\0":
            return ""
        pieces = [piece.span() for piece in _PIECE.finditer(self._text, start, end)]
        while pieces and _ODD.search(self._text, *pieces[0]):
            del pieces[0]
        ends = self._ends(pieces) if pieces else []
        if not ends:
            return ""
        before, after = self._context(*ends[0])
        parts = [*map(self._encoded, ends)]
        if before[0] < before[1]:
            parts.insert(0, f"{self._encoded(before)}-")
        if after[0] < after[1] and len(ends) == 1:
            parts.append(f"-{self._encoded(after)}")
        return self._address + ",".join(parts)

    def _is_first(self, start: int, end: int) -> bool:
        return self._searched.find(self._searched[start:end], max(0, start - FARTHEST)) == start

    def _ends(self, pieces: Sequence[Extent]) -> list[Extent]:
        """Return the whole of a short text in one line, or else its first and last words; nothing if a browser may not have them."""
        start, end = pieces[0][0], pieces[-1][1]
        opening, closing = [*self._run(pieces)], [*self._run(pieces[::-1])]
        if not opening:
            return []
        is_whole = len(opening) == len(pieces)
        count = _enough(opening)
        while count < len(opening) and not self._is_first(start, opening[count - 1][1]):
            count += 1
        stop = opening[count - 1][1]
        closing = [piece for piece in closing if piece[0] >= stop]
        if (is_whole and end - start <= LONGEST_WHOLE) or not closing:
            return [(start, opening[-1][1])]
        for count in range(_enough(closing), len(closing) + 1):
            begun = closing[count - 1][0]
            if self._searched.find(self._searched[begun:end], stop) == begun:
                return [(start, stop), (begun, end)]
        return [(start, opening[-1][1])] if is_whole else [(start, stop), (closing[-1][0], end)]

    def _context(self, start: int, end: int) -> tuple[Extent, Extent]:
        """Return the words before and after a text without which an earlier place is found; empty if there is none, and if all that is
        around both places is the same.
        """
        before, after = (start, start), (end, end)
        if self._is_first(start, end):
            return before, after
        gap = start
        while gap and self._text[gap - 1].isspace():
            gap -= 1
        line = self._text.rfind("\n", 0, gap) + 1
        words = [piece.span() for piece in _PIECE.finditer(self._text, max(line, start - LONGEST_PART), start)]
        for first, _ in self._run(words[::-1]):
            before = (first, words[-1][1])
            if self._is_first(first, end):
                return before, after
        following = _LINE.match(self._text, end, end + LONGEST_PART)
        stop = following.end() if following else end
        words = [piece.span() for piece in _PIECE.finditer(self._text, end, stop)]
        for _, last in self._run(words):
            if self._is_first(before[0], last):
                return before, (words[0][0], last)
        return (start, start), (end, end)

    def _run(self, pieces: Sequence[Extent]) -> Iterator[Extent]:
        """Yield the pieces, of those in this order, that are in the line of the first, up to a sign that a browser may not have, and that
        are together no longer than a part of a directive.
        """
        for piece in pieces:
            low, high = sorted((pieces[0], piece))
            if high[1] - low[0] > LONGEST_PART or "\n" in self._text[low[1] : high[0]] or _ODD.search(self._text, *piece):
                return
            yield piece

    def _encoded(self, extent: Extent) -> str:
        return quote(self._text[slice(*extent)], safe="").replace("-", "%2D")


def _enough(pieces: Sequence[Extent]) -> int:
    """Return how many of the pieces, from the first on, are as long as an end of a text is to be."""
    for count in range(1, len(pieces)):
        low, high = sorted((pieces[0], pieces[count - 1]))
        if high[1] - low[0] >= SHORTEST_END:
            return count
    return len(pieces)
