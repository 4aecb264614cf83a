"""PDF to HTML: lines by size and place become headings, paragraphs, lists and code; running heads and page numbers are left out.

PDFium gives the text in the order in which it was drawn, which is the order of reading but for pages whose parts were drawn out of order:
there, the lines are ordered by columns (recursive XY-cut; Nagy and Seth 1984). Hyphenated words are joined by PDFium.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from itertools import accumulate, pairwise
from statistics import median
from typing import TYPE_CHECKING, Any

from sightread.render.errors import Unequipped, Unusable

if TYPE_CHECKING:
    import pypdfium2 as pdfium


@dataclass(frozen=True, slots=True)
class PdfLimits:
    """How much of a PDF is read, and what its lines are."""

    pages: int = 1000
    characters: int = 5_000_000
    heading: float = 1.08
    """Size of a heading's text, relative to that of most text; bold lines of its own size are headings too."""
    longest_heading: int = 200
    gap: float = 1.3
    """Distance of the lines of a paragraph, relative to that of most lines of the page."""
    gap_in_code: float = 2.2
    gap_by_size: float = 1.5
    """The same, relative to the size of the text, for headings of several lines."""
    among_lines: float = 0.5
    """Points by which the sizes of the lines of a paragraph differ at most."""
    within_a_line: float = 1.5
    """The same after a line that is full: code within a sentence has a size of its own."""
    short_line: float = 0.75
    """Part of the width of most lines; a line that ends before it keeps its break."""
    margin: float = 0.1
    """Of the page's height, above and below, where what recurs is a running head."""


LIMITS = PdfLimits()
MOST = 0.6
"""Part of the lines that are no wider than what counts as the width of most."""
SAMPLES = 8
"""Characters of a line that are looked at for its size and font."""
_BOLD = re.compile(r"bold|black|heavy|cmbx|cmb10", re.IGNORECASE)
_MONOSPACED = re.compile(r"mono|courier|cmtt|consol|menlo|typewriter|sourcecode", re.IGNORECASE)
_BULLET = re.compile(r"[•‣▪●◦⁃–\uf0b7]\s*(?=\S)")
_DATE = re.compile(r"D:(\d{4})(\d\d)(\d\d)")
_LEADER = re.compile(r"(?:[.·] ?){4,}")
"""Dots between a title and its page, in a table of contents."""
_ENDS = re.compile(r"[.!?:;。！？]['\"”’)\]]*$")


@dataclass(slots=True)
class Line:
    """A line of text with its box in points (y grows upwards), and the size of most of its text."""

    text: str
    page: int
    left: float
    right: float
    bottom: float
    top: float
    size: float
    is_bold: bool
    is_code: bool

    @property
    def width(self) -> float:
        """In points."""
        return self.right - self.left


def to_html(content: bytes, where: str) -> tuple[str, bool]:
    """Return the HTML of a PDF, and whether it is all of it. Raises `Unusable`, and `Unequipped` without pypdfium2."""
    try:
        import pypdfium2 as pdfium  # noqa: PLC0415  (an extra)
    except ImportError as error:
        raise Unequipped(f"{where}: a PDF, for which a package is missing: pip install 'sightread[pdf]'") from error
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        why = "it needs a password" if "password" in str(error).lower() else "a damaged PDF"
        raise Unusable(f"{where}: {why}: save it without one" if "password" in why else f"{where}: {why}: download it again") from error
    with document:
        pages: list[list[Line]] = []
        characters = 0
        for number in range(min(len(document), LIMITS.pages)):
            if characters > LIMITS.characters:
                break
            with suppress(pdfium.PdfiumError):  # a damaged page
                pages.append(_in_reading_order(list(_lines(document[number], number))))
                characters += sum(len(line.text) for line in pages[-1])
        is_whole = len(pages) == len(document)
        described = document.get_metadata_dict()
    if not characters:
        raise Unusable(f"{where}: a PDF without text: its pages are pictures, which are not read")
    weights: Counter[float] = Counter()
    for page in pages:
        for line in page:
            weights[line.size] += len(line.text)
    body = weights.most_common(1)[0][0]
    lines = [line for page in _without_running_heads(pages, body) for line in page]
    return _head(described) + "".join(_elements(lines, body)), is_whole


