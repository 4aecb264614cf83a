"""Rows of JSON Lines and Parquet: a page, a URL, or a WARC record given by file, offset and length as in the index of Common Crawl."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from typing import Any

import msgspec

from sightread.batch.inputs.files import InputRecord, Partition, open_input, open_lines
from sightread.batch.inputs.warc import read_at
from sightread.render.argument_checks import known_names
from sightread.render.errors import Rejected, Unequipped

BATCH_ROWS = 64
"""Rows of Parquet read at a time: with pages of 1 MB, 64 MB."""
LONGEST_RECORD = 50_000_000
"""Bytes of a WARC record that a row names."""


_URL, _HTML = "url", "html"


class ColumnNames(msgspec.Struct, frozen=True):
    """Names of the columns that are read."""

    url: str = _URL
    html: str = _HTML
    warc_base: str = ""
    """Folder or URL before the file names in rows that name WARC records."""

    @property
    def is_html_named(self) -> bool:
        """Whether the column of the pages has a name of its own: then a row without it is no URL to open."""
        return self.html != _HTML


def pyarrow(name: str) -> Any:
    """Return a module of pyarrow. Raises `Unequipped` if it is not installed."""
    try:
        return import_module(f"pyarrow.{name}")
    except ImportError as error:
        raise Unequipped("Parquet needs pyarrow: pip install 'sightread[batch]', or use JSON Lines") from error


def read_rows(partition: Partition, start: int, names: ColumnNames) -> Iterator[InputRecord]:
    """Yield the records of a partition of JSON Lines or Parquet, from row `start` on."""
    rows = _parquet_rows(partition, start) if partition.kind == "parquet" else _json_rows(partition, start)
    with ExitStack() as opened:
        archives = _Archives(names.warc_base, opened)
        for number, row in rows:
            if isinstance(row, str):
                yield InputRecord(number, failed=row)
            else:
                yield InputRecord.guarded(number, partial(_record, number, row, names, archives))


def _record(number: int, row: Mapping[str, Any], names: ColumnNames, archives: _Archives) -> InputRecord:
    url, html = row.get(names.url), row.get(names.html)
    url = url if isinstance(url, str) else ""
    if isinstance(html, str) and html:
        return InputRecord(number, url, html.encode("utf-8", "replace"), charset="utf-8")
    if isinstance(html, bytes) and html:
        return InputRecord(number, url, html)
    name, offset, length = (row.get(f"warc_{key}", row.get(key)) for key in ("filename", "record_offset", "record_length"))
    if isinstance(name, str) and isinstance(offset, int) and isinstance(length, int):
        return archives.read(number, name, offset, length)
    if names.html in row:
        return InputRecord(number, url, skipped="empty: the row has no HTML")
    if url and not names.is_html_named:
        return InputRecord(number, url)
    missing = f"no column {names.html} in the row" if url else f"neither a column {names.html} nor {names.url} in the row"
    return InputRecord(number, failed=f"{missing}: name them with --html-column or --url-column")


class _Archives:
    """The WARC files that rows name, the last one held open."""

    def __init__(self, base: str, opened: ExitStack) -> None:
        self._base = base
        self._opened = opened
        self._name = ""
        self._file: Any = None

    def read(self, number: int, name: str, offset: int, length: int) -> InputRecord:
        """Return the page of a record. A file name that leads out of the base is refused: rows may come from others."""
        if "://" in name or name.startswith("/") or ".." in name.split("/"):
            return InputRecord(number, failed=f"{name[:200]}: the name of a WARC file leads out of the base: name the base alone")
        if not self._base:
            return InputRecord(number, failed="rows name WARC records: give the folder or URL of their files (--warc-base)")
        if not 0 < length <= LONGEST_RECORD or offset < 0:
            return InputRecord(number, failed=f"a WARC record of {length} bytes at {offset}: longer than {LONGEST_RECORD}, or negative")
        if name != self._name:
            self._opened.close()
            try:
                self._file = self._opened.enter_context(open_input(f"{self._base.rstrip('/')}/{name}"))
            except Rejected as error:
                return InputRecord(number, failed=str(error))
            self._name = name
        self._file.seek(offset)
        return read_at(io.BytesIO(self._file.read(length)), number, 0)


def _json_rows(partition: Partition, start: int) -> Iterator[tuple[int, dict[str, Any] | str]]:
    first = 0 if partition.file.endswith(".gz") else partition.start
    with open_lines(partition.file, partition.byte) as lines:
        for number, line in enumerate(lines, first):
            if not partition.holds(number):
                return
            if number < start:
                continue
            try:
                yield number, msgspec.json.decode(line, type=dict[str, Any])
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                yield number, f"not a line of JSON: {error}"


def check_columns(path: str, kind: str, columns: ColumnNames) -> None:
    """Raise `Rejected` if the first row of a file of JSON Lines or Parquet lacks a column that has a name of its own."""
    if columns.url == _URL and not columns.is_html_named:
        return
    found = _first_columns(path, kind)
    for option, name in (("--url-column", columns.url), ("--html-column", columns.html)):
        if found and name not in found and name not in (_URL, _HTML):
            raise Rejected(f"{option} {name}: {path} has no such column; {known_names(name, found)}")


def _first_columns(path: str, kind: str) -> tuple[str, ...]:
    """Return the columns of the first row; none if it cannot be read."""
    if kind == "parquet":
        with open_input(path) as file:
            return tuple(_parquet(file, path).schema_arrow.names)
    with open_lines(path) as lines:
        try:
            return tuple(msgspec.json.decode(next(iter(lines), b"{}"), type=dict[str, Any]))
        except (msgspec.DecodeError, UnicodeDecodeError):
            return ()


def line_offsets(path: str) -> Iterator[int]:
    """Yield the byte offset of each line, in a gzip file of its unpacked content."""
    byte = 0
    with open_lines(path) as lines:
        for line in lines:
            yield byte
            byte += len(line)


def parquet_rows(path: str) -> int:
    """Return the number of rows of a Parquet file. Raises `Rejected` if it is none."""
    with open_input(path) as file:
        return int(_parquet(file, path).metadata.num_rows)


def _parquet(file: Any, path: str) -> Any:
    try:
        return pyarrow("parquet").ParquetFile(file)
    except (ValueError, OSError) as error:
        raise Rejected(f"{path}: not a Parquet file, or damaged: {error}") from error


def _parquet_rows(partition: Partition, start: int) -> Iterator[tuple[int, dict[str, Any] | str]]:
    with open_input(partition.file) as opened:
        file = _parquet(opened, partition.file)
        number, groups = 0, []
        for group in range(file.num_row_groups):
            after = number + file.metadata.row_group(group).num_rows
            if after > start and partition.holds(number):
                groups.append((group, number))
            number = after
        for group, number in groups:
            for batch in file.iter_batches(BATCH_ROWS, row_groups=[group]):
                if number + batch.num_rows > start and partition.holds(number):
                    for place, row in enumerate(batch.to_pylist(), number):
                        if place >= start and partition.holds(place):
                            yield place, row
                number += batch.num_rows
