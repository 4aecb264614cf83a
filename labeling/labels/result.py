"""The result of a labeler on the pages of one site, and the `SiteLabels` built from it, with confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.articles.article import Article
from sightread.labeling.articles.site_articles import SiteArticles
from sightread.labeling.clusterings.known_clusters import remember
from sightread.labeling.confidence import assess_pages, assess_site, assess_templates, content_lengths, content_shares
from sightread.labeling.evidence.evidence import Evidence
from sightread.labeling.labels.labels import Cluster, Role, SiteLabels
from sightread.render.page.array_types import Labels

SAMPLES, SAMPLE = 3, 500
"""How many texts of a cluster are shown, and how many characters of each."""


@dataclass(frozen=True, slots=True)
class LabelingResult:
    """The clusters, articles and labels of a site; arrays have one value per block."""

    cluster: NDArray[np.int32]
    """By look alone; the articles' evidence may have split some."""
    found: SiteArticles
    labels: Labels

    def site_labels(self, stability: NDArray[np.float64]) -> SiteLabels:
        """Return the labels of the site with their confidence; `stability` has one value per page (`sightread.labeling.resampling`)."""
        evidence, labels = self.found.evidence, self.labels
        table = evidence.table
        templates = assess_templates(self.found, stability)
        return SiteLabels(
            clusters=_describe_clusters(evidence, self.found.articles),
            assignments=table.by_page(evidence.cluster),
            labels=table.by_page(labels),
            page_confidence=tuple(assess_pages(evidence, templates, labels).tolist()),
            templates=templates,
            confidence=assess_site(evidence, templates, content_shares(evidence, labels), content_lengths(evidence, labels)),
            known=remember(table.looks, self.cluster),
        )


def _describe_clusters(evidence: Evidence, articles: Sequence[Article]) -> tuple[Cluster, ...]:
    """Return a summary of each cluster for reports, in the order of their numbers."""
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
