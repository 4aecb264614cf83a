"""Input files: local, or through fsspec over HTTP and from object stores."""

from __future__ import annotations

import gzip
import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, cast

from sightread.render.errors import Rejected, Unequipped

_PIECE = 1 << 20


class InputFile(NamedTuple):
    """A file of the input."""

    path: str
    """A path, or a URL such as `s3://bucket/file`."""
    size: int
    """Bytes."""

    @property
    def is_remote(self) -> bool:
        """Whether it is not on this machine."""
        return is_remote(self.path)


def is_remote(path: str) -> bool:
    """Return whether a path is a URL."""
    return "://" in path


def list_files(given: str) -> tuple[InputFile, ...]:
    """Return the files of an input, sorted by path: one file, all in a folder and below it, or those that fit a pattern with `*`.

    A corpus, which is a folder, counts as a file. Raises `Rejected` if there are none, `Unequipped` without fsspec for a URL.
    """
    try:
        found = tuple(sorted(_list_remote(given) if is_remote(given) else _list_local(given)))
    except FileNotFoundError:
        found = ()
    except OSError as error:
        raise Rejected(f"{given}: cannot be listed: {error.strerror or error}") from error
    if not found:
        raise Rejected(f"{given}: no input there: give a file, a folder of files or a pattern such as 'crawl/*.warc.gz'")
    return found


def _list_local(given: str) -> Iterator[InputFile]:
    path = Path(given)
    if path.is_file():
        yield InputFile(str(path), path.stat().st_size)
    elif (path / "corpus.json").is_file():
        yield InputFile(str(path), (path / "pages.jsonl.gz").stat().st_size if (path / "pages.jsonl.gz").exists() else 0)
    elif path.is_dir():
        corpora = [card.parent for card in path.rglob("corpus.json")]
        for corpus in corpora:
            yield from _list_local(str(corpus))
        for file in path.rglob("*"):
            is_hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
            if file.is_file() and not is_hidden and not any(file.is_relative_to(corpus) for corpus in corpora):
                yield InputFile(str(file), file.stat().st_size)
    elif "*" in path.name and path.parent.is_dir():
        for file in path.parent.glob(path.name):
            yield from _list_local(str(file))


def _list_remote(given: str) -> Iterator[InputFile]:
    system, path = file_system(given)
    prefix = given.partition("://")[0] + "://"
    if "*" in path:
        found = system.glob(path, detail=True)
        entries = list(found.values())
    elif prefix in ("http://", "https://") or system.isfile(path):
        entries = [system.info(path)]
    else:
        entries = list(system.find(path, detail=True).values())
    for entry in entries:
        if entry.get("type") == "file":
            name = str(entry["name"])
            yield InputFile(name if "://" in name else prefix + name, int(entry.get("size") or 0))


def file_system(url: str) -> tuple[Any, str]:
    """Return the fsspec file system of a URL, and the path in it. Raises `Unequipped` if a package is missing, `Rejected` for a scheme."""
    try:
        core = import_module("fsspec.core")
    except ImportError as error:
        raise Unequipped(f"{url}: files that are not on this machine need fsspec: pip install 'sightread[batch]'") from error
    try:
        system, path = core.url_to_fs(url)
    except ImportError as error:
        remedy = "pip install 'sightread[s3]'" if url.startswith(("s3://", "s3a://")) else "install the package that it names"
        raise Unequipped(f"{url}: {error}: {remedy}") from error
    except ValueError as error:
        raise Rejected(f"{url}: {error}") from error
    return system, path


def open_input(path: str) -> BinaryIO:
    """Open an input file for reading, from its start; it can seek. Raises `Rejected` if it is not there."""
    try:
        if is_remote(path):
            system, name = file_system(path)
            return cast(BinaryIO, system.open(name, "rb"))
        return Path(path).open("rb")
    except (FileNotFoundError, PermissionError, IsADirectoryError) as error:
        raise Rejected(f"{path}: cannot be read: {error.strerror or error}") from error


@contextmanager
def open_lines(path: str, byte: int = 0) -> Iterator[IO[bytes]]:
    """Open a file of lines at a byte offset; a gzip file is unpacked, from its start."""
    with open_input(path) as file:
        if path.endswith(".gz"):
            with gzip.open(file) as unpacked:
                yield cast(IO[bytes], unpacked)
        else:
            file.seek(byte)
            yield io.BufferedReader(cast(io.RawIOBase, file)) if isinstance(file, io.RawIOBase) else file


@contextmanager
def local_copy(path: str) -> Iterator[Path]:
    """Lend a path on this machine: the file's own, or that of a temporary copy of a remote one."""
    if not is_remote(path):
        yield Path(path)
        return
    with tempfile.TemporaryDirectory(prefix="sightread-") as folder:
        copy = Path(folder) / "input"
        with open_input(path) as remote, copy.open("wb") as file:
            shutil.copyfileobj(remote, file, _PIECE)
        yield copy
