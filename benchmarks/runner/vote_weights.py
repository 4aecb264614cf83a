"""Weighted votes of several extractors: a logistic model over their votes per block, fitted to gold labels.

The "best weighted" ensemble of Bevendorff et al. 2023 (section 5) gives three extractors twice the weight of six others, by eye. Here the
weights are learned: a block's log odds are a weighted sum of the votes for it, of how many agree (the mean of all votes), of that squared,
and of how many agree on the page's surest block: beside a sure article a doubtful teaser is none of it. Of each page those blocks are kept
that promise the best F1, by probabilities that are raised to a power: the one that gives the training pages the best mean F1.

What one voter alone is worth differs from set to set, and how many agree does not: a voter's own weight is held closer to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import sigmoid
from sightread.render.page.array_types import Floats

OWN_PENALTY, SHARED_PENALTY = 3e-2, 1e-3
"""Of the squared weights of the single voters and of what they agree on, against the mean loss of a page. Of .001, .01, .1 and 1 for the
first, .01 and .1 do best on sets that were not learned from, and alike; .001 loses .0015 of mean ROUGE-LSum."""
POWERS = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5)
"""Thresholds tried: the higher, the fewer uncertain blocks are kept."""


@dataclass(frozen=True, slots=True)
class PageVotes:
    """The votes on one page with its gold labels; arrays of one row per block."""

    votes: Floats
    """Shape (blocks, voters), each 0 to 1."""
    words: Floats
    """How many words each block has."""
    gold: Floats
    """The share of each block's words that the gold text holds, 0 to 1."""
    gold_words: float
    """How many words the gold text has."""

    def f1(self, kept: NDArray[np.bool_]) -> float:
        """Return the F1 by words of keeping these blocks; 1 if nothing is wanted and nothing kept."""
        given, agreed = float(self.words[kept].sum()), float((self.words * self.gold)[kept].sum())
        whole = given + self.gold_words
        return 2 * min(agreed, self.gold_words) / whole if whole else 1.0


@dataclass(frozen=True, slots=True)
class Weighing:
    """Weight of a voter's vote, and of the agreement of many (see above); 0 is where a block is as likely kept as not."""

    weights: Floats
    """Shape (voters + 3,)."""
    intercept: float
    power: float = 1.0

    def probabilities(self, votes: Floats) -> Floats:
        """Return a probability per block. Shape of `votes`: (blocks, voters)."""
        return sigmoid(_with_consent(votes) @ self.weights + self.intercept)

    def keep(self, votes: Floats, words: Floats) -> NDArray[np.bool_]:
        """Return which blocks together promise the best F1 by words, shape (blocks,): of a page with blocks one at least.

        The likeliest come first; with expectations in place of counts, the F1 of the first k is twice their expected words over
        their words and all expected words.
        """
        promised = self.probabilities(votes) ** self.power
        order = np.argsort(-promised, kind="stable")
        given, agreed = np.cumsum(words[order]), np.cumsum((words * promised)[order])
        kept = np.zeros(len(promised), np.bool_)
        if len(promised):
            kept[order[: int(np.argmax(2 * agreed / np.maximum(given + agreed[-1], 1e-9))) + 1]] = True
        return kept


def learn_weights(groups: Sequence[Sequence[PageVotes]]) -> Weighing:
    """Return the weights that fit pages of several sets: a set counts as much as another, and a page in its set. Deterministic."""
    from scipy.optimize import minimize  # noqa: PLC0415  (only training needs scipy, and it takes a while to import)

    pages = [page_votes for group in groups for page_votes in group]
    share = np.concatenate([_importance(page_votes) / (len(groups) * len(group)) for group in groups for page_votes in group])
    votes = np.concatenate([_with_consent(page_votes.votes) for page_votes in pages])
    gold = np.concatenate([page_votes.gold for page_votes in pages])
    voters = pages[0].votes.shape[1]
    penalty = np.where(np.arange(votes.shape[1]) < voters, OWN_PENALTY, SHARED_PENALTY)

    def loss(found: Floats) -> tuple[float, Floats]:
        weights, odds = found[:-1], votes @ found[:-1] + found[-1]
        gap = share * (sigmoid(odds) - gold)
        value = float(share @ (np.logaddexp(0.0, odds) - gold * odds)) + float(penalty @ (weights * weights)) / 2
        return value, np.append(votes.T @ gap + penalty * weights, gap.sum())

    found: Floats = minimize(loss, np.zeros(votes.shape[1] + 1), jac=True, method="L-BFGS-B").x
    tried = [Weighing(found[:-1], float(found[-1]), power) for power in POWERS]
    return max(tried, key=lambda weighing: float(np.mean([_mean_f1(group, weighing) for group in groups])))


def _with_consent(votes: Floats) -> Floats:
    """Return the votes with three columns more: how many agree, that squared, and the most on the page."""
    agreed = votes.mean(axis=1, keepdims=True)
    most = np.full_like(agreed, agreed.max(initial=0.0))
    return np.concatenate([votes, agreed, agreed * agreed, most], axis=1)


def _importance(page_votes: PageVotes) -> Floats:
    """Return how much each block counts: by its words, a page as much as another."""
    return page_votes.words / max(float(page_votes.words.sum()), 1.0)


def _mean_f1(group: Sequence[PageVotes], weighing: Weighing) -> float:
    return float(np.mean([page_votes.f1(weighing.keep(page_votes.votes, page_votes.words)) for page_votes in group]))
