"""Corrections in the training of a site's model: as evidence, as labels with the last word, and as weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Prediction, Probabilities
from sightread.classify.site.model import FeatureCache, SiteModel
from sightread.labeling.labels import SiteLabels
from sightread.render.labels import CONTENT, UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.sites.corrections.matching import Matching


def confirmed(predictions: Sequence[Probabilities], corrected: Sequence[Labels] | None) -> list[Probabilities]:
    """Return predictions with certainty where corrections decide: `Matching.labels`, or `Matching.site_labels` as evidence for other pages.

    One array per page, of shape (blocks,).
    """
    if corrected is None:
        return list(predictions)
    return [
        np.where(labels == UNKNOWN, found, (labels == CONTENT).astype(np.float64))
        for found, labels in zip(predictions, corrected, strict=True)
    ]


def correct_labels(pages: Sequence[Page], labels: SiteLabels, matching: Matching | None) -> SiteLabels:
    """Return the labels with the corrections in place of what they contradict, and the clusters' shares of content with them."""
    if matching is None or not matching.matches:
        return labels
    corrected = matching.overlay(labels.labels)
    number = np.concatenate(labels.assignments)
    content = np.concatenate(corrected) == CONTENT
    text = np.array([len(block.text) + 1 for page in pages for block in page.blocks], np.float64)
    shares = {
        cluster.id: float(np.average(content[number == cluster.id], weights=text[number == cluster.id])) for cluster in labels.clusters
    }
    clusters = (replace(cluster, kept=shares[cluster.id]) for cluster in labels.clusters)
    return replace(labels, labels=corrected, clusters=tuple(clusters))


class CorrectedLearner:
    """The site model with the weights of corrections, for cross-validation."""

    def __init__(self, weights: Mapping[int, NDArray[np.float64]], cache: FeatureCache | None = None) -> None:
        self._weights = weights
        self._model = SiteModel(cache=cache)

    @classmethod
    def maker(cls, pages: Sequence[Page], matching: Matching, cache: FeatureCache | None = None) -> Callable[[], CorrectedLearner]:
        """Return what makes a learner for any of these pages."""
        weights = {id(page): of_page for page, of_page in zip(pages, matching.weights(), strict=True)}
        return lambda: cls(weights, cache)

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Fit to some of the pages."""
        self._model.fit(pages, labels, [self._weights[id(page)] for page in pages])
        return self

    def predict(self, page: Page) -> Prediction:
        """Return the site model's prediction of the page."""
        return self._model.predict(page)
