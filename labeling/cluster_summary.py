"""Summaries of the clusters of a site, for reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labeling.articles.article import Article
from labeling.evidence import Evidence
from labeling.labels import Cluster, Role

SAMPLES, SAMPLE = 3, 500
"""How many texts of a cluster are shown, and how many characters of each."""


def describe_clusters(evidence: Evidence, articles: Sequence[Article]) -> tuple[Cluster, ...]:
    """Return one record per cluster, in the order of their numbers."""
    chosen: dict[int, tuple[Role, int]] = {}
    for row, article in reversed(list(enumerate(articles))):
        chosen.update(dict.fromkeys(article.clusters, ("part", row)))
    chosen.update({article.template.cluster: ("body", row) for row, article in enumerate(articles)})
    order = np.argsort(evidence.cluster, kind="stable")
    bounds = np.searchsorted(evidence.cluster[order], np.arange(evidence.clusters + 1))
    return tuple(
        _describe(evidence, order[bounds[number] : bounds[number + 1]], chosen.get(number, ("", -1))) for number in range(evidence.clusters)
    )


def _describe(evidence: Evidence, members: NDArray[np.intp], chosen: tuple[Role, int]) -> Cluster:
    blocks = [evidence.table.block(index) for index in members]
    characters = sum(len(block.text) for block in blocks)
    looks = evidence.table.looks
    commonest = looks.signatures[Counter(looks.signature[members].tolist()).most_common(1)[0][0]]
    return Cluster(
        id=int(evidence.cluster[members[0]]),
        blocks=len(members),
        pages=len(np.unique(evidence.table.page[members])),
        characters=characters,
        link_share=sum(block.link_chars for block in blocks) / max(characters, 1),
        relevance=float(evidence.relevance[members].sum()),
        text_share=float(evidence.text[members].sum() / max(evidence.text.sum(), 1.0)),
        role=chosen[0],
        template=chosen[1],
        tag_path=commonest.tag_path,
        style=commonest.style,
        width=float(np.median(looks.width[members])),
        samples=_samples(evidence, members),
    )


def _samples(evidence: Evidence, members: NDArray[np.intp]) -> tuple[str, ...]:
    """Return the longest texts of different pages, the longest first."""
    longest: dict[int, str] = {}
    for index in members:
        page, text = int(evidence.table.page[index]), evidence.table.block(index).text
        if len(text) > len(longest.get(page, "")):
            longest[page] = text
    return tuple(text[:SAMPLE] for text in sorted(dict.fromkeys(longest.values()), key=len, reverse=True)[:SAMPLES])
