"""Footnotes: references in the text, and their notes.

A reference is a link within the page whose text is a note's mark: a number, a letter, an asterisk, in brackets or raised; any mark if it
leads to an element that is a note by its role, or that leads back to it. Its note is the element with that id, after the reference or
before it with the mark at its beginning; for a term, its definitions; for an inline element, the block that it begins; or a block that
begins with a link back to the reference, as word processors write them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from sightread.document.tree.inlines import Inlines, Span, edged, plain
from sightread.document.tree.nodes import Footnote, Node, Paragraph
from sightread.render.page import Block, Inline, Page

LONGEST_NOTE = 5000
"""Most characters of a note; a longer target is a chapter."""
MOST_BLOCKS = 20
"""Blocks of a note."""
LONGEST_MARK = 20
LONGEST_RETURN = 40
"""Characters of a link back, in any words."""
_ROLES = frozenset(("doc-endnote", "doc-footnote", "doc-endnotes", "doc-footnotes", "note"))

_MARK = re.compile(
    r"[\[(]?\s*(?:(?:notes?|n|nb|fn|footnote|ref)\.?\s*)?(?:\d{1,4}(?:[a-z]|\.\d{1,2})?|[a-z]{1,2}|[ivxl]{1,6}|[*†‡§¶#]{1,4})\s*[\])]?",
    re.IGNORECASE,
)
_NAMED = re.compile(r"fn|note|cite|ref|ftn", re.IGNORECASE)
"""Ids of notes, required if the mark is a plain number, which could also be a page number."""
_WAY_BACK = re.compile(r"ref|note|cite|back|return|sym|anc|[^a-z0-9]", re.IGNORECASE)
"""The difference between the id of a reference and that of its note: `fnref1` and `fn1`, `_ftnref1` and `_ftn1`."""
_RETURN = re.compile(r"[\s^↑↩⏎⤴⬆←\ufe0e\ufe0f\u21b5\u21b0]*|(?:jump|back|return|go)\b.{0,40}", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+")
_LABEL = re.compile(r"[A-Za-z0-9]+(?:[ -][A-Za-z0-9]+)*")
_SIGNS = str.maketrans("", "", "[]() .")


class FoundNote(NamedTuple):
    """A note: its mark as shown, a unique label, its element, and the rows of its kept blocks."""

    mark: str
    label: str
    element: int
    rows: tuple[int, ...]
    returns: frozenset[str]
    """The URLs of links in it that lead back to a reference, or behind its text to nothing on the page."""


@dataclass(frozen=True, slots=True)
class Notes:
    """The kept notes of a page, in document order, and by the URL that links to each."""

    found: tuple[FoundNote, ...] = ()
    by_target: Mapping[str, FoundNote] = field(default_factory=dict)

    @property
    def rows(self) -> frozenset[int]:
        """The rows of all their blocks."""
        return frozenset(row for note in self.found for row in note.rows)


NO_NOTES = Notes()


class _Reference(NamedTuple):
    target: str
    mark: str
    row: int


def footnote_rows(page: Page, kept: Sequence[int]) -> frozenset[int]:
    """Return the rows of all notes that kept blocks refer to, kept or not, and of the notes that these refer to."""
    found: frozenset[int] = frozenset()
    everything = range(len(page.blocks))
    while True:
        more = find_notes(page, sorted(found.union(kept)), everything).rows
        if more <= found:
            return found
        found |= more


def find_notes(page: Page, kept: Sequence[int], among: Sequence[int] = ()) -> Notes:
    """Return the notes that kept blocks (rows of the page) refer to; their blocks are in `among`, which are the kept ones by default."""
    if not any(mark.kind == "link" and "#" in mark.target for row in kept for mark in page.blocks[row].inlines):
        return NO_NOTES
    address = page.address
    among = among or kept
    places = _Places(page, among)
    references = list(_references(page, kept, address, places))
    if not references:
        return NO_NOTES
    begun = _begun(page, among, address)
    taken: set[int] = set()
    labels: set[str] = set()
    by_target: dict[str, FoundNote] = {}
    for each in references:
        if each.target in by_target or each.row in taken:
            continue
        element, rows = places.note(_name(each.target), each.mark)
        if not _is_note(page, rows, each):
            row = begun.get(_key(_name(each.target)), begun.get(_numbered(each.mark, each.target), -1))
            element, rows = (page.blocks[row].element, _from(page, row, among)) if row > each.row else (-1, ())
        if rows and not taken.intersection(rows) and _is_note(page, rows, each):
            taken.update(rows)
            returns = frozenset(_returns(page, rows, [other.row for other in references if other.target == each.target], places))
            by_target[each.target] = FoundNote(each.mark, _label(each.mark, labels), element, rows, returns)
    return Notes(tuple(sorted(by_target.values(), key=lambda note: note.rows)), by_target)


def with_references(inlines: Inlines, notes: Notes) -> Inlines:
    """Return the text with its links to notes as references, without the brackets and the raised type of their marks."""
    return tuple(_referring(inlines, notes.by_target))


def unreachable(page: Page, kept: Iterable[int]) -> frozenset[str]:
    """Return the targets of links of kept blocks within the page that lead to nothing in the document.

    The id of an element without text is unknown: if the page has an address, a link to it is no mark of a note and stays.
    """
    address = page.address
    rows = list(kept)
    marks = (mark for row in rows for mark in page.blocks[row].inlines if mark.kind == "link")
    targets = {mark.target for mark in marks if mark.target.startswith(address + "#")}
    if not targets:
        return frozenset()
    within = {each for row in rows for each in page.ancestors(page.blocks[row].element)}
    reached = {page.elements[row].id for row in within}.union(*(page.blocks[row].anchors for row in rows))
    known = {element.id for element in page.elements}.union(*(block.anchors for block in page.blocks))
    of_notes = {each.target for each in _references(page, rows, address, _Places(page, rows))}
    unreached = (target for target in targets if _name(target) not in reached)
    return frozenset(target for target in unreached if not address or _name(target) in known or target in of_notes)


def as_note(found: FoundNote, nodes: Iterable[Node], address: str) -> Footnote:
    """Return the nodes of a note, without its mark and without links back to the text; `address` is the page's URL."""
    cleaned: list[Node] = []
    for node in nodes:
        if isinstance(node, Paragraph):
            text = _together(_without_returns(node.text, address.partition("#")[0], found.returns))
            text = _unmarked(text, found.mark) if not cleaned else text
            node = replace(node, text=text)
            if not plain(text).strip():
                continue
        cleaned.append(node)
    return Footnote(found.label, found.mark, tuple(cleaned))


