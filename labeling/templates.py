"""Algorithm 1 of the paper, run for each template: chooses the cluster of the articles' text.

The paper sums the relevance scores of each cluster over the whole site and takes the best. The departures, all measured on the authors'
own sites and on their chaos pages by host: the share of the text outside links counts beside the relevance (a page may lack a
description; comments lack relevance); clusters that come close are compared by the articles that they lead to; and the choice is made
again on the pages that are not the winner's, until none are left (a site has several templates).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence import Evidence

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


@dataclass(frozen=True, slots=True)
class TemplateRules:
    """How the cluster of a template's paragraphs is chosen. Scores and shares are 0 to 1."""

    weak_share: float = 0.4
    most_elsewhere: float = 0.1
    """A page on which the winner scores less than this part of what another cluster scores belongs to that one's template, if it
    occurs on no more than this share of the pages that are surely the winner's."""
    most_candidates: int = 3
    candidate_share: float = 0.5
    """How many clusters are compared by the whole of their articles, if they score this part of the best one's score or more."""
    least_score: float = 0.15
    """A winner that scores less on the very pages it touches explains too little of them: they stay unknown."""


TEMPLATE = TemplateRules()


@dataclass(frozen=True, slots=True)
class Template:
    """Pages whose articles look alike."""

    cluster: int
    pages: NDArray[np.intp]
    """Rows of the pages, ascending."""
    score: float


Weigh = Callable[[Evidence, Template], tuple[float, float]]
"""The text and the relevance of the articles that a template's paragraphs lead to, in characters and tokens."""


def choose_templates(evidence: Evidence, weigh: Weigh) -> tuple[Template, ...]:
    """Return the templates of the site, the one that explains most first; no page is in two of them.

    Clusters that score about as much are rivals: of them the one wins whose whole articles, as `weigh` grows them, score most. An article
    is cut into more clusters than the comments beneath it.
    """
    templates: list[Template] = []
    left = np.ones(len(evidence.table.pages), np.bool_)
    locally = local_scores(evidence)
    while left.any():
        among = left[evidence.table.page] & (evidence.cluster >= 0)
        scores = cluster_scores(evidence, among)
        best = np.argsort(-scores, kind="stable")[: TEMPLATE.most_candidates]
        best = best[scores[best] >= TEMPLATE.candidate_share * scores.max(initial=0.0)]
        candidates = [_template(evidence, locally, int(cluster), among) for cluster in best]
        winner = _heaviest(evidence, [template for template in candidates if len(template.pages)], among, weigh)
        if winner is None:
            break
        if winner.score >= TEMPLATE.least_score and not _teases(evidence, winner, templates):
            templates.append(winner)
        left[winner.pages] = False
    return tuple(templates)


def _template(evidence: Evidence, locally: LocalScores, cluster: int, among: NDArray[np.bool_]) -> Template:
    touched = np.unique(evidence.table.page[among & (evidence.cluster == cluster) & (evidence.text > 0)]).astype(np.intp)
    pages = touched[~_belongs_elsewhere(locally, cluster, touched)] if len(touched) else touched
    score = cluster_scores(evidence, np.isin(evidence.table.page, pages) & (evidence.cluster >= 0))[cluster] if len(pages) else 0.0
    return Template(cluster, pages, float(score))


def _heaviest(evidence: Evidence, templates: Sequence[Template], among: NDArray[np.bool_], weigh: Weigh) -> Template | None:
    if len(templates) < 2:
        return templates[0] if templates else None
    weights = np.array([weigh(evidence, template) for template in templates])
    text, relevance = (
        weights.T / np.maximum([evidence.text[among].sum(), evidence.own_relevance[among].clip(min=0.0).sum()], 1e-12)[:, None]
    )
    return templates[int(combine(text, relevance if relevance.any() else text).argmax())]


def _teases(evidence: Evidence, winner: Template, templates: Sequence[Template]) -> bool:
    """Return whether the winner holds teasers: on most of its pages, which are those of earlier templates, its text repeats text of other
    pages.
    """
    taken = [page for template in templates for page in template.pages]
    repeats_of_winner = (evidence.cluster == winner.cluster) & np.isin(evidence.table.page, taken)
    return bool(
        repeats_of_winner.any()
        and evidence.repeated[repeats_of_winner].mean() > 1 / 2
        and len(np.unique(evidence.table.page[repeats_of_winner])) > len(winner.pages)
    )


def _belongs_elsewhere(locally: LocalScores, winner: int, touched: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return for each page that the winner touches whether it is of another template, with only a line in the winner's look.

    There another cluster scores much more, which the pages of the winner rarely have: comments are on both.
    """
    pages = int(locally.page.max(initial=-1)) + 1
    best, own = np.zeros(pages), np.zeros(pages)
    np.maximum.at(best, locally.page, locally.score)
    of_winner = locally.cluster == winner
    own[locally.page[of_winner]] = locally.score[of_winner]
    is_certain = np.zeros(pages, np.bool_)
    is_certain[touched] = (own >= best)[touched]
    on_certain = np.bincount(locally.cluster[is_certain[locally.page]], minlength=int(locally.cluster.max(initial=-1)) + 1)
    rare = on_certain <= TEMPLATE.most_elsewhere * is_certain.sum()
    stronger = (own[locally.page] < TEMPLATE.weak_share * locally.score) & rare[locally.cluster] & (locally.score >= TEMPLATE.least_score)
    elsewhere = np.zeros(pages, np.bool_)
    elsewhere[locally.page[stronger]] = is_certain.any()
    return elsewhere[touched]
