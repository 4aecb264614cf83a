"""Formulas in TeX: between delimiters in the text, or as the description of an image.

A page whose formulas are drawn by a script (MathJax, KaTeX) contains them as TeX until the script has run, and so does a page that was not
rendered. A dollar is also money, and a backslash before a bracket is also Markdown, so text between delimiters must look like TeX.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from sightread.render.page import Image, Page
from sightread.render.static.tags import BLOCK, INLINE, PRE, TREATMENT

LONGEST_FORMULA = 4000
"""Most characters of TeX in one formula."""

_INNER = rf"(?:\\\\|\\(?![()\[\]\\])|[^\\]){{1,{LONGEST_FORMULA}}}+"
"""TeX without math brackets inside; a double backslash is a line break, also before a bracket."""
_SETS = r"equation|align|aligned|alignat|gather|gathered|multline|eqnarray|displaymath|math|array|cases|[bpvBV]?matrix|split"
_DELIMITED = re.compile(
    rf"\\begin\{{(?P<name>(?:{_SETS})\*?)\}}(?:\\(?!(?:begin|end)\{{(?P=name)\}})|[^\\]){{0,{LONGEST_FORMULA}}}+\\end\{{(?P=name)\}}"
    rf"|(?<!\\)\\\[(?P<display>{_INNER})\\\]"
    rf"|(?<![\\\w])\\\((?P<round>{_INNER})\\\)"
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
MOST_STYLES = 10
"""Size commands around a formula that are removed, one inside the other."""
_STYLED = re.compile(r"\{\\(?:displaystyle|textstyle|scriptstyle) (.*)\}", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n")
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
    if not alt or len(alt) > LONGEST_FORMULA or not (_MAY_BE_TEX.search(alt) or _RENDERERS.search(image.source)):
        return ""
    wrapped = _WRAPPED.fullmatch(alt)
    tex = normalised(next(filter(None, wrapped.groups())) if wrapped else alt)
    is_declared = _STYLED.fullmatch(alt) or alt.startswith("\\begin{") or _RENDERERS.search(image.source)
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


def normalised(tex: str) -> str:
    """Return TeX on one line, without comments and without size commands."""
    *lines, last = tex.split("\n")  # what follows the last line's % may be text
    tex = " ".join("".join([*(_COMMENT.sub(" ", f"{line}\n") for line in lines), last]).split())
    for _ in range(MOST_STYLES):
        if not ((styled := _STYLED.fullmatch(tex)) and _is_balanced(styled[1])):
            break
        tex = styled[1].strip()
    return tex


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


def _is_balanced(tex: str) -> bool:
    """Return whether every brace of the TeX is closed after it is opened."""
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


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