class _Places:
    """Where the links of a page may lead: elements, and blocks with inline elements, by name; and which of their blocks are candidates."""

    def __init__(self, page: Page, among: Sequence[int]) -> None:
        self._page = page
        self._among = among
        self.elements = {element.id: row for row, element in reversed(list(enumerate(page.elements))) if element.id}
        self.anchors = {name: row for row in reversed(range(len(page.blocks))) for name in page.blocks[row].anchors}

    @cached_property
    def _below(self) -> Mapping[int, tuple[int, ...]]:
        """The blocks of each element that has a name, of each definition, and of each item; a block belongs to all around it."""
        held: dict[int, list[int]] = {}
        for row in self._among:
            for element in self._page.ancestors(self._page.blocks[row].element):
                held.setdefault(element, []).append(row)
        return {element: tuple(rows) for element, rows in held.items()}

    def note(self, name: str, mark: str) -> tuple[int, tuple[int, ...]]:
        """Return the element with a name and its blocks; a term's with its definitions; for an inline element, the block that it begins."""
        page = self._page
        element = self.elements.get(name, -1)
        if element >= 0 and page.elements[element].tag != "dt":
            return element, self._below.get(element, ())
        if element >= 0:
            definitions = takewhile(
                lambda other: page.elements[other].tag == "dd",
                (other for other in range(element + 1, len(page.elements)) if page.elements[other].parent == page.elements[element].parent),
            )
            return page.elements[element].parent, tuple(row for other in (element, *definitions) for row in self._below.get(other, ()))
        row = self.anchors.get(name, -1)
        if row < 0 or not _begins(page.blocks[row], mark):
            return -1, ()
        item = next((each for each in page.ancestors(page.blocks[row].element) if page.elements[each].tag in ("li", "dd", "aside")), -1)
        rows = self._below.get(item, ())
        return (item, rows) if rows[:1] == (row,) else (page.blocks[row].element, _from(page, row, self._among))

    def is_certain(self, mark: str, link: Inline, row: int, address: str) -> bool:
        """Return whether a link leads to an element that is a note by its role, or to one that leads back to the link's block."""
        name, page = _name(link.target), self._page
        above = page.ancestors(self.elements.get(name, -1))[:3]
        if any(page.elements[each].attributes.get("role") in _ROLES for each in above):
            return True
        back = {f"{address}#{anchor}" for anchor in page.blocks[row].anchors}
        _, rows = self.note(name, mark) if back else (-1, ())
        return 0 < len(rows) <= MOST_BLOCKS and any(other.target in back for each in rows for other in page.blocks[each].inlines)


