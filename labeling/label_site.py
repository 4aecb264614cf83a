"""The labeler: signatures, clusters, relevance, templates, articles, confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.articles.article import weigh_articles
from sightread.labeling.articles.site_articles import grow_articles, label_blocks
from sightread.labeling.articles.templates import choose_templates
from sightread.labeling.clusterings.base import CLUSTERINGS, Clustering
from sightread.labeling.clusterings.known_clusters import KnownClusters, assign, remember
from sightread.labeling.combination import combine_labels
from sightread.labeling.evidence.evidence import gather
from sightread.labeling.evidence.relevance import Relevance, token_relevance
from sightread.labeling.evidence.signature import build_table
from sightread.labeling.evidence.site_table import read_site
from sightread.labeling.labels.labels import NO_CHOICES, Choices, SiteLabels
from sightread.labeling.labels.laid_out_labels import label_laid_out
from sightread.labeling.labels.result import LabelingResult
from sightread.labeling.resampling import label_stability
from sightread.labeling.site_parts.decisions import decide_parts
from sightread.render.analysis.laid_out import laid_out
from sightread.render.errors import Rejected
from sightread.render.labels import UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Labels


def label_site(
    pages: Sequence[Page],
    clustering: Clustering = CLUSTERINGS["dbscan"],
    *,
    predictions: Sequence[NDArray[np.float64]] | None = None,
    choices: Choices = NO_CHOICES,
) -> SiteLabels:
    """Label every block of the pages of one site as content, boilerplate or unknown.

    `predictions` are a second source of evidence (`sightread.labeling.combination`): for each page the log-odds of each block to be
    content, by a model for any site. Pages of no template stay without labels, unless most are: then predictions alone label them.
    `choices` keep or drop comments and other parts of pages, regardless of the evidence (`sightread.labeling.site_parts.decisions`).

    Raises `Rejected` if no page has text outside links: there is nothing to choose from.
    """
    if not any(not block.hidden and block.link_chars < len(block.text) for page in pages for block in page.blocks):
        raise Rejected(f"none of the {len(pages)} pages shows text outside links: start from a page that leads to articles")
    labels = label_laid_out(lambda shown: _label_shown(shown, clustering), pages)
    if predictions is not None:
        labels = combine_labels(pages, labels, predictions, choices)
    elif choices:
        parts, by_page = decide_parts(pages, labels.labels, choices)
        labels = replace(labels, labels=by_page, parts=parts)
    return replace(labels, known=_looks_of_templates(pages, labels))


def _looks_of_templates(pages: Sequence[Page], labels: SiteLabels) -> KnownClusters:
    """Return the known clusters of the pages with labels: a page whose text has other looks is of no template."""
    labelled = [laid_out(page)[0] for page, of_page in zip(pages, labels.labels, strict=True) if (of_page != UNKNOWN).any()]
    if len(labelled) == len(pages):
        return labels.known
    table = build_table(labelled)
    return remember(table, assign(labels.known, table))


def _label_shown(pages: Sequence[Page], clustering: Clustering) -> SiteLabels:
    found = _find(pages, clustering, token_relevance)
    evidence = found.found.evidence
    relevance = evidence.table.by_page(evidence.relevance)  # titles and descriptions need no second reading

    def relabel(rows: Sequence[int]) -> Labels:
        return _find([pages[row] for row in rows], clustering, lambda _: [relevance[row] for row in rows]).labels

    return found.site_labels(label_stability(evidence, found.labels, relabel))


def _find(pages: Sequence[Page], clustering: Clustering, relevance: Relevance) -> LabelingResult:
    table = read_site(pages)
    cluster = clustering(table.looks)
    evidence = gather(table, cluster, relevance)
    found = grow_articles(evidence, choose_templates(evidence, weigh_articles))
    return LabelingResult(cluster, found, label_blocks(found))
