"""Inline Markdown: escapes text so that a CommonMark parser returns it unchanged, and writes its marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from render.network.address import percent_encode
from render.static.tags import INLINE_TAGS
from sightread.document.tree.inlines import Inlines, Span, plain

DELIMITERS = {"strong": ("**", "__"), "emphasis": ("*", "_"), "deleted": ("~~",)}
PAIRED = (DELIMITERS["strong"], DELIMITERS["emphasis"])
BOTH = ("***", "___")
"""Delimiter of words both strong and emphasised; the two are nested in no other way."""

SPACE, PUNCTUATION, LETTER = " .a"
"""Classes of characters in the rules for delimiters."""

_SPECIAL = re.compile(r"[\\`*\[\]~]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?]|\Z)|&(?=#?\w+;)")
_MAY_BE_SPECIAL = re.compile(r"[\\`*\[\]~_<&]")
"""A fast test that few texts pass."""
_BRACKETED = re.compile(r"(?<!!)\[(?![\sxX^]?\])([^\[\]()^\n]+)\](?![\[(:])")
"""Text in brackets that no parser reads as a link, since no definition names it; nor GitHub as a task box or a footnote."""
_OPEN_ENTITY = re.compile(r"&#?\w*\Z")
_END_OF_ENTITY = re.compile(r"#?\w*;")
_LONGEST_ENTITY = 40
_ENTITY = re.compile(r"&(?=#?\w+;)")
_PLAIN_ADDRESS = re.compile(r"https?://[\w.~:/?#@!$'()+,;=%-]+", re.ASCII)
"""An address that an autolink shows unchanged; `&` and characters outside of ASCII change in some parsers."""
_TICKS = re.compile("`+")
_IN_TEX = re.compile(r"(?<![A-Za-z{\\\s])\*|(?<=[A-Za-z])\*(?=[\w(\\])|(?<=[^\w\s\\])_(?=\S)|<(?=[A-Za-z/!?])|\](?=[(\[])|(?<!\\)~")
"""Characters that a parser without formulas may read as a delimiter, a tag or a link."""
_SAFE_IN_TEX = {"*": " * ", "_": "_ ", "<": "< ", "]": "] ", "~": "\\ "}


FORMULA = -1


@dataclass(slots=True)
class _Piece:
    """A stretch of Markdown. Of a delimiter the text is None until its neighbours are known, and empty if it is omitted."""

    text: str | None
    choices: tuple[str, ...] = ()
    """The notations of a delimiter; empty for other text."""
    reach: int = 0
    """Of an opening delimiter: number of pieces to its closing one. Of a formula `FORMULA`."""


def to_phrase(inlines: Inlines) -> str:
    """Return the text as Markdown; its line breaks stay newlines, and nothing is escaped that only has a meaning at a line's start.

    A delimiter that CommonMark would not take as one (such as before a bracket in the middle of a word) is left out:
    the text comes before its marks.
    """
    if len(inlines) == 1 and isinstance(inlines[0], str) and not _MAY_BE_SPECIAL.search(inlines[0]):
        return inlines[0]
    pieces = list(_pieces(inlines, escape_bracketed))
    if has_formula := any(piece.reach == FORMULA for piece in pieces):
        pieces = list(_pieces(inlines, _escape_priced))
    for place, piece in enumerate(pieces):
        if piece.reach > 0:
            _write(pieces, place, place + piece.reach)
    phrase, follows_code = "", False
    for piece in pieces:
        text = piece.text or ""
        if text.startswith(("(", "[", ":")) and phrase.endswith("]") and not phrase.endswith("\\]"):
            phrase = _escape_last(phrase)
            text = f"\\{text}" if text[0] in "(:" and phrase.endswith("]") and not phrase.endswith("\\]") else text
        if text == "[" and phrase.endswith("!"):
            phrase = phrase[:-1] + "\\!"
        elif text.startswith("`") and follows_code:
            text = f"<code>{escape(_uncoded(text))}</code>"
        elif _END_OF_ENTITY.match(text) and (found := _OPEN_ENTITY.search(phrase, max(0, len(phrase) - _LONGEST_ENTITY))):
            phrase = f"{phrase[: found.start()]}\\{found[0]}"
        follows_code = text.startswith("`") if text else follows_code
        phrase += text
    return phrase if has_formula or "`" in phrase else _relieved(phrase)  # a backslash in code or in TeX is no escape


def to_address(url: str) -> str:
    """Return the URL as a link's or an image's destination."""
    return _ENTITY.sub("&amp;", percent_encode(url, "!#$%&'*+,/:;=?@[]"))


def escape(text: str) -> str:
    """Return plain text as Markdown that reads the same."""
    if not _MAY_BE_SPECIAL.search(text):
        return text
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text)  # three times as fast as a template


def escape_bracketed(text: str) -> str:
    """Return text outside links as Markdown: there, brackets that cannot be a link are not escaped."""
    if "]" not in text:
        return escape(text)
    parts = _BRACKETED.split(text)
    return "".join(f"[{escape(part)}]" if place % 2 else escape(part) for place, part in enumerate(parts))


def _escape_last(phrase: str) -> str:
    """Return a phrase that ends in brackets with these escaped: the text after it could make a link of them. A footnote's mark is not
    escaped.
    """
    start = phrase.rindex("[")
    return phrase if phrase.startswith("[^", start) else f"{phrase[:start]}\\{phrase[start:-1]}\\]"


def _relieved(phrase: str) -> str:
    """Return a phrase without the backslash before its only asterisk or tilde, which cannot be a delimiter.

    In code and in formulas a backslash is literal; phrases with these are returned unchanged.
    """
    for sign in "*~" if "`" not in phrase and "$" not in phrase else "":
        place = phrase.find(sign)
        if place > 0 and phrase[place - 1] == "\\" and phrase.find(sign, place + 1) < 0 and not _begins_line(phrase, place - 1):
            phrase = phrase[: place - 1] + phrase[place:]
    return phrase


def _begins_line(phrase: str, place: int) -> bool:
    return not phrase[phrase.rfind("\n", 0, place) + 1 : place].strip()


def _pieces(inlines: Iterable[str | Span], written: Callable[[str], str]) -> Iterator[_Piece]:
    """Yield the pieces, their plain text as `written` returns it; inside a link all brackets are escaped."""
    for part in inlines:
        if isinstance(part, str):
            yield _Piece(written(part))
            continue
        if part.kind in ("math", "display"):
            yield _Piece(_formula(plain(part.children), "$" if part.kind == "math" else "$$"), reach=FORMULA)
            continue
        if part.kind == "note":
            yield _Piece(f"[^{part.target}]")
            continue
        within = list(_pieces(part.children, escape if part.kind == "link" else written))
        match part.kind:
            case "code":
                is_linked = any(isinstance(child, Span) and child.kind == "link" for child in part.children)
                yield from within if is_linked else [_Piece(_code(plain(part.children)))]
            case "link" if part.children == (part.target,) and _PLAIN_ADDRESS.fullmatch(part.target):
                yield _Piece(f"<{part.target}>")
            case "link":
                yield from (_Piece("["), *within, _Piece(f"]({to_address(part.target)})")) if part.target else within
            case "subscript" | "superscript":
                tag = INLINE_TAGS[part.kind]  # Markdown has no notation for these
                yield from (_Piece(f"<{tag}>"), *within, _Piece(f"</{tag}>"))
            case "emphasis" | "strong" if within and within[0].choices in PAIRED and within[0].reach == len(within) - 1:
                yield from (_Piece(None, BOTH, len(within) - 1), *within[1:-1], _Piece(None, BOTH))
            case _:
                choices = DELIMITERS[part.kind]
                yield from (_Piece(None, choices, len(within) + 1), *within, _Piece(None, choices))


def _escape_priced(text: str) -> str:
    """Return text beside formulas with its dollars escaped: they must not open or close one."""
    return escape_bracketed(text).replace("$", "\\$")


def _formula(tex: str, delimiter: str) -> str:
    r"""Return TeX between dollars as GitHub, Pandoc and others read it, with spaces where a plain CommonMark parser would see marks.

    TeX ignores these spaces. A plain parser still removes the backslash before a symbol, as in `\{`.
    """
    return f"{delimiter}{_IN_TEX.sub(lambda found: _SAFE_IN_TEX[found[0]], tex)}{delimiter}"


def _code(text: str) -> str:
    text = text.replace("\n", " ")
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    return f"{fence} {text} {fence}" if text.startswith("`") or text.endswith("`") else f"{fence}{text}{fence}"


def _uncoded(code: str) -> str:
    """Return what `_code` put between backticks."""
    fence = len(code) - len(code.lstrip("`"))
    text = code[fence:-fence]
    return text[1:-1] if text[0] == text[-1] == " " and "`" in (text[1:2], text[-2:-1]) else text


def _write(pieces: list[_Piece], start: int, end: int) -> None:
    """Write a pair of delimiters as CommonMark reads them between these neighbours, or omit it."""
    (before, left), (first, inner_left) = _look(pieces, start, -1), _look(pieces, start, 1)
    (last, inner_right), (after, right) = _look(pieces, end, -1), _look(pieces, end, 1)
    taken = left + inner_left + inner_right + right
    pieces[start].text = pieces[end].text = ""
    for delimiter in pieces[start].choices:
        within_words = delimiter[0] != "_"
        opens = all(_flanks(outer, inner, within_words) for outer in before for inner in first)
        if delimiter[0] not in taken and opens and all(_flanks(outer, inner, within_words) for outer in after for inner in last):
            pieces[start].text = pieces[end].text = delimiter
            return


def _look(pieces: list[_Piece], place: int, step: int) -> tuple[str, str]:
    """Return the classes of character that may be next to a piece, and the delimiters that may touch it."""
    kinds = touching = ""
    place += step
    while 0 <= place < len(pieces):
        text = pieces[place].text
        if text:
            char = text[0 if step > 0 else -1]
            return kinds + _kinds(char), touching + (char if pieces[place].choices else "")
        if text is None:
            kinds += PUNCTUATION
        place += step
    return kinds + SPACE, touching


def _flanks(outer: str, inner: str, within_words: bool) -> bool:
    """Return whether a delimiter between characters of these kinds opens (or, mirrored, closes) a mark: CommonMark, section 6.2."""
    if inner == SPACE or (inner == PUNCTUATION and outer == LETTER):
        return False
    return within_words or outer != LETTER


@cache
def _kinds(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Zs" or char in "\t\n\f\r":
        return SPACE
    if category.startswith("P") or (category.startswith("S") and char.isascii()):
        return PUNCTUATION
    return PUNCTUATION + LETTER if category.startswith("S") else LETTER  # parsers disagree over symbols
