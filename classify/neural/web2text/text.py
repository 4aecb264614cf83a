"""Text statistics of Web2Text, for all leaves of a page at once.

The counts add up, so those of any node are sums over its leaves. Words are runs of letters, digits and underscores of any script; a
sentence ends with its mark before white space, or with a mark of CJK, or with the leaf.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.float64]
"""One value per leaf, or a node."""

_FUNCTION_WORDS = """
    a an the this that these those some any each both all such no nor not only own same other few more most much many several
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
    itself they them their theirs themselves who whom whose which what where when why how
    about above across after against along among around as at before behind below beneath beside between beyond by down during
    except for from in inside into like near of off on onto out outside over past since through throughout to toward towards under
    until up upon with within without and but or if because although though while whereas unless than so yet
    am is are was were be been being have has had having do does did doing can cannot could may might must shall should will would
    again also already always ever here just never now often once quite rather still then there too very
"""
STOPWORDS = frozenset(_FUNCTION_WORDS.split())
"""Articles, pronouns, prepositions, conjunctions, auxiliaries and plain adverbs of English; the paper does not print its list."""

_END = "\n"
"""Behind every text."""
_WORD_OR_END = re.compile(r"\w+|\n")
_SENTENCE_END = re.compile(r"[.?!][\"'”’)\]]{0,3} ")
_CJK_SENTENCE_END = re.compile(r"[。？！](?![。？！\n])")
_EMAIL = re.compile(r"\w@\w")
_URL = re.compile(r"(?:https?|ftp)://[^\s/$.?#]")
_YEAR_LENGTH = 4
_PUNCTUATION, _QUESTIONS = (np.isin(np.arange(0x10000), [ord(sign) for sign in signs]) for signs in (".,?;:!。，、？；：！", "?？"))
"""Whether each character of the basic plane is one; all symbols are in it, and its last is no character."""


class TextCounts(NamedTuple):
    """Counts of each leaf; shape (leaves,)."""

    characters: Counts
    words: Counts
    word_characters: Counts
    capitals: Counts
    """Words that begin with a capital."""
    stopwords: Counts
    sentences: Counts
    punctuation: Counts
    digits: Counts
    copyrights: Counts
    emails: Counts
    urls: Counts
    years: Counts
    """Words of four digits."""
    linked: Counts
    """Characters in links."""


class Ends(NamedTuple):
    """How each leaf ends; shape (leaves,)."""

    punctuation: NDArray[np.bool_]
    question: NDArray[np.bool_]


def count_text(texts: Sequence[str], is_linked: NDArray[np.bool_]) -> tuple[TextCounts, Ends]:
    """Return the counts and the ends of texts that are not empty and hold no line break."""
    whole = _END.join([*texts, ""])
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    stops = np.cumsum(lengths + 1) - 1
    codes = np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), np.uint32)

    def totals(leaves: NDArray[np.int64], weights: Counts | None = None) -> Counts:
        return np.bincount(leaves, weights, minlength=len(texts)).astype(np.float64)

    def by_leaf(places: Sequence[int] | NDArray[np.int64]) -> Counts:
        return totals(np.searchsorted(stops, np.asarray(places, np.int64)))

    def matches(pattern: re.Pattern[str], sign: str = "") -> Counts:
        """Return how often the pattern, which needs the sign, is found: looking for the sign first costs a tenth."""
        return by_leaf([match.start() for match in pattern.finditer(whole)] if sign in whole else [])

    words, of_leaf = _split_words(whole)
    letters = np.fromiter(map(len, words), np.int64, len(words))
    is_year = np.zeros(len(words), np.bool_)
    is_year[[row for row in np.flatnonzero(letters == _YEAR_LENGTH).tolist() if words[row].isdecimal()]] = True
    is_capital = np.fromiter(map(str.isupper, map(itemgetter(0), words)), bool, len(words))
    is_stopword = np.fromiter(map(STOPWORDS.__contains__, map(str.lower, words)), bool, len(words))
    within = np.minimum(codes, len(_PUNCTUATION) - 1)
    counts = TextCounts(
        characters=lengths.astype(np.float64),
        words=totals(of_leaf),
        word_characters=totals(of_leaf, letters.astype(np.float64)),
        capitals=totals(of_leaf[is_capital]),
        stopwords=totals(of_leaf[is_stopword]),
        sentences=matches(_SENTENCE_END) + matches(_CJK_SENTENCE_END) + 1,
        punctuation=by_leaf(np.flatnonzero(_PUNCTUATION[within])),
        digits=by_leaf(np.flatnonzero((codes >= ord("0")) & (codes <= ord("9")))),
        copyrights=by_leaf(np.flatnonzero(codes == ord("©"))),
        emails=matches(_EMAIL, "@"),
        urls=matches(_URL, "://"),
        years=totals(of_leaf[is_year]),
        linked=np.where(is_linked, lengths, 0).astype(np.float64),
    )
    last = within[stops - 1] if len(texts) else within[:0]
    return counts, Ends(_PUNCTUATION[last], _QUESTIONS[last])


def _split_words(whole: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return all words of texts that each end with a line break, and the number of each one's text."""
    found = _WORD_OR_END.findall(whole)
    is_end = np.fromiter(map(_END.__eq__, found), np.bool_, len(found))
    return [word for word in found if word != _END], (np.cumsum(is_end) - is_end)[~is_end]
