"""Relevance of blocks: longest common subsequences with the titles and descriptions of the page.

The paper (Zhou and Mashuq 2013, section 3.3) sums, over a cluster's blocks, the length of the longest common subsequence of
characters with the page's titles and descriptions: `character_relevance`. Two departures make `token_relevance`:

- Words instead of characters (single characters in scripts that write no spaces): any two long English texts share most of their
  letters in order, but few of their words.
- Contrast: words that a block shares as well with the titles and descriptions of other pages are no evidence, so as many are subtracted as
  it shares with three quarters of them at most. Site slogans and descriptions that all pages repeat vanish by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2b
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from sightread.render.analysis.jsonld import read_linked
from sightread.render.page import Page
from sightread.render.text.words import words

MOST_REFERENCES, MOST_CHARACTERS, MOST_TOKENS = 50, 20_000, 1000
"""Limits of titles and descriptions: different texts per page, and of each the first characters and tokens. The longest
description of the authors' pages has 600 characters; some pages put an article there, or a million characters.
"""
CONTRASTS = 8
"""Other pages whose titles and descriptions are set off against a page's own: with one, chance decides between looks of like relevance."""
CONTRAST_QUANTILE = 0.75
"""Which of their numbers of shared words is subtracted. By the mean, long comments are relevant to a long description (chaos by host .966,
.971 by this one); by the largest, short texts lose what they have (352 built sites .001 less)."""
_OTHER = "\ue000"
_FIRST_CODE = 0xE001
"""Tokens become single code points, so that the comparison runs on strings; from here on there are no surrogates."""


class TokenCoder:
    """Turns texts into strings of one code point a token: the same for the same token, one for all that no reference holds."""

    def __init__(self) -> None:
        self._codes: dict[str, str] = {}

    def learn(self, tokens: Sequence[str]) -> str:
        """Return the tokens of a reference, each with a code point of its own."""
        return "".join(self._codes.setdefault(token, chr(_FIRST_CODE + len(self._codes))) for token in tokens)

    def __call__(self, text: str) -> str:
        """Return any text's tokens."""
        return "".join(self._codes.get(token, _OTHER) for token in words(text))


def token_relevance(pages: Sequence[Page]) -> list[NDArray[np.float64]]:
    """Return one array per page with each block's relevance score, in tokens; negative if the block fits another page better.

    Text inside links does not count: related links are about the same things.
    """
    declared = [_declared_tokens(page) for page in pages]
    coder = TokenCoder()
    coded = {texts: [coder.learn(text) for text in texts] for texts in dict.fromkeys(declared)}
    scores = []
    for page, own, others in zip(pages, declared, _contrasts(declared), strict=True):
        unlinked = np.array([1 - block.link_chars / max(len(block.text), 1) for block in page.blocks])
        gain = _gain([coder(block.text) for block in page.blocks], coded[own], [coded[other] for other in others])
        scores.append(gain * unlinked)
    return scores


def _gain(texts: Sequence[str], own: Sequence[str], others: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """Return how many more tokens each text shares with a page's own references than with those of most others."""
    references = [group for group in (own, *others) if group]
    if not texts or not references:
        return np.zeros(len(texts))
    shared = cdist(texts, [text for group in references for text in group], scorer=LCSseq.similarity, dtype=np.int32)
    closest = np.maximum.reduceat(shared, np.cumsum([0, *map(len, references[:-1])]), axis=1)
    gain = closest[:, 0].astype(np.float64) if own else np.zeros(len(texts))
    return gain - np.quantile(closest[:, 1 if own else 0 :], CONTRAST_QUANTILE, axis=1) if others else gain


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


_Declared = tuple[tuple[str, ...], ...]
"""The tokens of each title and description of a page."""


def _declared_tokens(page: Page) -> _Declared:
    return tuple(sorted({tuple(words(text)[:MOST_TOKENS]) for text in declared_text(page)} - {()}))


def _contrasts(declared: Sequence[_Declared]) -> list[list[_Declared]]:
    """Return for each page what `CONTRASTS` others declare that differs from its own, or all others if they are fewer.

    Its own if all pages declare the same; nothing if no other declares any. The choice depends on what pages declare, not on their order.
    """
    pages = Counter(texts for texts in declared if texts)
    ring = sorted(pages, key=lambda texts: blake2b(repr(texts).encode()).digest())
    place = {texts: row for row, texts in enumerate(ring)}
    found = []
    for texts in declared:
        first = place.get(texts, -1) + 1
        others = [ring[(first + step) % len(ring)] for step in range(min(CONTRASTS, len(ring) - (texts in place)))]
        found.append(others or [texts] * (pages[texts] > 1))
    return found


def _closest(text: str, references: Sequence[str]) -> int:
    return max((LCSseq.similarity(text, reference) for reference in references), default=0)
