"""`SiteArticles`: what the articles of all templates of a site are made of, with the scores that the choice of templates compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.articles.article import Article, content_of, grow_template
from sightread.labeling.articles.cluster_scores import LocalScores, cluster_scores, local_scores
from sightread.labeling.articles.comments import split_template
from sightread.labeling.articles.templates import Template
from sightread.labeling.evidence.evidence import Evidence
from sightread.render.labels import BOILERPLATE, CONTENT, UNKNOWN
from sightread.render.page.array_types import Labels


@dataclass(frozen=True, slots=True)
class TemplateScores:
    """The clusters on the pages of one template; arrays of one value per cluster."""

    score: NDArray[np.float64]
    text: NDArray[np.float64]
    """Characters outside links that no other page repeats."""
    relevance: NDArray[np.float64]
    """Tokens."""


@dataclass(frozen=True, slots=True)
class SiteArticles:
    """The articles of a site, one for each template that has any, in the order in which the templates were chosen."""

    evidence: Evidence
    """With comments that look like the paragraphs as clusters of their own."""
    articles: tuple[Article, ...]
    scores: tuple[TemplateScores, ...]
    """One for each article."""
    local: LocalScores
    """Of each page alone: the paper's local choice."""


def grow_articles(evidence: Evidence, templates: Sequence[Template]) -> SiteArticles:
    """Return the articles that the templates' paragraphs lead to."""
    for template in templates:
        evidence = split_template(evidence, template)
    return gather_articles(evidence, tuple(article for template in templates if (article := grow_template(evidence, template)) is not None))


def gather_articles(evidence: Evidence, articles: tuple[Article, ...]) -> SiteArticles:
    """Return the record of these articles, with their scores."""
    return SiteArticles(evidence, articles, tuple(_scores(evidence, article.template) for article in articles), local_scores(evidence))


def label_blocks(found: SiteArticles) -> Labels:
    """Return the label of each block. A page may hold what articles of several templates are made of; one of no template is unknown."""
    evidence = found.evidence
    nothing = np.zeros(len(evidence.table.page), np.bool_)
    content = np.logical_or.reduce([nothing, *(content_of(evidence, article) for article in found.articles)])
    known = np.isin(evidence.table.page, [page for article in found.articles for page in article.template.pages])
    return np.where(known, np.where(content, CONTENT, BOILERPLATE), UNKNOWN).astype(np.int8)


def _scores(evidence: Evidence, template: Template) -> TemplateScores:
    among = np.isin(evidence.table.page, template.pages) & (evidence.cluster >= 0)
    cluster = evidence.cluster[among]
    text, relevance = (np.bincount(cluster, values[among], evidence.clusters) for values in (evidence.text, evidence.own_relevance))
    return TemplateScores(cluster_scores(evidence, among), np.asarray(text, np.float64), np.asarray(relevance, np.float64))
