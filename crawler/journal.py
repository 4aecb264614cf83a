"""Crawl journal (`crawl.jsonl`): all results from the network, in the order in which they were processed.

Which URL is visited next is a pure function of these entries, so a crawl that was killed replays them and continues.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from sightread.crawler.urls import DEFAULT_SCOPE, Scope
from sightread.render.errors import BadRecord, Rejected
from sightread.render.files import reading_errors, storage_errors


class AppendFile:
    """A file held by one writer at a time; the lock dies with its process.

    A context manager: the file is created and locked on entry. Raises `Rejected` there while another process writes it, and
    `StorageFailed` if the disk or the folder forbids writing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        with storage_errors(self._path):
            file = self._path.open("ab", buffering=0)
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            raise Rejected(f"{self._path}: another process is writing it: wait for it to end, or choose another folder") from error
        self._file = file
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def append(self, content: bytes, *, sync: bool = True) -> None:
        """Append, and unless `sync` is False return once it is on the disk; if that fails, cut back the file and raise `StorageFailed`."""
        file = self._opened()
        with storage_errors(self._path):
            before = os.fstat(file.fileno()).st_size
            try:
                rest = memoryview(content)
                while rest:
                    rest = rest[file.write(rest) or 0 :]
                if sync:
                    os.fsync(file.fileno())
            except OSError:
                with suppress(OSError):
                    os.ftruncate(file.fileno(), before)
                raise

    def sync(self) -> None:
        """Return once everything is on the disk. Raises `StorageFailed`."""
        with storage_errors(self._path):
            os.fsync(self._opened().fileno())

    def cut(self, size: int) -> None:
        """Keep the first `size` bytes; a file that has no more stays untouched."""
        file = self._opened()
        with storage_errors(self._path):
            if os.fstat(file.fileno()).st_size > size:
                os.ftruncate(file.fileno(), size)
                os.fsync(file.fileno())

    def _opened(self) -> BinaryIO:
        if self._file is None:
            raise RuntimeError(f"{self._path} is not open for writing: enter its `with` block first")
        return self._file


JOURNAL = 3
"""Version of the entries *and* of the rules by which URLs are chosen from them: raise it when either changes."""


class Candidate(msgspec.Struct, frozen=True, array_like=True):
    """A page of the site that might be visited: its normal URL, and the text of the link that leads there."""

    url: str
    text: str = ""


class Begun(msgspec.Struct, frozen=True, tag="begun"):
    """A run began that wants `pages` pages of a scope and visits up to `width` URLs at once."""

    pages: int
    width: int
    journal: int = JOURNAL
    scope: Scope = DEFAULT_SCOPE


class RobotsRead(msgspec.Struct, frozen=True, tag="robots"):
    """The robots.txt of the origin of `url`; its text is empty if the site has none."""

    url: str
    status: int
    text: str


class SitemapRead(msgspec.Struct, frozen=True, tag="sitemap"):
    """The pages that the site's sitemaps name, newest first if they are dated."""

    files: int
    urls: tuple[str, ...]


class Stored(msgspec.Struct, frozen=True, tag="stored"):
    """A visited page became the next page of the corpus."""

    url: str
    final_url: str
    digest: str
    links: tuple[Candidate, ...] = ()
    look: tuple[int, ...] = ()
    """Hashes of the containers of its text."""


class SetAside(msgspec.Struct, frozen=True, tag="aside"):
    """A visited page is kept aside: a list of links, for the case that the site has no N others, or a page visited first for its links."""

    url: str
    final_url: str
    digest: str
    links: tuple[Candidate, ...] = ()
    is_outside: bool = False
    """The start page of a crawl whose scope it is not in: it serves for its links alone."""
    look: tuple[int, ...] = ()
    """Hashes of the containers of its text; empty for a list of links."""


class Duplicate(msgspec.Struct, frozen=True, tag="duplicate"):
    """A visited page has the final URL or the very texts of an earlier one."""

    url: str
    of: str


OUTSIDE = "outside the scope: "
"""How the reason of a visit begins whose page is not wanted; why follows."""
ELSEWHERE = "leads to another site: "
"""How the reason of a visit begins that ended on another site; its URL follows."""


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """A visit gave no page; the reason is one line."""

    url: str
    reason: str
    retryable: bool = False


class Promoted(msgspec.Struct, frozen=True, tag="promoted"):
    """A page that was set aside became the next page of the corpus."""

    url: str


VisitEntry = Stored | SetAside | Duplicate | Failed
JournalEntry = Begun | RobotsRead | SitemapRead | VisitEntry | Promoted

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[JournalEntry] = msgspec.json.Decoder(JournalEntry)


class JournalEntries(msgspec.Struct, frozen=True):
    """The entries of a journal file and where each begins; `end` is the size of its whole lines, in bytes."""

    entries: tuple[JournalEntry, ...]
    starts: tuple[int, ...]
    end: int


def read_journal(path: Path) -> JournalEntries:
    """Read the whole lines of a journal; a last line without its newline is one that a kill has torn, and left out.

    Raises `BadRecord` for a damaged line.
    """
    with reading_errors(path):
        content = path.read_bytes() if path.exists() else b""
    entries: list[JournalEntry] = []
    starts: list[int] = []
    position = 0
    for number, line in enumerate(content.splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            break
        try:
            entry = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            advice = f"to continue from the lines before it, run `truncate -s {position} {path}` and crawl again"
            raise BadRecord(f"{path}, line {number}: damaged: {error}: {advice}") from error
        entries.append(entry)
        starts.append(position)
        position += len(line)
    return JournalEntries(tuple(entries), tuple(starts), position)


def check_rules(path: Path, entries: Iterable[JournalEntry]) -> None:
    """Raise `BadRecord` if the journal was written under other rules, so that its crawl cannot continue."""
    for entry in entries:
        if isinstance(entry, Begun) and entry.journal != JOURNAL:
            advice = "crawl into a new folder (the pages stay readable)"
            raise BadRecord(f"{path}: version {entry.journal}, this sightread continues from {JOURNAL}: {advice}")


def append_entry(file: AppendFile, entry: JournalEntry) -> None:
    """Append one entry; on the disk when this returns."""
    file.append(_encoder.encode(entry) + b"\n")
