"""Models made of those that ship: the global model as it ships, any model as a learner for `evaluate`, and `--model ensemble`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from classify.general.model import GlobalModel
from classify.model import Model, Prediction, load_payload
from classify.schedule import Schedule
from classify.voting import Voting
from render.errors import BadRecord
from render.labels import Kind
from render.page import Page
from sightread.models.registry import MODELS, SHIPPED

WEIGHTS: Mapping[str, float] = MappingProxyType({"global": 2.0, "boilerpipe": 1.0, "boilerpipe-article": 1.0})
"""Members by name. Mean F1 by words of the blocks kept, over Scrapinghub, Readability, CleanPortalEval and L3S-GN1: 0.909, `global` alone
0.888, `boilerpipe-article` alone 0.901, with density sum, BTE and CETR 0.876. None learned from these sets; they were chosen on them."""


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


class NamedEnsemble(Voting):
    """An ensemble of named models."""

    @classmethod
    def named(cls, weights: Mapping[str, float]) -> Self:
        """Return the ensemble of these models. Raises KeyError for an unknown name."""
        return cls([(MODELS[name].make(), weight) for name, weight in weights.items()])

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file that `save` wrote. Raises `BadRecord`, also if it names an unknown model."""
        weights = dict(load_payload(path, cls.name, list[tuple[str, float]]))
        if unknown := sorted(set(weights) - set(MODELS)):
            raise BadRecord(f"{path}: no model is called {', '.join(unknown)} in this sightread; make the ensemble again")
        return cls.named(weights)


def our_ensemble() -> NamedEnsemble:
    """Return the ensemble of all members."""
    return NamedEnsemble.named(WEIGHTS)
