"""A corpus: the pages of one site in a folder.

corpus.json         schema version, start URL, the sightread that began it
pages.jsonl.gz      one gzip member per page
pictures/0001.webp  the screenshot of the first page, if one was taken; 0001.tile-2.webp and so on continue below if it is tall
html/0001.html.gz   its HTML as it came from the server, if that was kept
crawl.jsonl         the journal of the crawl (`sightread.crawler.journal`); a corpus made by conversion has none
aside/              pages of links that the crawl met, in the same form

Page file (`pages.jsonl.gz`): one gzip member per page, each with one line of JSON.

Any tool that reads gzip reads the file. The header of each member also names the member's length in an extra field (RFC 1952,
section 2.3.1.1, subfield `SR`), so that a page is found without decompressing those before it, damage to one page
leaves the others readable, and a tail torn by a kill is distinguished from damage: only there a member ends beyond the file.
"""

from __future__ import annotations

import gzip
import hashlib
import struct
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

import msgspec

from sightread.crawler.journal import (
    ELSEWHERE,
    AppendFile,
    Begun,
    Failed,
    JournalEntries,
    JournalEntry,
    Promoted,
    SetAside,
    Stored,
    append_entry,
    check_rules,
    read_journal,
)
from sightread.crawler.urls import Scope, site_of
from sightread.render.errors import BadRecord, PageFailed, Rejected, StorageFailed
from sightread.render.files import reading_errors, storage_errors, write_atomically
from sightread.render.page import Page, decode_page, encode_page
from sightread.render.version import VERSION
from sightread.render.visit.picture import Picture, read_picture, remove_picture, write_picture

_HEADER = struct.Struct("<4sIBBH2sHI")  # magic, deflate, FEXTRA; time 0; no flags; unknown system; extra: length, name, length, value
_MAGIC = b"\x1f\x8b\x08\x04"
_EXTRA = (8, b"SR", 4)
_TRAILER = struct.Struct("<II")
_LEVEL = 6
MOST_BYTES = 256 << 20
"""Of the line of a page: ten times those of the largest pages that are read."""


class ByteRange(NamedTuple):
    """The byte range of a member in its file."""

    start: int
    end: int


class Index(NamedTuple):
    """The whole members of a file, and how many bytes of an unfinished one are after them."""

    spans: tuple[ByteRange, ...]
    torn: int


def pack_line(line: bytes) -> bytes:
    """Return a gzip member that holds the line and a newline; equal lines give equal bytes."""
    content = line + b"\n"
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = deflate.compress(content) + deflate.flush()
    length = _HEADER.size + len(body) + _TRAILER.size
    return _HEADER.pack(_MAGIC, 0, 0, 255, *_EXTRA, length) + body + _TRAILER.pack(zlib.crc32(content), len(content))


def index_members(path: Path) -> Index:
    """Find the members of the file; an absent file has none.

    Raises `BadRecord` if something else than a member starts, naming the page and the byte.
    """
    spans: list[ByteRange] = []
    with reading_errors(path):
        if not path.exists():
            return Index((), 0)
        with path.open("rb") as file:
            size = path.stat().st_size
            start = 0
            while start < size:
                file.seek(start)
                head = file.read(_HEADER.size)
                if len(head) < _HEADER.size and (_MAGIC + bytes(4)).startswith(head[:8]):
                    break
                magic, _, _, _, *extra, length = _HEADER.unpack(head.ljust(_HEADER.size, b"\0"))
                if magic != _MAGIC or tuple(extra) != _EXTRA or length <= _HEADER.size + _TRAILER.size:
                    raise damaged(path, len(spans), start, "no page starts where one should")
                if start + length > size:
                    break
                spans.append(ByteRange(start, start + length))
                start += length
    return Index(tuple(spans), size - start)


