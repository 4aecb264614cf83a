"""The labels of the original paper, as published (Zhou and Mashuq 2013): for comparison only.

One cluster per site, by Algorithm 1, and everything else is boilerplate: no second template, no headline, no list, no unknown page.
`sightread.labeling.label_site` is what grew out of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.articles import Article, SiteArticles
from sightread.labeling.clusterings import dbscan
from sightread.labeling.confidence import label_stability
from sightread.labeling.evidence import character_relevance, gather, read_site
from sightread.labeling.label_site import LabelingResult
from sightread.labeling.labels import SiteLabels, label_laid_out
from sightread.labeling.looks import build_table
from sightread.labeling.templates import Template, cluster_scores
from sightread.render.errors import Rejected
from sightread.render.labels import BOILERPLATE, CONTENT
from sightread.render.page import Page
from sightread.render.page.array_types import Labels


def label_site_as_published(pages: Sequence[Page]) -> SiteLabels:
    """Label the blocks of one site: content is the one cluster of the highest site-wide sum of character relevance (Algorithm 1).

    Confidence is ours, and judges these labels as it judges those of `label_site`. Raises `Rejected` if no page has a block.
    """
    if not any(block.hidden != "display" for page in pages for block in page.blocks):
        raise Rejected(f"none of the {len(pages)} pages has text: start from a page that leads to articles")
    return label_laid_out(_label_shown, pages)


def _label_shown(pages: Sequence[Page]) -> SiteLabels:
    table = read_site(pages)
    cluster = dbscan(table.looks)
    evidence = gather(table, cluster, character_relevance)
    winner = int(np.bincount(cluster, evidence.relevance).argmax())
    labels = _labels(cluster == winner)
    score = float(cluster_scores(evidence, np.ones(len(cluster), np.bool_))[winner])
    article = Article(Template(winner, np.arange(len(pages)), score), frozenset(), frozenset(), frozenset(), cluster == winner)

    def relabel(rows: Sequence[int]) -> Labels:
        return np.concatenate(_algorithm_1([pages[row] for row in rows]))

    found = LabelingResult(cluster, SiteArticles(evidence, (article,)), labels)
    return found.site_labels(label_stability(evidence, labels, relabel))


def _algorithm_1(pages: Sequence[Page]) -> tuple[Labels, ...]:
    clusters = page_clusters(pages)
    total = np.bincount(np.concatenate(clusters), np.concatenate(character_relevance(pages)), 1)
    return tuple(_labels(cluster == total.argmax()) for cluster in clusters)


def page_clusters(pages: Sequence[Page]) -> tuple[NDArray[np.int32], ...]:
    """Return the cluster of each block, by page; shape (blocks,) each."""
    table = build_table(pages)
    return tuple(np.split(dbscan(table), np.searchsorted(table.page, np.arange(1, len(pages)))))


def _labels(content: NDArray[np.bool_]) -> Labels:
    return np.where(content, CONTENT, BOILERPLATE).astype(np.int8)
