"""The manifest: which parts of which partitions are committed, the only thing that readers of an output follow; and how far a job is.

<output>/
    job.json                                  options, input files and partitions
    parts/00012-0000000000-3f2a9c1b.jsonl.gz  rows of a part, published under the name of the attempt that wrote them
    manifest/00012-0000000000.json            the part of partition 12 that begins at its position 0: created exclusively

A partition is committed in parts: each begins where the one before it ends, so that a partition continues inside its file by offset. Two
workers on one partition, such as one that was thought dead and its successor, write different files; the manifest entry of a position can
be created once, and the one that comes second discards its file and continues after the other's part.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path

import msgspec

from sightread.batch.inputs.files import Partition
from sightread.batch.job.page_row import PageRow, read_part
from sightread.batch.job.plan import ENTRIES, Plan
from sightread.batch.storage import Storage
from sightread.render.errors import BadRecord
from sightread.render.version import VERSION

PARTS = "parts"


class CommittedPart(msgspec.Struct, frozen=True):
    """A committed part."""

    partition: int
    start: int
    """Position of its first record."""
    end: int
    """Position of the next part's first record; that of the last part is the end of the partition."""
    is_last: bool
    file: str
    attempt: str
    checksum: str
    """BLAKE2b of the file."""
    input_digest: str
    """BLAKE2b of the records' content, in order."""
    extracted: int
    skipped: int
    failed: int
    others: Mapping[str, int]
    """Records that hold no answer and have no row, by kind."""
    model: str
    models: Mapping[str, int]
    """Rows by the model that chose their text, with the version of a site's model."""
    seconds: float
    """Wall time from the first record to the last."""
    cpu_seconds: float
    """Processor time of the process for pages, with its browser."""
    committed_at: float
    """Unix time."""
    version: str = VERSION

    @property
    def rows(self) -> int:
        """Rows in the file."""
        return self.extracted + self.skipped + self.failed

    @property
    def records(self) -> int:
        """Records of the input that it accounts for."""
        return self.rows + sum(self.others.values())

    @property
    def name(self) -> str:
        """Its name in the output."""
        return entry_name(self.partition, self.start)


def entry_name(partition: int, start: int) -> str:
    """Return the name of the entry of a part."""
    return f"{ENTRIES}/{partition:05}-{start:012}.json"


def part_name(partition: int, start: int, attempt: str, suffix: str) -> str:
    """Return the name of a part's file."""
    return f"{PARTS}/{partition:05}-{start:012}-{attempt}.{suffix}"


def entry_at(storage: Storage, partition: int, start: int) -> CommittedPart | None:
    """Return the entry of the part that begins at a position; None if it is not committed. Raises `BadRecord`."""
    name = entry_name(partition, start)
    content = storage.read(name)
    if content is None:
        return None
    try:
        return msgspec.json.decode(content, type=CommittedPart)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{storage.path(name)}: damaged: {error}: delete it, and its part is made again") from error


def committed(storage: Storage, partition: Partition) -> Iterator[CommittedPart]:
    """Yield the parts of a partition in order, as far as they are committed without a gap."""
    start = partition.start
    while (entry := entry_at(storage, partition.number, start)) is not None:
        yield entry
        if entry.is_last:
            return
        start = entry.end


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job is."""

    partitions: int
    done: tuple[int, ...]
    """Numbers of the partitions that are complete."""
    entries: tuple[CommittedPart, ...]

    @property
    def is_done(self) -> bool:
        """Whether all partitions are complete."""
        return len(self.done) == self.partitions


def read_progress(storage: Storage, partitions: Iterable[Partition]) -> Progress:
    """Return how far the partitions are. Raises `BadRecord`."""
    known = {name.rpartition("/")[2].partition("-")[0] for name in storage.names(ENTRIES)}
    entries, done, total = [], [], 0
    for partition in partitions:
        total += 1
        if f"{partition.number:05}" in known:
            parts = list(committed(storage, partition))
            entries += parts
            if parts and parts[-1].is_last:
                done.append(partition.number)
    return Progress(total, tuple(done), tuple(entries))


def output_rows(storage: Storage, plan: Plan) -> Iterator[PageRow]:
    """Yield all committed rows, in the order of the input. Raises `BadRecord` if a part is damaged."""
    for partition in plan.partitions:
        for entry in committed(storage, partition):
            content = storage.read(entry.file)
            if content is None or content_digest(content) != entry.checksum:
                raise BadRecord(f"{storage.path(entry.file)}: missing or damaged: delete {storage.path(entry.name)}, and run the job again")
            yield from read_part(content, entry.file)


def content_digest(content: bytes) -> str:
    """Return the digest of a part's content, in hex."""
    return blake2b(content, digest_size=16).hexdigest()


