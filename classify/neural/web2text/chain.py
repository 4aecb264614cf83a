"""The chain of Web2Text: the labels of a page's leaves that are likeliest together (Vogels, Ganea and Eickhoff, ECIR 2018, section 3.3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from render.page_arrays import Floats

WEIGHT = 0.1
"""What a pair of neighbours counts beside a leaf (λ, section 3.3)."""


def log_softmax(logits: NDArray[np.float32]) -> Floats:
    """Return the logarithms of the probabilities of each row's classes."""
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True, initial=-np.inf)
    logs: Floats = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return logs


def path_scores(leaves: Floats, pairs: Floats) -> Floats:
    """Return the score of the best path through each label of each leaf, shape (leaves, 2); of the better ones Viterbi's path is made.

    `leaves` holds the log probabilities of labels 0 and 1, shape (leaves, 2); `pairs` those of the labels 00, 01, 10, 11 of each leaf and
    the next, weighted, shape (leaves - 1, 4).
    """
    forward, backward = _best_before(leaves, pairs), _best_before(leaves[::-1], pairs[::-1, (0, 2, 1, 3)])[::-1]
    return forward + backward + leaves


def _best_before(leaves: Floats, pairs: Floats) -> Floats:
    """Return the best score of what is before each leaf, for each of its labels."""
    boilerplate = content = 0.0
    scores = [(0.0, 0.0)] if len(leaves) else []
    for (score_0, score_1), (pair_00, pair_01, pair_10, pair_11) in zip(leaves[:-1].tolist(), pairs.tolist(), strict=True):
        boilerplate, content = boilerplate + score_0, content + score_1
        boilerplate, content = max(boilerplate + pair_00, content + pair_10), max(boilerplate + pair_01, content + pair_11)
        scores.append((boilerplate, content))
    return np.array(scores, np.float64).reshape(-1, 2)


def path_probabilities(leaves: Floats, pairs: Floats) -> Floats:
    """Return for each leaf how much the best path with it as content beats the best one without, as a probability; shape (leaves,).

    It is at least one half exactly where Viterbi's path calls the leaf content.
    """
    scores = path_scores(leaves, pairs)
    lead = np.clip(scores[:, 1] - scores[:, 0], -_MOST, _MOST)
    probabilities: Floats = 1 / (1 + np.exp(-lead))
    return probabilities


_MOST = 500.0
"""A lead whose exponential is still a number."""
