"""Storage of a job's output: a folder, or a prefix of an object store. Files appear whole or do not appear."""

from __future__ import annotations

import errno
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Concatenate, ParamSpec, TypeVar

from sightread.batch.inputs.files import file_system, is_remote
from sightread.render.errors import StorageFailed, Unwritable
from sightread.render.files import storage_errors

T = TypeVar("T")
P = ParamSpec("P")
MOST_TRIES = 6
"""Attempts of a request to an object store; the last one comes after half a minute."""
FIRST_PAUSE = 1.0
"""Seconds before the second attempt; the pause doubles each time."""


class Storage(ABC):
    """Files of one job by name, such as `manifest/00001-0.json`.

    Methods raise `StorageFailed`, and `Unwritable` if no later try can end well.
    """

    @abstractmethod
    def create(self, name: str, content: bytes) -> bool:
        """Create a small file if there is none of that name, whole and durable; return whether it was created."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is none."""

    @abstractmethod
    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder, sorted; empty if it does not exist."""

    @abstractmethod
    def size(self, name: str) -> int | None:
        """Return the bytes of a file; None if there is none."""

    @abstractmethod
    @contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """Lend a temporary path; at the end of the block its content is made durable and published under the name.

        If the block raises, nothing is published and the temporary file is removed.
        """
        yield Path()

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    @abstractmethod
    def path(self, name: str) -> str:
        """Return the path or URL of a file."""


def open_storage(output: str) -> Storage:
    """Return the storage of an output folder or URL. Raises `Unequipped` if a package is missing."""
    return ObjectStorage(output) if is_remote(output) else FolderStorage(Path(output))


class FolderStorage(Storage):
    """A folder of this machine, or of a file system that several machines share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def create(self, name: str, content: bytes) -> bool:
        """Create a small file exclusively: the content is written and synced under a temporary name, which `link` then makes final.

        `link` fails if the name is taken, as `O_EXCL` does, and an entry is never seen empty. File systems without links get `O_EXCL`.
        """
        path = self._folder / name
        if path.exists():
            return False
        part = path.parent / f".{path.name}.{os.getpid()}.{time.monotonic_ns()}.part"
        with storage_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                _write_synced(part, content, os.O_CREAT | os.O_EXCL)
                try:
                    os.link(part, path)
                except FileExistsError:
                    return False
                except OSError as error:
                    if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
                        raise
                    return _create_without_links(path, content)
                _sync_folder(path.parent)
                return True
            finally:
                part.unlink(missing_ok=True)

    def read(self, name: str) -> bytes | None:
        """Return the content of a file."""
        try:
            return (self._folder / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise _unreadable(self._folder / name, error) from error

    def names(self, folder: str) -> list[str]:
        """Return the names of the files in a folder."""
        try:
            found = [path.name for path in (self._folder / folder).iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise _unreadable(self._folder / folder, error) from error
        return sorted(f"{folder}/{name}" for name in found if not name.startswith("."))

    def size(self, name: str) -> int | None:
        """Return the bytes of a file."""
        with suppress(OSError):
            return (self._folder / name).stat().st_size
        return None

    @contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """Lend a temporary path in the same folder."""
        path = self._folder / name
        part = path.parent / f".{path.name}.{os.getpid()}.part"
        with storage_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield part
            with storage_errors(path):
                _sync(part)
                part.replace(path)
                _sync_folder(path.parent)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def remove(self, name: str) -> None:
        """Remove a file."""
        with storage_errors(self._folder / name):
            (self._folder / name).unlink(missing_ok=True)

    def path(self, name: str) -> str:
        """Return the path of a file."""
        return str(self._folder / name)


def _unreadable(path: Path, error: OSError) -> StorageFailed:
    if error.errno in (errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP):
        return Unwritable(f"{path}: cannot be read: {error.strerror}: choose another folder")
    return StorageFailed(f"{path}: cannot be read: {error.strerror}")


def _write_synced(path: Path, content: bytes, flags: int) -> None:
    opened = os.open(path, os.O_WRONLY | flags, 0o644)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(opened, rest) :]
        os.fsync(opened)
    finally:
        os.close(opened)


def _create_without_links(path: Path, content: bytes) -> bool:
    try:
        _write_synced(path, content, os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        return False
    _sync_folder(path.parent)
    return True


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # some file systems refuse to sync folders
        _sync(folder)


Request = Callable[Concatenate["ObjectStorage", str, P], T]


def _repeated(request: Request[P, T]) -> Request[P, T]:
    """Return the method of an object store that repeats its request, about the object of a name, while it fails."""

    @wraps(request)
    def call(storage: ObjectStorage, name: str, /, *arguments: P.args, **named: P.kwargs) -> T:
        for tried in range(MOST_TRIES):
            if tried:
                time.sleep(FIRST_PAUSE * 2 ** (tried - 1))
            try:
                return request(storage, name, *arguments, **named)
            except FileNotFoundError as error:  # reading returns None: it is written to
                raise Unwritable(f"{storage.path(name)}: there is no such bucket: create it, or choose another output") from error
            except PermissionError as error:
                raise Unwritable(f"{storage.path(name)}: access is denied: check the credentials: {error}") from error
            except Exception as error:  # noqa: BLE001  (each store's client has errors of its own: they are repeated, and then raised)
                last = error
        failure = f"{storage.path(name)}: the object store failed {MOST_TRIES} times: {last}; run the same command again"
        raise StorageFailed(failure) from last

    return call


class ObjectStorage(Storage):
    """A prefix of an object store, through fsspec. Failed requests are repeated."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._system, self._prefix = file_system(self._url)

    @_repeated
    def create(self, name: str, content: bytes) -> bool:
        """Create an object with `If-None-Match: *`, which the store must support (S3 does).

        A request that was repeated may find its own object: that counts as created.
        """
        try:
            self._system.pipe_file(self._key(name), content, mode="create")
        except Exception:  # each client has an error of its own for a name that is taken; any other is raised again
            found = self.read(name)
            if found is None:
                raise
            return found == content
        return True

    @_repeated
    def read(self, name: str) -> bytes | None:
        """Return the content of an object."""
        try:
            return bytes(self._system.cat_file(self._key(name)))
        except FileNotFoundError:
            return None

    @_repeated
    def names(self, folder: str) -> list[str]:
        """Return the names of the objects below a folder."""
        self._system.invalidate_cache()
        try:
            found = self._system.ls(self._key(folder), detail=False)
        except FileNotFoundError:
            return []
        return sorted(f"{folder}/{str(name).rstrip('/').rpartition('/')[2]}" for name in found)

    @_repeated
    def size(self, name: str) -> int | None:
        """Return the bytes of an object."""
        self._system.invalidate_cache()
        try:
            return int(self._system.size(self._key(name)))
        except FileNotFoundError:
            return None

    @contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """Lend a temporary path on this machine, which is uploaded at the end."""
        with TemporaryDirectory(prefix="sightread-") as folder:
            part = Path(folder) / Path(name).name
            yield part
            self._upload(name, part)

    @_repeated
    def _upload(self, name: str, part: Path) -> None:
        self._system.put_file(str(part), self._key(name))

    @_repeated
    def remove(self, name: str) -> None:
        """Remove an object."""
        with suppress(FileNotFoundError):
            self._system.rm_file(self._key(name))

    def path(self, name: str) -> str:
        """Return the URL of an object."""
        return f"{self._url}/{name}"

    def _key(self, name: str) -> str:
        return f"{self._prefix}/{name}"
