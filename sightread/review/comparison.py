"""Models on the same pages: compared with each other and a site's labels, and the documents that each gives."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import process_time

import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation import character_score
from sightread.classify.model import Model
from sightread.document.document import Document, build_document
from sightread.models.model_choice import choose_for
from sightread.models.registry import MODELS
from sightread.reading import Reading, apply_model
from sightread.render.errors import Rejected, SightreadError, quoted
from sightread.render.page import Page
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.store import LearnedSite


@dataclass(frozen=True, slots=True)
class Compared:
    """The selections of one model on the pages; each figure is the mean over pages."""

    model: str
    blocks: float
    """Kept."""
    words: float
    precision: float
    """By characters, against the reference, 0 to 1; so are recall and F1."""
    recall: float
    f1: float
    milliseconds: float
    """CPU milliseconds to predict the blocks of a page."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All models on the same pages."""

    reference: str
    """The reference of the comparison: a model's name, or `labels`."""
    pages: int
    models: tuple[Compared, ...]
    kept: tuple[NDArray[np.bool_], ...]
    """The blocks that each model keeps, of shape (blocks,), page after page."""


def compare_models(pages: Sequence[Page], models: Mapping[str, Model], reference: str, truth: Sequence[NDArray[np.int8]]) -> Comparison:
    """Predict each page with each model, and compare the kept blocks with the reference: one label per block (1 content, -1 unknown)."""
    compared, kept = [], []
    for name, model in models.items():
        rows, chosen = [], []
        for page, labels in zip(pages, truth, strict=True):
            began = process_time()
            prediction = model.predict(page)
            spent = 1000 * (process_time() - began)
            document = build_document(page, prediction)
            keeps = np.zeros(len(page.blocks), np.bool_)
            keeps[list(document.rows)] = True
            score = character_score(keeps.astype(np.int8), labels, [block.text for block in page.blocks])
            rows.append((len(document.rows), len(document.text.split()), score.precision, score.recall, score.f1, spent))
            chosen.append(keeps)
        compared.append(Compared(name, *(float(mean) for mean in np.mean(rows, axis=0))))
        kept.append(np.concatenate(chosen))
    return Comparison(reference, len(pages), tuple(compared), tuple(kept))


def labels_of(document: Document) -> NDArray[np.int8]:
    """Return the blocks of a document as labels of its page."""
    labels = np.zeros(len(document.page.blocks), np.int8)
    labels[list(document.rows)] = 1
    return labels


AUTO = "auto"
MOST_CACHED = 64
"""Documents in memory; `auto`'s, which corrections change, are never among them."""
_VERSION = "version "


class ModelDocuments:
    """The documents of one site's pages, each read on first use."""

    def __init__(self, pages: Sequence[Page], home: SiteHome | None = None, own: SiteFolder | None = None) -> None:
        self._pages = pages
        self._home = home
        self._own = own
        self._cached: OrderedDict[tuple[int, str], Document] = OrderedDict()

    @cached_property
    def versions(self) -> dict[str, LearnedSite]:
        """The other versions of the site that can be read, by name, the newest first."""
        found = {}
        for folder in reversed(self._home.versions if self._home else ()):
            if folder != self._own and folder.model.is_file():
                try:
                    found[f"{_VERSION}{folder.path.name}"] = LearnedSite.load(folder)
                except SightreadError:  # a damaged file: `sightread.sites.history` has the reason
                    continue
        return found

    def names(self, readings: Sequence[Reading] = ()) -> tuple[str, ...]:
        """Return the names of all models: `auto` first if there are readings, then other versions, then the registry."""
        return (*([AUTO] if readings else []), *self.versions, *MODELS)

    def read(self, row: int, name: str, readings: Sequence[Reading] = ()) -> Document:
        """Return the document of a page by the model of that name; `auto`'s is that of the readings.

        Raises `Rejected` if there is no such model, or if it needs what the page lacks.
        """
        if name == AUTO and readings:
            return readings[row].document
        found = self._cached.get((row, name))
        if found is None:
            found = self._cached[row, name] = self._read(self._pages[row], name)
            while len(self._cached) > MOST_CACHED:
                self._cached.popitem(last=False)
        return found

    def _read(self, page: Page, name: str) -> Document:
        if name in self.versions:
            return apply_model(choose_for(self.versions[name]), page, is_new=False).document
        if name not in MODELS:
            raise Rejected(f"there is no model {quoted(name)} here")
        return build_document(page, MODELS[name].make().predict(page), name)

    def kept(self, row: int, readings: Sequence[Reading] = ()) -> dict[str, list[int]]:
        """Return which blocks of a page each model keeps; those that cannot read the page are left out."""
        kept = {}
        for name in self.names(readings):
            try:
                kept[name] = sorted(self.read(row, name, readings).rows)
            except Rejected:  # it needs what the page lacks
                continue
        return kept