def _begins(block: Block, mark: str) -> bool:
    """Return whether a block begins with a note's mark, in its text or as the marker of a list's item."""
    pattern = rf"[\s^↑]*[\[(]?{re.escape(mark)}(?:[\])]\.?|[.:)]|(?=\s)|\Z)"
    return bool(mark) and (block.marker.translate(_SIGNS) == mark or re.match(pattern, block.text) is not None)


def _returns(page: Page, rows: Sequence[int], references: Iterable[int], places: _Places) -> Iterator[str]:
    """Yield the URLs of a note's links that lead back to its references, and of a last link that leads to nothing known."""
    blocks = [page.blocks[row] for row in references]
    back = {name for block in blocks for name in (*block.anchors, page.elements[block.element].id) if name}
    for row in rows:
        text = page.blocks[row].text
        for link in page.blocks[row].inlines:
            name = _name(link.target)
            is_last = row == rows[-1] and not text[link.end :].strip(" .)]")
            is_unknown = bool(name) and name not in places.elements and name not in places.anchors
            if link.kind == "link" and (name in back or (is_last and is_unknown)) and link.end - link.start <= LONGEST_RETURN:
                yield link.target


def _references(page: Page, kept: Iterable[int], address: str, places: _Places) -> Iterator[_Reference]:
    place = address + "#"
    for row in kept:
        block = page.blocks[row]
        for mark in block.inlines:
            if mark.kind == "link" and len(mark.target) > len(place) and mark.target.startswith(place):
                text = block.text[mark.start : mark.end].strip()
                is_mark = _MARK.fullmatch(text) and _is_reference(text, mark, block.text, block.inlines)
                if is_mark or (
                    0 < len(text) <= LONGEST_MARK and mark.start > 0 and places.is_certain(text.translate(_SIGNS), mark, row, address)
                ):
                    yield _Reference(mark.target, text.translate(_SIGNS) or text, row)


def _is_reference(mark: str, link: Inline, text: str, marks: Sequence[Inline]) -> bool:
    """Return whether a mark that links within the page looks like that of a note: raised, in brackets, a symbol, or linked by name."""
    around = text[max(0, link.start - 1) : link.start] + text[link.end : link.end + 1]
    if (
        mark[0] in "[(*†‡§¶"
        or around in ("[]", "()")
        or any(each.kind == "superscript" and each.start < link.end and each.end > link.start for each in marks)
    ):
        return link.start > 0 or link.end < len(text) or len(marks) > 1
    return mark.isdigit() and bool(_NAMED.search(_name(link.target))) and link.start > 0


def _begun(page: Page, kept: Iterable[int], address: str) -> dict[str, int]:
    """Return the first kept block that begins with a link back, by the part that the ids of its place and of the reference share."""
    begun: dict[str, int] = {}
    for row in kept:
        first = next((mark for mark in page.blocks[row].inlines if mark.kind == "link"), None)
        if (
            first
            and first.start <= 2
            and first.target.startswith(address + "#")
            and _MARK.fullmatch(page.blocks[row].text[first.start : first.end].strip())
        ):
            begun.setdefault(_key(_name(first.target)), row)
            mark = page.blocks[row].text[first.start : first.end].strip().translate(_SIGNS)
            begun.setdefault(_numbered(mark, first.target), row)
    return begun


def _from(page: Page, row: int, among: Iterable[int]) -> tuple[int, ...]:
    """Return a block that begins a note; if it is the mark alone, the blocks in its element, nothing if there is no other."""
    block = page.blocks[row]
    if not _MARK.fullmatch(block.text.strip()):
        return (row,)
    held = tuple(other for other in among if block.element in page.ancestors(page.blocks[other].element))
    return held if len(held) > 1 else ()


