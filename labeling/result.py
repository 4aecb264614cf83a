"""The result of a labeler on the pages of one site, and the `SiteLabels` built from it, with confidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from labeling.articles.site_articles import SiteArticles
from labeling.cluster_summary import describe_clusters
from labeling.confidence import assess_pages, assess_site, assess_templates, content_lengths, content_shares
from labeling.known_clusters import remember
from labeling.labels import SiteLabels
from labeling.signature import SignatureTable
from render.array_types import Labels

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class LabelingResult:
    """The clusters, articles and labels of a site; arrays have one value per block."""

    table: SignatureTable
    cluster: NDArray[np.int32]
    """By look alone; the articles' evidence may have split some."""
    found: SiteArticles
    labels: Labels

    def site_labels(self, stability: NDArray[np.float64]) -> SiteLabels:
        """Return the labels of the site with their confidence; `stability` has one value per page (`labeling.resampling`)."""
        evidence, labels = self.found.evidence, self.labels
        templates = assess_templates(self.found, stability)
        return SiteLabels(
            clusters=describe_clusters(evidence, self.table, self.found.articles),
            assignments=self.by_page(evidence.cluster),
            labels=self.by_page(labels),
            page_confidence=tuple(assess_pages(evidence, templates, labels).tolist()),
            templates=templates,
            confidence=assess_site(evidence, templates, content_shares(evidence, labels), content_lengths(evidence, labels)),
            known=remember(self.table, self.cluster),
        )

    def by_page(self, values: NDArray[Scalar]) -> tuple[NDArray[Scalar], ...]:
        """Return the values of all blocks as one array per page."""
        return tuple(np.split(values, np.searchsorted(self.table.page, np.arange(1, len(self.found.evidence.pages)))))
