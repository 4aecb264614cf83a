"""The plan of a job: its partitions, a pure function of the input and the options.

Each shard makes the same plan, and the first one stores it; the others, and later runs, compare theirs by digest.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import count, islice
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from sightread.batch.inputs.files import (
    TO_THE_END,
    InputFile,
    InputRecord,
    ListedUrl,
    Partition,
    bucket_of,
    list_files,
    listed_urls,
    read_corpus,
    read_urls,
)
from sightread.batch.inputs.rows import ColumnNames, check_columns, line_offsets, parquet_rows, read_rows
from sightread.batch.inputs.warc import read_warc, record_offsets
from sightread.batch.storage import Storage
from sightread.crawler.corpus import Corpus
from sightread.document.tree.nodes import Part
from sightread.render.errors import BadRecord, Rejected
from sightread.render.version import VERSION
from sightread.render.visit.options import Way

OutputFormat: TypeAlias = Literal["jsonl", "parquet"]
MOST_ROWS = 20_000
PARTITIONS = 64
"""Partitions that an input is divided into, as far as the limits below allow it: enough that many processes have work to its end."""
PACKED_PARTITIONS = 16
"""The same of JSON Lines in a gzip file, which each partition unpacks from the start."""


class RowLimits(NamedTuple):
    """Rows of a partition, at least and at most; the size is a multiple of the least."""

    least: int
    most: int


STATIC_ROWS = RowLimits(50, 2_000)
"""Without a browser: 1 s to two minutes of one core, at 20 to 60 ms per page."""
RENDERED_ROWS = RowLimits(10, 100)
"""With a browser: 10 s to two minutes, at about 1 s per page."""


class InputOptions(msgspec.Struct, frozen=True):
    """The input."""

    path: str
    """A file, a folder, a pattern or a URL."""
    kind: str = ""
    """warc, urls, corpus, parquet or jsonl; empty to take it from the names."""
    columns: ColumnNames = ColumnNames()
    partition_rows: int = 0
    """Rows of a partition at most; 0 to choose them by the size of the input."""


class ExtractionOptions(msgspec.Struct, frozen=True):
    """How each page is extracted."""

    static: bool = False
    fast: bool = False
    """The text alone (`sightread.extract_text`); `static` is set too."""
    model: str = "auto"
    formats: tuple[str, ...] = ("markdown",)
    """Formats of the documents, one column each."""
    without: tuple[Part, ...] = ()
    light: bool = False
    """Load no images and no web fonts."""
    local: bool = False
    """Also open pages of this machine and of private networks."""
    deadline: float = 30.0
    """Seconds in which a page must be rendered."""
    render: Way = "always"
    """Whether a browser renders all pages, or those of learned sites alone whose HTML is not enough."""


class JobOptions(msgspec.Struct, frozen=True):
    """All of them."""

    input: InputOptions
    extraction: ExtractionOptions = ExtractionOptions()
    output_format: OutputFormat = "jsonl"

    @property
    def row_step(self) -> int:
        """The number that rows of a partition are a multiple of: the number itself if it is given."""
        return self.input.partition_rows or self._limits.least

    def partition_rows(self, total: int, partitions: int = PARTITIONS) -> int:
        """Return the most rows per partition, for an input of `total` rows: as given, else so that there are about `partitions`."""
        if self.input.partition_rows:
            return self.input.partition_rows
        least, most = self._limits
        return min(most, max(1, -(-total // (partitions * least))) * least)

    @property
    def _limits(self) -> RowLimits:
        return STATIC_ROWS if self.extraction.static else RENDERED_ROWS


JOB = "job.json"
ENTRIES = "manifest"
"""Folder of the entries of committed parts."""
SCHEMA = 1
SUFFIXES = {
    "warc": (".warc", ".warc.gz", ".warc.zst"),
    "jsonl": (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"),
    "parquet": (".parquet",),
    "urls": (".txt", ".txt.gz", ".urls"),
}
OPTIONS = {
    "input.path": "the input",
    "input.kind": "--input-format",
    "input.columns.url": "--url-column",
    "input.columns.html": "--html-column",
    "input.columns.warc_base": "--warc-base",
    "input.partition_rows": "--partition-rows",
    "extraction.formats": "--format",
    "output_format": "--output-format",
    **{f"extraction.{name}": f"--{name}" for name in ("static", "fast", "model", "without", "light", "local", "deadline", "render")},
}
"""Fields of the options by the names that users give."""
BUCKETS_PER_PARTITION = 2
"""Buckets of a list of URLs per partition that it needs at least: most buckets, of unequal size, are then one partition."""
UNKNOWN_KIND = "name it with --input-format warc, urls, corpus, parquet or jsonl; sightread extract reads HTML files"
"""Remedy for files whose names end in none of the suffixes."""
_BUFFER = 64 << 20
"""Bytes of URLs that are grouped in memory."""
SCHEDULERS = (("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"), ("JOB_COMPLETION_INDEX", "SIGHTREAD_SHARDS", ""))
"""Environment variables with the number of a task, the number of tasks, and the number of the first one."""


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

    @property
    def left_out(self) -> tuple[str, ...]:
        """Paths of the files that are not read, because their kind is unknown."""
        return tuple(file.path for file in self.files if not (self.options.input.kind or kind_of(file.path)))

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
        remedy = (
            "choose another output" if storage.names(ENTRIES) else "nothing is committed there yet: delete it, or choose another output"
        )
        raise Rejected(f"{storage.path('')}: it belongs to a job with {_difference(stored.options, options)}: {remedy}")
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


def read_records(partition: Partition, start: int, options: JobOptions, storage: Storage) -> Generator[InputRecord, None, None]:
    """Yield the records of a partition from a position on."""
    if partition.kind == "urls":
        yield from read_urls(msgspec.structs.replace(partition, file=storage.path(partition.file)), start)
    elif partition.kind in ("jsonl", "parquet"):
        yield from read_rows(partition, start, options.input.columns)
    else:
        yield from (read_warc if partition.kind == "warc" else read_corpus)(partition, start)


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
    changed = [name for name in known if known[name] != new[name]]
    return ", ".join(f"{OPTIONS.get(name, name)} {_shown(known[name])} (now {_shown(new[name])})" for name in changed)


def _shown(value: object) -> str:
    return " ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else repr(value)


def _flat(record: dict[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for name, value in record.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {f"{prefix}{name}": value}
    return flat


class _Index(NamedTuple):
    """The records of an input file: how many, and where some of them begin."""

    file: InputFile
    kind: str
    records: int
    """0 for a remote WARC file: it is not read before a worker copies it, and is one partition."""
    offsets: Sequence[int] = ()
    """Byte offset of each `row_step`-th record, of WARC and JSON Lines."""

    @property
    def is_packed(self) -> bool:
        """Whether it is read from its start to reach any record."""
        return self.kind == "jsonl" and self.file.path.endswith(".gz")


def _partitions(files: tuple[InputFile, ...], options: JobOptions, storage: Storage) -> Iterator[Partition]:
    """Yield the partitions, which depend on files and options alone: their size is chosen by the records of all files together."""
    step = options.row_step
    if not 0 < step <= MOST_ROWS:
        raise Rejected(f"{step} rows per partition: give 1 to {MOST_ROWS}")
    kinds = {file: options.input.kind or kind_of(file.path) for file in files}
    if not any(kinds.values()):
        what = f"{files[0].path}: the kind of input is unknown" + (f", as is that of {len(files) - 1} more" if len(files) > 1 else "")
        raise Rejected(f"{what}: {UNKNOWN_KIND}")
    first = next(((file, kind) for file, kind in kinds.items() if kind in ("jsonl", "parquet")), None)
    if first is not None:
        check_columns(first[0].path, first[1], options.input.columns)
    indexed = [_index(file, kind, step) for file, kind in kinds.items() if kind]
    total = sum(each.records for each in indexed)
    rows, packed_rows = options.partition_rows(total), options.partition_rows(total, PACKED_PARTITIONS)
    owners = count()
    for each in indexed:
        if each.kind != "urls":
            ranges = _ranges(each, packed_rows if each.is_packed else rows, step)
            yield from (msgspec.structs.replace(partition, owner=next(owners)) for partition in ranges)
    lists = [each for each in indexed if each.kind == "urls"]
    if lists:
        yield from _urls(lists, rows, storage)


def kind_of(path: str) -> str:
    """Return the kind of an input file by its name; empty if it is unknown."""
    name = path.lower()
    known = next((kind for kind, suffixes in SUFFIXES.items() if name.endswith(suffixes)), "")
    return known or ("corpus" if (Path(path) / "corpus.json").is_file() else "")


def _index(file: InputFile, kind: str, step: int) -> _Index:
    """Count the records of a file, in one pass. Raises `Rejected`."""
    if kind == "parquet":
        return _Index(file, kind, parquet_rows(file.path))
    if kind == "corpus":
        return _Index(file, kind, len(Corpus.open(file.path)))
    if kind == "urls":
        return _Index(file, kind, sum(1 for _ in listed_urls(file.path)))
    offsets, records = array("q"), 0
    if kind == "jsonl" or not file.is_remote:
        try:
            for records, offset in enumerate(line_offsets(file.path) if kind == "jsonl" else record_offsets(Path(file.path)), 1):
                if (records - 1) % step == 0:
                    offsets.append(offset)
        except Rejected as error:
            raise Rejected(f"{file.path}: {error}") from error
    return _Index(file, kind, records, offsets)


def _ranges(index: _Index, rows: int, step: int) -> Iterator[Partition]:
    """Yield partitions of `rows` rows, a multiple of `step`. A WARC file is given by offset, to its end; a remote one is a partition."""
    path, is_warc = index.file.path, index.kind == "warc"
    if is_warc and not index.records:
        yield Partition(0, "warc", path)
        return
    offsets = index.offsets[:: rows // step]
    for number, first in enumerate(range(0, index.records, rows)):
        records = min(rows, index.records - first)
        if is_warc:
            end = offsets[number + 1] if number + 1 < len(offsets) else TO_THE_END
            yield Partition(0, "warc", path, offsets[number], end, records)
        else:
            yield Partition(0, index.kind, path, first, first + records, records, byte=offsets[number] if offsets else 0)


def _urls(lists: Sequence[_Index], rows: int, storage: Storage) -> Iterator[Partition]:
    """Yield partitions of URLs by a hash of the registrable domain, each URL once; each partition's URLs are stored as a file."""
    buckets = max(1, -(-sum(each.records for each in lists) * BUCKETS_PER_PARTITION // rows))
    with tempfile.TemporaryDirectory(prefix="sightread-") as folder:
        _group([each.file for each in lists], buckets, Path(folder))
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


def shard_of(given: str | None, environment: Mapping[str, str]) -> tuple[int, int]:
    """Return number and count of the shard: as given, else as a scheduler's environment declares it; 0 and 1 for the whole job.

    Raises `Rejected` if the environment names a task and not how many there are.
    """
    if given:
        own, _, whole = given.partition("/")
        return int(own), int(whole)
    for name, total, first in SCHEDULERS:
        if environment.get(name, "").isdigit():
            shards = environment.get(total, "")
            number = int(environment[name]) - int(environment.get(first) or 0)
            if not shards.isdigit() or not 0 <= number < int(shards):
                problem = f"{name} is {environment[name]} and {total} {shards or 'not set'}"
                raise Rejected(f"{problem}: set {total} to the number of tasks, or give --shard I/N")
            return number, int(shards)
    return 0, 1
