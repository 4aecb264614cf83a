"""Word F1: a text against gold text as multisets of words, the protocol of the WCXB data set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

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
