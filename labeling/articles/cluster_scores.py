"""Scores of clusters as article text: their share of the text and of its relevance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence.evidence import Evidence

RELEVANCE = 3.0
"""Weight of the relevance share in the evidence; that of the text share is 1."""

Number = TypeVar("Number", float, NDArray[np.float64])


def combine(text: Number, relevance: Number) -> Number:
    """Return the score, 0 to 1, of a share of the text and a share of the relevance: the geometric mean of the text and of the evidence.

    The evidence is relevance and text, three to one: a cluster needs much text to win, and of two with much text the more relevant wins. On
    the authors' sites the parts could be one to one as well; comments twice as long as the articles require more relevance, and on
    theverge nine to one finds other clusters. If nothing is relevant, give the text for both.
    """
    score: Number = (text * (RELEVANCE * relevance + text) / (RELEVANCE + 1)) ** 0.5
    return score


def cluster_scores(evidence: Evidence, among: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Score every cluster, 0 to 1, on the blocks `among`, none of which is noise."""
    cluster = evidence.cluster[among]
    text = _shares(np.bincount(cluster, evidence.text[among], evidence.clusters))
    relevance = _shares(np.bincount(cluster, evidence.own_relevance[among], evidence.clusters).clip(min=0.0))
    return combine(text, relevance if relevance.any() else text)


@dataclass(frozen=True, slots=True)
class LocalScores:
    """The score of every cluster on every page that it is on, each page by itself; sorted by page."""

    page: NDArray[np.intp]
    cluster: NDArray[np.intp]
    score: NDArray[np.float64]


def local_scores(evidence: Evidence) -> LocalScores:
    """Return what `cluster_scores` would give on each page alone."""
    known = evidence.cluster >= 0
    keys = evidence.table.page[known].astype(np.int64) * evidence.clusters + evidence.cluster[known]
    pairs, pair = np.unique(keys, return_inverse=True)
    page, cluster = np.divmod(pairs, max(evidence.clusters, 1))
    text = _shares(np.bincount(pair, evidence.text[known], len(pairs)), page)
    relevance = _shares(np.bincount(pair, evidence.own_relevance[known], len(pairs)).clip(min=0.0), page)
    has_relevance = np.bincount(page, relevance, len(evidence.table.pages))[page] > 0
    return LocalScores(page.astype(np.intp), cluster.astype(np.intp), combine(text, np.where(has_relevance, relevance, text)))


def _shares(values: NDArray[Any], page: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
    """Return each value's share of all, or of those of its page."""
    total = values.sum() if page is None else np.bincount(page, values, int(page.max(initial=0)) + 1)[page]
    return np.asarray(values / np.maximum(total, 1e-12), np.float64)
