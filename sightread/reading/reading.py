"""`Reading`: the result of reading a page; and static reading without a browser."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sightread.classify.model import Model, Prediction
from sightread.document.document import Document, build_document
from sightread.document.notes import Note
from sightread.models.model_choice import Choice, choose_model, read_by_fallback
from sightread.render.analysis.block_pages import check_wall
from sightread.render.analysis.fallback_text import recover
from sightread.render.errors import Unusable
from sightread.render.labels import THRESHOLD
from sightread.render.page import Page
from sightread.render.static.charset import Html, as_decoded
from sightread.render.static.parse import read_html, script_texts
from sightread.render.visit.capture import Capture
from sightread.render.visit.picture import Picture

HARDER_PAGE_TYPES = ("collection", "listing", "product")
"""Page types that the global model reads worse than others."""
MOST_ELEMENTS = 20_000
MOST_CHARACTERS = 1_000_000
"""Of a page that is read in a thread, in some seconds at most; to start a process takes two."""
_NOTHING_KEPT = Note("page-unlike-site", "the site's model keeps nothing of it")


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """A page with its prediction and document."""

    document: Document
    page: Page
    model: Model
    prediction: Prediction
    picture: Picture | None = None
    """None if none was requested."""
    capture: Capture | None = None
    """The capture of the page, if it was requested (`RenderOptions.capture`)."""

    def __repr__(self) -> str:
        return f"Reading({self.document!r}, {self.page!r}{', with a picture' if self.picture else ''})"

    @property
    def note(self) -> str:
        """The messages of the document's notes in one line."""
        return self.document.note


def is_large(page: Page) -> bool:
    """Return whether what a model does with the page takes more than some seconds."""
    return len(page.elements) > MOST_ELEMENTS or sum(len(block.text) for block in page.blocks) > MOST_CHARACTERS


def _choose(model: str, url: str, home: Path | None) -> Choice:
    """Return the model of that name for a page that is not rendered; learned sites are loaded for a page with a URL alone."""
    if not url and model != "site":
        return choose_model(model, url, None, rendered=False)
    from sightread.sites.store import site_store  # noqa: PLC0415

    return choose_model(model, url, site_store(home), rendered=False)


def read_static(html: Html, url: str = "", model: str = "auto", home: Path | None = None) -> Reading:
    """Return the main content of HTML, without a browser, as a `Reading`."""
    choice = _choose(model, url, home)
    decoded = as_decoded(html)
    page = read_html(decoded, url)
    page = recover(page, script_texts(decoded))
    if not page.blocks:
        raise Unusable(f"{url or 'the document'}: no text on the page")
    check_wall(page)
    return apply_model(choice, page)


def read_converted(page: Page, model: str = "auto", home: Path | None = None) -> Reading:
    """Return the reading of a document that is no HTML (`sightread.render.convert`)."""
    return apply_model(_choose(model, page.url, home), page)


def apply_model(choice: Choice, page: Page, picture: Picture | None = None, *, is_new: bool = True) -> Reading:
    """Return the model's reading of the page. If `is_new`, its familiarity is recorded, to detect changes of the site.

    A site's own model has an expected F1 for the page. If it is too low, or the model keeps nothing, the fallback reads the page; and if
    the page is unlike those that the site was learned from, the note has a warning and the remedy. Low confidence of the global model is
    noted too.
    """
    if page.recovered:
        everything = Prediction(np.ones(len(page.blocks)))
        document = build_document(page, everything)
        document = replace(document, notes=document.notes + _page_notes(page))
        return Reading(document, page, choice.model, everything, picture)
    model, notes, version = choice.model, choice.notes, ""
    prediction = model.predict(page)
    if choice.site:
        version = choice.site.version
        found = choice.site.familiarity(page, prediction.probabilities)
        needs = choice.site.needs_browser(page)
        own = needs or (choice.site.remark(page, found, is_new=is_new) if found else ())
        if choice.fallback:
            is_trusted = not needs and (found is None or found.is_trusted)
            if is_trusted:
                prediction = choice.site.complete(page, prediction, choice.fallback)
            if not is_trusted or not (prediction.relative >= THRESHOLD).any():
                model, version = choice.fallback, ""
                own = tuple(map(read_by_fallback, own or (_NOTHING_KEPT,)))
                prediction = model.predict(page)
        notes += own
    policy = choice.policy if model is choice.model else replace(choice.policy, keep_repeated_prose=False)
    if choice.corrections.active:
        from sightread.sites.corrections.matching import decide_page  # noqa: PLC0415  (for learned sites)

        policy = replace(policy, corrected=decide_page(page, choice.corrections))
    document = build_document(page, prediction, model.name, policy)
    if 0 < len(document.rows) < len(page.blocks):  # else nothing was chosen
        notes += _low_confidence(document)
    notes += document.notes + _page_notes(page)
    return Reading(replace(document, version=version, notes=notes), page, model, prediction, picture)


def _page_notes(page: Page) -> tuple[Note, ...]:
    """Return warnings if the page still looked unfinished when it was collected, or its charset was guessed."""
    notes = []
    if page.unfinished:
        advice = "name what to wait for (wait_for), or wait longer (min_wait)"
        notes.append(Note("page-unfinished", f"the page looked unfinished: {page.unfinished}: {advice}"))
    if page.guessed_charset:
        why = "the page declares no charset, or a wrong one"
        notes.append(Note("charset-guessed", f"{why}: it was read as {page.guessed_charset}: if that is wrong, convert it to UTF-8"))
    return tuple(notes)


def _low_confidence(document: Document) -> tuple[Note, ...]:
    """Return a warning if the forecast of the document needs a review, with the reason and the remedy."""
    calibration = document.prediction.calibration
    if calibration is None or calibration.needs_no_review(document.expected_f1):  # most often: then the page types are not computed
        return ()
    forecast = document.forecast
    if forecast is None or not forecast.needs_review:
        return ()
    kind = document.page_type or "article"
    is_harder = kind in HARDER_PAGE_TYPES
    why = f"it looks like a {kind}, a page type that is harder to read" if is_harder else "few of its blocks are surely content"
    interval = f"between {forecast.low:.2f} and {forecast.high:.2f} for nine pages in ten like it"
    remedy = "have a person or a second extractor look at it"
    return (Note("low-confidence", f"expected F1 {document.expected_f1:.2f}, {interval} ({why}): {remedy}"),)
