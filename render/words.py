"""Words of any script: the tokeniser of labelers and models."""

from __future__ import annotations

import re
import unicodedata

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0f00-\u0fff\u200c\u200d"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}\u0964\u0965])[\w{_MARKS}])+")
_NOT_UNSPACED = re.compile(rf"[^{_UNSPACED}]+")

UNSPACED_WORD = 1.7
"""Characters per word in scripts that write no spaces, the usual figure for Chinese."""


def words(text: str) -> list[str]:
    """Return the words, compatibility-normalised and case-folded.

    Scripts without spaces (Thai, Lao, Burmese, Khmer, Han, kana) give one word a character; vowel signs belong to their word.
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def count_words(text: str) -> float:
    """Return how many words a reader would count; in scripts without spaces 1.7 characters are one."""
    found = _WORD.findall(text)
    unspaced = len(_NOT_UNSPACED.sub("", text))
    return len(found) - unspaced + unspaced / UNSPACED_WORD if unspaced else float(len(found))
