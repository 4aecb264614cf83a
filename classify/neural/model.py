"""Fitting, predicting, saving and loading of the neural models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Prediction, Probabilities, check_labels
from sightread.classify.weights import Weights, load_weights, save_weights, trainer
from sightread.render.errors import BadRecord, Rejected
from sightread.render.page import Page

Arrays = Mapping[str, NDArray[Any]]


class Network(Protocol):
    """Trained weights, ready to read pages with."""

    @classmethod
    def of(cls, arrays: Arrays, about: Mapping[str, Any]) -> Self:
        """Return the network of a file's contents. Raises `KeyError`, `TypeError` or `ValueError` if they are not those of one."""

    def predict(self, page: Page) -> Probabilities:
        """Return one probability of content per block, shape (blocks,)."""


class NeuralModel:
    """Base class: a network, which the module of `sightread.classify.training` that has the model's name trains with PyTorch."""

    name = ""
    network: type[Network]

    def __init__(self) -> None:
        self._weights = Weights({}, {})
        self._network: Network | None = None

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Train on pages, which should be of many sites; deterministic on one thread.

        Raises `Rejected` if a class is missing, and `Unequipped` without PyTorch and floret (the extra `neural`).
        """
        check_labels(pages, labels)
        self._take(trainer(self.name).fit(pages, labels))
        return self

    def predict(self, page: Page) -> Prediction:
        """Return one probability of content per block, shape (blocks,). Raises `Rejected` if the model is not fitted."""
        if self._network is None:
            raise Rejected(f"this {self.name} model is not fitted: fit or load it first")
        return Prediction(self._network.predict(page))

    def save(self, path: Path) -> None:
        """Write the weights as npz. Raises `StorageFailed`, and `Rejected` if the model is not fitted."""
        if self._network is None:
            raise Rejected(f"this {self.name} model is not fitted: fit it first")
        save_weights(path, self.name, *self._weights)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""
        weights, model = load_weights(path, cls.name), cls()
        try:
            model._take(weights)
        except (KeyError, ValueError, TypeError) as error:
            raise BadRecord(f"{path}: not a {cls.name} model of this sightread ({error}); train it again") from error
        return model

    def _take(self, weights: Weights) -> None:
        self._network = self.network.of(*weights)
        self._weights = weights
