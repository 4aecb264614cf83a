"""`PageRow`: one row per page of the output; and its writers, JSON Lines and Parquet."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import msgspec

from sightread.batch.inputs.files import InputRecord
from sightread.batch.inputs.rows import pyarrow
from sightread.batch.job.plan import ExtractionOptions, OutputFormat
from sightread.batch.outcome import DocumentFields, document_fields
from sightread.document.document import Document
from sightread.document.formats import DEFAULTS, find_format
from sightread.reading.plain_text import PlainText
from sightread.render.errors import BadRecord

PageState: TypeAlias = Literal["extracted", "skipped", "failed"]
FAST = "fast"
"""In place of a model's name in rows that have the text alone."""
ROW_GROUP = 500
"""Rows of a Parquet row group: the rows that a writer holds in memory."""
_LEVEL = 4
"""Of gzip: a third of the time of the default, 4 % larger."""
SUFFIXES = {"jsonl": "jsonl.gz", "parquet": "parquet"}


class PageRow(DocumentFields, frozen=True):
    """A page: its documents and metadata, or why it has none."""

    source: str
    """The input file; of a list of URLs the list's partition."""
    position: int
    """Byte offset of the record in a WARC file, else its number. Source and position are the row's key."""
    url: str
    """After redirects; of a page that failed, as the input names it."""
    state: PageState
    reason: str = ""
    """Why it was skipped, or the message of the error."""
    error: str = ""
    """The error's class name, such as `Retryable` for a page that may work later; empty unless it failed."""
    notes: tuple[str, ...] = ()
    """Codes of the document's notes, and defects of the record."""
    documents: dict[str, str] = msgspec.field(default_factory=dict)
    """The document by format. Parquet has a column per format."""
    seconds: float = 0.0
    """Wall time of the page in its process."""
    cpu_seconds: float = 0.0
    """Processor time of it; with a browser without the browser's."""


def row_of(source: str, record: InputRecord, document: Document, options: ExtractionOptions) -> PageRow:
    """Return the row of a page that was extracted, in the wished formats."""
    document = document.without(*options.without) if options.without else document
    written = {name: found.write(document, DEFAULTS) for name in options.formats if (found := find_format(name))}
    return PageRow(
        source,
        record.position,
        document.url or record.url,
        "extracted",
        **document_fields(document),
        notes=(*((record.note,) if record.note else ()), *(note.code for note in document.notes)),
        documents=written,
    )


def row_of_text(source: str, record: InputRecord, found: PlainText) -> PageRow:
    """Return the row of a page of which the text alone was extracted."""
    return PageRow(
        source,
        record.position,
        record.url,
        "extracted",
        title=found.title,
        language=found.language,
        model=FAST,
        expected_f1=round(found.expected_f1, 4),
        notes=(record.note,) if record.note else (),
        documents={"text": found.text},
    )


WriteRow: TypeAlias = Callable[[PageRow], None]
"""Adds a row to a part. Raises `OSError`."""


def row_writer(path: Path, output_format: OutputFormat, formats: tuple[str, ...]) -> AbstractContextManager[WriteRow]:
    """Return the writer of a new file of one part. Raises `Unequipped` if Parquet is wished and pyarrow missing."""
    return _writing_parquet(path, formats) if output_format == "parquet" else _writing_lines(path)


@contextmanager
def _writing_lines(path: Path) -> Iterator[WriteRow]:
    """JSON Lines in gzip; equal rows give equal bytes."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as file:

        def write(row: PageRow) -> None:
            file.write(_encode(row) + b"\n")

        yield write


@contextmanager
def _writing_parquet(path: Path, formats: tuple[str, ...]) -> Iterator[WriteRow]:
    """Parquet, compressed with Zstandard."""
    schema, rows = parquet_schema(formats), list[dict[str, Any]]()
    with pyarrow("parquet").ParquetWriter(path, schema, compression="zstd") as writer:

        def flush() -> None:
            if rows:
                writer.write_table(pyarrow("lib").Table.from_pylist(rows, schema=schema))
                rows.clear()

        def write(row: PageRow) -> None:
            values = msgspec.json.decode(_encode(row))
            documents = values.pop("documents")
            rows.append(values | {name: documents.get(name) for name in formats})
            if len(rows) >= ROW_GROUP:
                flush()

        yield write
        flush()


def parquet_schema(formats: tuple[str, ...]) -> Any:
    """Return the schema of a Parquet part. Raises `Unequipped` without pyarrow."""
    arrow = pyarrow("lib")
    kinds = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
    fields = []
    for field in msgspec.structs.fields(PageRow):
        if field.name == "documents":
            continue
        kind = arrow.list_(arrow.string()) if field.name in ("authors", "notes") else kinds.get(field.type, arrow.string())
        fields.append((field.name, kind))
    return arrow.schema([*fields, *((name, arrow.string()) for name in formats)])


def _encode(row: PageRow) -> bytes:
    try:
        return msgspec.json.encode(row)
    except UnicodeEncodeError:  # a lone surrogate, which JSON and Parquet cannot hold
        return msgspec.json.encode(_without_surrogates(msgspec.to_builtins(row)))


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {name: _without_surrogates(each) for name, each in value.items()}
    return [_without_surrogates(each) for each in value] if isinstance(value, list | tuple) else value


def read_part(content: bytes, name: str) -> Iterator[PageRow]:
    """Yield the rows of a part by its content. Raises `BadRecord` if it is damaged."""
    try:
        if name.endswith(".parquet"):
            yield from _parquet_rows(io.BytesIO(content))
        else:
            with gzip.open(io.BytesIO(content)) as lines:
                for line in lines:
                    yield msgspec.json.decode(line, type=PageRow)
    except (OSError, EOFError, ValueError, msgspec.DecodeError) as error:
        raise BadRecord(f"{name}: damaged: {error}: run the job into a new output") from error


def _parquet_rows(file: BinaryIO) -> Iterator[PageRow]:
    known = {field.name for field in msgspec.structs.fields(PageRow)}
    for batch in pyarrow("parquet").ParquetFile(file).iter_batches(ROW_GROUP):
        for row in batch.to_pylist():
            documents = {name: text for name, text in row.items() if name not in known and text is not None}
            yield msgspec.convert({name: value for name, value in row.items() if name in known} | {"documents": documents}, PageRow)
