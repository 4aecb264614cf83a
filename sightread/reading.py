"""What reading a page gives, and reading HTML without a browser."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from classify.document import Document, build_document
from classify.model import Model, Probabilities
from render.errors import Unusable
from render.page import Page
from render.static import read_html
from sightread.models import Choice, choose_model


@dataclass(frozen=True, slots=True)
class Reading:
    """A page as it was read."""

    document: Document
    page: Page
    model: Model
    """What chose the document's blocks."""
    probabilities: Probabilities
    """What it gave each block of the page, shape (blocks,)."""
    note: str = ""
    """Why the model is not the one that might be expected; empty where it is."""
    picture: bytes | None = None
    """WebP; None where none was asked for."""


def extract(html: str | bytes, url: str | None = None, model: str = "auto") -> Document:
    """Return the main content of HTML, without a browser: no boxes, no styles, so `auto` takes the best model that reads the DOM alone.

    Raises `Unusable` for what is not HTML or has no text, and `UnknownModel`.
    """
    return read_static(html, url or "", model).document


def read_static(html: str | bytes, url: str = "", model: str = "auto", home: Path | None = None) -> Reading:
    """Return the main content of HTML, without a browser, with all that led to it."""
    choice = choose_model(model, url, rendered=False, home=home)
    page = read_html(html, url)
    if not page.blocks:
        raise Unusable(f"{url or 'the document'}: no text on the page")
    return apply_model(choice, page)


def apply_model(choice: Choice, page: Page, picture: bytes | None = None) -> Reading:
    """Return what the model makes of the page."""
    probabilities = choice.model.predict(page)
    document = build_document(page, probabilities, model=choice.model.name)
    return Reading(document, page, choice.model, probabilities, choice.note, picture)