def read_member(path: Path, row: int, span: ByteRange) -> bytes:
    """Return the line of page `row`, without its newline. Raises `BadRecord` if it is damaged."""
    with reading_errors(path), path.open("rb") as file:
        file.seek(span.start)
        member = file.read(span.end - span.start)
    try:
        content = _inflated(member)
    except zlib.error as error:
        raise damaged(path, row, span.start, str(error)) from error
    return content.removesuffix(b"\n")


def _inflated(member: bytes) -> bytes:
    """Return the content of a gzip member. Raises `zlib.error` for a damaged one, or one of more than `MOST_BYTES`."""
    inflating = zlib.decompressobj(16 + zlib.MAX_WBITS)
    content = inflating.decompress(member, MOST_BYTES)
    if not inflating.eof:
        raise zlib.error(f"it ends early, or has more than {MOST_BYTES >> 20} MiB")
    return content


def damaged(path: Path, row: int, start: int, what: str) -> BadRecord:
    """Return the error for a damaged page, with the way to keep all the pages before it."""
    return BadRecord(
        f"{path}, page {row + 1}: damaged: {what}: to keep the {row} before it, run `truncate -s {start} {path}` and crawl again: "
        "what was cut off is fetched anew"
    )


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
        with reading_errors(path):
            try:
                content = path.read_bytes()
            except (FileNotFoundError, NotADirectoryError) as error:
                raise Rejected(f"{folder}: no corpus there (it has no corpus.json): name the folder that a crawl wrote") from error
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

    def html(self, row: int) -> str:
        """Return the HTML of page `row` as it came from the server; empty if it was not kept. Raises `BadRecord` if it is damaged."""
        path = self.html_path(row)
        if row >= len(self) or not path.is_file():
            return ""
        try:
            with reading_errors(path):
                return _inflated(path.read_bytes()).decode()
        except (zlib.error, UnicodeDecodeError) as error:
            raise BadRecord(f"{path}: damaged: {error}: delete it, and crawl the site again to have it") from error

    def html_path(self, row: int) -> Path:
        """Return where the HTML of page `row` lies, or would lie."""
        return self.folder / "html" / f"{row + 1:04}.html.gz"

    def append(self, page: Page, picture: Picture | None = None, html: str = "") -> int:
        """Store one more page with its screenshot, and its HTML as it came from the server, and return its row.

        The page counts only once it is in `pages.jsonl.gz`: picture and HTML of a page that was never written are replaced by the next
        one's. Raises `StorageFailed`; the pages before it are safe.
        """
        if self._writer is None:
            raise RuntimeError(f"{self.folder} is not open for writing: enter its `with` block first")
        row = len(self)
        path = self.picture_path(row)
        if picture is not None:
            write_picture(path, picture)
        else:
            remove_picture(path)
        if html:
            write_atomically(self.html_path(row), gzip.compress(html.encode(), _LEVEL, mtime=0))
        else:
            with storage_errors(self.folder):
                self.html_path(row).unlink(missing_ok=True)
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


FILES = ("corpus.json", "pages.jsonl.gz", "crawl.jsonl")
"""Files of a corpus, besides its pictures and HTML."""


class Recovered(NamedTuple):
    """A page that was written when a kill came, but not yet its journal entry."""

    page: Page
    picture: Picture | None
    source: str
    """Its HTML as it came from the server; empty if it was not kept."""


