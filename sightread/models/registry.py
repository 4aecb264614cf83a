"""Registry of the models that read any page, by name; a model is imported on first use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sightread import data

if TYPE_CHECKING:
    from sightread.classify.model import Model

SHIPPED = Path(data.__path__[0]) / "models"
"""Folder of the trained models that ship with sightread."""


@dataclass(frozen=True, slots=True)
class NamedModel:
    """Location of a model."""

    source: str
    """`module:class`."""
    file: str = ""
    """The file in `data/models` that the class loads; empty for a model without one."""

    def make(self) -> Model:
        """Return the model; its file is read once. Raises `BadRecord` if an installation is damaged."""
        if self.file:
            return _load(self.source, self.file)
        model: Model = _find(self.source)()
        return model


MODELS: Mapping[str, NamedModel] = MappingProxyType(
    {
        "global": NamedModel("sightread.classify.general.model:GlobalModel", "global.npz"),
        "boilerpipe": NamedModel("sightread.classify.heuristics.boilerpipe:Boilerpipe"),
        "boilerpipe-density": NamedModel("sightread.classify.heuristics.boilerpipe:BoilerpipeDensity"),
        "boilerpipe-largest": NamedModel("sightread.classify.heuristics.boilerpipe:BoilerpipeLargest"),
        "boilerpipe-article": NamedModel("sightread.classify.heuristics.boilerpipe:BoilerpipeArticle"),
        "boilerpipe-tree": NamedModel("sightread.classify.heuristics.boilerpipe_tree:BoilerpipeTree", "boilerpipe-tree.json"),
        "bte": NamedModel("sightread.classify.heuristics.densities:BodyText"),
        "cetr": NamedModel("sightread.classify.heuristics.densities:TagRatios"),
        "density-sum": NamedModel("sightread.classify.heuristics.densities:DensitySum"),
        "web2text": NamedModel("sightread.classify.neural.web2text.model:Web2Text", "web2text.npz"),
        "semtext": NamedModel("sightread.classify.neural.semtext.model:SemText", "semtext.npz"),
        "boilernet": NamedModel("sightread.classify.neural.boilernet:BoilerNet", "boilernet.npz"),
    }
)
"""All of them, in the order in which they are listed. A model that is trained and shipped names its file too."""


def _find(source: str) -> Any:
    module, _, attribute = source.partition(":")
    return getattr(import_module(module), attribute)


@cache
def _load(source: str, file: str) -> Model:
    model: Model = _find(source).load(SHIPPED / file)
    return model
