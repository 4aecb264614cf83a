"""The shipped models as learners that ignore training data, for evaluation on a site."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Self

import numpy as np
from numpy.typing import NDArray

from classify.general.model import GlobalModel
from classify.model import Model, Prediction
from classify.schedule import Schedule
from render.labels import Kind
from render.page import Page
from sightread.registry import SHIPPED


class ShippedModel(GlobalModel):
    """The global model as it ships."""

    def fit(
        self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]], kinds: Sequence[Kind] = (), schedule: Schedule | None = None
    ) -> Self:
        """Return the model unchanged: `evaluate` measures the model that reads the pages of sites that were not learned."""
        return self


class AsShipped:
    """Any named model as it ships, for `evaluate`."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Return the model unchanged."""
        return self

    def predict(self, page: Page) -> Prediction:
        """Return the model's prediction for the page."""
        return self._model.predict(page)


@cache
def shipped_model() -> ShippedModel:
    """Return the global model of `data/models`, read once. Raises `BadRecord` if an installation is damaged."""
    return ShippedModel.load(SHIPPED / "global.npz")
