"""Confidence of the labels of a site, of each of its templates, and of each page. Ours, not the paper's.

A site's confidence is the minimum of several measures, so each low value has a reason. The levels were set so that labels which pass
`TRUSTED` were right (block F1 of at least 0.98 against gold) 99 times in 100, over resamples of the pages of the authors' sites and of the
demo site (`python -m benchmarks confidence`).

Stability of labels: how far half of a site's pages would have given the same.

Halves are drawn in pairs that share no page (Shah and Samworth 2013, "Variable selection with error control"), by what the pages hold:
their order has no influence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.articles import Article, SiteArticles
from sightread.labeling.evidence import REPEATED_ON, Evidence
from sightread.labeling.labels import LEVELS, TRUSTED, Confidence, TemplateConfidence
from sightread.labeling.templates import cluster_scores, local_scores
from sightread.render.labels import CONTENT, UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.render.page.page_arrays import PageArrays

Relabel = Callable[[Sequence[int]], Labels]
"""The labels of all blocks of some of the pages, named by their rows, found as if the site had no others."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """How many parts of a site are labelled, and how large they are."""

    pairs: int = 6
    """Pairs of parts that share no page."""
    most_pages: int = 20
    """Pages of a part: half of the site's, but no more, so that a large site costs no more than a small one."""
    fewest_pages: int = 4
    """Different pages of a site from which on half of them are a useful part."""
    untried: float = 0.8
    """Stability of a site with fewer."""


RESAMPLING = Resampling()


def label_stability(evidence: Evidence, labels: Labels, relabel: Relabel) -> NDArray[np.float64]:
    """Return one number per page: the mean agreement (F1 of the content) of its labels with those found from half of the site's pages.

    A page that was in no half gets the mean of the others.
    """
    pages = np.unique(evidence.table.original)
    if len(pages) < RESAMPLING.fewest_pages:
        return np.full(len(evidence.table.pages), RESAMPLING.untried)
    of_page = np.split(labels, np.searchsorted(evidence.table.page, np.arange(1, len(evidence.table.pages))))
    total, count = np.zeros(len(evidence.table.pages)), np.zeros(len(evidence.table.pages))
    for half in _halves(evidence.table.pages, pages):
        found = np.split(relabel(half.tolist()), np.cumsum([len(of_page[page]) for page in half])[:-1])
        for page, again in zip(half, found, strict=True):
            if (of_page[page] != UNKNOWN).any():
                total[page] += _f1(again == CONTENT, of_page[page] == CONTENT)
                count[page] += 1
    mean = total.sum() / max(count.sum(), 1)
    stable = np.where(count > 0, total / count.clip(min=1), mean)
    return np.asarray(stable[evidence.table.original], np.float64)


