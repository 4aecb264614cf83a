"""How much a block speaks of what its page says of itself: longest common subsequences with titles and descriptions.

The paper (Zhou and Mashuq 2013, section 3.3) sums, over a cluster's blocks, the length of the longest common subsequence of
characters with the page's titles and descriptions: `character_relevance`. Two departures make `token_relevance`:

- Words instead of characters (single characters in scripts that write no spaces): any two long English texts share most of their
  letters in order, but few of their words.
- Contrast: what a block shares just as well with another page's titles and descriptions says nothing, so that is taken off. Site slogans
  and descriptions that all pages repeat vanish by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from render.page import Page
from render.words import words

_OTHER = "\ue000"
_FIRST_CODE = 0xE001
"""Tokens become single code points, so that the comparison runs on strings; from here on there are no surrogates."""


class TokenCoder:
    """Turns texts into strings of one code point a token: the same for the same token, one for all that no reference holds."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}

    def learn(self, reference: str) -> str:
        """Return a reference's tokens, each with a code point of its own."""
        return "".join(self._codes.setdefault(token, chr(_FIRST_CODE + len(self._codes))) for token in words(reference))

    def __call__(self, text: str) -> str:
        """Return any text's tokens."""
        return "".join(self._codes.get(token, _OTHER) for token in words(text))


def token_relevance(pages: Sequence[Page]) -> list[NDArray[np.float64]]:
    """Return one array a page with each block's relevance score, in tokens; below zero where it suits another page better.

    Text inside links counts for nothing: a related link speaks of the same things.
    """
    coder = TokenCoder()
    references = [sorted({coder.learn(text) for text in (*page.titles, *page.descriptions)} - {""}) for page in pages]
    others = [_contrast(references, row) for row in range(len(pages))]
    scores = []
    for page, own, other in zip(pages, references, others, strict=True):
        coded = [coder(block.text) for block in page.blocks]
        unlinked = np.array([1 - block.link_chars / max(len(block.text), 1) for block in page.blocks])
        gain = np.array([_closest(code, own) - _closest(code, other) for code in coded], np.float64)
        scores.append(gain * unlinked)
    return scores


def character_relevance(pages: Sequence[Page]) -> list[NDArray[np.float64]]:
    """Return the paper's score: the longest common subsequence of characters with the nearest title or description."""
    return [np.array([_closest(block.text, [*page.titles, *page.descriptions]) for block in page.blocks], np.float64) for page in pages]


Relevance = Callable[[Sequence[Page]], list[NDArray[np.float64]]]


def _contrast(references: Sequence[list[str]], row: int) -> list[str]:
    """Return what another page says of itself: the next that differs, the page's own where all say the same, nothing where none does."""
    own, count = references[row], len(references)
    elsewhere = (references[(row + step) % count] for step in range(1, count))
    repeated = False
    for said in elsewhere:
        if said and said != own:
            return said
        repeated = repeated or bool(said)
    return own if repeated else []


def _closest(text: str, references: Sequence[str]) -> int:
    return max((LCSseq.similarity(text, reference) for reference in references), default=0)
