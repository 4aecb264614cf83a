"""`sightread.extract_text`: the main content of HTML as plain text, quickly, for those who read archives.

Blocks are read by `sightread.render.static.brief`, the global model decides without the page's title and first words, and the text is made
of the blocks alone: no metadata but title and language, no links, nested lists and reasons. Text that no person sees is left out; block
pages are read as they are, text in scripts is not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sightread.classify.evaluation import expected_f1
from sightread.classify.general.model import GlobalModel
from sightread.document.selection import invisible_rows, is_mostly_hidden
from sightread.models.registry import MODELS
from sightread.reading.extraction import check_file_name, check_html
from sightread.render.argument_checks import check_type
from sightread.render.errors import Unusable
from sightread.render.page import Page
from sightread.render.static.brief import read_brief
from sightread.render.static.charset import Html
from sightread.render.static.tags import CELLS
from sightread.render.text.words import well_formed

UNSEEN = ("title", "words")
"""Families of features that the model does without: they take a quarter of its time (docs/experiments/static-reading.md)."""


@dataclass(frozen=True, slots=True)
class PlainText:
    """The main content of a page as text."""

    text: str
    """With an empty line between blocks, an item of a list and a row of a table per line, cells separated by tabs."""
    title: str
    """Of the page's `<title>`; empty if it has none, as is the language."""
    language: str
    expected_f1: float
    """The expected F1 of the text by characters, 0 to 1."""


def extract_text(html: str | bytes, url: str | None = None) -> PlainText:
    """Return the main content of HTML as plain text, without a browser.

    Raises `Unusable` for input that is not HTML or has no text, and `Rejected` for a URL or a file name given as HTML.
    """
    check_html("extract_text()", html)
    check_type("extract_text(): url", url, str | None)
    check_file_name("extract_text()", html)
    return read_text(html, url or "")


def read_text(html: Html, url: str = "") -> PlainText:
    """Return the main content of HTML as plain text. Raises `Unusable` for input that is not HTML or has no text."""
    page = read_brief(html, url)
    if not page.blocks:
        raise Unusable(f"{url or 'the document'}: no text on the page")
    return text_of_page(page)


def text_of_page(page: Page, model: GlobalModel | None = None) -> PlainText:
    """Return what the global model keeps of a page with text: the one that ships, or another."""
    if model is None:
        shipped = MODELS["global"].make()
        assert isinstance(shipped, GlobalModel)
        model = shipped
    prediction = model.predict(page, UNSEEN)
    kept = prediction.probabilities >= prediction.level
    rows, invisible = np.flatnonzero(kept).tolist(), invisible_rows(page)
    if invisible and not is_mostly_hidden(page, rows, invisible):
        rows = [row for row in rows if row not in invisible] or rows
    lengths = np.array([len(block.text) for block in page.blocks], np.float64)
    text = well_formed("".join(_lines(page, rows)))
    return PlainText(text, page.titles[0] if page.titles else "", page.language, expected_f1(prediction.probabilities, lengths, kept))


def _lines(page: Page, rows: Iterable[int]) -> Iterable[str]:
    """Yield the texts of blocks, each behind what separates it from the one before."""
    last, row_before = "", -1
    for row in rows:
        block = page.blocks[row]
        element = page.elements[block.element]
        tag, parent = element.tag, element.parent
        if tag in CELLS and last in CELLS:
            yield "\t" if parent == row_before else "\n"
        elif last:
            yield "\n" if tag == last == "li" else "\n\n"
        yield f"- {block.text}" if tag == "li" else block.text
        last, row_before = tag, parent
