"""NeMo Curator: an algorithm for its Common Crawl extractor, and an extractor with all metadata.

from sightread.integrations.nemo_curator import SightreadAlgorithm, SightreadExtractor
stage = CommonCrawlDownloadExtractStage("2026-10", "2026-14", "crawl/", html_extraction=SightreadAlgorithm())
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sightread.reading.extraction import extract
from sightread.render.errors import SightreadError

Algorithm = object
Extractor = object
if not TYPE_CHECKING:
    with suppress(ImportError):
        from nemo_curator.stages.text.download import DocumentExtractor as Extractor
        from nemo_curator.stages.text.download.html_extractors import HTMLExtractorAlgorithm as Algorithm


class SightreadAlgorithm(Algorithm):
    """An `HTMLExtractorAlgorithm`; stop words and language are not needed."""

    def __init__(self, model: str = "auto") -> None:
        self.model = model

    def extract_text(self, html: str, stop_words: frozenset[str] = frozenset(), language: str = "") -> list[str] | None:
        """Return the paragraphs of the main content; None if the page cannot be read."""
        try:
            return [part for part in extract(html, None, self.model, output_format="text").split("\n\n") if part.strip()]
        except SightreadError:
            return None


class SightreadExtractor(Extractor):
    """A `DocumentExtractor`: `url` and `content` (HTML) become `url`, `text` (Markdown), `title`, `language` and `expected_f1`."""

    def __init__(self, model: str = "auto") -> None:
        self.model = model

    def extract(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the record of a page; None if it cannot be read, or has no text."""
        try:
            document = extract(record["content"], record.get("url") or None, self.model)
        except SightreadError:
            return None
        metadata, f1 = document.metadata, round(document.expected_f1, 4)
        values = (record.get("url") or "", document.markdown, metadata.title, metadata.language, f1)
        return dict(zip(self.output_columns(), values, strict=True)) if document.markdown else None

    def input_columns(self) -> list[str]:
        """Return the columns that are read."""
        return ["url", "content"]

    def output_columns(self) -> list[str]:
        """Return the columns that are made."""
        return ["url", "text", "title", "language", "expected_f1"]