def _lines(page: pdfium.PdfPage, number: int) -> Iterator[Line]:
    import pypdfium2.raw as pdfium_c  # noqa: PLC0415

    text_page: Any = page.get_textpage()
    buffer, flags, matrix = ctypes.create_string_buffer(128), ctypes.c_int(), pdfium_c.FS_MATRIX()
    place = 0  # in UTF-16, as PDFium counts characters
    for text in text_page.get_text_range().split("\r\n"):
        shown = []
        for sign in text:
            if not sign.isspace():
                shown.append(place)
            place += 1 + (sign > "\uffff")
        place += len("\r\n")
        if not shown:
            continue
        looks: Counter[tuple[float, bool, bool]] = Counter()
        for sampled in shown[:: len(shown) // SAMPLES + 1]:
            pdfium_c.FPDFText_GetMatrix(text_page, sampled, matrix)
            size = pdfium_c.FPDFText_GetFontSize(text_page, sampled) * (matrix.a**2 + matrix.b**2) ** 0.5
            length = pdfium_c.FPDFText_GetFontInfo(text_page, sampled, buffer, len(buffer), flags)
            font = buffer.raw[: max(length - 1, 0)].decode("utf-8", "replace")
            looks[round(size, 1), _BOLD.search(font) is not None, bool(flags.value & 1) or _MONOSPACED.search(font) is not None] += 1
        look = looks.most_common(1)[0][0]
        boxes = [text_page.get_charbox(shown[row], loose=True) for row in (0, len(shown) // 2, -1)]
        left, bottom, right, top = (pick(sides) for pick, sides in zip((min, min, max, max), zip(*boxes, strict=True), strict=True))
        cleaned = text.replace("\ufffe", "").replace("\x02", "")
        yield Line(cleaned if look[2] else " ".join(cleaned.split()), number, left, right, bottom, top, *look)


def _in_reading_order(lines: list[Line]) -> list[Line]:
    """Return the lines as they were drawn; by columns if one was drawn after another that is below it or to the right."""
    is_disordered = any(line.bottom > before.top and line.left < before.right for before, line in pairwise(lines))
    return _cut(lines) if is_disordered else lines


def _cut(lines: list[Line], levels: int = 30) -> list[Line]:
    """Return lines by recursive XY-cut: at the gaps between columns, else at those between rows."""
    if len(lines) < 2 or not levels:
        return lines
    for extent in (_across, _down):
        ordered = sorted(lines, key=extent)
        ends = accumulate((extent(line)[1] for line in ordered), max)
        cuts = [place for place, (end, line) in enumerate(zip(ends, ordered[1:], strict=False), 1) if extent(line)[0] > end]
        if cuts:
            parts = [ordered[begin:stop] for begin, stop in zip([0, *cuts], [*cuts, len(ordered)], strict=True)]
            return [line for part in parts for line in _cut(part, levels - 1)]
    return sorted(lines, key=lambda line: (-line.top, line.left))


def _across(line: Line) -> tuple[float, float]:
    return line.left, line.right


def _down(line: Line) -> tuple[float, float]:
    return -line.top, -line.bottom


def _without_running_heads(pages: Sequence[list[Line]], body: float) -> list[list[Line]]:
    """Return the pages without page numbers, and without lines that recur in one place at their upper or lower end, numbers aside.

    `body` is the size of most text; larger text is a heading.
    """
    lines = [line for page in pages for line in page]
    if len(pages) < 2:
        return list(pages)
    low, high = min(line.bottom for line in lines), max(line.top for line in lines)
    margin = LIMITS.margin * (high - low)

    def sign(line: Line) -> str:
        is_margin = line.bottom < low + margin or line.top > high - margin
        text = re.sub(r"\d+|\b[ivxlc]+\b", "#", line.text.lower())
        return f"{line.bottom / 2:.0f} {text}" if is_margin and line.size <= LIMITS.heading * body else ""

    found = Counter(each for page in pages for each in {sign(line) for line in page} - {""})
    recurring = {each for each, count in found.items() if count >= max(2, min(3, len(pages) / 2)) or each.partition(" ")[2] == "#"}
    return [[line for line in page if sign(line) not in recurring] for page in pages]


def _paragraphs(lines: Sequence[Line], width: float) -> list[list[Line]]:
    """Return the lines as paragraphs: of one size, near each other, one below the other or continued in the next column or page."""
    steps = [upper.bottom - lower.bottom for upper, lower in pairwise(lines) if 0 < upper.bottom - lower.bottom < 3 * upper.size]
    step = median(steps) if steps else 0.0
    found: list[list[Line]] = []
    for line in lines:
        if found and _goes_on(found[-1][-1], line, step, width):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _text(lines: Sequence[Line], width: float) -> str:
    """Return the text of a paragraph, with breaks after lines that end early; `width` is that of most lines."""
    least = LIMITS.short_line * max(width, *(line.width for line in lines))
    breaks = ["\n" if line.width < least and line.page == following.page else " " for line, following in pairwise(lines)]
    return "".join(_LEADER.sub(" … ", line.text) + after for line, after in zip(lines, [*breaks, ""], strict=True))


def _goes_on(before: Line, line: Line, step: float, width: float) -> bool:
    if _BULLET.match(line.text) or _LEADER.search(before.text):
        return False
    is_full = before.width >= LIMITS.short_line * width and not _ENDS.search(before.text)
    if not is_full and before.is_code != line.is_code:
        return False
    if abs(before.size - line.size) > (LIMITS.within_a_line if is_full else LIMITS.among_lines):
        return False
    down = before.bottom - line.bottom  # the end of a hyphenated word belongs to its line, which then has two rows
    if before.page == line.page and down > 0:
        gap = LIMITS.gap_in_code * step if before.is_code and line.is_code else max(LIMITS.gap * step, LIMITS.gap_by_size * before.size)
        return down <= gap and (is_full or before.is_bold == line.is_bold) and line.left < before.right
    if before.page == line.page and abs(down) < before.size / 2:  # the same line, in parts
        return line.left >= before.right and not before.is_code
    return not before.is_code and not _ENDS.search(before.text) and line.text[:1].islower()


def _elements(lines: Sequence[Line], body: float) -> Iterator[str]:
    """Yield the elements of the paragraphs; `body` is the size of most text."""
    widths = sorted(line.width for line in lines if line.size == body) or [0.0]
    width = widths[round(MOST * (len(widths) - 1))]
    bold = [line.is_bold for line in lines if line.size == body]
    is_bold_rare = 2 * sum(bold) < len(bold)
    paragraphs = _paragraphs(lines, width)

    def level(paragraph: Sequence[Line]) -> tuple[float, bool]:
        """Return size and weight of a heading; zero for text."""
        first = paragraph[0]
        is_short = sum(len(line.text) for line in paragraph) <= LIMITS.longest_heading and not first.is_code
        is_larger = first.size > LIMITS.heading * body
        is_apart = is_bold_rare and first.is_bold and first.size >= body and not _ENDS.search(first.text) and len(paragraph) == 1
        is_word = any(sign.isalpha() for sign in first.text) and not _BULLET.match(first.text)
        return (first.size, first.is_bold) if is_short and is_word and (is_larger or is_apart) else (0.0, False)

    ranks = sorted({found for paragraph in paragraphs if (found := level(paragraph))[0]}, reverse=True)
    is_in_list = False
    for paragraph in paragraphs:
        bullet = _BULLET.match(paragraph[0].text)
        if is_in_list != (bullet is not None):
            yield "<ul>" if bullet else "</ul>"
            is_in_list = bullet is not None
        rank = level(paragraph)
        if not bullet and all(line.is_code for line in paragraph):
            yield f"<pre><code>{escape(_code(paragraph))}</code></pre>"
        elif rank[0]:
            name = f"h{min(ranks.index(rank) + 1, 6)}"
            yield f"<{name}>{escape(_text(paragraph, 0.0)).replace(chr(10), ' ')}</{name}>"
        else:
            name, text = ("li", _text(paragraph, width)[bullet.end() :]) if bullet else ("p", _text(paragraph, width))
            yield f"<{name}>{escape(text).replace(chr(10), '<br>')}</{name}>"
    if is_in_list:
        yield "</ul>"


def _code(lines: Sequence[Line]) -> str:
    """Return lines of code with their indentation, in characters of the width that most have."""
    width = median([line.width / max(len(line.text), 1) for line in lines]) or 1.0
    left = min(line.left for line in lines)
    return "\n".join(" " * round((line.left - left) / width) + line.text.strip() for line in lines)


def _head(described: dict[str, str]) -> str:
    head = f"<title>{escape(described.get('Title', ''))}</title>"
    if author := described.get("Author", "").strip():
        head += f'<meta name="author" content="{escape(author)}">'
    if date := _DATE.match(described.get("CreationDate", "")):
        head += f'<meta property="article:published_time" content="{"-".join(date.groups())}">'
    return head
