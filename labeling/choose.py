"""Algorithm 1 of the paper, run again for every template: which cluster is the text of the articles.

The paper sums the relevance scores of each cluster over the whole site and takes the best. Two departures, both measured on the
authors' own sites: the cluster's share of the text outside links counts beside its share of the relevance (a page may lack a
description; comments lack relevance), and the choice is made again on the pages that the winner does not touch, until none are
left (a site has several templates).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeling.evidence import Evidence

RELEVANCE = 3.0
"""Weight of the relevance share in the evidence; that of the text share is 1."""
LEAST_SCORE = 0.15
"""A winner that scores less on the very pages it touches explains too little of them: they stay unknown."""


@dataclass(frozen=True, slots=True)
class Template:
    """Pages whose articles look alike."""

    cluster: int
    """Their paragraphs."""
    pages: NDArray[np.intp]
    """Rows of the pages, ascending."""
    score: float
    parts: frozenset[int] = frozenset()
    """The other clusters that belong to the articles: headline, lists, quotes."""


def choose_templates(evidence: Evidence) -> tuple[Template, ...]:
    """Return the templates of the site, the one that explains most first; no page is in two of them."""
    templates: list[Template] = []
    left = np.ones(len(evidence.pages), np.bool_)
    while left.any():
        among = left[evidence.page] & (evidence.cluster >= 0)
        scores = cluster_scores(evidence, among)
        winner = int(scores.argmax()) if len(scores) else -1
        touched = np.unique(evidence.page[among & (evidence.cluster == winner) & (evidence.text > 0)]).astype(np.intp)
        if not len(touched):
            break
        score = float(cluster_scores(evidence, np.isin(evidence.page, touched) & (evidence.cluster >= 0))[winner])
        if score >= LEAST_SCORE:
            templates.append(Template(winner, touched, score))
        left[touched] = False
    return tuple(templates)


def cluster_scores(evidence: Evidence, among: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Score every cluster, 0 to 1, on the blocks `among`: the geometric mean of its share of the text and of its share of the evidence.

    The evidence is relevance and text, three to one: a cluster needs much text to win, and of two with much text the more relevant wins. On
    the authors' sites the parts could be one to one as well; comments twice as long as the articles ask for more relevance, and on
    theverge nine to one finds other clusters.
    """
    cluster = evidence.cluster[among]
    text = _shares(np.bincount(cluster, evidence.text[among], evidence.clusters))
    relevance = _shares(np.bincount(cluster, np.where(evidence.repeated, 0.0, evidence.relevance)[among], evidence.clusters).clip(min=0.0))
    return np.sqrt(text * ((RELEVANCE * relevance + text) / (RELEVANCE + 1) if relevance.any() else text))


def _shares(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(values / max(values.sum(), 1e-12), np.float64)