def file_digest(path: Path) -> str:
    """Return the digest of a file, in hex, read piece by piece."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, partial(blake2b, digest_size=16)).hexdigest()


def verify(storage: Storage, plan: Plan) -> Iterator[str]:
    """Yield each fault of an output, in one line: parts that are missing, damaged or do not hold what their entry declares, rows that are
    there twice, partitions that are not complete, and records that are not accounted for.
    """
    for partition in plan.partitions:
        parts = list(committed(storage, partition))
        where = f"partition {partition.number} ({partition.file})"
        if not parts or not parts[-1].is_last:
            yield f"{where}: not complete: run the job again"
        records = 0
        seen: set[int] = set()
        for entry in parts:
            records += entry.records
            content = storage.read(entry.file)
            if content is None or content_digest(content) != entry.checksum:
                fault = "missing" if content is None else "its checksum differs"
                yield f"{where}: {storage.path(entry.file)}: {fault}: delete {storage.path(entry.name)}, and run the job again"
                continue
            places = [row.position for row in read_part(content, entry.file)]
            if len(places) != entry.rows:
                yield f"{where}: {storage.path(entry.file)}: {len(places)} rows, its entry declares {entry.rows}"
            twice = seen.intersection(places) or len(set(places)) < len(places)
            outside = [place for place in places if place < entry.start or not (entry.is_last or place < entry.end)]
            if twice or outside:
                yield f"{where}: {storage.path(entry.file)}: rows are there twice, or outside their part"
            seen.update(places)
        if parts and parts[-1].is_last and partition.records and records != partition.records:
            yield f"{where}: {records} records are accounted for, and the input has {partition.records}"


def unnamed_parts(storage: Storage, entries: Iterable[CommittedPart]) -> list[str]:
    """Return the files of attempts that were stopped between publishing and committing: no entry names them."""
    return sorted(set(storage.names(PARTS)) - {entry.file for entry in entries})


RECENT_SECONDS = 600.0
"""Seconds over which the current rate is taken."""


class Status(msgspec.Struct, frozen=True):
    """Totals of a job, or of a shard of it."""

    partitions: int
    partitions_done: int
    is_done: bool
    rows: int
    extracted: int
    skipped: int
    failed: int
    others: dict[str, int]
    """Records that hold no answer and have no row, by kind."""
    models: dict[str, int]
    """Rows by model, and version of a site's model."""
    recent_pages_per_second: float
    """Rows committed in the last ten minutes by all runners together, per second."""
    seconds_left: float
    """At that rate, if the other partitions are like those that are done; 0 if it is not known."""
    cpu_seconds_per_page: float
    """Mean processor time of an extracted page, with its browser and the loading of models."""
    seconds_per_page: float
    """Mean wall time of a row in one worker."""


def read_status(storage: Storage, partitions: Sequence[Partition]) -> Status:
    """Return the status of some partitions. Raises `BadRecord`."""
    progress = read_progress(storage, partitions)
    entries, now = progress.entries, time.time()
    rows, extracted = sum(entry.rows for entry in entries), sum(entry.extracted for entry in entries)
    others: Counter[str] = Counter()
    models: Counter[str] = Counter()
    for entry in entries:
        others.update(entry.others)
        models.update(entry.models)
    recent = [entry for entry in entries if entry.committed_at > now - RECENT_SECONDS]
    first = min((entry.committed_at - entry.seconds for entry in recent), default=now)
    rate = sum(entry.rows for entry in recent) / max(1.0, min(RECENT_SECONDS, now - first))
    done = len(progress.done)
    left = rows / done * (progress.partitions - done) / rate if done and rate else 0.0
    return Status(
        progress.partitions,
        done,
        progress.is_done,
        rows,
        extracted,
        sum(entry.skipped for entry in entries),
        sum(entry.failed for entry in entries),
        dict(others),
        dict(models),
        round(rate, 2),
        round(left),
        round(sum(entry.cpu_seconds for entry in entries) / max(1, extracted), 4),
        round(sum(entry.seconds for entry in entries) / max(1, rows), 4),
    )


def metrics(status: Status) -> str:
    """Return the status as Prometheus metrics in text, as its node exporter reads from files."""
    gauges = {
        "partitions": status.partitions,
        "partitions_done": status.partitions_done,
        "pages_per_second": status.recent_pages_per_second,
        "seconds_left": status.seconds_left,
        "cpu_seconds_per_page": status.cpu_seconds_per_page,
    }
    states = {"extracted": status.extracted, "skipped": status.skipped, "failed": status.failed}
    lines = [f"# TYPE sightread_batch_{name} gauge\nsightread_batch_{name} {value}" for name, value in gauges.items()]
    rows = [f'sightread_batch_rows{{state="{state}"}} {value}' for state, value in states.items()]
    return "\n".join([*lines, "# TYPE sightread_batch_rows gauge", *rows, ""])
