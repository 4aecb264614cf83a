r"""Text primitives: the project's one tokeniser with its named variants, scripts, titles of pages, and the normalisation of characters.

- `words`: words of any script, normalised; for labels, features and counts of what a reader reads.
- `plain_words`: runs of `\w` in lower case, the protocol of the WCXB data set; for scores by word and hashed features of words.

Published algorithms that define words otherwise keep their own definition, named after them: Boilerpipe
(`sightread.classify.heuristics.boilerpipe.words_of`), Web2Text (`sightread.classify.neural.web2text.features`) and SemText
(`sightread.classify.neural.semtext.input.text_words`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts without spaces between words: Thai, Lao, Burmese, Khmer, Han and kana."""
_MARKS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0f00-\u0fff\u200c\u200d"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}\u0964\u0965])[\w{_MARKS}])+")
_PLAIN_WORD = re.compile(r"\w+")
_NOT_PLAIN = re.compile(rf"[{_UNSPACED}{_MARKS}\u0964\u0965]")
_NOT_UNSPACED = re.compile(rf"[^{_UNSPACED}]+")
DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""A character of a script with one per syllable or word: Han, kana, Hangul."""

UNSPACED_WORD = 1.7
"""Characters per word in scripts that write no spaces, the usual figure for Chinese."""


def words(text: str) -> list[str]:
    """Return the words, compatibility-normalised and case-folded.

    In scripts without spaces (Thai, Lao, Burmese, Khmer, Han, kana) each character is a word; vowel signs belong to their word.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _words_of(folded).findall(folded)


def plain_words(text: str) -> list[str]:
    r"""Return the runs of `\w` in lower case; in scripts without spaces a clause is one word."""
    return _PLAIN_WORD.findall(text.lower())


def count_unspaced(text: str) -> int:
    """Return the number of characters of scripts without spaces."""
    return 0 if text.isascii() else len(_NOT_UNSPACED.sub("", text))


def count_words(text: str) -> float:
    """Return how many words a reader would count; in scripts without spaces 1.7 characters are one."""
    found = _words_of(text).findall(text)
    unspaced = count_unspaced(text)
    return len(found) - unspaced + unspaced / UNSPACED_WORD if unspaced else float(len(found))


def _words_of(text: str) -> re.Pattern[str]:
    """Return the pattern of the text's words: without signs of scripts that need more, the plain one finds the same in half of the time."""
    return _PLAIN_WORD if text.isascii() or not _NOT_PLAIN.search(text) else _WORD


def count_dense(text: str) -> int:
    """Return how many characters are of a script with one character per syllable or word: Han, kana, Hangul."""
    return 0 if text.isascii() else len(DENSE.findall(text))


def letters(text: str) -> str:
    """Return the letters and digits of the text, case-folded: for comparing texts that differ in punctuation and white space."""
    return "".join(filter(str.isalnum, text.casefold()))


# Titles: whether a text repeats one, and which part of a title is the site's name.


_JOINT = re.compile(r"[|\-–—·•»_:]+\s*")
LONGEST_TITLE = 500
"""Characters; a longer title is a text, in which no site's name is looked for: that takes time with the square of its signs."""
MAX_SITE_NAME = 40
"""Characters; a longer part of a title is no site's name."""


def is_title(text: str, titles: Iterable[str]) -> bool:
    """Return whether the text equals one of the titles, or the longest part of one, ignoring case and punctuation."""
    requested = letters(text)
    return bool(requested) and any(requested in _title_letters(title) for title in titles)


@lru_cache(maxsize=32)
def _title_letters(title: str) -> frozenset[str]:
    """Return the letters of each of the title's parts; cached, since every heading of a page is compared with the page's titles."""
    return frozenset(map(letters, title_parts(title)))


def title_parts(title: str) -> Iterator[str]:
    """Yield the title, and the longer part of it at each sign that may part it from the name of its site."""
    yield title
    yield from (max(halves, key=len) for halves in _halves(title))


def segments(title: str) -> list[str]:
    """Return what is between the signs that may part a title from the name of its site."""
    return _JOINT.split(title) if len(title) <= LONGEST_TITLE else [title]


def before_site(title: str) -> str:
    """Return the title up to the last sign that may part it from the name of its site."""
    return next((before for before, _ in reversed(list(_halves(title)))), title)


def split_title(title: str, sites: Iterable[str], headlines: Iterable[str]) -> tuple[str, str]:
    """Return the title without the site's name before or after it, and that name (empty if none was found).

    A part is the site's name if it equals one of `sites`, ignoring case and punctuation, or if it is short and the rest is a headline of
    the page.
    """
    known_sites, known_headlines = ({letters(text) for text in texts} - {""} for texts in (sites, headlines))
    for before, after in _halves(title):
        for rest, part in ((before, after), (after, before)):
            is_headline = letters(rest) in known_headlines and len(part) <= MAX_SITE_NAME
            if rest and (letters(part) in known_sites or is_headline):
                return rest, part
    return title, ""