def _is_note(page: Page, rows: Sequence[int], reference: _Reference) -> bool:
    """Return whether kept blocks may be the note of a reference: short, no section of the page, and after it or with its mark before it."""
    return (
        0 < len(rows) <= MOST_BLOCKS
        and (rows[0] > reference.row or (rows[-1] < reference.row and _begins(page.blocks[rows[0]], reference.mark)))
        and not page.blocks[rows[0]].heading
        and sum(len(page.blocks[row].text) for row in rows) <= LONGEST_NOTE
    )


def _name(target: str) -> str:
    return target.partition("#")[2]


def _key(name: str) -> str:
    return _WAY_BACK.sub("", name).lower()


def _numbered(mark: str, target: str) -> str:
    """Return the mark with the numbers in the id that it links to: ids of a note and of its reference share them."""
    return f"{mark} {_NUMBERS.findall(_name(target))}"


def _label(mark: str, known: set[str]) -> str:
    """Return a label for a note that both Markdown and XML can write, and register it."""
    name = mark.replace(" ", "-") if _LABEL.fullmatch(mark) else str(len(known) + 1)
    label, turn = name, 1
    while label in known:
        turn += 1
        label = f"{name}-{turn}"
    known.add(label)
    return label


def _referring(inlines: Inlines, notes: Mapping[str, FoundNote]) -> Iterator[str | Span]:
    parts: list[str | Span] = []
    for part in inlines:
        if isinstance(part, Span):
            note = notes.get(part.target) if part.kind == "link" else None
            if note and len(plain(part.children).strip()) <= LONGEST_MARK:
                parts.append(Span("note", (f"[{note.mark}]",), note.label))
                continue
            children = tuple(_referring(part.children, notes))
            is_raised = part.kind == "superscript" and any(isinstance(child, Span) and child.kind == "note" for child in children)
            parts += children if is_raised else [Span(part.kind, children, part.target)]
        else:
            parts.append(part)
    for place, part in enumerate(parts):
        if isinstance(part, str):
            if place + 1 < len(parts) and _is_note_span(parts[place + 1]) and part.endswith(("[", "(")) and place + 2 < len(parts):
                closing = parts[place + 2]
                part = part[:-1] if isinstance(closing, str) and closing.startswith(("]", ")")) else part
            if place > 1 and _is_note_span(parts[place - 1]) and part.startswith(("]", ")")):
                opening = parts[place - 2]
                part = part[1:] if isinstance(opening, str) and opening.endswith(("[", "(")) else part
            if not part:
                continue
        yield part


def _is_note_span(part: str | Span) -> bool:
    return isinstance(part, Span) and part.kind == "note"


def _without_returns(inlines: Inlines, address: str, returns: Collection[str]) -> Iterator[str | Span]:
    for part in inlines:
        if isinstance(part, str):
            yield part
            continue
        text = plain(part.children).strip()
        is_within = part.kind == "link" and part.target.startswith(address + "#")
        if is_within and (part.target in returns or _RETURN.fullmatch(text) or _MARK.fullmatch(text)):
            continue
        children = edged(_without_returns(part.children, address, returns))
        if children and not _RETURN.fullmatch(plain(children).strip()):
            yield Span(part.kind, children, part.target)


def _together(parts: Iterable[str | Span]) -> Inlines:
    """Return the parts, some of which may have been removed, as a text without white space at either end."""
    joined: list[str | Span] = []
    for part in parts:
        if joined and isinstance(part, str) and isinstance(joined[-1], str):
            joined[-1] = joined[-1].rstrip(" ") + " " + part.lstrip(" ") if joined[-1].endswith(" ") else joined[-1] + part
        else:
            joined.append(part)
    return edged(joined)


def _unmarked(inlines: Inlines, mark: str) -> Inlines:
    """Return a note's text without its mark, and without the arrow or caret before the removed links back."""
    first, *rest = inlines or ("",)
    if isinstance(first, Span):
        return edged(rest) if plain(first.children).translate(_SIGNS) == mark else inlines
    text = re.sub(rf"\A[\s^↑]*(?:[\[(]?{re.escape(mark)}(?:[\])]\.?|[.:)]|(?=\s))|[\[(][\s,]*[\])])?\s*", "", first)
    return edged((text, *rest))
