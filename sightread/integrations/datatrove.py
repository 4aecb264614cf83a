"""datatrove extractor: a step of a pipeline that turns the HTML of documents into their main content.

    from sightread.integrations.datatrove import SightreadExtractor
    pipeline = [WarcReader("crawl/"), SightreadExtractor(), JsonlWriter("articles/")]

A document's URL is read from `metadata["url"]`, where datatrove's readers put it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sightread.integrations import framework
from sightread.reading.extraction import extract
from sightread.reading.plain_text import extract_text
from sightread.render.errors import SightreadError

if TYPE_CHECKING:
    Base: Any = object
else:
    Base = object
    with suppress(ImportError):  # then only making one needs it, and raises a clear error
        from datatrove.pipeline.extractors.base import BaseExtractor as Base

WARM_UP = "<title>Warm-up</title><p>The model is loaded before the first page."


class SightreadExtractor(Base):  # type: ignore[misc]
    """Extracts each document in a process of its own; documents without text, and those that fail, are dropped and counted.

    With `fast` it gives the text alone, as `sightread.extract_text`, by no other model and in no other format.
    `timeout` is the deadline of a document in seconds, and that of the process for loading its model: 2 s on an idle machine, so that
    datatrove's default of 1 s would drop every document. Raises `Unequipped` without datatrove.
    """

    name = "sightread"

    def __init__(self, model: str = "auto", output_format: str = "markdown", timeout: float = 60.0, *, fast: bool = False) -> None:
        framework("datatrove.pipeline.extractors.base", "datatrove")
        super().__init__(timeout)
        self.model = model
        self.output_format = output_format
        self.fast = fast

    def extract(self, text: str, url: str = "") -> str | SightreadError:
        """Return the content of a page, or its error as a value: an error raised would end the process, and with it the loaded model."""
        try:
            if self.fast:
                return extract_text(text or WARM_UP, url or None).text
            return extract(text or WARM_UP, url or None, self.model, output_format=self.output_format)
        except SightreadError as error:
            return error

    def run(self, data: Iterable[Any], rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """Yield the documents with their content as text."""
        found: Iterator[Any] = super().run(map(_with_url, data), rank, world_size)
        return found


def _with_url(document: Any) -> Any:
    """Make the text the arguments of `extract`, which datatrove's process passes on."""
    document.text = document.text, document.metadata.get("url") or ""
    return document