def _halves(pages: Sequence[Page], rows: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Yield parts of the rows, ascending; the two of a pair share none."""
    rows = rows[np.argsort([_digest(pages[row]) for row in rows], kind="stable")]
    size = min(RESAMPLING.most_pages, len(rows) // 2)
    chance = np.random.default_rng(len(rows))
    for _ in range(RESAMPLING.pairs):
        drawn = chance.permutation(rows)
        yield from (np.sort(drawn[:size]), np.sort(drawn[size : 2 * size]))


def _digest(page: Page) -> str:
    return blake2b("\0".join(block.text for block in page.blocks).encode(errors="surrogatepass")).hexdigest()


def _f1(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    both = int((one & other).sum())
    return 2 * both / (int(one.sum()) + int(other.sum())) if one.any() or other.any() else 1.0


def assess_site(evidence: Evidence, templates: Sequence[TemplateConfidence], labels: Labels) -> Confidence:
    """Return the confidence in a site's labels."""
    reached = [page for template in templates for page in template.pages]
    pages = len(np.unique(evidence.table.original[reached])) if reached else 0
    values = [(template.agreement, template.margin, template.stability) for template in templates]
    weights = [len(template.pages) for template in templates]  # of the average labelled page
    agreement, margin, stability = np.average(values, axis=0, weights=weights).tolist() if templates else (0.0, 0.0, 0.0)
    has_titles = bool((evidence.relevance > 0).any())
    length = float(np.median(_content_lengths(evidence, labels)[reached])) if reached else 0.0
    measures = {
        "coverage": len(reached) / max(len(np.unique(evidence.table.page[evidence.text > 0])), 1),
        "agreement": agreement,
        "margin": margin,
        "stability": stability,
        "text_share": float(np.median(_page_shares(evidence, labels == CONTENT)[reached])) if reached else 0.0,
    }
    return Confidence(
        value=min(
            measures["coverage"],
            1.0 if has_titles else LEVELS.most_without_titles,
            2 * measures["text_share"],
            length / LEVELS.enough_text,
            _least(pages, agreement, margin, stability),
        ),
        advice=_advice(pages, length, has_titles, **measures),
        **measures,
    )


def _advice(
    pages: int, length: float, has_titles: bool, *, coverage: float, agreement: float, margin: float, stability: float, text_share: float
) -> tuple[str, ...]:
    counted = {0: "No page", 1: "Only 1 page"}.get(pages, f"Only {pages} pages")
    advice = (
        (pages < TRUSTED * LEVELS.enough_pages, f"{counted} could be labelled: more are needed."),
        (coverage < TRUSTED, f"Content was found on {coverage:.0%} of the pages: start from a section that links to articles."),
        (
            agreement < TRUSTED,
            f"Only {agreement:.0%} of the pages would have chosen the same clusters by themselves: compare them in the report.",
        ),
        (
            text_share < TRUSTED / 2,
            f"On a typical page the content is {text_share:.0%} of the text: check that comments or teasers are not the larger part.",
        ),
        (
            pages > 0 and length < TRUSTED * LEVELS.enough_text,
            f"The content of a typical page has {length:.0f} characters: these may be no articles; start from a section that has some.",
        ),
        (
            LEVELS.margin_weight * margin < TRUSTED,
            f"Another cluster comes within {margin:.0%} of the chosen one: check in the report which of them is the articles' text.",
        ),
        (
            pages >= RESAMPLING.fewest_pages and 1 - LEVELS.unstable_weight * (1 - stability) < TRUSTED,
            f"Half of the pages would have given {stability:.0%} of the same labels: more pages are needed.",
        ),
        (
            not has_titles,
            "No title or description distinguishes the articles: check in the report that the chosen clusters are the articles' text.",
        ),
    )
    return tuple(text for is_needed, text in advice if is_needed)


def assess_templates(found: SiteArticles, stability: NDArray[np.float64]) -> tuple[TemplateConfidence, ...]:
    """Return the confidence in each template; `stability` has one value per page (`label_stability`)."""
    agrees = _agreement(found)
    assessed = []
    for article in found.articles:
        rows = article.template.pages
        agreement, margin, stable = float(agrees[rows].mean()), _margin(found, article), float(stability[rows].mean())
        value = _least(len(np.unique(found.evidence.table.original[rows])), agreement, margin, stable)
        assessed.append(TemplateConfidence(article.template.cluster, tuple(rows.tolist()), value, agreement, margin, stable))
    return tuple(assessed)


def assess_pages(evidence: Evidence, templates: Sequence[TemplateConfidence], labels: Labels) -> NDArray[np.float64]:
    """Return one confidence a page, 0 to 1: its template's, or less where much of its text is of a look that the site does not explain.

    Content explains itself; other text is explained by its presence, in the same look, on two more pages. A page without labels gets 0.
    """
    places = np.unique(np.stack([evidence.table.original[evidence.table.page], evidence.cluster]), axis=1)[1]
    common = np.bincount(places + 1, minlength=evidence.clusters + 1)[evidence.cluster + 1] >= REPEATED_ON
    explained = _page_shares(evidence, (labels == CONTENT) | (common & (evidence.cluster >= 0)))
    limit = np.zeros(len(evidence.table.pages))
    for template in templates:
        limit[list(template.pages)] = template.value
    return np.minimum(explained, limit)


def _content_lengths(evidence: Evidence, labels: Labels) -> NDArray[np.float64]:
    """Return one number per page: how many characters of its content are outside links and are not repeated all over the site.

    A character of Chinese, Japanese or Korean counts as several letters (`sightread.render.page.page_arrays.PageArrays.length`).
    """
    counts = evidence.table.by_page((labels == CONTENT) & (evidence.text > 0))
    return np.array([PageArrays(page).unlinked[of_page].sum() for page, of_page in zip(evidence.table.pages, counts, strict=True)])


def _page_shares(evidence: Evidence, mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    count = len(evidence.table.pages)
    return np.asarray(
        np.bincount(evidence.table.page, evidence.text * mask, count) / np.bincount(evidence.table.page, evidence.text, count).clip(min=1.0)
    )


def _least(pages: int, agreement: float, margin: float, stability: float) -> float:
    return min(
        pages / LEVELS.enough_pages, agreement, LEVELS.margin_weight * margin, max(0.0, 1 - LEVELS.unstable_weight * (1 - stability)), 1.0
    )


def _agreement(found: SiteArticles) -> NDArray[np.bool_]:
    """Return for each page whether its own text and relevance, the paper's local choice, would have picked a cluster of its articles."""
    count = len(found.evidence.table.pages)
    template = np.full(count, -1)
    of_article = np.zeros((len(found.articles) + 1, found.evidence.clusters + 1), np.bool_)  # the last row and column are of none
    for row, article in enumerate(found.articles):
        template[article.template.pages] = row
        of_article[row, [article.template.cluster, *article.clusters]] = True
    best = np.full(count, -1)
    local = local_scores(found.evidence)
    order = np.lexsort((-local.cluster, local.score))  # of equals the first cluster
    best[local.page[order]] = local.cluster[order]
    return np.asarray(of_article[template, best], np.bool_)


def _margin(found: SiteArticles, article: Article) -> float:
    """Return by how much of its own score the paragraphs' cluster beats the next, on the template's pages; 0 to 1.

    The articles' other clusters are no rivals, but for one with much text that is more relevant than the paragraphs: one of them is not the
    article, such as comments with the article ahead of them.
    """
    evidence, body = found.evidence, article.template.cluster
    among = np.isin(evidence.table.page, article.template.pages) & (evidence.cluster >= 0)
    text, relevance = (
        np.bincount(evidence.cluster[among], values[among], evidence.clusters) for values in (evidence.text, evidence.own_relevance)
    )
    much = [cluster for cluster in article.clusters if text[cluster] > LEVELS.competing_text_share * text[body]]
    if any(relevance[cluster] > relevance[body] for cluster in much):
        return 0.0
    competing = cluster_scores(evidence, among)
    own = float(competing[body])
    competing[[cluster for each in found.articles for cluster in (each.template.cluster, *each.clusters)]] = 0.0
    return float(1 - competing.max() / own) if competing.max() < own else 0.0
