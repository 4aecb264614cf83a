"""The global model: a linear SVM that reads pages of sites never seen, from features that mean the same everywhere.

What a site's own model learns from names is lost on the next site (Zhou and Mashuq 2013, Table 3, F1 0.31); relative features carry over
(`classify.relative`). Each is cut into quantile bins (`classify.binned`). The model sees the DOM alone: what a browser adds to a page is
left out before it is measured, for the model has learned from pages without, and so it reads a page alike with and without a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import msgspec
import numpy as np
from numpy.typing import NDArray

from classify.binned import Bins, Codes, Features, Floats, fit_weights
from classify.calibration import Decided, sigmoid
from classify.metrics import CONTENT
from classify.model import Needs, Probabilities, check_labels, load_payload, save_payload
from classify.relative import NAMES, WORDS, relative_features
from render.errors import BadRecord
from render.page import Page

FOLDS = 3
"""Parts of the sites, each held out once, on which level and slope of the probabilities are found."""
RISE = 0.3
"""The level rises by this part of the decision on the page's surest block: beside a sure article a doubtful teaser is none of it, while
where nothing is sure the doubtful is all there is. Word F1 on WCXB dev, hosts held out, best level: 0.843; without the rise 0.838."""
SECOND_LEVEL = frozenset(("ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"))
"""Labels before a country's under which domains are given out, as in co.uk."""
DIGITS = 3
"""Of a weight: a decision is the sum of 150, and blocks that differ by less than 0.05 are equally good guesses."""


