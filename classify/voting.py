"""A model that takes the majority vote of other models on the blocks of a page.

Bevendorff et al. 2023 (section 5) give the best three of nine extractors two votes each and require two thirds of the voters. Here a
block's probability is the mean of its members' probabilities by weight, so that half of the weight decides: two thirds is for extractors
whose texts do not quite match the page's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from classify.model import Model, Needs, Prediction, save_payload
from render.labels import THRESHOLD
from render.page import Page


class Voting:
    """Several models with a weight each; what any of them needs, it needs."""

    name = "ensemble"

    def __init__(self, members: Sequence[tuple[Model, float]]) -> None:
        self.members = tuple(members)
        self.needs = Needs.DOM
        for model, _ in self.members:
            self.needs |= model.needs

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Fit every member that learns, and return the model. Raises what a member raises."""
        for model, _ in self.members:
            model.fit(pages, labels)
        return self

    def predict(self, page: Page) -> Prediction:
        """Return the mean of the members' probabilities by weight, shape (blocks,).

        If no block has half of the votes, those with the most have 0.5, unless none has any: uncertain text is better than none.
        """
        votes = np.zeros(len(page.blocks))
        for model, weight in self.members:
            votes += weight * model.predict(page).relative
        votes /= sum(weight for _, weight in self.members)
        most = float(votes.max(initial=0.0))
        return Prediction(np.where(votes == most, THRESHOLD, votes) if 0 < most < THRESHOLD else np.minimum(votes, 1.0))

    def save(self, path: Path) -> None:
        """Write the members' names and weights: a loader finds the models by name. Raises `StorageFailed`."""
        save_payload(path, self.name, [(model.name, weight) for model, weight in self.members])
