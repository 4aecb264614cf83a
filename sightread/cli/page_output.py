"""Where the documents of `sightread extract` are written if there are several: a folder, a file of JSON lines, or standard output."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import msgspec

from sightread.batch.inputs.rows import pyarrow
from sightread.batch.outcome import Outcome, PageError, PageFolder, PageFormat, json_line
from sightread.cli.commands import TABLES, ExtractCommand
from sightread.cli.run import formatted, worded, write
from sightread.crawler.journal import AppendFile
from sightread.dataframe import table_of
from sightread.document.document import Document
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically

JSON_LINES = ("json", "jsonl", "chunks")
"""Formats in which several pages follow each other in one file."""


def check_many(options: ExtractCommand) -> None:
    """Raise `Rejected` for options that several pages cannot have."""
    if options.files:
        raise Rejected("--save-html, --save-har, --save-console and --save-pdf are for a single page: leave them out")
    if options.url:
        raise Rejected("--url is for a single file, and several pages are named: leave it out")
    if options.picture or options.overlay or options.picture_of is not None:
        raise Rejected("--picture and --overlay are for a single page, and several are named: leave them out")
    if options.explain and options.format not in ("json", "jsonl"):
        raise Rejected("--explain of several pages is part of their JSON: add --format jsonl, or leave it out")
    if options.output_dir and options.output:
        raise Rejected("--output is one file and --output-dir a folder: leave one of them out")
    if options.output and options.output.exists() and options.output.stat().st_size:
        raise Rejected(f"--output {options.output}: the file exists: delete it, or choose another name")
    if options.format == "parquet":
        pyarrow("parquet")
    if not options.output_dir and options.format not in JSON_LINES:
        raise Rejected(f"several pages in {options.format} need a file each: add --output-dir FOLDER, or --format jsonl")


def page_format(options: ExtractCommand) -> PageFormat:
    """Return how documents are written to a folder."""
    settings = [options.model, *["static"] * options.static, *options.also, *(f"-{part}" for part in options.without)]
    settings += [f"{options.chunk_tokens}/{options.chunk_overlap}"] if options.format == "chunks" else []
    settings += [f"visible {options.visible}"] if options.visible != "reachable" else []
    settings += [f"citations {options.citations}"] if options.citations else []
    return PageFormat("jsonl" if options.format in TABLES else options.format, options.write_options, " ".join(settings))


class LineOutput(ExitStack):
    """Writes a line of JSON for each page, to the file that the options name or to standard output; a context manager."""

    def __init__(self, options: ExtractCommand) -> None:
        super().__init__()
        self._options = options
        self._file = self.enter_context(AppendFile(options.output)) if options.output else None

    def add(self, outcome: Outcome[Document]) -> None:
        """Write the line of a page. Raises `StorageFailed`."""
        line = _line(outcome, self._options)
        self._file.append(line.encode()) if self._file else write(line)


def write_table(folder: PageFolder, options: ExtractCommand) -> None:
    """Write the pages of a folder as a table, if that is the format: CSV with lists as JSON, or Parquet. Raises `StorageFailed`."""
    if options.format not in TABLES or not options.output_dir:
        return
    path = options.output_dir / f"pages.{options.format}"
    table = table_of(folder.articles())
    if path.suffix == ".csv":
        for name in ("authors", "notes"):
            table[name] = [msgspec.json.encode(value).decode() for value in table[name]]
        write_atomically(path, table.to_csv(index=False).encode("utf-8", "replace"))
    else:
        write_atomically(path, table.to_parquet(index=False))


def shaped(outcome: Outcome[Document], options: ExtractCommand) -> Outcome[Document]:
    """Return an outcome without the parts that are left out, and with its error in the words of the command line."""
    if outcome.error is not None:
        return replace(outcome, error=type(outcome.error)(worded(outcome.error)))
    if outcome.result is None:
        return outcome
    return replace(outcome, result=outcome.result.without(*options.without).by_visibility(options.visible))


def _line(outcome: Outcome[Document], options: ExtractCommand) -> str:
    """Return a line of JSON: the URL or file as it was given in `source`, and the fields of the document, or the error; or a line per
    chunk.
    """
    if outcome.result is not None:
        is_chunks = options.format == "chunks"
        return (
            formatted(outcome.result, "chunks", options.write_options)
            if is_chunks
            else json_line(outcome.url, outcome.result, options.write_options.fields)
        )
    error = PageError(type(outcome.error).__name__, str(outcome.error))
    return msgspec.json.encode({"source": outcome.url, "error": error}).decode() + "\n"
