"""What reading a page gives, and reading HTML without a browser."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from classify.document import Document, build_document
from classify.model import Model, Probabilities
from render.errors import Unusable
from render.page import Page
from render.picture import Picture
from render.static import read_html
from render.wall import check_wall
from sightread.models import FALLBACK, Choice, choose_model
from sightread.shelf import Shelf


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as it was read."""

    document: Document
    page: Page
    model: Model
    """What chose the document's blocks."""
    probabilities: Probabilities
    """What it gave each block of the page, shape (blocks,)."""
    picture: Picture | None = None
    """None where none was asked for."""

    @property
    def note(self) -> str:
        """The document's: what is odd about the page or the model that read it."""
        return self.document.note


def extract(html: str | bytes, url: str | None = None, model: str = "auto") -> Document:
    """Return the main content of HTML, without a browser: no boxes, no styles, so `auto` takes the best model that reads the DOM alone.

    Raises `Unusable` for what is not HTML or has no text, `Walled` for a wall in its place, and `UnknownModel`.
    """
    return read_static(html, url or "", model).document


def read_static(html: str | bytes, url: str = "", model: str = "auto", home: Path | None = None) -> Reading:
    """Return the main content of HTML, without a browser, with all that led to it."""
    choice = choose_model(model, url, Shelf(home), rendered=False)
    page = read_html(html, url)
    if not page.blocks:
        raise Unusable(f"{url or 'the document'}: no text on the page")
    check_wall(page)
    return apply_model(choice, page)


def apply_model(choice: Choice, page: Page, picture: Picture | None = None) -> Reading:
    """Return what the model makes of the page.

    A site's own model says what F1 it expects of itself there. Where that is less than is asked, the fallback reads the page; and where the
    page is unlike those that the site was learned from, the note says so, and what to do.
    """
    model, note, version = choice.model, choice.note, ""
    probabilities = model.predict(page)
    if choice.site:
        version = choice.site.version
        found = choice.site.familiarity(page, probabilities)
        note = choice.site.remark(page, found) if found else ""
        if found and choice.fallback and not found.is_believed:
            model, version, note = choice.fallback, "", f"{FALLBACK} read the page: {note}"
            probabilities = model.predict(page)
    document = replace(build_document(page, probabilities, model=model.name), version=version, note=note)
    return Reading(document, page, model, probabilities, picture)
