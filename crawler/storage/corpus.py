"""A corpus: the pages of one site in a folder.

corpus.json         schema version, start URL, the sightread that began it
pages.jsonl.gz      one gzip member per page (`sightread.crawler.storage.page_file`)
pictures/0001.webp  the screenshot of the first page, if one was taken; 0001.tile-2.webp and so on continue below if it is tall
crawl.jsonl         the journal of the crawl (`sightread.crawler.storage.journal`); a corpus made by conversion has none
aside/              pages of links that the crawl met, in the same form
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from sightread.crawler.storage.append_only_file import AppendFile
from sightread.crawler.storage.journal import ELSEWHERE, Failed, read_journal
from sightread.crawler.storage.page_file import ByteRange, index_members, pack_line, read_member
from sightread.crawler.urls import site_of
from sightread.render.errors import BadRecord, Rejected
from sightread.render.files import storage_errors, write_atomically
from sightread.render.network.version import VERSION
from sightread.render.page import Page, decode_page, encode_page
from sightread.render.visit.picture import Picture, read_picture, remove_picture, write_picture

SCHEMA = 1


class Card(msgspec.Struct, frozen=True):
    """The contents of `corpus.json`."""

    start_url: str
    version: str
    schema: int = SCHEMA


class FailedVisit(NamedTuple):
    """A URL that the crawl could not read, and the reason."""

    url: str
    reason: str

    @property
    def site(self) -> str:
        """The other site that it led to; empty if it led to none."""
        return site_of(self.reason.removeprefix(ELSEWHERE)) if self.reason.startswith(ELSEWHERE) else ""


class Corpus:
    """The pages of one site on disk, in the order in which they were stored; row i is page i, counted from 0.

    Open one with `Corpus.open`, make one with `Corpus.create`. Reading needs no closing. Writing needs a `with` block, and one
    process may write at a time. A page is on the disk when `append` returns.
    """

    def __init__(self, folder: Path, card: Card) -> None:
        self.folder = folder
        self.start_url = card.start_url
        self.version = card.version
        """The sightread that began the corpus."""
        self._path = folder / "pages.jsonl.gz"
        self._spans: list[ByteRange] = []
        self.torn = 0
        """Bytes of an unfinished page that a kill left behind the last whole one; cut off when writing continues."""
        self._writer: AppendFile | None = None
        self._open = ExitStack()
        self._index()

    @classmethod
    def open(cls, folder: Path | str) -> Self:
        """Open the corpus in a folder.

        Raises `Rejected` if there is none, and `BadRecord` if it is damaged or of another schema version.
        """
        folder = Path(folder)
        path = folder / "corpus.json"
        try:
            content = path.read_bytes()
        except (FileNotFoundError, NotADirectoryError) as error:
            raise Rejected(f"{folder}: no corpus there (it has no corpus.json): name the folder that a crawl wrote") from error
        except OSError as error:
            raise Rejected(f"{path}: cannot be read: {error.strerror or error}") from error
        try:
            schema = msgspec.json.decode(content, type=dict[str, object]).get("schema")
            if schema != SCHEMA:
                raise BadRecord(f"{path}: schema version {schema or 'missing'}, this sightread reads {SCHEMA}: crawl into a new folder")
            card = msgspec.json.decode(content, type=Card)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadRecord(f"{path}: damaged: {error}: crawl into a new folder") from error
        return cls(folder, card)

    @classmethod
    def create(cls, folder: Path | str, start_url: str) -> Self:
        """Make an empty corpus; the folder is made if it is missing.

        Raises `Rejected` if the folder already holds a corpus, and `StorageFailed` if it cannot be written.
        """
        folder = Path(folder)
        for name in ("corpus.json", "pages.jsonl.gz"):
            with storage_errors(folder):
                taken = (folder / name).exists()
            if taken:
                raise Rejected(f"{folder}: holds {name} already: open that corpus, or choose another folder")
        card = Card(start_url, VERSION)
        write_atomically(folder / "corpus.json", msgspec.json.encode(card) + b"\n")
        return cls(folder, card)

    def __enter__(self) -> Self:
        self._writer = self._open.enter_context(AppendFile(self._path))
        self._index()  # another process may have written to it since
        if self.torn:
            self._writer.cut(self._spans[-1].end if self._spans else 0)
            self.torn = 0
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._writer = None
        self._open.close()

    def __len__(self) -> int:
        return len(self._spans)

    def __iter__(self) -> Iterator[Page]:
        return (self.page(row) for row in range(len(self)))

    def page(self, row: int) -> Page:
        """Return page `row`, checked. Raises `BadRecord` if it is damaged, `IndexError` if there is none."""
        return decode_page(read_member(self._path, row, self._spans[row]), f"{self._path}, page {row + 1}")

    def picture(self, row: int) -> Picture | None:
        """Return the screenshot of page `row`, or None if none was taken."""
        return read_picture(self.picture_path(row)) if row < len(self) else None

    def picture_path(self, row: int) -> Path:
        """Return where the screenshot of page `row` lies, or would lie; see `write_picture` for those of tall pages."""
        return self.folder / "pictures" / f"{row + 1:04}.webp"

    def append(self, page: Page, picture: Picture | None = None) -> int:
        """Store one more page with its screenshot and return its row.

        The page counts only once it is in `pages.jsonl.gz`: a picture whose page was never written is replaced by the next one's.
        Raises `StorageFailed`; the pages before it are safe.
        """
        if self._writer is None:
            raise RuntimeError(f"{self.folder} is not open for writing: enter its `with` block first")
        row = len(self)
        path = self.picture_path(row)
        if picture is not None:
            write_picture(path, picture)
        else:
            remove_picture(path)
        member = pack_line(encode_page(page))
        self._writer.append(member)
        start = self._spans[-1].end if self._spans else 0
        self._spans.append(ByteRange(start, start + len(member)))
        return row

    def cut(self, length: int) -> None:
        """Keep the first `length` pages. Raises `StorageFailed`."""
        if self._writer is None:
            raise RuntimeError(f"{self.folder} is not open for writing: enter its `with` block first")
        del self._spans[length:]
        self._writer.cut(self._spans[-1].end if self._spans else 0)

    @property
    def failures(self) -> tuple[FailedVisit, ...]:
        """The visits that gave no page, in their order; none if the pages do not come from a crawl."""
        entries = read_journal(self.folder / "crawl.jsonl").entries
        return tuple(FailedVisit(entry.url, entry.reason) for entry in entries if isinstance(entry, Failed))

    def digest(self) -> str:
        """Return a digest of the pages, in hex: equal for equal pages in equal order, whenever and however fast they were rendered."""
        digest = hashlib.blake2b(digest_size=16)
        for page in self:
            digest.update(encode_page(replace(page, rendered_at="", timing=None)))
            digest.update(b"\n")
        return digest.hexdigest()

    def _index(self) -> None:
        spans, self.torn = index_members(self._path)
        self._spans = list(spans)
