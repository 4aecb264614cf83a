r"""Words and scripts: the project's one tokeniser, with its named variants.

- `words`: words of any script, normalised; for labels, features and counts of what a reader reads.
- `plain_words`: runs of `\w` in lower case, the protocol of the WCXB data set; for scores by word and hashed features of words.

Published algorithms that define words otherwise keep their own definition, named after them: Boilerpipe
(`sightread.classify.heuristics.boilerpipe.words_of`), Web2Text (`sightread.classify.neural.web2text.features`) and SemText
(`sightread.classify.neural.semtext.input.text_words`).
"""

from __future__ import annotations

import re
import unicodedata

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Scripts without spaces between words: Thai, Lao, Burmese, Khmer, Han and kana."""
_MARKS = "\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0f00-\u0fff\u200c\u200d"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:(?![{_UNSPACED}\u0964\u0965])[\w{_MARKS}])+")
_PLAIN_WORD = re.compile(r"\w+")
_NOT_UNSPACED = re.compile(rf"[^{_UNSPACED}]+")
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")

UNSPACED_WORD = 1.7
"""Characters per word in scripts that write no spaces, the usual figure for Chinese."""


def words(text: str) -> list[str]:
    """Return the words, compatibility-normalised and case-folded.

    In scripts without spaces (Thai, Lao, Burmese, Khmer, Han, kana) each character is a word; vowel signs belong to their word.
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def plain_words(text: str) -> list[str]:
    r"""Return the runs of `\w` in lower case; in scripts without spaces a clause is one word."""
    return _PLAIN_WORD.findall(text.lower())


def count_unspaced(text: str) -> int:
    """Return the number of characters of scripts without spaces."""
    return 0 if text.isascii() else len(_NOT_UNSPACED.sub("", text))


def count_words(text: str) -> float:
    """Return how many words a reader would count; in scripts without spaces 1.7 characters are one."""
    found = _WORD.findall(text)
    unspaced = count_unspaced(text)
    return len(found) - unspaced + unspaced / UNSPACED_WORD if unspaced else float(len(found))


def count_dense(text: str) -> int:
    """Return how many characters are of a script with one character per syllable or word: Han, kana, Hangul."""
    return 0 if text.isascii() else len(_DENSE.findall(text))


def letters(text: str) -> str:
    """Return the letters and digits of the text, case-folded: for comparing texts that differ in punctuation and white space."""
    return "".join(filter(str.isalnum, text.casefold()))
