"""Word F1: a text against gold text as multisets of words, the protocol of the WCXB data set."""

from __future__ import annotations

from collections import Counter

from classify.evaluation.metrics import Score
from render.text.words import plain_words


def word_score(extracted: str, gold: str) -> Score:
    r"""Score a text against gold text as multisets of lower-cased `\w+` tokens.

    Empty gold scores 1 for an empty extraction and 0 for any other.
    """
    found, truth = (Counter(plain_words(text)) for text in (extracted, gold))
    return Score.of(float((found & truth).total()), float(found.total()), float(truth.total()))
