"""`Reading`: the result of reading a page; and static reading without a browser."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from classify.model import Model, Prediction
from render.analysis.block_pages import check_wall
from render.analysis.fallback_text import recover_text
from render.errors import Unusable
from render.page import Page
from render.static.parse import read_html
from render.visit.picture import Picture
from sightread.document.document import Document, build_document
from sightread.model_choice import FALLBACK, Choice, choose_model
from sightread.sites.store import Shelf

DOUBTED = 0.7
"""Where the F1 that the global model expects of its choice is less, that is told: on a tenth of WCXB dev's pages, among them 54 % of those
whose word F1 is under .5."""
LIKELY = 0.5
HARD = ("collection", "listing", "product")
"""Types of pages that the global model reads worse than others."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as it was read."""

    document: Document
    page: Page
    model: Model
    """What chose the document's blocks."""
    prediction: Prediction
    """What it predicted of the page."""
    picture: Picture | None = None
    """None if none was asked for."""

    @property
    def note(self) -> str:
        """The document's: what is odd about the page or the model that read it."""
        return self.document.note


def read_static(html: str | bytes, url: str = "", model: str = "auto", home: Path | None = None) -> Reading:
    """Return the main content of HTML, without a browser, with all that led to it."""
    choice = choose_model(model, url, Shelf(home), rendered=False)
    page = read_html(html, url)
    if not page.blocks:
        page = recover_text(page)
    if not page.blocks:
        raise Unusable(f"{url or 'the document'}: no text on the page")
    check_wall(page)
    return apply_model(choice, page)


def apply_model(choice: Choice, page: Page, picture: Picture | None = None, *, is_new: bool = True) -> Reading:
    """Return what the model makes of the page. How one that `is_new` stands to its site is written down, to tell when the site has changed.

    A site's own model says what F1 it expects of itself there. Where that is less than is asked, the fallback reads the page; and where the
    page is unlike those that the site was learned from, the note says so, and what to do. The global model's doubt is told too.
    """
    if page.recovered:
        everything = Prediction(np.ones(len(page.blocks)))
        return Reading(build_document(page, everything), page, choice.model, everything, picture)
    model, note, version = choice.model, choice.note, ""
    prediction = model.predict(page)
    if choice.site:
        version = choice.site.version
        found = choice.site.familiarity(page, prediction.probabilities)
        note = choice.site.remark(page, found, is_new=is_new) if found else ""
        if found and choice.fallback and not found.is_believed:
            model, version, note = choice.fallback, "", f"{FALLBACK} read the page: {note}"
            prediction = model.predict(page)
    document = build_document(page, prediction, model=model.name)
    if prediction.page_types and document.rows:
        likeliest, chance = max(prediction.page_types.items(), key=lambda pair: pair[1])
        document = replace(document, page_type=likeliest if chance > LIKELY else "")
        if len(document.rows) < len(page.blocks):  # else there was nothing to choose
            note = "; ".join(filter(None, (note, _doubt(document, model.name))))
    return Reading(replace(document, version=version, note=note), page, model, prediction, picture)


def _doubt(document: Document, name: str) -> str:
    """Say that the global model doubts its choice, and why; empty if it does not."""
    if document.confidence >= DOUBTED:
        return ""
    kind = next((kind for kind, chance in document.prediction.page_types.items() if chance > LIKELY), "article")
    if kind in HARD:
        why = f"the page looks like a {kind}, and what is content of such is hard to tell"
    else:
        why = "few of its blocks look surely like content"
    return f"{name} doubts its choice, and expects an F1 of {document.confidence:.2f} of it: {why}"
