"""Distinguishes prose from titles, labels and buttons."""

from __future__ import annotations

from sightread.render.text.words import count_words

SENTENCE_ENDS = tuple(".!?。！？।॥؟۔")
QUOTES = "»”’\"'"
"""A sentence may end inside them."""
OPEN_ENDS, LABEL = ("…", ":", "：", *QUOTES), 5
"""Quotes, announcements and unfinished sentences end like this, and so do labels and buttons; these have fewer words than that."""
SENTENCES = 25
"""Words from which on a text is prose without a full stop: twice the length of a headline."""


def is_prose(text: str) -> bool:
    """Return whether a text is a sentence at least, in any script: by its end, or by its length."""
    end, length = text.rstrip(), count_words(text)
    return end.rstrip(QUOTES).endswith(SENTENCE_ENDS) or length >= SENTENCES or (end.endswith(OPEN_ENDS) and length >= LABEL)
