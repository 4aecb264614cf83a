"""How the neural models are trained: what of it needs no PyTorch."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from sightread.render.errors import Unequipped


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast a network learns; the rate rises over the first tenth of the steps and falls to nothing at the end."""

    epochs: int
    rate: float
    batch: int = 16
    """Windows of a step."""
    most_windows: int = 8
    """Of one page in one epoch, drawn anew each time: a page of thousands of comments must not outweigh all others."""
    seed: int = 0


def trainer(module: str) -> Any:
    """Return the module of `classify` that trains with PyTorch. Raises `Unequipped` if PyTorch is missing."""
    try:
        return import_module(f"sightread.classify.training.{module}")
    except ModuleNotFoundError as error:
        raise Unequipped(
            f"training a neural model needs {error.name}: install sightread[neural]; reading pages with one does not"
        ) from error
