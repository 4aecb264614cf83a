"""A folder of extracted pages: one file per page, or one JSON line, and `index.jsonl`, from which a killed job continues.

<folder>/
    index.jsonl                    one line per page: URL, file, title, dates, model, expected F1, notes; or the error
    example.com-news-ferry-3f2a9c1b.md
    pages.jsonl                    with the format jsonl: the JSON of all documents
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from sightread.batch.outcome import Article, Outcome, article_of, with_front_matter
from sightread.crawler.journal import AppendFile
from sightread.document.document import Document
from sightread.document.formats import Also, known_format
from sightread.render.errors import BadRecord, SightreadError
from sightread.render.files import storage_errors, write_atomically

INDEX, LINES = "index.jsonl", "pages.jsonl"
LONGEST_NAME = 80
"""Characters of a file name made of a URL, without its digest and suffix."""
_SUFFIXES = {"markdown": "md", "text": "txt", "tei": "xml"}


class PageError(msgspec.Struct, frozen=True):
    """Why a page has no document: the class name of the error, and its message."""

    kind: str
    message: str


class IndexLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the index."""

    source: str
    """The URL or file as it was given."""
    settings: str
    """Options that decide what the file holds: a page is read again if they differ."""
    article: Article | None = None
    error: PageError | None = None
    end: int = 0
    """Size of `pages.jsonl` after the page's line; 0 for a file of its own."""


@dataclass(frozen=True, slots=True)
class PageFormat:
    """How documents are written."""

    name: str
    """A format of `sightread.document.formats`, or jsonl."""
    also: tuple[Also, ...] = ()
    settings: str = ""


class PageFolder:
    """The folder, open for writing; a context manager. Raises `Rejected` while another process writes it, and `StorageFailed`."""

    def __init__(self, path: Path, page_format: PageFormat) -> None:
        self._path = path
        self._format = page_format
        self._lines: dict[str, IndexLine] = {}
        self._open = ExitStack()
        self._index = AppendFile(path / INDEX)
        self._pages = AppendFile(path / LINES)

    def __enter__(self) -> Self:
        with storage_errors(self._path):
            self._path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as opening:
            opening.enter_context(self._index)
            self._read_index()
            if self._format.name == "jsonl":
                opening.enter_context(self._pages)
                self._pages.cut(max((line.end for line in self._lines.values()), default=0))
            self._open = opening.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()

    def holds(self, source: str) -> bool:
        """Return whether the page is there already, written with the same settings."""
        line = self._lines.get(source)
        if line is None or line.article is None or line.settings != self._settings:
            return False
        return (self._path / line.article.file).is_file()

    def add(self, source: str, outcome: Outcome[Document]) -> None:
        """Write the page's file, or its error, and then its line of the index. Raises `StorageFailed`."""
        if outcome.result is None:
            error = outcome.error or SightreadError("")
            line = IndexLine(source, self._settings, error=PageError(type(error).__name__, str(error)))
        elif self._format.name == "jsonl":
            line = self._add_line(source, outcome.result)
        else:
            file = f"{file_stem(source)}.{_SUFFIXES.get(self._format.name, self._format.name)}"
            write_atomically(self._path / file, formatted_file(outcome.result, self._format.name, self._format.also).encode())
            line = IndexLine(source, self._settings, article_of(outcome.result, file))
        self._index.append(msgspec.json.encode(line) + b"\n")
        self._lines[source] = line

    def _add_line(self, source: str, document: Document) -> IndexLine:
        self._pages.append(json_line(source, document, self._format.also).encode())
        return IndexLine(source, self._settings, article_of(document, LINES), end=(self._path / LINES).stat().st_size)

    @property
    def _settings(self) -> str:
        return f"{self._format.name} {self._format.settings}".strip()

    def _read_index(self) -> None:
        content = (self._path / INDEX).read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        self._index.cut(len(whole))
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                found = msgspec.json.decode(line, type=IndexLine)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadRecord(f"{self._path / INDEX}, line {number}: {error}; delete the file, or choose another folder") from error
            self._lines[found.source] = found


def file_stem(source: str) -> str:
    """Return a file name without suffix that only this URL or path has: readable words of it, and a digest."""
    words = re.sub(r"[^\w.-]+", "-", source.partition("://")[2] or source).strip("-.")
    return f"{words[:LONGEST_NAME].rstrip('-.')}-{blake2b(source.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"


def json_line(source: str, document: Document, also: Iterable[Also] = ()) -> str:
    """Return the JSON of a document as a line, with the URL or file as it was given in `source` before its other fields."""
    return f'{{"source":{msgspec.json.encode(source).decode()},{document.to_json(*also)[1:]}\n'


def formatted_file(document: Document, name: str, also: Iterable[Also] = ()) -> str:
    """Return the content of a document's file: Markdown and text have the metadata before them. Raises `KeyError` for an unknown format."""
    found = known_format(name)
    text = found.write(document, also)
    if not found.holds_metadata and found.media_type != "text/html":
        text = with_front_matter(document, text)
    return text if text.endswith("\n") else text + "\n"