def _halves(title: str) -> Iterator[tuple[str, str]]:
    """Yield what is before and after each sign that may part a title from the name of its site."""
    for joint in _JOINT.finditer(title, 1) if len(title) <= LONGEST_TITLE else ():
        if joint.end() < len(title):
            yield title[: joint.start()].rstrip(), title[joint.end() :]


# Character normalisation at input: replaces what no output format can write, or what would change the text that follows. Applied by the
# collector (`collect_text.js` has the same rule), the static parser, JSON-LD and requests, and nowhere else: behind these, text is
# well-formed. Each character is replaced by one, so that offsets stay. Beside it, the direction of languages.


REPLACEMENT = "\ufffd"
INVISIBLE = "\u2060"
"""Word joiner, in place of a control without its partner: shows nothing, and renderers of documents leave it out."""

_ILL_FORMED = re.compile("[\ud800-\udfff\x00]")
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile(r"(?:ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)(?:[-_]|$)", re.IGNORECASE)
_EMBEDDINGS = "\u202a\u202b\u202d\u202e"
_ISOLATES = "\u2066\u2067\u2068"
_END_OF_EMBEDDING = "\u202c"


def is_right_to_left(language: str) -> bool:
    """Return whether a language, by its tag, is written from right to left."""
    return _RIGHT_TO_LEFT.match(language) is not None


def well_formed(text: str) -> str:
    """Return the text with U+FFFD for each lone surrogate and NUL, and a word joiner for each bidirectional control without a partner.

    Such a control (UAX #9, 2.1 to 2.5) would turn the direction of the text that follows in a document. Marks (LRM, RLM, ALM),
    joiners and paired controls are kept.
    """
    if text.isascii() and "\0" not in text:
        return text
    if _ILL_FORMED.search(text):
        text = _ILL_FORMED.sub(REPLACEMENT, text)
    return _paired(text) if _BIDI.search(text) else text


_UNSEEN = re.compile(
    "(?P<seen>\U0001f3f4[\U000e0030-\U000e007a]{1,6}\U000e007f|(?<=[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef])"
    "|[\U000e0000-\U000e01ef]+|[\u200b-\u200f\u2060-\u2064\ufeff]{4,}"
)
"""Signs that show nothing: tags, but in a flag, selectors of variants, but after an ideograph, and four or more of no width in a row, of
which a word may hold one or two."""
_MAY_BE_UNSEEN = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff\U000e0000-\U000e01ef]")
"""One of the signs: to look for it first is several times faster."""


def unveil(text: str) -> tuple[str, str]:
    """Return the text without signs that show nothing, and what these spell in ASCII; `collect_text.js` has the same rule."""
    if text.isascii() or not (_MAY_BE_UNSEEN.search(text) and _UNSEEN.search(text)):
        return text, ""
    signs: list[str] = []

    def seen(found: re.Match[str]) -> str:
        if not found["seen"]:
            signs.append(found[0])
        return found["seen"] or ""

    shown = _UNSEEN.sub(seen, text)
    codes = [ord(sign) for sign in "".join(signs)]
    spelt = [code - (0xE0000 if code < 0xE0080 else 0xE00F0) for code in codes if code >= 0xE0020]
    bits = "".join(str(code - 0x200B) for code in codes if code in (0x200B, 0x200C))
    spelt += [int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)]
    return shown, "".join(chr(code) for code in spelt if 32 <= code < 127).strip()


def well_formed_json(value: Any) -> Any:
    """Return a decoded JSON value with all its texts well-formed, keys too; lists and objects are changed in place."""
    if isinstance(value, str):
        return well_formed(value)
    pending = [value]
    while pending:
        holder = pending.pop()
        if isinstance(holder, list):
            holder[:] = [well_formed(each) if isinstance(each, str) else each for each in holder]
            pending += (each for each in holder if isinstance(each, list | dict))
        elif isinstance(holder, dict):
            items = [(well_formed(key), well_formed(each) if isinstance(each, str) else each) for key, each in holder.items()]
            holder.clear()
            holder.update(items)
            pending += (each for each in holder.values() if isinstance(each, list | dict))
    return value


def _paired(text: str) -> str:
    """Replace bidirectional controls without a partner: an end closes the latest start of its kind, an isolate what is open inside."""
    opened: list[int] = []
    lone: set[int] = set()
    for found in _BIDI.finditer(text):
        place, sign = found.start(), found[0]
        if sign in _EMBEDDINGS or sign in _ISOLATES:
            opened.append(place)
        elif sign == _END_OF_EMBEDDING:
            if opened and text[opened[-1]] in _EMBEDDINGS:
                opened.pop()
            else:
                lone.add(place)
        else:
            start = next((row for row in range(len(opened) - 1, -1, -1) if text[opened[row]] in _ISOLATES), -1)
            if start < 0:
                lone.add(place)
            else:
                lone.update(opened[start + 1 :])
                del opened[start:]
    lone.update(opened)
    return "".join(INVISIBLE if place in lone else sign for place, sign in enumerate(text)) if lone else text
