"""The text of one block as a browser shows it: white space collapsed, with the ranges of links and emphasis."""

from __future__ import annotations

import re

from sightread.render.page import Block, Hidden, Inline, InlineKind
from sightread.render.text.characters import well_formed

INK = re.compile(r"[^\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
"""A visible character."""

_WHITE = " \t\n\r\f"
_SPACES = re.compile(r"[ \t\n\r\f]{2,}|[\t\n\r\f]")
"""White space that is not one space."""
_WIDE = r"[\u2e80-\u312f\u3190-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]"
_WIDE_BREAK = re.compile(rf"(?<={_WIDE})[ \t]*\n[ \t\n]*(?={_WIDE})")
_BLANK_LINES = re.compile(r"(?:\s*\n)?")


def fold(text: str) -> str:
    """Return the text on one line, every run of white space one space, none at its ends."""
    return well_formed(" ".join(text.split()))


class Mark:
    """An open link or emphasis of the walk, and its range in the run that last took text inside it."""

    __slots__ = ("kind", "range", "run", "target", "up")

    def __init__(self, kind: InlineKind, target: str, up: Mark | None) -> None:
        self.kind = kind
        self.target = target
        self.up = up
        """The one around it."""
        self.run: Run | None = None
        self.range: list[int] = []


class Run:
    """The text of one block while it is read."""

    __slots__ = ("anchors", "due", "element", "heading", "hidden", "length", "marker", "marks", "parts", "preserved", "spaced")

    def __init__(self, element: int, hidden: Hidden, heading: int) -> None:
        self.element = element
        """The row of its block's element."""
        self.hidden = hidden
        self.heading = heading
        self.marker = ""
        self.anchors: tuple[str, ...] = ()
        self.parts: list[str] = []
        self.length = 0
        self.due = False
        """A space is before the next character, if one comes."""
        self.spaced = True
        """The text so far ends in white space, or is empty."""
        self.preserved = False
        self.marks: list[tuple[Mark, list[int]]] = []

    def add(self, data: str, mark: Mark | None) -> None:
        """Add text whose white space collapses; `mark` is the innermost open link or emphasis around it."""
        if data.isascii():
            text = " ".join(data.split())
        else:
            text = _SPACES.sub(" ", _WIDE_BREAK.sub("", data) if "\n" in data else data).strip(" ")
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

    def add_white(self, data: str, preserved: bool) -> None:
        """Add a text node of white space."""
        if preserved:
            self.add_preserved(data, None)
        else:
            self.due = True

    def break_line(self) -> None:
        """Add what a `<br>` adds."""
        self._append("\n", None)
        self.due = False

    def finish(self) -> Block:
        """Return the block."""
        whole = self.parts[0] if len(self.parts) == 1 else "".join(self.parts)
        if self.preserved:
            blank = _BLANK_LINES.match(whole)
            lead = blank.end() if blank else 0
        else:
            lead = len(whole) - len(whole.lstrip())
        text = well_formed(whole[lead:].rstrip())
        if not self.marks:
            return Block(text, self.element, None, None, (), 0, self.hidden, 0, self.heading, self.marker, self.anchors)
        inlines: list[Inline] = []
        linked = link_end = 0
        for mark, (first, last) in self.marks:
            start, end = max(first - lead, 0), min(last - lead, len(text))
            if start >= end:
                continue
            inlines.append(Inline(start, end, mark.kind, mark.target))
            if mark.kind == "link" and end > link_end:
                linked += end - max(start, link_end)
                link_end = end
        return Block(text, self.element, None, None, tuple(inlines), linked, self.hidden, 0, self.heading, self.marker, self.anchors)

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
