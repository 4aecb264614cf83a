"""Our own models as extractors: static blocks, the model's choice of them, and the document's text."""

from __future__ import annotations

from collections.abc import Callable

from sightread.document.document import build_document
from sightread.models.registry import MODELS
from sightread.render.static.parse import read_html


def reader(name: str) -> Callable[[str, str], str]:
    """Return the function from HTML and its URL to the text that the model of this name finds.

    It is the way of `sightread extract --static` but for walls, which are not checked on a benchmark's pages; a page without text gives
    an empty one. Raises KeyError for a name that no model has.
    """
    model = MODELS[name].make()

    def read(html: str, url: str) -> str:
        page = read_html(html, url)
        return build_document(page, model.predict(page)).text

    return read
