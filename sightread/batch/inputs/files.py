"""Input files: local, or through fsspec over HTTP and from object stores."""

from __future__ import annotations

import gzip
import io
import ipaddress
import logging
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, cast

import msgspec
from publicsuffixlist import PublicSuffixList

from sightread.crawler.corpus import Corpus
from sightread.render.errors import BadRecord, Rejected, Unequipped
from sightread.render.page import encode_page

LOG = logging.getLogger(__name__)

TO_THE_END = -1
"""End of a partition that reaches to the end of its file, whose length is not known."""


class InputRecord(msgspec.Struct, frozen=True, array_like=True):
    """One record: a page, or the reason why it is none."""

    position: int
    """Its byte offset in a WARC file, else its number in the file, from 0."""
    url: str = ""
    html: bytes = b""
    """Empty for a URL that a browser opens."""
    page: bytes = b""
    """A stored `Page` that was rendered before, in JSON."""
    charset: str = ""
    """As the HTTP answer declares it; empty if it does not."""
    note: str = ""
    """A defect of the record that leaves it readable."""
    other: str = ""
    """Kind of a record that holds no answer, such as a WARC request: it is counted, and has no row."""
    skipped: str = ""
    """Reason for which an answer is no page: a code, then a colon and details."""
    failed: str = ""
    """Reason for which the record cannot be read."""

    @classmethod
    def guarded(cls, position: int, read: Callable[[], InputRecord]) -> InputRecord:
        """Return what `read` returns; a record on which it fails is lost alone, for the process would fail on it again and again."""
        try:
            return read()
        except (ValueError, LookupError, TypeError, ArithmeticError, AttributeError) as error:
            LOG.warning("record at %d: %r", position, error, exc_info=True)
            return cls(position, failed="damaged: it cannot be parsed")


class Partition(msgspec.Struct, frozen=True):
    """A range of records of one input file: a pure function of the input and the options of the job."""

    number: int
    """Its place in the plan, from 0."""
    kind: str
    """warc, jsonl, parquet, corpus or urls."""
    file: str
    """The input file, its path or URL; of a list of URLs, the partition's own file in the output."""
    start: int = 0
    """Position of its first record."""
    end: int = TO_THE_END
    """Position after its last record."""
    records: int = 0
    """How many it has; 0 if that is not known."""
    owner: int = 0
    """Partitions with one owner belong to the same shard, and do not run at once: a host has one owner."""
    byte: int = 0
    """Offset at which reading begins, if records are numbered."""

    def holds(self, position: int) -> bool:
        """Return whether a position is before the end."""
        return self.end == TO_THE_END or position < self.end


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


def read_corpus(partition: Partition, start: int) -> Iterator[InputRecord]:
    """Yield the pages of a partition by number."""
    corpus = Corpus.open(partition.file)
    for number in range(start, min(len(corpus), partition.end)):
        try:
            page = corpus.page(number)
        except BadRecord as error:
            yield InputRecord(number, failed=str(error))
        else:
            yield InputRecord(number, page.final_url or page.url, page=encode_page(page))


_HOST = re.compile(r"(?i)https?://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)")


class ListedUrl(msgspec.Struct, frozen=True, array_like=True):
    """A line of a partition's file: the number of the URL in the whole input, and the URL."""

    number: int
    url: str


@cache
def _suffixes() -> Any:
    return PublicSuffixList()


def registrable_domain(url: str) -> str:
    """Return the domain that one owner registered, by the public suffix list; of an IP address or an unlisted host, the host itself."""
    found = _HOST.match(url)
    host = found[1].rstrip(".").lower() if found else ""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return _suffixes().privatesuffix(host) or host if host else ""
    return host


def bucket_of(url: str, buckets: int) -> int:
    """Return the bucket of a URL: a hash of its registrable domain."""
    digest = blake2b(registrable_domain(url).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest) % buckets


def listed_urls(path: str) -> Iterator[str]:
    """Yield the URLs of a list: one per line; empty lines, and those that begin with #, are passed over."""
    with open_lines(path) as lines:
        for raw in lines:
            line = raw.decode("utf-8", "replace").strip().removeprefix("\ufeff")
            if line and not line.startswith("#"):
                yield line


def read_urls(partition: Partition, start: int) -> Iterator[InputRecord]:
    """Yield the URLs of a partition, from its own file in the output."""
    with open_lines(partition.file) as lines:
        for raw in lines:
            listed = msgspec.json.decode(raw, type=ListedUrl)
            if listed.number >= start:
                yield InputRecord(listed.number, listed.url)
