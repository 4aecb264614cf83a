"""The marked-up text of a block as a tree, shared by all formats; and which text is that of a heading."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from sightread.render.page import Block, Image, Inline, InlineKind, Page
from sightread.render.static.formulas import STYLED, normalised
from sightread.render.static.tags import BLOCK, INLINE, PRE, TREATMENT

MAX_DEPTH = 12
"""Depth from which on marks are plain text: real pages are flatter, and renderers recurse."""

_TARGET = re.compile(r"(?:https?|mailto):|#", re.IGNORECASE)
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
_ODD = re.compile("[\u00a0\u00ad\u200b\u2060\ufeff]")
_GAP = re.compile("[ \u00a0\u00ad\u200b\u2060\ufeff]+")
_LETTERS = re.compile("[0-9A-Za-z\u00c0-\u052f]{2}")
"""Two letters or digits of a script with spaces between words."""
_PARAGRAPH_BREAK = re.compile(
    r"(?<![^\S\n])[^\S\n]*\n\s*\n\s*"
)  # starts only at the beginning of white space, else long spaces take quadratic time


SpanKind: TypeAlias = InlineKind | Literal["math", "display", "note"]
"""Marks of text; "math" is a formula in a line and "display" one on a line of its own, both in TeX and without delimiters; "note"
is the mark of a footnote, whose label is the target."""


class Span(msgspec.Struct, frozen=True):
    """Marked text. It neither begins nor ends with white space, and is never empty."""

    kind: SpanKind
    children: Inlines
    target: str = ""


_INNER: dict[SpanKind, int] = {"link": 1, "code": 2, "subscript": 2, "superscript": 2, "math": 3, "display": 3}
"""Of marks of one range the order, from the outside in: code that is a link is both, and strong words do not part if one is a link."""

Inlines: TypeAlias = tuple[str | Span, ...]
"""Text and spans, in order; a newline in the text is a line break that a reader sees."""


class _Mark(NamedTuple):
    """The range of a formula in a block's text; its target is the TeX."""

    start: int
    end: int
    kind: SpanKind
    target: str = ""


def read_inlines(block: Block, address: str = "") -> tuple[Inlines, ...]:
    """Return the block's marked text, one tree per paragraph: an empty line in the text (`<br><br>`) separates two.

    White space at the edge of a mark moves out of it, marks of one kind with only a space between them are merged, and crossing
    marks are cut at the crossing: then every notation can write them. Links to other schemes than http, https and mailto are plain text
    (within a page without an address they have the fragment alone), and so are links that a script handles (`#` on the page itself, whose
    URL is `address`), and times, which no notation writes. Invisible characters (see `cleaned`) are removed, and no-break spaces are
    spaces. A formula in TeX (see `sightread.document.tree.inlines`) is one
    span, marks inside of it or not. A block of white space gives an empty tuple.
    """
    text, inlines = block.text, block.inlines
    if not text.isprintable():  # many times faster than the search for what of this is odd, or a line
        text, inlines = _seen(block) if _ODD.search(text) else (text, inlines)
    elif not (inlines or "\\" in text or "$" in text):
        return ((whole,),) if (whole := text.strip()) else ()
    usable = (mark for mark in inlines if mark.kind != "time" and (mark.kind != "link" or _leads(mark.target, address)))
    marks: list[Inline | _Mark] = [*usable]
    if formulas := find_formulas(text):
        marks += (_Mark(found.start, found.end, "display" if found.is_display else "math", found.tex) for found in formulas)
    if len(marks) > 1:
        marks.sort(key=lambda mark: (mark.start, -mark.end, _INNER.get(mark.kind, 0)))
    return tuple(tuple(_tree(text, start, end, marks)) for start, end in paragraph_ranges(text))


def paragraph_ranges(text: str) -> list[tuple[int, int]]:
    """Return where the paragraphs of a block's text are: those between empty lines, without white space around them."""
    gaps = [gap.span() for gap in _PARAGRAPH_BREAK.finditer(text)] if "\n" in text else []
    edges = [0, *(edge for gap in gaps for edge in gap), len(text)]
    ranges = (_trimmed(text, start, end) for start, end in zip(edges[::2], edges[1::2], strict=True))
    return [(start, end) for start, end in ranges if start < end]


def cleaned(text: str) -> str:
    """Return the text without invisible characters: soft hyphens, zero-width spaces, word joiners and byte order marks."""
    return _UNSEEN.sub("", text)


