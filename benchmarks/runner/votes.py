r"""Ensembles of extractors by majority vote over text.

Bevendorff, Gupta, Kiesel and Stein (SIGIR 2023), section 5: each token of the page is voted for by every extractor whose text holds the
window of five tokens that ends with it or begins with it; what gets two thirds of the votes is content. `vote_tokens` and `count_votes`
are that, with a weight per voter.

`vote_blocks` carries the votes over to our blocks: a voter's vote for a block is the share of the block's words that it votes for, and the
models of `benchmarks.runner.vote_weights` predict the value of the votes. Departures there: words (`\w+`, lower case) in place of what
white space separates, for extractors differ in white space and punctuation; and a block that is a line of a voter's text by itself has its
whole vote, for a short one has no window.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightread.render.page.array_types import Floats
from sightread.render.text.words import plain_words

WINDOW = 5
"""Tokens of a window (section 5)."""
MAJORITY = 0.66
"""Share of the votes from which on a token is content, as in the comparison's published code."""
_EDGE = ""
"""Stands before the first and after the last token; no token is empty."""


def vote_tokens(tokens: Sequence[str], answer: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each token of a page is voted for by one extractor, by the tokens of its text; shape (len(tokens),).

    Page and answer begin and end with empty tokens, so that an answer's first tokens are found where the page begins with them.
    """
    edges = [_EDGE] * (WINDOW - 1)
    known = set(_windows([*edges, _EDGE, *answer, _EDGE, *edges]))
    found = np.array([window in known for window in _windows([*edges, *tokens, *edges])], np.bool_)
    return found[: len(tokens)] | found[WINDOW - 1 :][: len(tokens)]


def count_votes(page: str, votes: NDArray[np.bool_], weights: Sequence[float] | None = None) -> str:
    """Return those tokens of a page's text that two thirds of the extractors agree on, by weight, parted by spaces.

    `votes` holds the extractors' votes for each token, shape (extractors, tokens). The threshold counts voters, as in the comparison's
    code, not their weights: what weighs double is more easily believed.
    """
    counted = np.asarray(weights or [1.0] * len(votes)) @ votes
    least = max(int(MAJORITY * len(votes)), 1)
    return " ".join(token for token, number in zip(page.split(), counted, strict=True) if number >= least)


def vote_blocks(blocks: Sequence[str], answers: Sequence[str]) -> Floats:
    """Return the share of each block's words that each extractor votes for, shape (blocks, extractors); 0 for a block without words."""
    words = [plain_words(block) for block in blocks]
    edges = np.cumsum([0, *map(len, words)])
    tokens = [word for block in words for word in block]
    lengths = np.maximum(np.diff(edges), 1)
    shares: Floats = np.zeros((len(blocks), len(answers)))
    for column, answer in enumerate(answers):
        votes = np.append(0, np.cumsum(vote_tokens(tokens, plain_words(answer))))
        lines = {line for text in answer.split("\n") if (line := tuple(plain_words(text)))}
        whole = np.array([bool(block) and tuple(block) in lines for block in words], np.bool_)
        shares[:, column] = np.where(whole, 1.0, (votes[edges[1:]] - votes[edges[:-1]]) / lengths)
    return shares


def _windows(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(tokens[start:] for start in range(WINDOW)), strict=False))
