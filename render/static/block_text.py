"""The text of one block as a browser shows it: white space collapsed, with the ranges of links and emphasis; and text not in the markup:
list markers, and the quotation marks of `<q>`.

The defaults of HTML in place of CSS; numbers are those of `collect_generated.js`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec
from selectolax.lexbor import LexborNode

from sightread.render.page import Block, Hidden, Inline, InlineKind
from sightread.render.text.words import well_formed

INK = re.compile(r"[^\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
"""A visible character."""

_WHITE = " \t\n\r\f"
_SPACES = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
"""White space that is not one space."""
_WIDE = r"[\u2e80-\u312f\u3190-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]"
WIDE_BREAK = re.compile(rf"(?<={_WIDE})[ \t]*\n[ \t\n]*(?={_WIDE})")
_BLANK_LINES = re.compile(r"(?:\s*\n)?")


def fold(text: str) -> str:
    """Return the text on one line, every run of white space one space, none at its ends."""
    return well_formed(" ".join(text.split()))


class Mark(msgspec.Struct, eq=False):
    """An open link or emphasis of the walk, and its range in the run that last took text inside it."""

    kind: InlineKind
    target: str
    up: Mark | None
    run: Run | None = None
    range: list[int] = []


class Run(msgspec.Struct, eq=False):
    """The text of one block while it is read."""

    element: int
    hidden: Hidden
    heading: int
    marker: str = ""
    anchors: tuple[str, ...] = ()
    parts: list[str] = []
    length: int = 0
    due: bool = False
    """A space is before the next character, if one comes."""
    spaced: bool = True
    """The text so far ends in white space, or is empty."""
    preserved: bool = False
    marks: list[tuple[Mark, list[int]]] = []

    def add(self, data: str, mark: Mark | None) -> None:
        """Add text whose white space collapses; `mark` is the innermost open link or emphasis around it."""
        if data.isascii():
            text = " ".join(data.split())
        elif data.isprintable() and "  " not in data:  # no white space but single spaces
            text = data.strip(" ")
        else:
            text = _SPACES.sub(" ", WIDE_BREAK.sub("", data) if "\n" in data else data).strip(" ")
        if not self.spaced and (self.due or data[0] in _WHITE):
            self.parts.append(" ")
            self.length += 1
        self.due = data[-1] in _WHITE
        self._append(text, mark)

    def add_preserved(self, data: str, mark: Mark | None) -> None:
        """Add text whose white space stays, as in `<pre>`."""
        if self.due and not self.spaced:
            self.parts.append(" ")
            self.length += 1
        self.due = False
        self.preserved = True
        self._append(data, mark)

    def break_line(self) -> None:
        """Add what a `<br>` adds."""
        self._append("\n", None)
        self.due = False

    def finish(self) -> Block:
        """Return the block."""
        whole = "".join(self.parts)
        if self.preserved:
            blank = _BLANK_LINES.match(whole)
            text = whole[blank.end() if blank else 0 :]
        else:
            text = whole.lstrip()
        lead = len(whole) - len(text)
        text = well_formed(text.rstrip())
        inlines: list[Inline] = []
        linked = link_end = 0
        for mark, (first, last) in self.marks:
            start, end = max(first - lead, 0), min(last - lead, len(text))
            if start >= end:
                continue
            inlines.append(tuple.__new__(Inline, (start, end, mark.kind, mark.target)))  # a third of its time
            if mark.kind == "link" and end > link_end:
                linked += end - max(start, link_end)
                link_end = end
        self.marks.clear()  # which name this run: without the cycle the memory is free at once
        reachable = None if self.hidden in ("", "display") else False
        return Block(
            text, self.element, None, None, tuple(inlines), linked, self.hidden, 0, self.heading, self.marker, self.anchors, reachable
        )

    def _append(self, text: str, mark: Mark | None) -> None:
        start = self.length
        self.parts.append(text)
        self.length = end = start + len(text)
        self.spaced = text[-1].isspace()
        while mark is not None:
            if mark.run is self:
                mark.range[1] = end
            else:
                mark.run, mark.range = self, [start, end]
                self.marks.append((mark, mark.range))
            mark = mark.up


# Generated text.


LISTS = frozenset(("ul", "ol", "menu", "dir"))
_BULLETS = "•◦■"
"""By the number of lists around one."""
_TYPES = {"disc": "•", "circle": "◦", "square": "■"}
_ROMAN = {1000: "m", 900: "cm", 500: "d", 400: "cd", 100: "c", 90: "xc", 50: "l", 40: "xl", 10: "x", 9: "ix", 5: "v", 4: "iv", 1: "i"}
_QUOTES = {
    **dict.fromkeys(("de", "cs"), "„“‚‘"),
    **{"fr": "«»‹›", "ru": "«»„“", "uk": "«»„“", "pl": "„”«»", "hu": "„”»«", "ja": "「」『』"},
    **dict.fromkeys(("it", "es", "pt"), "«»“”"),
    **dict.fromkeys(("sv", "fi"), "””’’"),
}
_INTEGER = re.compile(r"\s*([-+]?\d{1,9})")
_UNMARKED = re.compile(r"(?:^|;)\s*list-style(-type)?\s*:[^;]*\bnone\b", re.IGNORECASE)

ItemNumbers = dict[int, int]
"""Numbers of list items, by the nodes' ids."""


def is_unmarked(attributes: Mapping[str, str | None]) -> bool:
    """Return whether the style of a list or of its item has no marker."""
    style = attributes.get("style")
    return style is not None and _UNMARKED.search(style) is not None


def bullet(kind: str, lists: int) -> str:
    """Return the marker of an item of a bulleted list, by its type, or by the number of lists around its own."""
    return _TYPES.get(kind.lower(), _BULLETS[min(lists, 2)])


def quotes_of(quote: LexborNode) -> tuple[str, str]:
    """Return the quotation marks around a `<q>`, by its language and by the quotations that it is in."""
    around = above(quote)
    language = next((lang for each in (quote, *around) if each.is_element_node and (lang := each.attributes.get("lang"))), "")
    marks = _QUOTES.get(language.lower().partition("-")[0], "“”‘’")
    level = 2 * any(each.tag == "q" for each in around)
    return marks[level], marks[level + 1]


def above(node: LexborNode) -> list[LexborNode]:
    """Return the nodes around a node, the innermost first."""
    found: list[LexborNode] = []
    at = node.parent
    while at is not None:
        found.append(at)
        at = at.parent
    return found


def numbers_of(ordered: LexborNode) -> ItemNumbers:
    """Count the items of a list as HTML does: `start`, `reversed` and `value`."""
    items = [child for child in ordered.iter() if child.tag == "li"]
    attributes = ordered.attributes
    step = -1 if "reversed" in attributes else 1
    start = _INTEGER.match(attributes.get("start") or "")
    number = int(start[1]) if start else len(items) if step < 0 else 1
    found: ItemNumbers = {}
    for item in items:
        own = _INTEGER.match(item.attributes.get("value") or "")
        number = int(own[1]) if own else number
        found[item.mem_id] = number
        number += step
    return found


def numeral(number: int, kind: str) -> str:
    """Return the number of an item as lists of a type write it."""
    if kind in ("a", "A") and 0 < number < 4000:
        text = ""
        while number > 0:
            number, letter = divmod(number - 1, 26)
            text = chr(97 + letter) + text
        return text if kind == "a" else text.upper()
    if kind in ("i", "I") and 0 < number < 4000:
        text = ""
        for value, letters in _ROMAN.items():
            times, number = divmod(number, value)
            text += letters * times
        return text if kind == "i" else text.upper()
    return str(number)
