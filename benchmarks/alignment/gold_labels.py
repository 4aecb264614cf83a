"""Gold labels from gold text: labels each block by aligning the page's text with the gold text.

Vogels, Ganea and Eickhoff (Web2Text, ECIR 2018): a block is content if at least two thirds of its characters are aligned. Departures,
besides those of `benchmarks.alignment.align`: only letters, digits and their marks are compared, in compatibility form and without case.
White space, quotes, dashes, bullets and the like differ between any two ways to write a text down, and are no evidence of its origin.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.alignment.align import align, align_moved, settle
from sightread.render.labels import BOILERPLATE, CONTENT
from sightread.render.page import Page
from sightread.render.page.array_types import Labels

CONTENT_SHARE = 2 / 3
"""Least share of a block's characters that are aligned, of a block that is content (Web2Text)."""


@dataclass(frozen=True, slots=True)
class GoldMatch:
    """How a page's blocks and its gold text cover each other. Characters are letters, digits and marks."""

    shares: NDArray[np.float64]
    """Share of each block's characters that are aligned, 0 to 1; 0 for a block without any. Shape (blocks,)."""
    found: float
    """Share of the gold text's characters that are aligned, 0 to 1; 1 for an empty one. Little of it in the blocks: the wrong page."""


def match_gold(texts: Sequence[str], gold: str) -> GoldMatch:
    """Align blocks, given by their texts in document order, with the gold text of their page.

    Each character of the gold text is aligned with one of the page at most: of equal blocks as many are content as the gold text repeats.
    """
    letters = [letters_of(text) for text in texts]
    page, gold_letters = "".join(letters), letters_of(gold)
    edges = np.cumsum([0, *map(len, letters)])
    is_aligned = align_moved(page, gold_letters, settle(page, align(page, gold_letters), edges)) >= 0
    aligned = np.diff(np.append(0, np.cumsum(is_aligned))[edges])
    return GoldMatch(aligned / np.maximum(np.diff(edges), 1), float(is_aligned.sum()) / len(gold_letters) if gold_letters else 1.0)


def align_blocks(texts: Sequence[str], gold: str) -> NDArray[np.float64]:
    """Return the share of each block's letters and digits that are aligned with the gold text, 0 to 1; shape (blocks,)."""
    return match_gold(texts, gold).shares


def gold_labels(page: Page, gold: str) -> Labels:
    """Return one label per block, content or boilerplate, from the gold text of the page; hidden blocks are labelled as others are.

    An empty gold text makes every block boilerplate, as does one of another page: `match_gold` returns how much of it was found.
    """
    return np.where(align_blocks([block.text for block in page.blocks], gold) >= CONTENT_SHARE, CONTENT, BOILERPLATE).astype(np.int8)


class _LettersOnly(dict[int, int | None]):
    """A table for `str.translate` that deletes all but letters, digits and marks, filled as characters come up."""

    def __missing__(self, character: int) -> int | None:
        self[character] = character if unicodedata.category(chr(character))[0] in "LMN" else None
        return self[character]


_LETTERS_ONLY = _LettersOnly()


def letters_of(text: str) -> str:
    """Return the text's letters, digits and marks, in compatibility form and without case: what is compared."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).translate(_LETTERS_ONLY)
