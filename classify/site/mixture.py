"""Mixture of a site's model with a model for any site, for blocks at places that the site's model has rarely seen.

A linear SVM sums the weights of single features. For a block at a tag path of no training page that sum is a guess: the first list inside
an article looks like the menu's lists. There the log-odds of both models are summed, those of the site's model within limits and with a
lower weight. Whether that is better on a site is decided by its held-out pages (`better_evaluation`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation import Evaluation, score_as
from sightread.classify.model import Prediction, Probabilities, log_odds, sigmoid
from sightread.classify.site.model import LEAST_PAGES_OF_FEATURE, SiteModel
from sightread.render.page import Page

SITE_WEIGHT = 0.9
"""Weight of the site model's log-odds at a place that it has not seen; the other model's is 1. With 0.5 a manual's tables of contents were
lost, with 1 two of 14 refreshes of unchanged sites are refused, with 0.9 one (docs/experiments/crawling.md)."""
LARGEST_LOG_ODDS = 4.0
"""Limit of the site model's log-odds at such a place."""


def mix(own: Probabilities, other: Probabilities, unknown: NDArray[np.bool_]) -> Probabilities:
    """Return the site model's probabilities, at `unknown` blocks mixed with another model's; all of shape (blocks,), relative to 0.5."""
    if not unknown.any():
        return own
    mixed = sigmoid(SITE_WEIGHT * log_odds(own).clip(-LARGEST_LOG_ODDS, LARGEST_LOG_ODDS) + log_odds(other))
    return np.where(unknown, mixed, own)


def mix_prediction(model: SiteModel, page: Page, own: Prediction, other: Prediction) -> Prediction:
    """Return the prediction for a page, mixed if the model has not seen the place of a block."""
    return replace(own, probabilities=mix(own.relative, other.relative, model.unknown(page)))


def mixed_evaluation(
    evaluation: Evaluation, pages: Sequence[Page], other: Sequence[Probabilities], labels: Sequence[NDArray[np.int8]]
) -> Evaluation:
    """Return the evaluation of the mixture on the same labels and folds; `other` are the other model's predictions, relative to 0.5."""
    paths = [_paths(page) for page in pages]
    counted = Counter(path for rows in evaluation.tested for row in rows for path in set(paths[row]))
    found = list(evaluation.held_out)
    for rows in evaluation.tested:
        others = counted - Counter(path for row in rows for path in set(paths[row]))
        fewest = min(LEAST_PAGES_OF_FEATURE, sum(map(len, evaluation.tested)) - len(rows))
        known = {path for path, on in others.items() if on >= fewest}
        for row in rows:
            own = evaluation.held_out[row]
            assert own is not None
            found[row] = mix(own, other[row], _outside(paths[row], known))
    scored = score_as(evaluation, [none if own is None else own for own, none in zip(found, other, strict=True)], labels)
    return replace(scored, held_out=tuple(found))


def better_evaluation(
    evaluation: Evaluation, pages: Sequence[Page], other: Sequence[Probabilities], labels: Sequence[NDArray[np.int8]]
) -> tuple[Evaluation, bool]:
    """Return the evaluation that agrees better with the labels of held-out pages, and whether it is the mixture's.

    Of equals the mixture's: it reads pages better that are unlike all of these.
    """
    mixed = mixed_evaluation(evaluation, pages, other, labels)
    return (mixed, True) if mixed.score.f1 >= evaluation.score.f1 else (evaluation, False)


def _paths(page: Page) -> list[str | None]:
    """Return the tag path of each block; None for a block that is not laid out."""
    paths = page.tag_paths()
    return [None if block.hidden == "display" else paths[block.element] for block in page.blocks]


def _outside(paths: Sequence[str | None], known: Container[str | None]) -> NDArray[np.bool_]:
    return np.array([path is not None and path not in known for path in paths], np.bool_)
