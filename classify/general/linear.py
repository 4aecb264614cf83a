"""The global linear model: an SVM for unseen sites, over site-independent features and words.

What a site's own model learns from names is lost on the next site (Zhou and Mashuq 2013, Table 3, F1 0.31). Relative features carry over
(`sightread.classify.features.registry`), each cut into quantile bins (`sightread.classify.general.first_stage`), and so do the words that
many sites use (`sightread.classify.features.hashed_words`). The model sees the DOM alone: what a browser adds to a page is left out before
it is measured, for the model has learned from pages without, and so it reads a page alike with and without a browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.features.hashed_words import Lexicon
from sightread.classify.features.registry import outline_features
from sightread.classify.general.dom_view import dom_view
from sightread.classify.general.first_stage import COLUMNS, NAMES, Bins, FirstStage, FirstStageScores
from sightread.classify.model import Decided, Explains, Prediction, Reasons, check_labels, sigmoid, weightiest_first
from sightread.classify.weights import load_weights, save_weights
from sightread.render.errors import BadRecord, quoted
from sightread.render.page import Page
from sightread.render.page.array_types import Floats
from sightread.render.page.page_arrays import PageArrays

if TYPE_CHECKING:
    from sightread.classify.training.dataset import TrainingBlocks

LEVEL_RISE = 0.3
"""The level rises by this part of the highest decision on the page: beside a clear article an uncertain teaser is no part of it, while on
a page without a clear one the uncertain blocks are all there is. Word F1 on WCXB dev, hosts held out, best level: 0.843; without the rise
0.838."""


PARTS = {"edges", "counts", "weights", "words", "names"}
"""Arrays of a stored linear model."""


class LinearModel(Explains):
    """A linear SVM over the bins of relative features and of the lexicons' scores; `fit` requires pages of many sites."""

    name = "global-linear"

    def __init__(self) -> None:
        nothing = Lexicon(np.zeros(0, np.float32), 0.0)
        self._first_stage = FirstStage(Bins((), ()), np.zeros(0), 0.0, nothing, nothing)
        self._level, self._slope = 0.0, 1.0
        self.pages = 0
        """How many pages it was fitted on."""

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Fit to the pages' labelled blocks; deterministic. Raises `Rejected` if a class is missing.

        A block counts as the root of its length, and a page as the root of the sum of that over its blocks. The probabilities come from
        held-out sites: 0.5 is the level above which keeping blocks gives the pages the best mean F1 by characters, which is less than an
        even chance of a block; the slope is the likeliest (Platt 1999).
        """
        from sightread.classify.training.dataset import TrainingBlocks, learn  # noqa: PLC0415  (reading needs no training)

        check_labels(pages, labels)
        training = TrainingBlocks.of(pages, labels)
        return self.take(training, *learn(training))

    def take(self, training: TrainingBlocks, first_stage: FirstStage, scores: FirstStageScores) -> Self:
        """Take what was learned from training blocks, and find level and slope from the out-of-fold decisions; return the model."""
        self._first_stage = first_stage
        known = training.natural_blocks
        page = np.unique(training.page[known], return_inverse=True)[1]
        decisions = scores.decision[known]
        surest = np.full(int(page.max()) + 1, -np.inf)
        np.maximum.at(surest, page, decisions)
        decided = Decided(decisions - LEVEL_RISE * surest[page], training.content[known], training.lengths[known], page)
        self._level = decided.best_level()
        self._slope = decided.best_slope(self._level)
        self.pages = len(surest)
        return self

    def predict(self, page: Page) -> Prediction:
        """Return one probability of content per block, shape (blocks,). The likeliest has at least 0.5: no page with text is empty."""
        if not page.blocks:
            return Prediction(np.zeros(0))
        view = dom_view(page)
        outline = PageArrays(view.page)
        decisions = self._first_stage.read(outline, outline_features(outline)).decision
        away = decisions - LEVEL_RISE * decisions.max()
        return Prediction(sigmoid(self._slope * (away - min(self._level, away.max())))[view.row_of])

    def explain_rows(self, page: Page, rows: Sequence[int]) -> list[Reasons]:
        """Return (what, contribution) of each block's features, the weightiest first; positive is evidence of content.

        A contribution is relative to the feature's mean over the training pages.
        """
        bins, view = self._first_stage.bins, dom_view(page)
        outline = PageArrays(view.page)
        codes = self._first_stage.codes(outline, outline_features(outline))[0]
        return [
            weightiest_first(
                (f"{COLUMNS[NAMES[column]]}: {_range(edges, int(code - start))}", float(self._first_stage.weights[code]))
                for column, edges, start, code in zip(bins.columns, bins.edges, bins.starts[:-1], codes[view.row_of[row]], strict=True)
                if self._first_stage.weights[code]
            )
            for row in rows
        ]

    def save(self, path: Path) -> None:
        """Write the model as an npz file. Raises `StorageFailed`."""
        arrays, about = pack(self._first_stage)
        save_weights(path, self.name, arrays, about | {"level": self._level, "slope": self._slope, "pages": self.pages})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""
        arrays, about = load_weights(path, cls.name)
        model = cls()
        model._first_stage = unpack(path, arrays, about)
        model._level, model._slope, model.pages = float(about["level"]), float(about["slope"]), int(about["pages"])
        return model


def pack(first_stage: FirstStage) -> tuple[dict[str, NDArray[np.generic]], dict[str, object]]:
    """Return the SVM and its lexicons as arrays, and the other settings."""
    bins = first_stage.bins
    arrays: dict[str, NDArray[np.generic]] = {
        "edges": np.concatenate([*bins.edges, np.zeros(0)]).astype(np.float32),
        "counts": np.array([len(edges) for edges in bins.edges], np.int32),
        "weights": first_stage.weights.astype(np.float32),
        "words": first_stage.words.weights.astype(np.float16),
        "names": first_stage.names.weights.astype(np.float16),
    }
    intercepts = [first_stage.intercept, first_stage.words.intercept, first_stage.names.intercept]
    return arrays, {"features": [NAMES[column] for column in bins.columns], "intercepts": intercepts}


def unpack(path: Path, arrays: dict[str, NDArray[np.generic]], about: dict[str, object]) -> FirstStage:
    """Return the values that `pack` stored. Raises `BadRecord` if the file is of another sightread, or its parts do not fit."""
    features, intercepts = about.get("features"), about.get("intercepts")
    if not isinstance(features, list) or not isinstance(intercepts, list) or not set(arrays) >= PARTS:
        raise BadRecord(f"{path}: parts of the model are missing; train the model again")
    unknown = [name for name in features if name not in COLUMNS]
    if unknown:
        raise BadRecord(f"{path}: no feature is called {quoted(unknown[0])} in this sightread; train the model again")
    counts = arrays["counts"].astype(np.intp)
    edges = np.split(arrays["edges"].astype(np.float64), np.cumsum(counts)[:-1]) if len(counts) else []
    fits = len(features) == len(counts) and int((counts + 2).sum()) == len(arrays["weights"]) and counts.sum() == len(arrays["edges"])
    if not fits or any((np.diff(each) <= 0).any() for each in edges):
        raise BadRecord(f"{path}: features, edges and weights do not fit each other; train the model again")
    intercept, words, names = (float(value) for value in intercepts)
    return FirstStage(
        Bins(tuple(NAMES.index(name) for name in features), tuple(edges)),
        arrays["weights"].astype(np.float64),
        intercept,
        Lexicon(arrays["words"].astype(np.float32), words),
        Lexicon(arrays["names"].astype(np.float32), names),
    )


def _range(edges: Floats, code: int) -> str:
    """Return a description of the values in a bin."""
    if code > len(edges):
        return "not there"
    if code == len(edges):
        return f"{edges[-1]:.3g} or more" if code else "any"
    return f"under {edges[0]:.3g}" if code == 0 else f"{edges[code - 1]:.3g} to {edges[code]:.3g}"
