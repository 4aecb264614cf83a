"""Base class of models without parameters to learn."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.model import Needs, load_payload, save_payload
from sightread.render.page import Page


class Published:
    """Base class: `fit` changes nothing, and a file contains only the model's kind."""

    name: str = ""
    needs = Needs.DOM

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Return the model as it is."""
        return self

    def save(self, path: Path) -> None:
        """Write the model's name. Raises `StorageFailed`."""
        save_payload(path, self.name, None)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file of this model's kind. Raises `BadRecord`."""
        load_payload(path, cls.name, type(None))
        return cls()
