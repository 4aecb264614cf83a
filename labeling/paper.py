"""The labels of the original paper, strictly as published (Zhou and Mashuq 2013): for comparison, not for use.

One cluster a site, by Algorithm 1, and everything else is boilerplate: no second template, no headline, no list, no unknown page.
`labeling.auto` is what grew out of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from labeling.cluster import cluster_blocks
from labeling.labels import BOILERPLATE, CONTENT, Labels
from labeling.relevance import character_relevance
from labeling.signature import build_table
from render.page import Page


def label_site_as_published(pages: Sequence[Page]) -> tuple[Labels, ...]:
    """Return one array a page: content is the one cluster of the highest site-wide sum of character relevance (Algorithm 1)."""
    clusters = _clusters(pages)
    relevance = character_relevance(pages)
    total = np.bincount(np.concatenate(clusters), np.concatenate(relevance)) if clusters else np.zeros(0)
    return tuple(_labels(cluster == total.argmax()) if len(total) else _labels(cluster > 0) for cluster in clusters)


def label_page_by_gold(page: Page, gold_text: str) -> Labels:
    """Label one page of the paper's chaos set (section 4): clustered alone, content is the cluster that is closest to the gold text.

    Closest means the longest common subsequence of characters between the gold text and the cluster's text in page order. Of equals
    the first wins, so a page that holds nothing of its gold text still gets a cluster.
    """
    (cluster,) = _clusters([page])
    texts = ["\n".join(block.text for block, own in zip(page.blocks, cluster, strict=True) if own == row) for row in range(_count(cluster))]
    scores = [LCSseq.similarity(text, gold_text) for text in texts]
    return _labels(cluster == int(np.argmax(scores))) if scores else _labels(cluster > 0)


def _clusters(pages: Sequence[Page]) -> tuple[NDArray[np.int32], ...]:
    table = build_table(pages)
    return tuple(np.split(cluster_blocks(table), np.searchsorted(table.page, np.arange(1, len(pages)))))


def _count(cluster: NDArray[np.int32]) -> int:
    return int(cluster.max(initial=-1)) + 1


def _labels(content: NDArray[np.bool_]) -> Labels:
    return np.where(content, CONTENT, BOILERPLATE).astype(np.int8)
