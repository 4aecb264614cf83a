"""ROUGE-LSum: how much of one text's sentences is found, in order, in the sentences of another.

Lin (2004), section 3.2: for each sentence of the gold text, the union of its longest common subsequences with all sentences of the
extraction. Tokens are what white space separates, as they are written. As in the usual implementations, no token counts more
often than it occurs in either text.

Of several longest common subsequences the union depends on which is taken. Here it is the one that `rouge_score` takes, so that the
scores are the same, for sentences given as lines.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from sightread.classify.evaluation import Score

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
