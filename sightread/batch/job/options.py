"""Options of a batch job that decide what its rows hold; they are stored with its plan, and do not change until it is done."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from sightread.batch.inputs.rows import Columns
from sightread.document.pruning import Part

OutputFormat: TypeAlias = Literal["jsonl", "parquet"]
MOST_ROWS = 20_000
"""Rows of a partition at most."""
STATIC_ROWS = 2_000
"""Rows of a partition without a browser: two minutes of one core at 60 ms per page."""
RENDERED_ROWS = 100
"""Rows of a partition with a browser: two minutes at about 1 s per page."""


class InputOptions(msgspec.Struct, frozen=True):
    """The input."""

    path: str
    """A file, a folder, a pattern or a URL."""
    kind: str = ""
    """warc, urls, corpus, parquet or jsonl; empty to take it from the names."""
    columns: Columns = Columns()
    partition_rows: int = 0
    """Rows of a partition at most; 0 for the default."""


class ExtractionOptions(msgspec.Struct, frozen=True):
    """How each page is extracted."""

    static: bool = False
    """Without a browser."""
    model: str = "auto"
    formats: tuple[str, ...] = ("markdown",)
    """Formats of the documents, one column each."""
    without: tuple[Part, ...] = ()
    light: bool = False
    """Load no images and no web fonts."""
    local: bool = False
    """Also open pages of this machine and of private networks."""
    deadline: float = 30.0
    """Seconds in which a page must be rendered."""


class JobOptions(msgspec.Struct, frozen=True):
    """All of them."""

    input: InputOptions
    extraction: ExtractionOptions = ExtractionOptions()
    output_format: OutputFormat = "jsonl"

    @property
    def partition_rows(self) -> int:
        """Rows of a partition at most."""
        return self.input.partition_rows or (STATIC_ROWS if self.extraction.static else RENDERED_ROWS)
