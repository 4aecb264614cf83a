"""Options of a batch job that decide what its rows hold; they are stored with its plan, and do not change until it is done."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

import msgspec

from sightread.batch.inputs.rows import ColumnNames
from sightread.document.pruning import Part

OutputFormat: TypeAlias = Literal["jsonl", "parquet"]
MOST_ROWS = 20_000
"""Rows of a partition at most."""
PARTITIONS = 64
"""Partitions that an input is divided into, as far as the limits below allow it: enough that many processes have work to its end."""
PACKED_PARTITIONS = 16
"""The same of JSON Lines in a gzip file, which each partition unpacks from the start."""


class RowLimits(NamedTuple):
    """Rows of a partition, at least and at most; the size is a multiple of the least."""

    least: int
    most: int


STATIC_ROWS = RowLimits(50, 2_000)
"""Without a browser: 1 s to two minutes of one core, at 20 to 60 ms per page."""
RENDERED_ROWS = RowLimits(10, 100)
"""With a browser: 10 s to two minutes, at about 1 s per page."""


class InputOptions(msgspec.Struct, frozen=True):
    """The input."""

    path: str
    """A file, a folder, a pattern or a URL."""
    kind: str = ""
    """warc, urls, corpus, parquet or jsonl; empty to take it from the names."""
    columns: ColumnNames = ColumnNames()
    partition_rows: int = 0
    """Rows of a partition at most; 0 to choose them by the size of the input."""


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
    def row_step(self) -> int:
        """The number that rows of a partition are a multiple of: the number itself if it is given."""
        return self.input.partition_rows or self._limits.least

    def partition_rows(self, total: int, partitions: int = PARTITIONS) -> int:
        """Return the most rows per partition, for an input of `total` rows: as given, else so that there are about `partitions`."""
        if self.input.partition_rows:
            return self.input.partition_rows
        least, most = self._limits
        return min(most, max(1, -(-total // (partitions * least))) * least)

    @property
    def _limits(self) -> RowLimits:
        return STATIC_ROWS if self.extraction.static else RENDERED_ROWS
