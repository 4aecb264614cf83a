"""Files: atomic writes, of which a killed process leaves the old file or the new one, never a part of either; and errors of the disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sightread.render.errors import Rejected, StorageFailed, Unwritable

_ADVICE = {
    errno.ENOSPC: "the disk is full: free some space and run the same command again, it continues where it stopped",
    errno.EDQUOT: "your quota is used up: free some space and run the same command again, it continues where it stopped",
    errno.EFBIG: "the file grows larger than the system allows: raise the limit (ulimit -f) or choose another folder",
    errno.EACCES: "no permission to write there: choose another folder",
    errno.EPERM: "no permission to write there: choose another folder",
    errno.EROFS: "the file system is read-only: choose another folder",
    errno.ENOTDIR: "a part of that path is a file: choose another folder",
    errno.EEXIST: "a file is where a folder is needed: choose another folder",
    errno.ENAMETOOLONG: "a name in that path is too long: choose another folder",
    errno.ELOOP: "a link in that path leads to itself: choose another folder",
}
_LASTING = frozenset((errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP))
"""Errors that another try ends with as well."""


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn an `OSError` of the block into `StorageFailed`, with the path and what to do; into `Unwritable` if it will not pass."""
    try:
        yield
    except OSError as error:
        kind = Unwritable if error.errno in _LASTING else StorageFailed
        raise kind(f"cannot write {path}: {_ADVICE.get(error.errno or 0, error.strerror or str(error))}") from error


@contextmanager
def reading_errors(path: Path) -> Iterator[None]:
    """Turn an `OSError` of the block into `Rejected`, with the path and the reason."""
    try:
        yield
    except OSError as error:
        raise Rejected(f"{path}: cannot be read: {error.strerror or error}") from error


def write_atomically(path: Path, data: bytes) -> None:
    """Replace the file's contents at once; its folder is made if it is missing. Raises `StorageFailed`.

    What is no file, such as `/dev/null`, a pipe or a terminal, is written to: root could put a file in its place.
    """
    with storage_errors(path):
        if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
            path.write_bytes(data)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.parent / f".{path.name}.{os.getpid()}.part"
        try:
            with part.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