class CrawlRecord:
    """The record of a crawl: what it has so far, and where it writes the rest; a context manager, one process at a time.

    A page is written before its entry, so after a kill the pages may be one ahead: those are taken back into `recovered`, from where
    their visits find them. If the pages are behind (a damaged file was cut), the journal is cut back to them, and the missing pages are
    fetched again. A crawl that has no page starts over: the cause of its failure may be gone. So if one ends in an error and has none, it
    leaves nothing behind. The same holds for `PageFailed`, which ends a crawl without a page of the corpus, or with the start page alone,
    such as one whose sitemap is not there: the next run may choose other pages.
    """

    def __init__(self, folder: Path, start_url: str) -> None:
        self._made = not folder.exists()
        self.corpus = _open_or_create(folder, start_url)
        self.aside = _open_or_create(folder / "aside", start_url)
        self.entries: deque[JournalEntry] = deque()
        self.recovered: dict[str, Recovered] = {}
        self._path = folder / "crawl.jsonl"
        self._journal = AppendFile(self._path)
        self._open = ExitStack()

    def __enter__(self) -> Self:
        try:
            self._open.enter_context(self._journal)  # first: its lock keeps a second crawl from touching the rest
            self._open.enter_context(self.corpus)
            self._open.enter_context(self.aside)
            journal = read_journal(self._path)
            check_rules(self._path, journal.entries)
            self._reconcile(journal)
        except BaseException:
            self._open.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        is_failed = isinstance(error, PageFailed) and not (len(self.corpus) and self.entries)
        if is_failed or (error and not len(self.corpus) + len(self.aside) + len(self.recovered)):
            self._delete()  # before its lock is dropped
        self._open.close()

    def append(self, entry: JournalEntry) -> None:
        """Write one entry to the journal. Raises `StorageFailed`."""
        append_entry(self._journal, entry)

    def _delete(self) -> None:
        with suppress(OSError, StorageFailed):  # another process put a file there
            for corpus in (self.aside, self.corpus):
                for name in FILES:
                    (corpus.folder / name).unlink(missing_ok=True)
                for row in range(len(corpus) + 1):  # the last may have no page yet
                    remove_picture(corpus.picture_path(row))
                    corpus.html_path(row).unlink(missing_ok=True)
                for path in (corpus.picture_path(0), corpus.html_path(0)):
                    with suppress(FileNotFoundError):
                        path.parent.rmdir()
                if self._made or corpus is self.aside:
                    corpus.folder.rmdir()

    def _reconcile(self, journal: JournalEntries) -> None:
        keep = _agreeing(journal.entries, len(self.corpus), len(self.aside)) if len(self.corpus) + len(self.aside) else 0
        self._journal.cut(journal.starts[keep] if keep < len(journal.entries) else journal.end)
        self.entries = deque(journal.entries[:keep])
        for corpus, kinds in ((self.corpus, Stored | Promoted), (self.aside, SetAside)):
            journalled = sum(isinstance(entry, kinds) for entry in self.entries)
            for row in range(journalled, len(corpus)):
                page = corpus.page(row)
                self.recovered[page.url] = Recovered(page, corpus.picture(row), corpus.html(row))
            corpus.cut(journalled)


def _agreeing(entries: Sequence[JournalEntry], pages: int, aside: int) -> int:
    """How many entries from the first on have their pages."""
    for position, entry in enumerate(entries):
        pages -= isinstance(entry, Stored | Promoted)
        aside -= isinstance(entry, SetAside)
        if pages < 0 or aside < 0:
            return position
    return len(entries)


def _open_or_create(folder: Path, start_url: str) -> Corpus:
    if not (folder / "corpus.json").exists():
        return Corpus.create(folder, start_url)
    corpus = Corpus.open(folder)
    if corpus.start_url != start_url:
        raise Rejected(f"{folder}: holds a corpus of {corpus.start_url}, not of {start_url}: choose another folder")
    return corpus


def check_scope(folder: Path, entries: Sequence[JournalEntry], scope: Scope) -> None:
    """Raise `Rejected` if a crawl began with another scope: the corpus would mix two choices of pages."""
    begun = last_begun(entries)
    if begun and begun.scope != scope:
        names = ", ".join(name for name in scope.__struct_fields__ if getattr(scope, name) != getattr(begun.scope, name))
        raise Rejected(f"{folder}: its crawl began with another choice of pages ({names}): give the same, or choose another folder")


def last_begun(entries: Sequence[JournalEntry]) -> Begun | None:
    """Return the latest requested pages and width among the entries."""
    return next((entry for entry in reversed(entries) if isinstance(entry, Begun)), None)