class _Feature(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    edges: list[float]
    weights: list[float]
    """One a bin, the last for NaN."""


class _Payload(msgspec.Struct, forbid_unknown_fields=True):
    features: list[_Feature]
    intercept: float
    level: float
    slope: float
    pages: int


class GlobalModel:
    """A linear SVM over the bins of relative features; `fit` wants pages of many sites."""

    name = "global"
    needs = Needs.DOM

    def __init__(self) -> None:
        self._bins = Bins((), ())
        self._weights = np.zeros(0)
        self._intercept = self._level = 0.0
        self._slope = 1.0
        self.pages = 0
        """How many pages it was fitted on."""

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Fit to the pages' labelled blocks; deterministic. Raises `Rejected` where a class is missing.

        A block counts as the root of its length, and a page as the root of the sum of that over its blocks. The probabilities come from
        held-out sites: 0.5 stands where keeping what is above it gives the pages the best mean F1 by characters, which is less than an
        even chance of a block; the slope is the likeliest (Platt 1999).
        """
        check_labels(pages, labels)
        training, features = _training(pages, labels)
        self._bins = Bins.of(features)
        codes, total = self._bins.codes(features), int(self._bins.starts[-1])
        decisions = np.zeros(len(codes))
        for number in np.unique(training.site):
            apart = training.site == number
            if len(np.unique(training.content[~apart])) == len((False, True)):
                weights, intercept = training.fit(codes, total, ~apart)
                decisions[apart] = weights[codes[apart]].sum(axis=1) + intercept
        surest = np.full(int(training.page.max()) + 1, -np.inf)
        np.maximum.at(surest, training.page, decisions)
        decided = Decided(decisions - RISE * surest[training.page], training.content, training.lengths, training.page)
        self._level = decided.best_level()
        self._slope = decided.best_slope(self._level)
        weights, intercept = training.fit(codes, total, np.ones(len(codes), np.bool_))
        self._weights, self._intercept = weights.round(DIGITS), round(intercept, DIGITS)
        self.pages = len(np.unique(training.page))
        return self

    def predict(self, page: Page) -> Probabilities:
        """Return one probability of content a block, shape (blocks,). The likeliest block has at least 0.5: no page with text is empty."""
        decisions: Floats = self._weights[self._bins.codes(features_without_browser(page))].sum(axis=1) + self._intercept
        if not len(decisions):
            return decisions
        away = decisions - RISE * decisions.max()
        return sigmoid(self._slope * (away - min(self._level, away.max())))

    def explain(self, page: Page, row: int) -> tuple[tuple[str, float], ...]:
        """Return (what, contribution) of one block's features, the weightiest first; positive speaks for content.

        A feature counts against what it says on average over the pages that were learned from.
        """
        codes = self._bins.codes(features_without_browser(page)[row : row + 1])[0]
        found = [
            (f"{WORDS[NAMES[column]]}: {_range(edges, int(code - start))}", float(self._weights[code]))
            for column, edges, start, code in zip(self._bins.columns, self._bins.edges, self._bins.starts[:-1], codes, strict=True)
        ]
        return tuple(sorted((pair for pair in found if pair[1]), key=lambda pair: -abs(pair[1])))

    def save(self, path: Path) -> None:
        """Write the model as JSON. Raises `StorageFailed`."""
        starts = self._bins.starts.tolist()
        features = [
            _Feature(NAMES[column], edges.tolist(), self._weights[start:end].tolist())
            for column, edges, start, end in zip(self._bins.columns, self._bins.edges, starts[:-1], starts[1:], strict=True)
        ]
        save_payload(path, self.name, _Payload(features, self._intercept, self._level, self._slope, self.pages))

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""
        payload = load_payload(path, cls.name, _Payload)
        for feature in payload.features:
            if feature.name not in WORDS:
                raise BadRecord(f"{path}: no feature is called {feature.name!r} in this sightread; train the model again")
            if len(feature.weights) != len(feature.edges) + 2 or feature.edges != sorted(feature.edges):
                raise BadRecord(f"{path}: {feature.name!r} has edges and weights that do not fit each other; train the model again")
        model = cls()
        model._bins = Bins(
            tuple(NAMES.index(each.name) for each in payload.features), tuple(np.array(each.edges) for each in payload.features)
        )
        model._weights = np.array([weight for feature in payload.features for weight in feature.weights])
        model._intercept, model._level, model._slope = payload.intercept, payload.level, payload.slope
        model.pages = payload.pages
        return model


def features_without_browser(page: Page) -> Features:
    """Return the page's relative features as static HTML would give them: no box, no style, no looks that differ by either."""
    if page.source != "static":
        blocks = tuple(replace(block, style=None, box=None) for block in page.blocks)
        page = replace(page, blocks=blocks, styles=(), body_style={}, document=None)
    return relative_features(page)


def domain_folds(pages: Sequence[Page], folds: int) -> NDArray[np.intp]:
    """Return a fold number a page, shape (pages,); pages of one domain share theirs, a page without a URL has one of its own."""
    domains: dict[str, int] = {}
    names = (_domain(urlsplit(page.url).hostname or "") or f"page {row}" for row, page in enumerate(pages))
    return np.array([domains.setdefault(name, len(domains)) for name in names], np.intp) % folds


def _domain(host: str) -> str:
    labels = host.split(".")
    return ".".join(labels[-3 if len(labels) > 2 and labels[-2] in SECOND_LEVEL else -2 :])


@dataclass(frozen=True, slots=True)
class _Training:
    """The labelled blocks of all pages, arrays of shape (blocks,)."""

    content: NDArray[np.bool_]
    lengths: Floats
    page: NDArray[np.intp]
    site: NDArray[np.intp]
    """The fold of each block's domain."""

    def fit(self, codes: Codes, bins: int, used: NDArray[np.bool_]) -> tuple[Floats, float]:
        roots = np.sqrt(self.lengths[used] + 1)
        of_page = np.bincount(self.page[used], roots)[self.page[used]]
        return fit_weights(codes[used], bins, self.content[used], roots / np.sqrt(of_page))


def _training(pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> tuple[_Training, Features]:
    """Return the labelled blocks and their features, shape (blocks, len(NAMES))."""
    known = [of_page >= 0 for of_page in labels]
    features = np.concatenate([features_without_browser(page)[of_page] for page, of_page in zip(pages, known, strict=True)])
    lengths = np.array([len(block.text) for page in pages for block in page.blocks], np.float64)[np.concatenate(known)]
    counts = [int(of_page.sum()) for of_page in known]
    content = np.concatenate([of_page[is_known] == CONTENT for of_page, is_known in zip(labels, known, strict=True)])
    page = np.unique(np.repeat(np.arange(len(pages)), counts), return_inverse=True)[1]
    return _Training(content, lengths, page, np.repeat(domain_folds(pages, FOLDS), counts)), features


def _range(edges: Floats, code: int) -> str:
    """Say in words which values a bin holds."""
    if code > len(edges):
        return "not there"
    if code == len(edges):
        return f"{edges[-1]:.3g} or more" if code else "any"
    return f"under {edges[0]:.3g}" if code == 0 else f"{edges[code - 1]:.3g} to {edges[code]:.3g}"
