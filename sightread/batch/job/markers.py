"""Markers of pages in progress: they outlive a worker, so that a page that kills workers is found and passed over.

An attempt has one marker, with the positions under way; it removes the marker when it ends in order. A marker that is left names the pages
that were under way when a worker died: a page that was alone counts, several are read alone next time.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from sightread.batch.job.storage import Storage

MARKERS = "markers"
MARK_AFTER = 1.0
"""Seconds after which a page under way is marked in an object store, where each marker is a request."""
_WIDTH = 512


class Suspects(NamedTuple):
    """Pages that were under way when workers died."""

    deaths: Counter[int]
    """Position to the number of workers that died while it was alone."""
    together: frozenset[int]
    """Positions of pages that were not alone."""


class Marker:
    """The marker of one attempt; a context manager."""

    def __init__(self, storage: Storage, partition: int, attempt: str) -> None:
        self._storage = storage
        self._name = f"{MARKERS}/{partition:05}-{attempt}.json"
        self._marked: tuple[int, ...] = ()
        self._since = 0.0
        self._under_way: tuple[int, ...] = ()
        self._file = -1

    def on_pages(self, positions: tuple[int, ...]) -> None:
        """Note which pages are under way."""
        self._under_way, self._since = positions, time.monotonic()
        if self._storage.marks_every_page:
            self._write()

    def on_wait(self) -> None:
        """Write the marker of an object store if it is time; called several times per second while pages are under way."""
        if self._under_way != self._marked and time.monotonic() - self._since > MARK_AFTER:
            self._write()

    def _write(self) -> None:
        self._marked = self._under_way
        content = msgspec.json.encode(self._marked)
        if not self._storage.marks_every_page:
            self._storage.remove(self._name)
            self._storage.create(self._name, content)
            return
        if self._file < 0:
            path = Path(self._storage.path(self._name))
            with suppress(OSError):  # a full disk: without a marker the page is not found if it kills the worker, and nothing else is lost
                path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
        if self._file >= 0:
            with suppress(OSError):
                os.pwrite(self._file, content[:_WIDTH].ljust(_WIDTH), 0)

    def close(self) -> None:
        """Remove the marker."""
        if self._file >= 0:
            os.close(self._file)
        if self._file >= 0 or self._marked:
            self._storage.remove(self._name)


def read_suspects(storage: Storage, partition: int) -> Suspects:
    """Return the pages of a partition that were under way when workers died."""
    deaths: Counter[int] = Counter()
    together: set[int] = set()
    for name in storage.names(MARKERS):
        if name.startswith(f"{MARKERS}/{partition:05}-") and (content := storage.read(name)):
            with suppress(msgspec.DecodeError):
                places = msgspec.json.decode(content.strip() or b"[]", type=tuple[int, ...])
                if len(places) == 1:
                    deaths[places[0]] += 1
                together.update(places if len(places) > 1 else ())
    return Suspects(deaths, frozenset(together))


def remove_markers(storage: Storage, partition: int) -> None:
    """Remove the markers of a partition that is complete."""
    for name in storage.names(MARKERS):
        if name.startswith(f"{MARKERS}/{partition:05}-"):
            storage.remove(name)
