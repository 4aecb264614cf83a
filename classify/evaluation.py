"""Evaluation: metrics of blocks, folds by page, cross-validation, and the expected F1 of a decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sightread.classify.model import Learner, Probabilities
from sightread.render.errors import Rejected
from sightread.render.labels import BOILERPLATE, CONTENT, THRESHOLD
from sightread.render.network.address import host_of
from sightread.render.page import Page


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and their harmonic mean, each 0 to 1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, agreed: float, given: float, expected: float) -> Self:
        """Return the score of counts; if nothing is expected or nothing given, 1 if neither is, else 0."""
        if not given or not expected:
            value = float(given == expected)
            return cls(value, value, value)
        return cls(agreed / given, agreed / expected, 2 * agreed / (given + expected))


def block_score(predicted: ArrayLike, gold: ArrayLike, weights: ArrayLike | None = None) -> Score:
    """Score block labels against gold labels, content being the positive class; all arrays of shape (blocks,).

    Blocks whose gold label is unknown are ignored. `weights` are the weights of the blocks; each counts once if it is not given.
    Without content on either side the score is 1. Raises ValueError if shapes differ.
    """
    found, truth = np.asarray(predicted), np.asarray(gold)
    weight: NDArray[np.float64] = np.ones(truth.shape) if weights is None else np.asarray(weights, dtype=np.float64)
    if not truth.shape == found.shape == weight.shape:
        raise ValueError(f"arrays of unequal shape: predicted {found.shape}, gold {truth.shape}, weights {weight.shape}")
    weight = np.where((truth == CONTENT) | (truth == BOILERPLATE), weight, 0.0)
    is_kept, is_content = found == CONTENT, truth == CONTENT
    return Score.of(float(weight[is_kept & is_content].sum()), float(weight[is_kept].sum()), float(weight[is_content].sum()))


def character_score(predicted: ArrayLike, gold: ArrayLike, texts: Sequence[str]) -> Score:
    """Score block labels by character: as `block_score`, each block counting as much as its text is long."""
    return block_score(predicted, gold, [len(text) for text in texts])


def expected_f1(probabilities: NDArray[np.float64], weights: NDArray[np.float64], kept: NDArray[np.bool_]) -> float:
    """Return the F1, by weight, that calibrated probabilities predict for the kept blocks; 0 if none is kept. All of shape (blocks,).

    With expectations in place of counts: 2 * kept probability / (kept weight + all probability). It is low if the kept blocks are
    uncertain, or dropped blocks may be content.
    """
    whole = float(weights[kept].sum() + (weights * probabilities).sum())
    return 2 * float((weights * probabilities)[kept].sum()) / whole if whole and kept.any() else 0.0


SECOND_LEVEL = frozenset(("ac", "co", "com", "edu", "gov", "ne", "net", "or", "org"))
"""Labels before a country's under which domains are given out, as in co.uk."""


def page_folds(pages: Sequence[Page], folds: int) -> NDArray[np.intp]:
    """Return a fold number per page, shape (pages,); pages of equal text share theirs. There are never more folds than different pages."""
    groups: dict[tuple[str, ...], int] = {}
    group = [groups.setdefault(tuple(block.text for block in page.blocks), len(groups)) for page in pages]
    return np.array(group, np.intp) % max(1, min(folds, len(groups)))


def domain_folds(pages: Sequence[Page], folds: int) -> NDArray[np.intp]:
    """Return a fold number per page, shape (pages,); pages of one domain share theirs, a page without a URL has one of its own."""
    domains: dict[str, int] = {}
    names = (_domain(host_of(page.url)) or f"page {row}" for row, page in enumerate(pages))
    return np.array([domains.setdefault(name, len(domains)) for name in names], np.intp) % folds


def _domain(host: str) -> str:
    labels = host.split(".")
    return ".".join(labels[-3 if len(labels) > 2 and labels[-2] in SECOND_LEVEL else -2 :])


FOLDS = 4
"""As in the paper's tables."""


class TooFewPages(Rejected):
    """There are not two different pages with labels, or too few have content: none can be held out."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Scores of a model on pages that it was not trained on."""

    folds: tuple[Score, ...]
    score: Score
    """Over the blocks of all folds together."""
    held_out: tuple[Probabilities | None, ...]
    """One array per page, from the model that did not see it; None for pages without labels."""
    tested: tuple[tuple[int, ...], ...] = ()
    """The rows of the pages that each fold was tested on."""


def cross_validate(
    make: Callable[[], Learner], pages: Sequence[Page], labels: Sequence[NDArray[np.int8]], folds: int = FOLDS
) -> Evaluation:
    """Train on all folds but one and score that one, in turn; pages without labels are left out.

    Raises `TooFewPages` if fewer than two different pages have labels, or a fold has nothing to learn from.
    """
    rows = [row for row, of_page in enumerate(labels) if (of_page >= 0).any()]
    fold = page_folds([pages[row] for row in rows], folds)
    if len(np.unique(fold)) < 2:
        pages_with = "1 labelled page" if len(rows) == 1 else f"{len(rows)} labelled pages"
        raise TooFewPages(f"cannot evaluate on {pages_with}: at least two different ones are needed; crawl more (--pages)")
    held_out: list[Probabilities | None] = [None] * len(pages)
    scores, parts = [], []
    for number in range(int(fold.max()) + 1):
        tested = [row for row, of_row in zip(rows, fold, strict=True) if of_row == number]
        trained = [row for row, of_row in zip(rows, fold, strict=True) if of_row != number]
        try:
            model = make().fit([pages[row] for row in trained], [labels[row] for row in trained])
        except Rejected as error:
            raise TooFewPages(str(error)) from error
        for row in tested:
            held_out[row] = model.predict(pages[row]).relative
        scores.append(_score(tested, held_out, labels))
        parts.append(tuple(tested))
    return Evaluation(tuple(scores), _score(rows, held_out, labels), tuple(held_out), tuple(parts))


def score_as(evaluation: Evaluation, predictions: Sequence[Probabilities], labels: Sequence[NDArray[np.int8]]) -> Evaluation:
    """Return the evaluation of other predictions on the same labels and folds; one array per page."""
    return Evaluation(
        tuple(_score(rows, predictions, labels) for rows in evaluation.tested),
        _score([row for row, found in enumerate(evaluation.held_out) if found is not None], predictions, labels),
        tuple(predictions),
        evaluation.tested,
    )


def _score(rows: Sequence[int], held_out: Sequence[Probabilities | None], labels: Sequence[NDArray[np.int8]]) -> Score:
    predictions = np.concatenate([probabilities for row in rows if (probabilities := held_out[row]) is not None])
    return block_score(predictions >= THRESHOLD, np.concatenate([labels[row] for row in rows]))
