"""Append-only file: what `append` returned from survives a kill; a failed append leaves the file unchanged."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from sightread.render.errors import Rejected
from sightread.render.files import storage_errors


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

    def append(self, content: bytes) -> None:
        """Append and return once it is on the disk; if that fails, cut the file back to what it was and raise `StorageFailed`."""
        file = self._opened()
        with storage_errors(self._path):
            before = os.fstat(file.fileno()).st_size
            try:
                rest = memoryview(content)
                while rest:
                    rest = rest[file.write(rest) or 0 :]
                os.fsync(file.fileno())
            except OSError:
                with suppress(OSError):
                    os.ftruncate(file.fileno(), before)
                raise

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
