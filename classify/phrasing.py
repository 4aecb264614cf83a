"""Marked text as Markdown: escaped so that a CommonMark parser gives it back, with its marks where Markdown can write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from urllib.parse import quote

from classify.inlines import Inlines, Span, plain

DELIMITERS = {"strong": ("**", "__"), "emphasis": ("*", "_"), "deleted": ("~~",)}
TAGS = {"subscript": "sub", "superscript": "sup"}
"""Marks that Markdown has no notation for, and takes as HTML."""

SPACE, PUNCTUATION, LETTER = " .a"
"""Kinds of characters, as far as the rules for delimiters tell them apart."""

_SPECIAL = re.compile(r"[\\`*\[\]~]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?]|\Z)|&(?=#?\w+;)")
_MAY_BE_SPECIAL = re.compile(r"[\\`*\[\]~_<&]")
"""Found in a fraction of the time, and in few texts."""
_BRACKETED = re.compile(r"(?<!!)\[(?![\sxX^]?\])([^\[\]()^\n]+)\](?![\[(:]|\Z)")
"""Text in brackets that no parser takes for a link, for no definition names it; nor GitHub for a box to tick, or a footnote."""
_OPEN_ENTITY = re.compile(r"&#?\w*\Z")
_END_OF_ENTITY = re.compile(r"#?\w*;")
_LONGEST_ENTITY = 40
_ENTITY = re.compile(r"&(?=#?\w+;)")
_TICKS = re.compile("`+")


@dataclass(slots=True)
class _Piece:
    """A stretch of Markdown. Of a delimiter the text is None until its neighbours are known, and empty where it cannot stand."""

    text: str | None
    choices: tuple[str, ...] = ()
    """What a delimiter may be written as; empty for other text."""
    reach: int = 0
    """Of an opening delimiter: how many pieces further its closing one stands."""


def to_phrase(inlines: Inlines) -> str:
    """Return the text as Markdown; its line breaks stay newlines, and nothing is escaped that only has a meaning at a line's start.

    A delimiter that CommonMark would not take as one where it stands (such as before a bracket in the middle of a word) is left out:
    the text comes before its marks.
    """
    if len(inlines) == 1 and isinstance(inlines[0], str) and not _MAY_BE_SPECIAL.search(inlines[0]):
        return inlines[0]
    pieces = list(_pieces(inlines))
    for place, piece in enumerate(pieces):
        if piece.reach:
            _write(pieces, place, place + piece.reach)
    phrase, follows_code = "", False
    for piece in pieces:
        text = piece.text or ""
        if text == "[" and phrase.endswith("!"):
            phrase = phrase[:-1] + "\\!"
        elif text.startswith("`") and follows_code:
            text = f"<code>{escape(text.strip('` '))}</code>"
        elif _END_OF_ENTITY.match(text) and (found := _OPEN_ENTITY.search(phrase, max(0, len(phrase) - _LONGEST_ENTITY))):
            phrase = f"{phrase[: found.start()]}\\{found[0]}"
        follows_code = text.startswith("`") if text else follows_code
        phrase += text
    return _relieved(phrase)


def to_address(url: str) -> str:
    """Return the URL as a link's or an image's destination."""
    return _ENTITY.sub("&amp;", quote(url, safe="!#$%&'*+,-./:;=?@_~[]"))


def escape(text: str) -> str:
    """Return plain text as Markdown that reads the same."""
    return _SPECIAL.sub(r"\\\g<0>", text) if _MAY_BE_SPECIAL.search(text) else text


def _escape_bracketed(text: str) -> str:
    """Return text outside links as Markdown: there, brackets that can be no link stay as they are."""
    if "]" not in text:
        return escape(text)
    parts = _BRACKETED.split(text)
    return "".join(f"[{escape(part)}]" if place % 2 else escape(part) for place, part in enumerate(parts))


def _relieved(phrase: str) -> str:
    """Return a phrase without the backslash before an asterisk or a tilde that is the only one there: it can mark nothing."""
    for sign in "*~":
        place = phrase.find(sign)
        if place > 0 and phrase[place - 1] == "\\" and phrase.find(sign, place + 1) < 0 and not _begins_line(phrase, place - 1):
            phrase = phrase[: place - 1] + phrase[place:]
    return phrase


def _begins_line(phrase: str, place: int) -> bool:
    return not phrase[phrase.rfind("\n", 0, place) + 1 : place].strip()


def _pieces(inlines: Iterable[str | Span], inside: bool = False) -> Iterator[_Piece]:
    """Yield the pieces; `inside` a link, all brackets are escaped."""
    for part in inlines:
        if isinstance(part, str):
            yield _Piece(escape(part) if inside else _escape_bracketed(part))
            continue
        within = list(_pieces(part.children, inside or part.kind == "link"))
        match part.kind:
            case "code":
                is_linked = any(isinstance(child, Span) and child.kind == "link" for child in part.children)
                yield from within if is_linked else [_Piece(_code(plain(part.children)))]
            case "link":
                yield from (_Piece("["), *within, _Piece(f"]({to_address(part.target)})")) if part.target else within
            case "subscript" | "superscript":
                yield from (_Piece(f"<{TAGS[part.kind]}>"), *within, _Piece(f"</{TAGS[part.kind]}>"))
            case _:
                choices = DELIMITERS[part.kind]
                yield from (_Piece(None, choices, len(within) + 1), *within, _Piece(None, choices))


def _code(text: str) -> str:
    text = text.replace("\n", " ")
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    return f"{fence} {text} {fence}" if text.startswith("`") or text.endswith("`") else f"{fence}{text}{fence}"


def _write(pieces: list[_Piece], start: int, end: int) -> None:
    """Write a pair of delimiters as CommonMark takes them between these neighbours, or leave it out."""
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
    """Return the kinds of character that may stand next to a piece, and the delimiters that may touch it."""
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
    """Say whether a delimiter between characters of these kinds opens (or, mirrored, closes) a mark: CommonMark, section 6.2."""
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
