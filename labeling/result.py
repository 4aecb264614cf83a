"""The result of a labeler on the pages of one site, and the `SiteLabels` built from it, with confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from labeling.articles.article import Article
from labeling.cluster_summary import describe_clusters
from labeling.confidence import Relabel, content_lengths, content_shares, judge_pages, judge_site, judge_templates
from labeling.evidence import Evidence
from labeling.known_clusters import remember
from labeling.labels import Labels, SiteLabels
from labeling.signature import SignatureTable

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class LabelingResult:
    """The clusters, evidence, articles and labels of a site; arrays have one value per block."""

    table: SignatureTable
    cluster: NDArray[np.int32]
    """By look alone; the evidence may have split some."""
    evidence: Evidence
    articles: tuple[Article, ...]
    labels: Labels

    def site_labels(self, relabel: Relabel) -> SiteLabels:
        """Return the labels of the site, judged by what `relabel` gives for some of its pages alone."""
        evidence, labels = self.evidence, self.labels
        templates = judge_templates(evidence, self.articles, labels, relabel)
        return SiteLabels(
            clusters=describe_clusters(evidence, self.table, self.articles),
            assignments=self.by_page(evidence.cluster),
            labels=self.by_page(labels),
            page_confidence=tuple(judge_pages(evidence, templates, labels).tolist()),
            templates=templates,
            confidence=judge_site(evidence, templates, content_shares(evidence, labels), content_lengths(evidence, labels)),
            known=remember(self.table, self.cluster),
        )

    def by_page(self, values: NDArray[Scalar]) -> tuple[NDArray[Scalar], ...]:
        """Return the values of all blocks as one array per page."""
        return tuple(np.split(values, np.searchsorted(self.evidence.page, np.arange(1, len(self.evidence.pages)))))
