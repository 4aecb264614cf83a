"""First stage of the global model: a linear SVM over relative features and two scores of hashed words.

Linear SVM over quantile bins of features, since one weight per feature cannot express a middle range.

One column per bin, and one for missing values (NaN). The loss is the squared hinge, as in liblinear; it is minimised by L-BFGS
over arrays of 32 bits, because liblinear makes a copy of 64 bits: 4 seconds on 340,000 blocks in place of a minute, for the same scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.classify.features.hashed_words import Lexicon, container_names, first_words
from sightread.classify.features.registry import WORDS
from sightread.render.page.array_types import Features, Floats
from sightread.render.page.page_arrays import PageArrays

BINS = 8
"""Bins per feature. Word F1 on WCXB dev, hosts held out: 5 bins 0.839, 8 bins 0.838, 16 bins 0.835."""
QUANTILE_ROWS = 50_000
"""Rows that quantiles are taken from, evenly spaced: more rows move no edge by a rank that matters."""
REGULARISATION = 1e-4
"""Penalty on the squared weights, against the mean loss of a block; 3e-5 and 3e-4 score the same within 0.1 points on WCXB dev."""
MOST_ITERATIONS = 30
"""Iterations of L-BFGS: with 60 the scores are the same within 0.2 points, and it takes twice as long."""
LBFGS_MEMORY = 20

Codes = NDArray[np.int32]


@dataclass(frozen=True)
class Bins:
    """Where the bins of some features begin and end."""

    columns: tuple[int, ...]
    """The features, by their columns."""
    edges: tuple[Floats, ...]
    """Of each feature, rising; bin k goes from edge k - 1 to below edge k. The bin after the last holds NaN."""

    @classmethod
    def of(cls, features: Features) -> Bins:
        """Return the quantile bins of all features that differ anywhere; shape of `features`: (rows, features)."""
        rows = features[:: max(1, len(features) // QUANTILE_ROWS)].astype(np.float64)
        varied = [column for column, values in enumerate(rows.T) if len(np.unique(values)) > 1]
        edges = []
        for column in varied:
            known = rows[np.isfinite(rows[:, column]), column]
            edges.append(np.unique(np.quantile(known, np.arange(1, BINS) / BINS).astype(np.float32)).astype(np.float64))
        return cls(tuple(varied), tuple(edges))

    @cached_property
    def starts(self) -> NDArray[np.intp]:
        """The first bin of each feature among all bins, and their number at the end; shape (features + 1,)."""
        return np.cumsum([0, *(len(edges) + 2 for edges in self.edges)])

    @cached_property
    def _steps(self) -> Features:
        """The first edge of each feature, the second, and so on, NaN if there is none; in 32 bits, as features are."""
        steps = np.full((max(map(len, self.edges), default=0), len(self.edges)), np.nan, np.float32)
        for place, edges in enumerate(self.edges):
            steps[: len(edges), place] = edges
        return steps

    def codes(self, features: Features) -> Codes:
        """Return the bin of each value among all bins, shape (rows, len(columns))."""
        values = features[:, self.columns]
        found = np.zeros(values.shape, np.int32)
        for edges in self._steps:
            found += values >= edges
        starts = self.starts.astype(np.int32)
        return np.where(np.isnan(values), np.diff(starts) - 1, found) + starts[:-1]


def fit_weights(codes: Codes, bins: int, content: NDArray[np.bool_], importance: Floats) -> tuple[Floats, float]:
    """Return one weight per bin, and the intercept of the linear SVM; deterministic.

    `codes` has shape (rows, features), `content` and `importance` (how much each row counts) have shape (rows,). The intercept is not
    penalised. Each feature's weights are shifted to a mean of 0 over the rows, so that they measure how a block differs from the others.
    """
    from scipy import sparse  # noqa: PLC0415  (only training needs scipy, and it takes a while to import)
    from scipy.optimize import minimize  # noqa: PLC0415

    rows, features = codes.shape
    ends = np.arange(rows + 1, dtype=np.int32) * features
    matrix = sparse.csr_matrix((np.ones(codes.size, np.float32), codes.ravel(), ends), shape=(rows, bins))
    sign = np.where(content, 1, -1).astype(np.float32)
    share = (importance / importance.sum()).astype(np.float32)

    def loss(found: Floats) -> tuple[float, Floats]:
        weights = found[:-1]
        short = np.maximum(0, 1 - sign * (matrix @ weights.astype(np.float32) + np.float32(found[-1])))
        pull = -2 * share * sign * short
        gradient = np.append(matrix.T @ pull + REGULARISATION * weights, pull.sum(dtype=np.float64))
        return float((share * short * short).sum(dtype=np.float64)) + REGULARISATION / 2 * float(weights @ weights), gradient

    found = minimize(loss, np.zeros(bins + 1), jac=True, method="L-BFGS-B", options={"maxiter": MOST_ITERATIONS, "maxcor": LBFGS_MEMORY}).x
    return _centred(found[:-1], float(found[-1]), codes)


def _centred(weights: Floats, intercept: float, codes: Codes) -> tuple[Floats, float]:
    """Return the same decisions with a mean of 0 a feature; a bin without rows keeps its 0."""
    centred = weights.copy()
    rows = np.zeros(len(weights))
    for part in np.array_split(codes, 1 + len(codes) // QUANTILE_ROWS):
        rows += np.bincount(part.ravel(), minlength=len(weights))
    for first, last in zip(codes.min(axis=0).tolist(), codes.max(axis=0).tolist(), strict=True):
        of_feature = slice(first, last + 1)
        mean = float(weights[of_feature] @ rows[of_feature]) / len(codes)
        centred[of_feature] -= mean * (rows[of_feature] > 0)
        intercept += mean
    return centred, intercept


WORD_COLUMNS = {"words.first": "its first words and the heading above it", "words.names": "the names of its containers"}
"""The lexicons' columns, behind the relative features."""
COLUMNS: dict[str, str] = {**WORDS, **WORD_COLUMNS}
NAMES = tuple(COLUMNS)


class FirstStageScores(NamedTuple):
    """Scores of blocks by the first model and its lexicons, each of shape (blocks,)."""

    decision: Floats
    words: Floats
    names: Floats


@dataclass(frozen=True, slots=True)
class FirstStage:
    """A linear SVM over the bins of features, and the lexicons that give two of them."""

    bins: Bins
    weights: Floats
    """One per bin, of all features."""
    intercept: float
    words: Lexicon
    names: Lexicon

    def codes(self, outline: PageArrays, features: Features) -> tuple[Codes, FirstStageScores]:
        """Return the bin of each value of each block, and the scores of the lexicons; the decision is still 0."""
        words, names = self.words.decide(first_words(outline.page)), self.names.decide(container_names(outline.page))
        table = np.column_stack([features, words, names]).astype(np.float32)
        return self.bins.codes(table), FirstStageScores(np.zeros(outline.count), words, names)

    def read(self, outline: PageArrays, features: Features) -> FirstStageScores:
        """Return the scores of the blocks of a page, given its relative features."""
        codes, scores = self.codes(outline, features)
        return scores._replace(decision=np.asarray(self.weights[codes].sum(axis=1) + self.intercept, np.float64))
