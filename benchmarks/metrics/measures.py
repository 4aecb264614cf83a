"""How a text is measured against gold text, page by page: ROUGE-LSum, words, and shingles of four tokens.

Each is a triple of precision, recall and F1. Means over pages are taken elsewhere (`benchmarks.metrics.means`).
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from sightread.classify.evaluation import Score
from sightread.render.text.words import plain_words


def word_score(extracted: str, gold: str, words_of: Callable[[str], list[str]] = plain_words) -> Score:
    r"""Score a text against gold text as multisets of words: lower-cased `\w+` tokens, the protocol, unless `words_of` finds others.

    By the protocol a clause of Chinese or Japanese is one word, and a table of numbers weighs more than an article in these languages:
    use `sightread.render.text.words.words` where texts of any script are scored. Empty gold scores 1 for an empty extraction and 0 for any
    other.
    """
    found, truth = (Counter(words_of(text)) for text in (extracted, gold))
    return Score.of(float((found & truth).total()), float(found.total()), float(truth.total()))


_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")


def rouge_lsum(extracted: str, gold: str) -> Score:
    """Score a text against gold text; without tokens on either side the score is 1, on one side 0."""
    extracted_sentences, gold_sentences = split_sentences(extracted), split_sentences(gold)
    given = Counter(token for sentence in extracted_sentences for token in sentence)
    expected = Counter(token for sentence in gold_sentences for token in sentence)
    if not given or not expected:
        value = float(given == expected)
        return Score(value, value, value)
    hits = Counter(dict.fromkeys(expected, 0))
    union = _Union(extracted_sentences)
    for sentence in gold_sentences:
        hits.update(union.of(sentence))
    agreed = (hits & given).total()
    return Score(agreed / given.total(), agreed / expected.total(), 2 * agreed / (given.total() + expected.total()))


def split_sentences(text: str) -> list[tuple[str, ...]]:
    """Return the tokens of each sentence: one ends at a line's end, and at a mark before white space."""
    return [tuple(tokens) for sentence in _SENTENCE_END.split(text) if (tokens := sentence.split())]


class _Union:
    """The sentences of an extraction, by their tokens."""

    def __init__(self, sentences: Sequence[tuple[str, ...]]) -> None:
        self._sentences = list(dict.fromkeys(sentences))
        self._whole = frozenset(self._sentences)
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        for row, sentence in enumerate(self._sentences):
            for token in set(sentence):
                self._holding[token].append(row)

    def of(self, sentence: tuple[str, ...]) -> list[str]:
        """Return the tokens that are in the sentence's longest common subsequence with any of the others.

        The fullest matches come first, and what can add nothing is not looked at: a sentence that holds no token still missing.
        """
        if sentence in self._whole:
            return list(sentence)
        holding = self._holding
        missing: dict[str, set[int]] = defaultdict(set)
        for place, token in enumerate(sentence):
            if token in holding:
                missing[token].add(place)
        shared = Counter(row for token in missing for row in holding[token])
        found: set[int] = set()
        for row, _ in shared.most_common():
            other = self._sentences[row]
            if missing.keys().isdisjoint(other):
                continue
            for place in _common_places(sentence, other):
                token = sentence[place]
                if token in missing and place in missing[token]:
                    found.add(place)
                    missing[token].discard(place)
                    if not missing[token]:
                        del missing[token]
            if not missing:
                break
        return [sentence[place] for place in found]


def _common_places(sentence: Sequence[str], other: Sequence[str]) -> list[int]:
    """Return the places of a longest common subsequence in `sentence`: that which is found from the end, a match taken where there is one.

    Row by row of the usual table, in bits: a bit of `row` is 0 if the length rises with that token of `other` (Hyyrö 2004). Only the
    rows of tokens that `other` holds are kept, for the others are as the rows before them.
    """
    masks: dict[str, int] = {}
    for column, token in enumerate(other):
        masks[token] = masks.get(token, 0) | 1 << column
    everywhere = (1 << len(other)) - 1
    row = everywhere
    rows, places = [row], []
    for place, token in enumerate(sentence):
        if token in masks:
            matching = row & masks[token]
            row = ((row + matching) | (row - matching)) & everywhere
            rows.append(row)
            places.append(place)
    found, column, at = [], len(other), len(places)
    while at and column:
        below = (1 << column) - 1
        if sentence[places[at - 1]] == other[column - 1]:
            found.append(places[at - 1])
            column -= 1
            at -= 1
        elif rows[at] >> (column - 1) & 1 and (rows[at] & below).bit_count() < (rows[at - 1] & below).bit_count():
            column -= 1  # the length does not fall here, and would with the token of `sentence`
        else:
            at -= 1
    return found


SHINGLE = 4
"""Tokens of a shingle, as in the article extraction benchmark of Scrapinghub (2019)."""
_WORD = re.compile(r"\w+")

Measure = Callable[[str, str], Score]


def shingle_score(extracted: str, gold: str) -> Score:
    r"""Score a text against gold text by its shingles, counted as often as they occur: the protocol of the article extraction benchmark.

    Tokens are `\w+`, as they are written. A text of fewer than four tokens is one shingle. Precision is NaN if nothing was extracted,
    and recall where nothing is wanted: the protocol leaves the page out of that mean.
    """
    given, expected = _shingles(extracted), _shingles(gold)
    agreed, both = (given & expected).total(), given.total() + expected.total()
    precision = agreed / given.total() if given else math.nan
    recall = agreed / expected.total() if expected else math.nan
    return Score(precision, recall, 2 * agreed / both if both else 1.0)


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    tokens = _WORD.findall(text)
    return Counter(tuple(tokens[start : start + SHINGLE]) for start in range(max(1, len(tokens) - SHINGLE + 1))) if tokens else Counter()


MEASURES: Mapping[str, Measure] = MappingProxyType({"rouge": rouge_lsum, "words": word_score, "shingles": shingle_score})
"""By the names of the command line. The cache keeps scores by these names: a measure that changes takes another (`VERSIONS`)."""
VERSIONS: Mapping[str, str] = MappingProxyType({"rouge": "rouge 2", "words": "words 1", "shingles": "shingles 1"})
"""Under which scores are kept; a number to count up when a measure changes."""
