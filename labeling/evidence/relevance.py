"""Relevance of blocks: longest common subsequences with the titles and descriptions of the page.

The paper (Zhou and Mashuq 2013, section 3.3) sums, over a cluster's blocks, the length of the longest common subsequence of
characters with the page's titles and descriptions: `character_relevance`. Two departures make `token_relevance`:

- Words instead of characters (single characters in scripts that write no spaces): any two long English texts share most of their
  letters in order, but few of their words.
- Contrast: words that a block shares as well with another page's titles and descriptions are no evidence, so they are subtracted. Site
slogans and descriptions that all pages repeat vanish by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from render.analysis.jsonld import read_linked
from render.page import Page
from render.text.words import words

MOST_REFERENCES, MOST_CHARACTERS, MOST_TOKENS = 50, 20_000, 1000
"""Limits of titles and descriptions: different texts per page, and of each the first characters and tokens. The longest
description of the authors' pages has 600 characters; some pages put an article there, or a million characters.
"""
_OTHER = "\ue000"
_FIRST_CODE = 0xE001
"""Tokens become single code points, so that the comparison runs on strings; from here on there are no surrogates."""


class TokenCoder:
    """Turns texts into strings of one code point a token: the same for the same token, one for all that no reference holds."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}

    def learn(self, reference: str) -> str:
        """Return a reference's first tokens, each with a code point of its own."""
        tokens = words(reference)[:MOST_TOKENS]
        return "".join(self._codes.setdefault(token, chr(_FIRST_CODE + len(self._codes))) for token in tokens)

    def __call__(self, text: str) -> str:
        """Return any text's tokens."""
        return "".join(self._codes.get(token, _OTHER) for token in words(text))


def token_relevance(pages: Sequence[Page]) -> list[NDArray[np.float64]]:
    """Return one array per page with each block's relevance score, in tokens; negative if the block fits another page better.

    Text inside links does not count: related links are about the same things.
    """
    coder = TokenCoder()
    references = [sorted({coder.learn(text) for text in declared_text(page)} - {""}) for page in pages]
    others = _contrasts(references)
    scores = []
    for page, own, other in zip(pages, references, others, strict=True):
        coded = [coder(block.text) for block in page.blocks]
        unlinked = np.array([1 - block.link_chars / max(len(block.text), 1) for block in page.blocks])
        gain = np.array([_closest(code, own) - _closest(code, other) for code in coded], np.float64)
        scores.append(gain * unlinked)
    return scores


def declared_text(page: Page) -> tuple[str, ...]:
    """Return the page's titles and descriptions from markup, Open Graph, Twitter and JSON-LD, each once."""
    linked = read_linked(page.json_ld, page.titles)
    texts = (linked.title, linked.description, *page.titles, *page.descriptions)
    return tuple(islice(dict.fromkeys(text[:MOST_CHARACTERS] for text in texts if text), MOST_REFERENCES))


def character_relevance(pages: Sequence[Page]) -> list[NDArray[np.float64]]:
    """Return the paper's score: the longest common subsequence of characters with the nearest title or description."""
    return [np.array([_closest(block.text, _published(page)) for block in page.blocks], np.float64) for page in pages]


def _published(page: Page) -> list[str]:
    return [text[:MOST_CHARACTERS] for text in islice(dict.fromkeys((*page.titles, *page.descriptions)), MOST_REFERENCES)]


Relevance = Callable[[Sequence[Page]], list[NDArray[np.float64]]]


def _contrasts(references: Sequence[list[str]]) -> list[list[str]]:
    """Return for each page the titles and descriptions of another: the next that differ, its own if all are the same, nothing if there are
    none.
    """
    declared = [row for row, texts in enumerate(references) if texts]
    found: list[list[str]] = [[] for _ in references]
    if len(declared) < 2:
        return [references[declared[0]] if declared and not texts else [] for texts in references]
    following, differing = references[declared[0]], references[declared[0]]
    for row in [*range(len(references))[::-1]] * 2:  # backwards and twice round: the second time all that follows is known
        own = references[row]
        if own and own != following:
            following, differing = own, following
        found[row] = following if own != following else differing
    return found


def _closest(text: str, references: Sequence[str]) -> int:
    return max((LCSseq.similarity(text, reference) for reference in references), default=0)
