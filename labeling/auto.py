"""Labels for a whole site without a person: signature, clusters, relevance, templates, growth, confidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from labeling.choose import Template, choose_templates, cluster_scores
from labeling.cluster import cluster_blocks
from labeling.describe import describe_clusters
from labeling.evidence import Evidence, gather
from labeling.grow import grow_template
from labeling.labels import BOILERPLATE, CONTENT, TRUSTED, UNKNOWN, Confidence, Labels, SiteLabels
from labeling.relevance import token_relevance
from labeling.signature import build_table
from render.errors import Rejected
from render.page import Page

FEW_PAGES = 5
"""With fewer labelled pages, what belongs to the site cannot be told from what belongs to an article."""

UNTOLD = 0.5
"""Most confidence where no page says of itself what it is about: the largest text may be the comments."""
UNTOLD_ADVICE = "No title or description tells the articles apart: check in the report that the chosen clusters are the articles' text."

Scalar = TypeVar("Scalar", bound=np.generic)


def label_site(pages: Sequence[Page]) -> SiteLabels:
    """Label every block of the pages of one site as content, boilerplate or unknown.

    Raises `Rejected` where no page has text outside links: there is nothing to choose from.
    """
    if not any(block.link_chars < len(block.text) for page in pages for block in page.blocks):
        raise Rejected(f"none of the {len(pages)} pages has text outside links: start from a page that leads to articles")
    table = build_table(pages)
    cluster = cluster_blocks(table)
    evidence = gather(pages, table, cluster, token_relevance)
    templates = tuple(grow_template(evidence, template) for template in choose_templates(evidence))
    labels = _label(evidence, templates)
    shares = _content_shares(evidence, labels)
    return SiteLabels(
        clusters=describe_clusters(evidence, table, templates),
        assignments=_by_page(evidence, cluster),
        labels=_by_page(evidence, labels),
        page_confidence=tuple(float(share) for share in shares),
        confidence=_confidence(evidence, templates, shares),
    )


def _label(evidence: Evidence, templates: Sequence[Template]) -> Labels:
    """Return the labels: what is content on one template's pages is content wherever it looks the same."""
    content = np.isin(evidence.cluster, [cluster for template in templates for cluster in (template.cluster, *template.parts)])
    known = np.isin(evidence.page, [page for template in templates for page in template.pages])
    return np.where(known, np.where(content, CONTENT, BOILERPLATE), UNKNOWN).astype(np.int8)


def _content_shares(evidence: Evidence, labels: Labels) -> NDArray[np.float64]:
    """Return one number a page: the share of its text that is content; 0 for an unknown page.

    Text means outside links and not repeated all over the site. For the authors' chaos pages this share tells good labels from bad ones
    with an AUC of 0.97.
    """
    count = len(evidence.pages)
    content = np.bincount(evidence.page, evidence.text * (labels == CONTENT), count)
    return np.asarray(content / np.bincount(evidence.page, evidence.text, count).clip(min=1.0))


def _confidence(evidence: Evidence, templates: Sequence[Template], shares: NDArray[np.float64]) -> Confidence:
    reached = [int(page) for template in templates for page in template.pages]
    coverage = len(reached) / max(len(np.unique(evidence.page[evidence.text > 0])), 1)
    agrees = [_agrees(evidence, int(page), template) for template in templates for page in template.pages]
    agreement = float(np.mean(agrees)) if agrees else 0.0
    text_share = float(np.median(shares[reached])) if reached else 0.0
    told = bool((evidence.relevance > 0).any())
    return Confidence(
        value=min(coverage, agreement, 1.0 if told else UNTOLD, 2 * text_share, len(reached) / FEW_PAGES),
        coverage=coverage,
        agreement=agreement,
        text_share=text_share,
        advice=(*_advice(len(reached), coverage, agreement, text_share), *(() if told else (UNTOLD_ADVICE,))),
    )


def _agrees(evidence: Evidence, page: int, template: Template) -> bool:
    """Tell whether the page's own text and relevance would have picked one of the clusters that the site picked."""
    local = int(cluster_scores(evidence, (evidence.page == page) & (evidence.cluster >= 0)).argmax())
    return local == template.cluster or local in template.parts


def _advice(reached: int, coverage: float, agreement: float, text_share: float) -> list[str]:
    advice = []
    if reached < FEW_PAGES:
        advice.append(f"Only {reached} pages could be labelled: crawl more of them (--pages).")
    if coverage < TRUSTED:
        advice.append(f"Content was found on {coverage:.0%} of the pages: start from a section that links to articles.")
    if agreement < TRUSTED:
        advice.append(f"Only {agreement:.0%} of the pages would have chosen the same clusters by themselves: compare them in the report.")
    if text_share < TRUSTED / 2:
        advice.append(
            f"On a typical page the content is {text_share:.0%} of the text: check that comments or teasers are not the larger part."
        )
    return advice


def _by_page(evidence: Evidence, values: NDArray[Scalar]) -> tuple[NDArray[Scalar], ...]:
    bounds = np.searchsorted(evidence.page, np.arange(1, len(evidence.pages)))
    return tuple(np.split(values, bounds))
