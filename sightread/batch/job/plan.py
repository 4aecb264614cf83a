"""The plan of a job: its partitions, a pure function of the input and the options.

Each shard makes the same plan, and the first one stores it; the others, and later runs, compare theirs by digest.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import count, islice, pairwise
from pathlib import Path

import msgspec

from crawler.corpus import Corpus
from render.errors import BadRecord, Rejected
from render.version import VERSION
from sightread.batch.inputs.files import InputFile, list_files
from sightread.batch.inputs.record import TO_THE_END, InputRecord, Partition
from sightread.batch.inputs.rows import RowReader, line_offsets, parquet_rows
from sightread.batch.inputs.stored import read_corpus
from sightread.batch.inputs.urls import ListedUrl, bucket_of, listed_urls, read_urls
from sightread.batch.inputs.warc import read_warc, record_offsets
from sightread.batch.job.options import MOST_ROWS, JobOptions
from sightread.batch.job.storage import Storage

JOB = "job.json"
SCHEMA = 1
SUFFIXES = {
    "warc": (".warc", ".warc.gz", ".warc.zst"),
    "jsonl": (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"),
    "parquet": (".parquet",),
    "urls": (".txt", ".txt.gz", ".urls"),
}
"""Names of input files by kind."""
BUCKETS_PER_PARTITION = 2
"""Buckets of a list of URLs per partition that it needs at least: most buckets, of unequal size, are then one partition."""
_BUFFER = 64 << 20
"""Bytes of URLs that are grouped in memory."""


class Plan(msgspec.Struct, frozen=True):
    """The contents of `job.json`."""

    options: JobOptions
    files: tuple[InputFile, ...]
    partitions: tuple[Partition, ...]
    version: str = VERSION
    """The sightread that made it."""
    schema: int = SCHEMA

    @property
    def digest(self) -> str:
        """Digest of options, files with their sizes, and partitions."""
        content = msgspec.json.encode((self.options, self.files, self.partitions))
        return blake2b(content, digest_size=16).hexdigest()

    def shard(self, number: int, shards: int) -> tuple[Partition, ...]:
        """Return the partitions of one of several shards; those of one owner are in the same."""
        return tuple(partition for partition in self.partitions if partition.owner % shards == number)


def load_plan(storage: Storage) -> Plan:
    """Return the plan of an output. Raises `Rejected` if there is none, `BadRecord` if it is damaged."""
    plan = _stored(storage)
    if plan is None:
        raise Rejected(f"{storage.path(JOB)}: no batch was begun there: give the folder or URL that `sightread batch` wrote to")
    return plan


def make_plan(options: JobOptions, storage: Storage) -> Plan:
    """Return the stored plan, or make and store it.

    Raises `Rejected` for an input that cannot be read, and if the output belongs to a job with other options or another input.
    """
    stored = _stored(storage)
    if stored is not None and stored.options != options:
        raise Rejected(f"{storage.path('')}: it belongs to a job with {_difference(stored.options, options)}: choose another output")
    files = list_files(options.input.path)
    if stored is not None:
        if stored.files != files:
            raise Rejected(f"{options.input.path}: its files, or their sizes, changed since the job began: choose another output")
        return stored
    partitions = tuple(msgspec.structs.replace(each, number=number) for number, each in enumerate(_partitions(files, options, storage)))
    plan = Plan(options, files, partitions)
    if not storage.create(JOB, msgspec.json.encode(plan)):
        other = load_plan(storage)
        if other.digest != plan.digest:
            raise Rejected(f"{storage.path('')}: another job was begun there at the same time, or the input changed: choose another output")
        return other
    return plan


def read_records(partition: Partition, start: int, options: JobOptions, storage: Storage) -> Iterator[InputRecord]:
    """Yield the records of a partition from a position on."""
    if partition.kind == "urls":
        return read_urls(msgspec.structs.replace(partition, file=storage.path(partition.file)), start)
    if partition.kind in ("jsonl", "parquet"):
        return RowReader(options.input.columns)(partition, start)
    return (read_warc if partition.kind == "warc" else read_corpus)(partition, start)


def _stored(storage: Storage) -> Plan | None:
    content = storage.read(JOB)
    if content is None:
        return None
    try:
        return msgspec.json.decode(content, type=Plan)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{storage.path(JOB)}: damaged, or of another version: {error}: choose another output") from error


def _difference(stored: JobOptions, given: JobOptions) -> str:
    known, new = _flat(msgspec.to_builtins(stored)), _flat(msgspec.to_builtins(given))
    return ", ".join(f"{name} {_shown(known[name])} (now {_shown(new[name])})" for name in known if known[name] != new[name])


def _shown(value: object) -> str:
    return " ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else repr(value)


def _flat(record: dict[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in record.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return flat


def _partitions(files: tuple[InputFile, ...], options: JobOptions, storage: Storage) -> Iterator[Partition]:
    rows = options.partition_rows
    if not 0 < rows <= MOST_ROWS:
        raise Rejected(f"{rows} rows per partition: give 1 to {MOST_ROWS}")
    kinds = {file: options.input.kind or kind_of(file.path) for file in files}
    unknown = [file.path for file, kind in kinds.items() if not kind]
    if unknown and len(files) == 1:
        raise Rejected(f"{unknown[0]}: the kind of input is unknown: name it with --input-format warc, urls, corpus, parquet or jsonl")
    owners = count()
    lists = [file for file, kind in kinds.items() if kind == "urls"]
    for file, kind in kinds.items():
        if kind == "warc":
            yield from (msgspec.structs.replace(each, owner=next(owners)) for each in _warc(file, rows))
        elif kind == "jsonl":
            yield from (msgspec.structs.replace(each, owner=next(owners)) for each in _lines(file, rows))
        elif kind in ("parquet", "corpus"):
            total = parquet_rows(file.path) if kind == "parquet" else len(Corpus.open(file.path))
            for start in range(0, total, rows):
                end = min(start + rows, total)
                yield Partition(0, kind, file.path, start, end, end - start, next(owners))
    if lists:
        yield from _urls(lists, rows, storage)


def kind_of(path: str) -> str:
    """Return the kind of an input file by its name; empty if it is unknown."""
    name = path.lower()
    known = next((kind for kind, suffixes in SUFFIXES.items() if name.endswith(suffixes)), "")
    return known or ("corpus" if (Path(path) / "corpus.json").is_file() else "")


def _warc(file: InputFile, rows: int) -> Iterator[Partition]:
    """Yield the partitions of a WARC file: the whole file if it is remote, else each `rows` records by offset, in one pass."""
    if file.is_remote:
        yield Partition(0, "warc", file.path)
        return
    try:
        offsets = list(record_offsets(Path(file.path)))
    except Rejected as error:
        raise Rejected(f"{file.path}: {error}") from error
    for first in range(0, max(1, len(offsets)), rows):
        part, after = offsets[first : first + rows] or [0], offsets[first + rows : first + rows + 1]
        yield Partition(0, "warc", file.path, part[0], after[0] if after else TO_THE_END, len(part))


def _lines(file: InputFile, rows: int) -> Iterator[Partition]:
    ranges = list(line_offsets(file.path, rows))
    for (start, byte), (end, _) in pairwise(ranges):
        yield Partition(0, "jsonl", file.path, start, end, end - start, byte=byte)


def _urls(files: list[InputFile], rows: int, storage: Storage) -> Iterator[Partition]:
    """Yield partitions of URLs by a hash of the registrable domain, each URL once; each partition's URLs are stored as a file."""
    total = sum(1 for file in files for _ in listed_urls(file.path))
    buckets = max(1, -(-total * BUCKETS_PER_PARTITION // rows))
    with tempfile.TemporaryDirectory(prefix="sightread-") as folder:
        _group(files, buckets, Path(folder))
        number = count()
        for bucket in range(buckets):
            path = Path(folder) / str(bucket)
            if not path.exists():
                continue
            with path.open("rb") as lines:
                unique = _each_once(lines)
                while part := list(islice(unique, rows)):
                    name = f"urls/{next(number):05}.jsonl"
                    with storage.writing(name) as written:
                        written.write_bytes(b"".join(part))
                    first, last = (msgspec.json.decode(line, type=ListedUrl).number for line in (part[0], part[-1]))
                    yield Partition(0, "urls", name, first, last + 1, len(part), bucket)


def _each_once(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines whose URL was not there before."""
    seen: set[bytes] = set()
    for line in lines:
        key = blake2b(line.partition(b",")[2], digest_size=12).digest()
        if key not in seen:
            seen.add(key)
            yield line


def _group(files: list[InputFile], buckets: int, folder: Path) -> None:
    """Write the URLs of each bucket to a file of its number, in their order."""
    held: dict[int, bytearray] = {}
    number, size = 0, 0
    for file in files:
        for url in listed_urls(file.path):
            line = msgspec.json.encode(ListedUrl(number, url)) + b"\n"
            held.setdefault(bucket_of(url, buckets), bytearray()).extend(line)
            number, size = number + 1, size + len(line)
            if size > _BUFFER:
                _flush(held, folder)
                size = 0
    _flush(held, folder)


def _flush(held: dict[int, bytearray], folder: Path) -> None:
    for bucket, lines in held.items():
        with (folder / str(bucket)).open("ab") as file:
            file.write(lines)
    held.clear()
