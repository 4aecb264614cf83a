"""The global model that ships with sightread."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

import data
from classify.general import GlobalModel
from render.page import Page


class ShippedModel(GlobalModel):
    """The global model as it ships."""

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Return the model as it is: `evaluate` measures what reads the pages of sites that were not learned."""
        return self


@cache
def shipped_model() -> ShippedModel:
    """Return the global model of `data/models`, read once. Raises `BadRecord` where an installation is damaged."""
    return ShippedModel.load(Path(data.__path__[0]) / "models" / "global.json")
