"""The folder of a running crawl: corpus, set-aside pages and journal, made consistent after a kill."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from sightread.crawler.scope import Scope
from sightread.crawler.storage.append_only_file import AppendFile
from sightread.crawler.storage.corpus import Corpus
from sightread.crawler.storage.journal import (
    Begun,
    JournalEntries,
    JournalEntry,
    Promoted,
    SetAside,
    Stored,
    append_entry,
    check_rules,
    read_journal,
)
from sightread.render.errors import PageFailed, Rejected, StorageFailed
from sightread.render.page import Page
from sightread.render.visit.picture import Picture, remove_picture

FILES = ("corpus.json", "pages.jsonl.gz", "crawl.jsonl")
"""Files of a corpus, besides its pictures."""


class Recovered(NamedTuple):
    """A page that was written when a kill came, but not yet its journal entry."""

    page: Page
    picture: Picture | None


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
        """The entries to replay, oldest first."""
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
                with suppress(FileNotFoundError):
                    corpus.picture_path(0).parent.rmdir()
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
                self.recovered[page.url] = Recovered(page, corpus.picture(row))
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
