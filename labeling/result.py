"""The result of a labeler on the pages of one site, and the `SiteLabels` built from it, with confidence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labeling.articles.site_articles import SiteArticles
from labeling.cluster_summary import describe_clusters
from labeling.confidence import assess_pages, assess_site, assess_templates, content_lengths, content_shares
from labeling.known_clusters import remember
from labeling.labels import SiteLabels
from render.array_types import Labels


@dataclass(frozen=True, slots=True)
class LabelingResult:
    """The clusters, articles and labels of a site; arrays have one value per block."""

    cluster: NDArray[np.int32]
    """By look alone; the articles' evidence may have split some."""
    found: SiteArticles
    labels: Labels

    def site_labels(self, stability: NDArray[np.float64]) -> SiteLabels:
        """Return the labels of the site with their confidence; `stability` has one value per page (`labeling.resampling`)."""
        evidence, labels = self.found.evidence, self.labels
        table = evidence.table
        templates = assess_templates(self.found, stability)
        return SiteLabels(
            clusters=describe_clusters(evidence, self.found.articles),
            assignments=table.by_page(evidence.cluster),
            labels=table.by_page(labels),
            page_confidence=tuple(assess_pages(evidence, templates, labels).tolist()),
            templates=templates,
            confidence=assess_site(evidence, templates, content_shares(evidence, labels), content_lengths(evidence, labels)),
            known=remember(table.looks, self.cluster),
        )
