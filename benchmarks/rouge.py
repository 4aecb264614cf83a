"""ROUGE-LSum: how much of one text's sentences is found, in order, in the sentences of another.

Lin (2004), section 3.2: for each sentence of the gold text, the union of its longest common subsequences with all sentences of the
extraction. Tokens are what white space separates, as they are written. As in the usual implementations, no token counts more
often than it occurs in either text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rapidfuzz.distance import LCSseq

from classify.metrics import Score

_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|\n+")


def rouge_lsum(extracted: str, gold: str) -> Score:
    """Score a text against gold text; without tokens on either side the score is 1, on one side 0."""
    ours, theirs = _sentences(extracted), _sentences(gold)
    given = Counter(token for sentence in ours for token in sentence)
    wanted = Counter(token for sentence in theirs for token in sentence)
    if not given or not wanted:
        value = float(given == wanted)
        return Score(value, value, value)
    hits = Counter(sentence[place] for sentence in theirs for place in _union(sentence, ours))
    agreed = (hits & given).total()
    return Score(agreed / given.total(), agreed / wanted.total(), 2 * agreed / (given.total() + wanted.total()))


def _sentences(text: str) -> list[list[str]]:
    return [tokens for sentence in _SENTENCE_END.split(text) if (tokens := sentence.split())]


def _union(sentence: Sequence[str], others: Sequence[Sequence[str]]) -> set[int]:
    """Return the places of a sentence's tokens that are in its longest common subsequence with any of the others."""
    places: set[int] = set()
    own = set(sentence)
    for other in others:
        if not own.isdisjoint(other):
            for step in LCSseq.opcodes(sentence, other):
                if step.tag == "equal":
                    places.update(range(step.src_start, step.src_end))
    return places
