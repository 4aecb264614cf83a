r"""Chunks of a document for retrieval: Markdown with offsets and heading path, never cut within code, a table row, a link or an image.

Whole nodes of the document's tree are packed greedily. A section begins a chunk unless all of it fits into the one before, and a heading is
in the chunk of what follows it. A node that is longer than a chunk is divided: a list between its items, a table between its rows, other
text between its lines, then sentences, then words. Time is linear in the length of the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from sightread.document.formats.markdown import to_blocks
from sightread.document.spans import Span
from sightread.document.tree.inlines import plain
from sightread.document.tree.nodes import Code, Heading, List, Node, Table
from sightread.render.argument_checks import check_range, check_type
from sightread.render.errors import Rejected
from sightread.render.text.words import DENSE, count_dense

CHARACTERS_PER_TOKEN = 4
"""The usual figure for English with byte-pair tokenizers; in dense scripts (Han, kana, Hangul) a character is about one token."""

LONGEST_HEAD = 1 / 3
"""Share of a chunk that a repeated table head may take: so, and with an overlap of at most half, the size of all chunks is linear."""
LONGEST_TITLE = 200
"""Characters of a title in `Chunk.headings`."""

Count = Callable[[str], int]
"""A function from text to its number of tokens."""
Extent = tuple[int, int]

_INLINE = r"""
    \\.                                                      # an escaped character
    |(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)
    |<code>.*?</code>
    |(?P<dollar>\$\$?)(?![\s$])[^`\[\]\n]{1,1000}?(?<![\s\\])(?P=dollar)    # a formula, unless the dollars are prices
    |(?P<opening>\[)|(?P<link>\]\([^()\s]*\))|(?P<closing>\])
"""
"""Parts of our own Markdown that are never cut: in it every other backtick and bracket is escaped."""
_SENTENCE = re.compile(rf"{_INLINE}|(?P<cut>[.!?…][)\"'\]”’»*_~]*\s+(?![a-z\s])|[。！？｡][」』”’）]*\s*)", re.VERBOSE)
_WORD = re.compile(rf"{_INLINE}|(?P<cut>\s+|(?<=\S)(?={DENSE.pattern}))", re.VERBOSE)
_LINE = re.compile(
    rf"""^(?P<block>[ >*.)\d-]*(?P<fence>`{{3,}})[^`\n]*\n(?:.*\n)*?[ >]*(?P=fence)(?:\n|\Z)(?:[ >]*\n)*)
    |{_INLINE}|(?P<cut>\n(?:[ >]*\n)*)""",
    re.VERBOSE | re.MULTILINE,
)
"""Code blocks and the ends of other lines, with the empty lines after them; the text of a link may have several lines."""
_ITEM = re.compile(r"^(?P<cut>)(?=\S)", re.MULTILINE)
"""Before an item of a list: its other lines are empty or indented."""
_UNDIVIDED = re.compile(r"[ >*.)\d-]*(?:`{3,}[^`\n]*\n|\|.*\|[\s>]*\Z)")
"""A line that is a table's row, or lines that begin with a fence."""
_HARD_BREAK = re.compile(r"(?<!\\)\\\Z")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document for a retrieval index."""

    text: str
    """Markdown: `table_head`, then `Document.markdown[start:end]`."""
    headings: tuple[str, ...]
    """The titles above its first character, the highest first, without a heading that it begins with; 200 characters of each."""
    start: int
    """Offset of its first character in `Document.markdown`, in code points."""
    end: int
    """Offset after its last character; white space between two chunks, and the backslash of a line break there, are in neither."""
    overlap: int
    """How many characters from `start` on the chunk before has too; 0 for most."""
    table_head: str
    """The head of the table that it continues, repeated before its rows if it takes at most a third of the chunk; else empty."""
    tokens: int
    """Tokens of the text. More than the limit only for a single code block, table row, link, formula or word (below its headings)."""
    url: str
    spans: tuple[Span, ...] = ()
    """The spans of the blocks of which some is in it, if they were requested; their offsets are those of the whole document."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """A stretch of the Markdown that is not divided further: it ends where the next one begins."""

    start: int
    cost: int
    """Tokens, with the space after it."""
    path: tuple[str, ...]
    level: int = 0
    """Of a heading, else 0."""
    head: Extent | None = None
    """The head of its table, if it is a row below it."""
    is_whole: bool = False
    """Whether the next chunk repeats all of it or nothing."""


def estimate_tokens(text: str) -> int:
    """Return the estimated number of tokens: one per four characters, and one per character of Han, kana and Hangul."""
    return -(-(len(text) + (CHARACTERS_PER_TOKEN - 1) * count_dense(text)) // CHARACTERS_PER_TOKEN)


def check_sizes(tokens: int, overlap: int) -> None:
    """Raise `Rejected` unless a chunk of that many tokens can have that overlap."""
    for name, value in (("tokens", tokens), ("overlap", overlap)):
        check_type(f"Document.chunks(): {name}", value, int)
    check_range("Document.chunks(): tokens", tokens, 1)
    check_range("Document.chunks(): overlap", overlap, 0)
    if overlap > tokens // 2:
        raise Rejected(f"is {overlap}, more than half of a chunk: give {tokens // 2} or less", "Document.chunks(): overlap")


def to_chunks(nodes: Iterable[Node], markdown: str, url: str, limit: int, overlap: int, count: Count) -> tuple[Chunk, ...]:
    """Return the chunks of a document's nodes and their Markdown. `count` is called with texts whose sum of lengths is linear in that of
    the Markdown. Raises `Rejected` as `check_sizes`, and if `count` returns no number.
    """
    check_sizes(limit, overlap)
    check_type("Document.chunks(): count", count, Count)

    def counted(text: str) -> int:
        tokens = count(text)
        check_type("Document.chunks(): number that count returned", tokens, int)
        check_range("Document.chunks(): number that count returned", tokens, 0)
        return tokens

    return tuple(_Packing(markdown, url, list(_units(nodes, markdown, limit, counted)), limit, overlap, counted).chunks())


@dataclass(frozen=True, slots=True)
class _Lead:
    """The part of a chunk before its first new unit."""

    start: int
    head: Extent | None = None
    cost: int = 0


@dataclass(frozen=True, slots=True)
class _Packing:
    """The units of a document, and how they are packed."""

    markdown: str
    url: str
    units: Sequence[_Unit]
    limit: int
    overlap: int
    count: Count

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks in order."""
        if not self.units:
            return
        sums = [0, *accumulate(unit.cost for unit in self.units)]
        section_ends = self._section_ends()
        begin = run = 0  # first unit of the chunk; first of the headings that no text follows yet
        lead = _Lead(self.units[0].start)
        for place, unit in enumerate(self.units):
            used = lead.cost + sums[place] - sums[begin]
            needed = sums[section_ends[place]] - sums[place] if unit.level else unit.cost
            if used + needed > self.limit:
                if unit.level:
                    cut = place if run > begin or used + unit.cost > self.limit else begin
                else:
                    cut = run if unit.cost > self.limit or sums[place + 1] - sums[run] <= self.limit else place
                if cut > begin:
                    yield self._chunk(begin, lead, self.units[cut].start)
                    lead, begin = self._lead(begin, cut), cut
            if not unit.level:
                run = place + 1
        yield self._chunk(begin, lead, len(self.markdown))

    def _section_ends(self) -> list[int]:
        """Return for each heading the unit after its section, which is as high or higher; for other units the next one."""
        ends = list(range(1, len(self.units) + 1))
        opened: list[int] = []
        for place in [each for each, unit in enumerate(self.units) if unit.level] + [len(self.units)]:
            level = self.units[place].level if place < len(self.units) else 0
            while opened and self.units[opened[-1]].level >= level:
                ends[opened.pop()] = place
            opened.append(place)
        return ends

    def _lead(self, begin: int, cut: int) -> _Lead:
        """Return the lead of the chunk from the unit `cut` on: sentences of the section before it, and the head of its table."""
        unit = self.units[cut]
        spare = self.limit - unit.cost
        head_cost = self.count(self.markdown[slice(*unit.head)]) if unit.head else 0
        head, cost = (unit.head, head_cost) if head_cost <= min(spare, self.limit * LONGEST_HEAD) else (None, 0)
        allowed, start = min(self.overlap, spare - cost), unit.start
        for place in range(cut - 1, begin - 1, -1) if not unit.level else ():
            before = self.units[place]
            if before.level or allowed <= 0:
                break
            for first, stop in reversed(self._sentences(before, self.units[place + 1].start)):
                tokens = self.count(self.markdown[first:stop])
                if tokens > allowed:
                    return _Lead(start, head if head and head[1] <= start else None, cost)
                start, allowed, cost = first, allowed - tokens, cost + tokens
        return _Lead(start, head if head and head[1] <= start else None, cost)

    def _sentences(self, unit: _Unit, stop: int) -> list[Extent]:
        if unit.is_whole:
            return [(unit.start, stop)]
        return [piece for line in _pieces(self.markdown, unit.start, stop, _LINE) for piece in _pieces(self.markdown, *line, _SENTENCE)]

    def _chunk(self, begin: int, lead: _Lead, stop: int) -> Chunk:
        body = _HARD_BREAK.sub("", self.markdown[lead.start : stop].rstrip())
        head = self.markdown[slice(*lead.head)] if lead.head else ""
        unit = self.units[begin]
        tokens, overlap = self.count(head + body), unit.start - lead.start
        return Chunk(head + body, unit.path, lead.start, lead.start + len(body), overlap, head, tokens, self.url)


def _units(nodes: Iterable[Node], markdown: str, limit: int, count: Count) -> Iterator[_Unit]:
    written = [(node, list(node_lines)) for node, node_lines in to_blocks(nodes)]
    sizes = (1 + sum(len(line) + 1 for line in node_lines) for _, node_lines in written)  # an empty line between two nodes
    starts = [*accumulate(sizes, initial=0)]
    titles: list[tuple[int, str]] = []
    for (node, node_lines), start, after in zip(written, starts, starts[1:], strict=False):
        stop = min(after, len(markdown))
        level = 0
        if isinstance(node, Heading):
            level = node.level
            while titles and titles[-1][0] >= level:
                titles.pop()
        path = tuple(title for _, title in titles)
        if isinstance(node, Heading):
            titles.append((level, " ".join(plain(node.text).split())[:LONGEST_TITLE]))
        cost = count(markdown[start:stop])
        if cost <= limit or isinstance(node, Heading | Code):
            yield _Unit(start, cost, path, level, is_whole=isinstance(node, Code | Table))
        elif isinstance(node, Table):
            yield from _table_units(node, node_lines, (start, stop), path, limit, markdown, count)
        else:
            ways = (_ITEM, _LINE, _SENTENCE, _WORD) if isinstance(node, List) else (_LINE, _SENTENCE, _WORD)
            yield from (_Unit(first, tokens, path) for first, tokens in _divided(markdown, start, stop, ways, limit, count))


def _table_units(
    table: Table, written: list[str], span: Extent, path: tuple[str, ...], limit: int, markdown: str, count: Count
) -> Iterator[_Unit]:
    """Yield the caption in parts, the head with the first row (if both fit), and the other rows."""
    starts = [span[0], *(span[0] + end for end in accumulate(len(line) + 1 for line in written))]
    top = len(written) - len(table.rows) - 1 - (not table.headers)
    if top:
        divided = _divided(markdown, span[0], starts[top], (_LINE, _SENTENCE, _WORD), limit, count)
        yield from (_Unit(first, tokens, path) for first, tokens in divided)
    head = (starts[top], starts[top + 2])
    rows = [*starts[top + 2 : -1], span[1]]
    cost = count(markdown[head[0] : rows[min(1, len(rows) - 1)]])
    if cost > limit:
        yield _Unit(head[0], count(markdown[slice(*head)]), path)
    else:
        yield _Unit(head[0], cost, path)
        del rows[:1]
    yield from (_Unit(first, count(markdown[first:stop]), path, head=head) for first, stop in pairwise(rows))


def _divided(markdown: str, start: int, stop: int, ways: Sequence[re.Pattern[str]], limit: int, count: Count) -> Iterator[tuple[int, int]]:
    """Yield start and cost of the largest pieces within the limit; larger only if no way of cutting is left."""
    tokens = count(markdown[start:stop])
    pieces = _pieces(markdown, start, stop, ways[0]) if ways and tokens > limit else []
    if pieces:
        for first, end in pieces:
            yield from _divided(markdown, first, end, ways[1:], limit, count)
    else:
        yield start, tokens


def _pieces(markdown: str, start: int, stop: int, way: re.Pattern[str]) -> list[Extent]:
    """Return the spans between the places at which a pattern cuts, outside links; what is not to be divided is one span."""
    piece = markdown[start:stop]
    cuts, opened = list[int](), list[int]()  # the latter: number of cuts before each open bracket
    for found in () if way in (_SENTENCE, _WORD) and _UNDIVIDED.match(piece) else way.finditer(piece):
        match found.lastgroup:
            case "cut" | "block":
                cuts.append(found.end())
            case "opening":
                opened.append(len(cuts))
            case "link" if opened:
                del cuts[opened.pop() :]
            case "closing" if opened:
                opened.pop()
    return list(pairwise([start, *(start + cut for cut in cuts if 0 < cut < len(piece)), stop]))
