"""`JobLog`: structured log of a batch, one JSON object per line, with the ids of pages."""

from __future__ import annotations

import os
import socket
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from sightread.render.files import storage_errors


class JobLog:
    """Appends events to a file; without a path it does nothing. A context manager. Several processes may append to one file.

    Each line has `time`, `event`, `host`, `process` and the event's own fields, of pages `partition`, `source` and `position`.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file = -1

    def __enter__(self) -> Self:
        if self._path is not None:
            with storage_errors(self._path):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def write(self, event: str, **fields: object) -> None:
        """Append an event. A full disk loses the line, not the job."""
        if self._file < 0:
            return
        known = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, "host": socket.gethostname()}
        try:
            os.write(self._file, msgspec.json.encode({**known, "process": os.getpid(), **fields}) + b"\n")
        except (OSError, UnicodeEncodeError):
            return
