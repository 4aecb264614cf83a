"""Inline Markdown: escapes text so that a CommonMark parser returns it unchanged, and writes its marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby, zip_longest
from operator import attrgetter
from typing import Literal

import msgspec

from sightread.document.tree.inlines import Inlines, Span, SpanKind, plain
from sightread.render.network.address import percent_encode
from sightread.render.static.tags import INLINE_TAGS

DELIMITERS = {"strong": ("**", "__"), "emphasis": ("*", "_"), "deleted": ("~~",)}
PAIRED: dict[SpanKind, tuple[str, ...]] = {"strong": DELIMITERS["emphasis"], "emphasis": DELIMITERS["strong"]}
BOTH = ("***", "___")
"""Delimiter of words both strong and emphasised; the two are nested in no other way."""

SPACE, PUNCTUATION, LETTER = " .a"
"""Classes of characters in the rules for delimiters."""

FORMULAS = {"math": "$", "display": "$$"}

_SPECIAL = re.compile(r"[\\`*\[\]~]|(?<![^\W_])_|_(?![^\W_])|<(?=[A-Za-z/!?]|\Z)|&(?=#?\w+;)|\r\n?")
_MAY_BE_SPECIAL = re.compile(r"[\\`*\[\]~_<&\r]")
"""A fast test that few texts pass."""
_BRACKETED = re.compile(r"(?<!!)\[(?![!^]|[\sxX]?\])([^\[\]()^\n]+)\](?![\[(:])")
"""Text in brackets that no parser reads as a link, since no definition names it; nor GitHub as a task box, a footnote or an alert."""
_ENTITY = re.compile(r"&(?=#?\w+;)")
_PLAIN_ADDRESS = re.compile(r"https?://[\w.~:/?#@!$'()+,;=%-]+", re.ASCII)
"""An address that an autolink shows unchanged; `&` and characters outside of ASCII change in some parsers."""
_SCHEME = re.compile(r"(?:https?|ftp)(?=://\S)|www(?=\.)", re.IGNORECASE)
_ADDRESS = re.compile(rf"(?:{_SCHEME.pattern})[^ \t\n]*", re.IGNORECASE)
"""An address in text of which GitHub makes a link."""
_TICKS = re.compile("`+")
_BREAK = re.compile(r"\r\n?|\n")
_IN_TEX = re.compile(
    r"(?P<kept>\\(?:[A-Za-z]+\*(?=[{\[])|.)|\{[A-Za-z]+\*\}|[^\W_]_+)"  # escapes, names with a star, and subscripts open no mark
    r"|(?P<star> ?\*+ ?)|(?P<sign>_+(?!\s)|<(?=[A-Za-z/!?])|\](?=[(\[]))|~"
)
"""Characters that a parser without formulas may read as a delimiter, a tag or a link."""
_BREAKS_OUT = re.compile(r"`|&#?\w+;|://|(?i:www\.)|\[\^|\A\s|\s\Z|(?<!\\)(?:\\\\)*(?:\$|\\\Z)")
"""Signs that cannot be in a formula between dollars: a backtick opens code, a dollar ends the formula, an address is a link for GitHub."""


class _Piece(msgspec.Struct):
    """A stretch of a phrase. Of a delimiter the text is None until its neighbours are known, and empty if it is omitted."""

    text: str | None
    kind: Literal["markup", "text", "label", "code", "formula", "note"] = "markup"
    """Markup and formulas are written as they are; a label is the text of a link."""
    choices: tuple[str, ...] = ()
    """The notations of a delimiter; empty for other text."""
    reach: int = 0
    """Of an opening delimiter: number of pieces to its closing one."""


def to_phrase(inlines: Inlines, in_cell: bool = False) -> str:
    """Return the text as Markdown; its line breaks stay newlines, and nothing is escaped that only has a meaning at a line's start, nor
    the pipes of a table's cell.

    A delimiter that CommonMark would not take as one (such as before a bracket in the middle of a word) is left out:
    the text comes before its marks.
    """
    if len(inlines) == 1 and isinstance(inlines[0], str) and not _MAY_BE_SPECIAL.search(inlines[0]):
        return inlines[0]
    pieces = list(_pieces(inlines, in_cell))
    for place, piece in enumerate(pieces):
        if piece.reach:
            _write(pieces, place, place + piece.reach)
    written = list(_merged(pieces))
    is_priced = any(piece.kind == "formula" for piece in written)
    parts, before = [""], ""
    for piece, after in zip_longest(written, written[1:]):
        text = piece.text or ""
        if piece.kind == "code" and before == "code":
            text = f"<code>{_settled(escape(_BREAK.sub(' ', text)), is_priced)}</code>"
        elif piece.kind == "code":
            text = _code(text)
        elif piece.kind == "text":
            is_before_link = after is not None and (after.text == "[" or after.kind == "note")
            text = _settled(escape_bracketed(text, "[" if is_before_link else ""), is_priced, is_attached=after is not None)
        elif piece.kind == "label":
            text = _settled(escape(text), is_priced)
        if before == "note" and text[0] in "(:":
            text = f"\\{text}"
        elif before == "[":
            text = _uncaret(text)
        elif text == "[" and parts[-1].endswith("!"):
            parts[-1] = f"{parts[-1][:-1]}\\!"
        parts.append(text)
        before = "[" if text == "[" else piece.kind
    phrase = "".join(parts)
    return phrase if in_cell or is_priced or "`" in phrase else _relieved(phrase)  # a backslash in code or in TeX is no escape


def to_address(url: str) -> str:
    """Return the URL as a link's or an image's destination."""
    return _ENTITY.sub("&amp;", percent_encode(url, "!#$%&'*+,/:;=?@[]"))


def to_link(text: str, url: str) -> str:
    """Return a link, its text in one line."""
    return f"[{_uncaret(escape(' '.join(text.split())))}]({to_address(url)})"


def to_image(alt: str, source: str) -> str:
    """Return an image, its description in one line."""
    return f"![{_uncaret(escape_bracketed(' '.join(alt.split())))}]({to_address(source)})"


def escape(text: str) -> str:
    """Return plain text as Markdown that reads the same; its line breaks are newlines."""
    if not _MAY_BE_SPECIAL.search(text):
        return text
    return _SPECIAL.sub(lambda found: "\n" if found[0][0] == "\r" else f"\\{found[0]}", text)  # three times as fast as a template


def escape_bracketed(text: str, after: str = "") -> str:
    """Return text outside links as Markdown, before the character `after`: there, brackets that cannot be a link are not escaped."""
    if "]" not in text:
        return escape(text)
    parts = _BRACKETED.split(text + after)
    parts[-1] = parts[-1].removesuffix(after)
    return "".join(f"[{escape(part)}]" if place % 2 else escape(part) for place, part in enumerate(parts))


def _uncaret(label: str) -> str:
    """Return the text of a link or an image without a caret at its beginning, by which GitHub recognises a footnote."""
    return f"\\{label}" if label.startswith("^") else label


def _merged(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """Yield the pieces that are written, with text beside text as one."""
    for kind, run in groupby(filter(attrgetter("text"), pieces), attrgetter("kind")):
        if kind in ("text", "label"):
            yield _Piece("".join([piece.text or "" for piece in run]), kind)
        else:
            yield from run


def _settled(text: str, is_priced: bool, is_attached: bool = False) -> str:
    """Return escaped text of which no parser makes a formula or a link: beside formulas the dollars are escaped too.

    Outside links GitHub makes a link of an address up to the next space or tag, with the escapes in it and what is attached to it, unless
    its colon is escaped.
    """
    text = text.replace("$", "\\$") if is_priced else text
    if "://" in text or "www." in text.lower():
        end = len(text) if is_attached else -1

        def unlinked(found: re.Match[str]) -> str:
            return _SCHEME.sub(r"\g<0>\\", found[0]) if "\\" in found[0] or found.end() == end else found[0]

        text = _ADDRESS.sub(unlinked, text)
    return text


def _relieved(phrase: str) -> str:
    """Return a phrase without the backslash before its only asterisk or tilde, which cannot be a delimiter.

    In code and in formulas a backslash is literal; phrases with these are returned unchanged.
    """
    for sign in "*~" if "`" not in phrase and "$" not in phrase else "":
        place = phrase.find(sign)
        if place < 1 or phrase[place - 1] != "\\" or phrase.find(sign, place + 1) >= 0:
            continue
        if not phrase[phrase.rfind("\n", 0, place - 1) + 1 : place - 1].strip():
            continue  # it begins a line
        if not {phrase[place - 2], phrase[place + 1 : place + 2]} & {"*", "_"}:  # GitHub's parser looks through a tilde
            phrase = phrase[: place - 1] + phrase[place:]
    return phrase


def _pieces(inlines: Iterable[str | Span], in_cell: bool, inside: frozenset[SpanKind] = frozenset()) -> Iterator[_Piece]:
    """Yield the pieces; `inside` are the marks around them, which are not written once more."""
    in_link = "link" in inside
    for part in inlines:
        if isinstance(part, str):
            yield _Piece(part, "label" if in_link else "text")
            continue
        if part.kind in FORMULAS:
            yield from _formula(plain(part.children), FORMULAS[part.kind], ("\\|",) * in_cell + ("[", "]") * in_link)
            continue
        if part.kind == "note" and not in_link:
            yield _Piece(f"[^{part.target}]", "note")
            continue
        is_mark = part.kind not in inside and part.kind != "note" and (part.kind != "link" or part.target != "")
        within = list(_pieces(part.children, in_cell, inside | {part.kind} if is_mark else inside))
        match part.kind:
            case _ if not is_mark:
                yield from within
            case "code":
                is_linked = any(isinstance(child, Span) and child.kind == "link" for child in part.children)
                yield from within if is_linked else _as_code(plain(part.children), ("\\|",) * in_cell + ("]:",) * in_link)
            case "link" if part.children == (part.target,) and _PLAIN_ADDRESS.fullmatch(part.target):
                yield _Piece(f"<{part.target}>")
            case "link":
                yield from (_Piece("["), *within, _Piece(f"]({to_address(part.target)})"))
            case "subscript" | "superscript":
                tag = INLINE_TAGS[part.kind]  # Markdown has no notation for these
                yield from (_Piece(f"<{tag}>"), *within, _Piece(f"</{tag}>"))
            case "emphasis" | "strong" if within and within[0].choices == PAIRED[part.kind] and within[0].reach == len(within) - 1:
                yield from (_Piece(None, choices=BOTH, reach=len(within) - 1), *within[1:-1], _Piece(None, choices=BOTH))
            case _:
                choices = DELIMITERS[part.kind]
                yield from (_Piece(None, choices=choices, reach=len(within) + 1), *within, _Piece(None, choices=choices))


def _as_code(text: str, reserved: tuple[str, ...]) -> Iterable[_Piece]:
    """Return code; as HTML with escapes if it holds what the link or the cell around it would read as its own."""
    if any(each in text for each in reserved):
        return _Piece("<code>"), _Piece(_BREAK.sub(" ", text), "label"), _Piece("</code>")
    return [_Piece(text, "code")]


def _formula(tex: str, delimiter: str, reserved: tuple[str, ...]) -> Iterable[_Piece]:
    r"""Return TeX between dollars as GitHub, Pandoc and others read it, with spaces where a plain CommonMark parser would see marks.

    TeX ignores these spaces. A plain parser still removes the backslash before a symbol, as in `\{`. TeX that spaces do not keep apart
    from the Markdown around it is code between the dollars, which GitHub and GitLab read as a formula too: all of it stays text.
    `reserved` is what the link or the cell around it would read as its own.
    """
    tex = " ".join(tex.split())
    spaced = _IN_TEX.sub(_apart, tex)
    if _BREAKS_OUT.search(spaced) or any(each in spaced for each in reserved):
        return _Piece(delimiter, "formula"), *_as_code(tex, ("\\|", "]:")), _Piece(delimiter, "formula")
    return [_Piece(f"{delimiter}{spaced}{delimiter}", "formula")] if tex else ()


def _apart(found: re.Match[str]) -> str:
    """Return a sign of TeX with the spaces that keep it from being one of Markdown."""
    if found["kept"]:
        return found[0]
    if found["star"]:
        return f" {found[0].strip()} "
    return f"{found[0]} " if found["sign"] else "\\ "


def _code(text: str) -> str:
    """Return a code span, between more backticks than there are beside each other in its text."""
    text = _BREAK.sub(" ", text)
    fence = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    pad = " " * (text.startswith("`") or text.endswith("`") or (text[0] == text[-1] == " " and text.strip() != ""))
    return f"{fence}{pad}{text}{pad}{fence}"


def _write(pieces: list[_Piece], start: int, end: int) -> None:
    """Write a pair of delimiters as CommonMark reads them between these neighbours, or omit it."""
    (before, left), (first, inner_left) = _look(pieces, start, -1), _look(pieces, start, 1)
    (last, inner_right), (after, right) = _look(pieces, end, -1), _look(pieces, end, 1)
    taken = left + inner_left + inner_right + right + "".join(piece.text or "" for piece in pieces[start:end] if piece.kind == "formula")
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
            char = "`" if pieces[place].kind == "code" else text[0 if step > 0 else -1]
            touching += char if pieces[place].choices else ""
            kinds += _kinds(char)
            if pieces[place].choices != DELIMITERS["deleted"]:  # GitHub's parser looks through it
                return kinds, touching
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
