"""Models on the same pages: compared with each other and a site's labels, and the documents that each gives."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
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
from sightread.reading.reading import is_large
from sightread.render.analysis.fallback_text import recover
from sightread.render.errors import BadRecord, Rejected, SightreadError, quoted
from sightread.render.labels import CONTENT
from sightread.render.page import Page
from sightread.render.static.charset import as_decoded
from sightread.render.static.parse import read_html, script_texts
from sightread.sites.folders import SiteHome
from sightread.sites.learn import Site
from sightread.sites.store import LearnedSite
from sightread.sites.student import lesson


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
HTML_ALONE = "HTML alone"
"""`auto` without a browser, on the HTML of the same pages as it came from the server."""
MOST_CACHED = 64
"""Documents in memory; those of `auto`, with and without a browser, which corrections change, are never among them."""
_VERSION = "version "


class ModelDocuments:
    """The documents of one site's pages, each read on first use."""

    def __init__(self, pages: Sequence[Page], home: SiteHome | None = None, site: Site | None = None) -> None:
        self._pages = pages
        self._home = home
        self._site = site
        self._cached: OrderedDict[tuple[int, str], Document] = OrderedDict()

    @cached_property
    def versions(self) -> dict[str, LearnedSite]:
        """The other versions of the site that can be read, by name, the newest first."""
        found = {}
        for folder in reversed(self._home.versions if self._home else ()):
            if not (self._site and folder == self._site.folder) and folder.model.is_file():
                try:
                    found[f"{_VERSION}{folder.path.name}"] = LearnedSite.load(folder)
                except SightreadError:  # a damaged file: `sightread.sites.history` has the reason
                    continue
        return found

    def names(self, readings: Sequence[Reading] = ()) -> tuple[str, ...]:
        """Return the names of all models: `auto` first if there are readings, without a browser too, other versions, and the registry."""
        return (*([AUTO] if readings else []), *([HTML_ALONE] if self._site else []), *self.versions, *MODELS)

    def read(self, row: int, name: str, readings: Sequence[Reading] = ()) -> Document:
        """Return the document of a page by the model of that name; `auto`'s is that of the readings.

        Raises `Rejected` if there is no such model, or if it needs what the page lacks.
        """
        if name == AUTO and readings:
            return readings[row].document
        if name == HTML_ALONE and self._site:
            if (page := self._html_page(row)) is None:
                raise Rejected("the HTML of this page as it came from the server was not kept, or is too large: learn the site again")
            return apply_model(choose_for(LearnedSite.load(self._site.folder), rendered=False), page, is_new=False).document
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

    def _html_page(self, row: int) -> Page | None:
        """Return a page as its HTML is, without a browser; None if that was not kept, is damaged, or would take more than seconds."""
        with suppress(BadRecord):
            if self._site and (html := self._site.corpus.html(row)):
                decoded = as_decoded(html)
                page = read_html(decoded, self._pages[row].final_url)
                return None if is_large(page) else recover(page, script_texts(decoded))
        return None

    def kept(self, row: int, readings: Sequence[Reading] = ()) -> dict[str, list[int]]:
        """Return which blocks of a page each model keeps, of HTML alone those with its text; models that cannot read it are left out."""
        kept = {}
        for name in self.names(readings):
            try:
                document = self.read(row, name, readings)
            except Rejected:  # it needs what the page lacks
                continue
            kept[name] = rows_with_text(self._pages[row], document) if name == HTML_ALONE else sorted(document.rows)
        return kept


def rows_with_text(page: Page, document: Document) -> list[int]:
    """Return the blocks of a rendered page whose text a document of its HTML keeps: styles divide text otherwise than tags do."""
    return np.flatnonzero(lesson(page, document).labels == CONTENT).tolist()
