"""Cross-validation by page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation.folds import page_folds
from sightread.classify.evaluation.metrics import Score, block_score
from sightread.classify.model import Learner, Probabilities
from sightread.render.errors import Rejected
from sightread.render.labels import THRESHOLD
from sightread.render.page import Page

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