def plain(inlines: Iterable[str | Span]) -> str:
    """Return the text without its marks."""
    return "".join(part if isinstance(part, str) else plain(part.children) for part in inlines)


def joined(paragraphs: Sequence[Inlines]) -> Inlines:
    """Return the paragraphs as one, with a space between them."""
    parts: list[str | Span] = []
    for paragraph in paragraphs:
        parts += [" ", *paragraph] if parts else paragraph
    return tuple(parts)


def edged(parts: Iterable[str | Span]) -> Inlines:
    """Return the parts without empty ones, and without white space at either end."""
    kept = [part for part in parts if part]
    if kept and isinstance(kept[0], str):
        kept[0:1] = filter(None, [kept[0].lstrip()])
    if kept and isinstance(kept[-1], str):
        kept[-1:] = filter(None, [kept[-1].rstrip()])
    return tuple(kept)


def unmarked(inlines: Inlines) -> Inlines:
    """Return the text without strong or emphasis marks around all of it, which are redundant in a heading."""
    while len(inlines) == 1 and isinstance(inlines[0], Span) and inlines[0].kind in ("strong", "emphasis"):
        inlines = inlines[0].children
    return inlines


def strong(inlines: Inlines) -> Span:
    """Return the text as one strong span, with no other inside of it."""
    return Span("strong", tuple(without(inlines, "strong")))


def without(inlines: Iterable[str | Span], kind: SpanKind, is_unwanted: Callable[[str], bool] = lambda _: True) -> Iterator[str | Span]:
    """Yield the text without the marks of this kind, of which the target is unwanted; their text stays."""
    for part in inlines:
        if isinstance(part, str):
            yield part
        elif part.kind == kind and is_unwanted(part.target):
            yield from without(part.children, kind, is_unwanted)
        else:
            yield Span(part.kind, tuple(without(part.children, kind, is_unwanted)), part.target)


def _leads(target: str, address: str) -> bool:
    return bool(_TARGET.match(target)) and not (target.endswith("#") and target[:-1] in (address, address.partition("#")[0]))


def _seen(block: Block) -> tuple[str, tuple[Inline, ...]]:
    """Return a block's text without invisible characters, with plain spaces alone, and its marks moved accordingly."""
    text = block.text
    gone: list[int] = []
    for gap in _GAP.finditer(text):
        if _ODD.search(gap[0]):
            space = next((place for place, sign in enumerate(gap[0], gap.start()) if sign in " \u00a0"), -1)
            gone += (place for place in range(*gap.span()) if place != space)
    seen, marks = without_characters(block, gone) if gone else (text, block.inlines)
    return seen.replace("\u00a0", " "), marks


def without_characters(block: Block, places: Sequence[int]) -> tuple[str, tuple[Inline, ...]]:
    """Return a block's text without the characters at these places, in order, and its marks moved accordingly."""

    def moved(place: int) -> int:
        return place - bisect_left(places, place)

    held = frozenset(places)
    marks = (mark._replace(start=moved(mark.start), end=moved(mark.end)) for mark in block.inlines)
    left = "".join(sign for place, sign in enumerate(block.text) if place not in held)
    return left, tuple(mark for mark in marks if mark.start < mark.end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _tree(text: str, start: int, end: int, marks: Sequence[Inline | _Mark], inside: tuple[SpanKind, ...] = ()) -> list[str | Span]:
    """Build the tree of `text[start:end]`; the marks are sorted by start, the longer first."""
    if not marks:
        return [text[start:end]]
    parts: list[str | Span] = []
    place = start
    pending = deque(mark for mark in marks if mark.start < end and mark.end > start)
    while pending:
        mark = pending.popleft()
        first, last = _trimmed(text, max(mark.start, place), min(mark.end, end))
        if first >= last or mark.kind in inside or len(inside) == MAX_DEPTH:
            continue
        within = []
        while pending and pending[0].start < last:
            within.append(pending.popleft())
        is_formula = mark.kind in ("math", "display")
        if is_formula and ("code" in inside or (first, last) != mark[:2] or any(other.kind == "code" for other in within)):
            pending.extendleft(reversed(within))  # it is cut, or code: plain text
            continue
        pending.extendleft(other for other in reversed(within) if other.end > last)
        if place < first:
            parts.append(text[place:first])
        place = last
        if is_formula:
            parts.append(Span(mark.kind, (mark.target,)))
            continue
        _append(parts, Span(mark.kind, tuple(_tree(text, first, last, within, (*inside, mark.kind))), mark.target))
    if place < end:
        parts.append(text[place:end])
    return parts


def _append(parts: list[str | Span], span: Span) -> None:
    gap = parts[-1] if len(parts) > 1 and parts[-1] == " " and span.kind != "code" else ""
    before = parts[-2 if gap else -1] if parts else ""
    if isinstance(before, Span) and (before.kind, before.target) == (span.kind, span.target):
        if gap:
            parts.pop()
        parts[-1] = Span(before.kind, (*before.children, *gap, *span.children), before.target)
        return
    follows_link = isinstance(before, Span) and not gap and before.kind == span.kind == "link"
    if follows_link and _LETTERS.fullmatch(plain((before,))[-1] + plain(span.children)[0]):
        parts.append(" ")  # two links beside each other are not one word
    parts.append(span)


# Headings.


PROSE_CHARACTERS = 140
"""Characters: on 434 inspected pages, each of the 11 headings below the first level that is longer and ends in a full stop is a standfirst
or a paragraph, whereas most of the 30 between 70 and 140 characters are headings."""


def heading_text(inlines: Inlines, own: Collection[str]) -> Inlines:
    """Return the text of a heading, without links to its own page. `own` are the page's addresses, without fragments.

    Strong text in it is not marked: all of a heading is strong.
    """
    return unmarked(edged(without(without(inlines, "strong"), "link", lambda target: target.partition("#")[0] in own)))


def is_prose(level: int, text: Inlines) -> bool:
    """Return whether a heading is a paragraph in large type."""
    whole = plain(text)
    is_linked = len(text) == 1 and isinstance(text[0], Span) and text[0].kind == "link"
    return level > 1 and len(whole) >= PROSE_CHARACTERS and whole.endswith(".") and not is_linked


# Formulas in TeX: between delimiters in the text, or as the description of an image. A page whose formulas are drawn by a script (MathJax,
# KaTeX) contains them as TeX until the script has run, and so does a page that was not rendered. A dollar is also money, and a backslash
# before a bracket is also Markdown, so text between delimiters must look like TeX.


LONGEST_FORMULA = 4000

_INNER_TEX = rf"(?:\\\\|\\(?![()\[\]\\])|[^\\]){{1,{LONGEST_FORMULA}}}+"
"""TeX without math brackets inside; a double backslash is a line break, also before a bracket."""
_SETS = r"equation|align|aligned|alignat|gather|gathered|multline|eqnarray|displaymath|math|array|cases|[bpvBV]?matrix|split"
_DELIMITED = re.compile(
    rf"\\begin\{{(?P<name>(?:{_SETS})\*?)\}}(?:\\(?!(?:begin|end)\{{(?P=name)\}})|[^\\]){{0,{LONGEST_FORMULA}}}+\\end\{{(?P=name)\}}"
    rf"|(?<!\\)\\\[(?P<display>{_INNER_TEX})\\\]"
    rf"|(?<![\\\w])\\\((?P<round>{_INNER_TEX})\\\)"
    rf"|(?<![\\$\w])\$\$(?P<dollars>[^$]{{1,{LONGEST_FORMULA}}}+)\$\$(?![$\w])"
    rf"|(?<![\\$\w])\$(?P<dollar>[^$\s](?:[^$]{{0,{LONGEST_FORMULA}}}[^$\s\\])?+)\$(?![$\w])"
)
_TEX = re.compile(r"\\[A-Za-z]+|[\w)\]}|'][\^_][\w{(\\*+'-]")
"""Commands, subscripts and superscripts: prose and prices have none."""
_RELATED = re.compile(r"[=<>+≤≥≈∈]")
_VARIABLE = re.compile(r"[A-Za-z]'*|[A-Za-z]\([A-Za-z](?:, ?[A-Za-z])*\)|-?\d+(?:\.\d+)?")
_COMMANDS = re.compile(r"\\(?:text\w*|mathrm|operatorname\*?|mbox|label|tag)\s*\{[^{}]*\}|\\[A-Za-z]+")
_WORDS = re.compile(r"[A-Za-z]{4,}")
PROSE_WORDS = 3
"""Number of words outside of commands from which on the text is prose."""

_WRAPPED = re.compile(r"\\\((?P<a>.+)\\\)|\\\[(?P<b>.+)\\\]|\$\$?(?P<c>[^$]+)\$\$?", re.DOTALL)
_MAY_BE_TEX = re.compile(r"[\\$^]|_\{")
_RENDERERS = re.compile(r"/math/render/|latex\.php\?|codecogs\.com|(?:math|mime)tex\.cgi|quicklatex|/latex-render|[?&]latex=")
"""Parts of the addresses of images of formulas: Wikipedia, WordPress, CodeCogs, mathTeX, QuickLaTeX."""
_GROUPED = re.compile(r"\\[A-Za-z]+\s*\{|[\^_]\{")
_SIGNIFICANT = re.compile(r"[A-Za-z0-9]")


class Formula(NamedTuple):
    """A formula at `text[start:end]`, its TeX without delimiters, and whether it is on a line of its own."""

    start: int
    end: int
    tex: str
    is_display: bool


def find_formulas(text: str) -> list[Formula]:
    """Return the formulas that the text writes between delimiters, in order."""
    if "\\" not in text and text.count("$") < 2:
        return []
    found = [Formula(each.start(), each.end(), *_read(each)) for each in _DELIMITED.finditer(text) if _is_tex(each)]
    return [each for each in found if each.tex]


def image_tex(image: Image) -> str:
    """Return the TeX of the formula that an image draws, from its description; empty for any other image."""
    alt = image.alt.strip()
    if not alt or len(alt) > LONGEST_FORMULA:
        return ""
    source = image.source
    is_rendered = ("tex" in source or "math" in source or "codecogs" in source) and _RENDERERS.search(source)
    if not is_rendered and not _MAY_BE_TEX.search(alt):
        return ""
    wrapped = _WRAPPED.fullmatch(alt)
    tex = normalised(next(filter(None, wrapped.groups())) if wrapped else alt)
    is_declared = STYLED.fullmatch(alt) or alt.startswith("\\begin{") or is_rendered
    looks_like_tex = _GROUPED.search(tex) or (wrapped and (_TEX.search(tex) or _VARIABLE.fullmatch(tex)))
    return tex if (is_declared or looks_like_tex) and not _is_prose(tex) else ""


def is_inline(page: Page, image: Image) -> bool:
    """Return whether an image is in a line of text, that of the block before it or of the block after it."""
    return any(_holds(page, row, image) for row in (image.before - 1, image.before) if 0 <= row < len(page.blocks))


def repeated_formulas(page: Page, kept: Iterable[int], images: Sequence[Image]) -> frozenset[int]:
    """Return the rows of kept blocks whose hidden text repeats, letter by letter, the formulas of images beside them.

    Wikipedia puts both into its pages: MathML for readers who cannot see the image, and the image.
    """
    hidden = {row for row in kept if page.blocks[row].hidden}
    drawn: dict[int, list[str]] = {}
    for image in images if hidden else ():
        if tex := image_tex(image):
            for row in page.ancestors(image.element):
                drawn.setdefault(row, []).append(tex)
    return frozenset(row for row in hidden if _is_within(page.blocks[row].text, drawn.get(page.blocks[row].element, ())))


def _read(found: re.Match[str]) -> tuple[str, bool]:
    if found["name"]:
        return normalised(found[0]), found["name"] not in ("math", "array", "cases")
    tex = next(filter(None, found.group("display", "round", "dollars", "dollar")))
    return normalised(tex), not (found["round"] or found["dollar"])


def _is_tex(found: re.Match[str]) -> bool:
    if found["name"]:
        return True
    tex = next(filter(None, found.group("display", "round", "dollars", "dollar")))
    if _is_prose(tex):
        return False
    if _TEX.search(tex):
        return True
    if found["dollar"] or found["dollars"]:
        return bool(_VARIABLE.fullmatch(tex.strip())) and tex[0].isalpha()
    return bool(_VARIABLE.fullmatch(tex.strip()) or _RELATED.search(tex))


def _is_prose(tex: str) -> bool:
    return len(_WORDS.findall(_COMMANDS.sub(" ", tex))) >= PROSE_WORDS


def _holds(page: Page, row: int, image: Image) -> bool:
    """Return whether only inline elements are between the image and the element of the block, which is visible."""
    if page.blocks[row].hidden:
        return False
    inner = page.blocks[row].element
    for element in page.ancestors(image.element):
        if element == inner:
            return True
        if BLOCK <= TREATMENT.get(page.elements[element].tag, INLINE) <= PRE:
            return False
    return False


def _is_within(text: str, formulas: Collection[str]) -> bool:
    """Return whether all letters and digits of the text are in the formulas, in this order."""
    if not formulas:
        return False
    signs: Iterator[str] = iter("".join(formulas))
    return all(sign in signs for sign in _SIGNIFICANT.findall(text))
