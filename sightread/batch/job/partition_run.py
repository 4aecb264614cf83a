"""Runs one partition: reads its records, has them extracted, and commits their rows part by part."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import blake2b
from secrets import token_hex
from typing import Protocol

import msgspec

from sightread.batch.inputs.files import TO_THE_END, InputRecord, Partition
from sightread.batch.job.manifest import CommittedPart, committed, entry_at, file_digest, part_name
from sightread.batch.job.page_process import PageProcess
from sightread.batch.job.page_row import SUFFIXES, PageRow, row_writer
from sightread.batch.job.page_server import Task
from sightread.batch.job.plan import Plan, read_records
from sightread.batch.storage import Storage
from sightread.render.errors import Rejected, StorageFailed
from sightread.render.files import storage_errors

PART_SECONDS = 180.0
"""After so long a part is committed, even if its partition is not at its end: with the longest page, under five minutes."""


class Watcher(Protocol):
    """Receives what happens, and may stop the run."""

    def on_row(self, partition: Partition, row: PageRow) -> None:
        """Note a page that is done; its part is not committed yet."""

    def on_part(self, entry: CommittedPart, *, is_own: bool) -> None:
        """Note a part that is committed, by this run or another."""

    def is_stopping(self) -> bool:
        """Return whether the run ends: pages under way are finished and committed."""
        ...


@dataclass(frozen=True, slots=True)
class WorkerJob:
    """A job as its workers see it."""

    storage: Storage
    plan: Plan
    part_seconds: float = PART_SECONDS


def run_partition(job: WorkerJob, partition: Partition, pages: PageProcess, watcher: Watcher) -> bool:
    """Extract the pages of a partition that are not committed yet; return whether it is complete: False if the watcher stopped it.

    Raises `StorageFailed` if the input or the output fails, and `Unequipped`: what is committed stays, and a new run continues after it.
    """
    start = partition.start
    for entry in committed(job.storage, partition):
        if entry.is_last:
            return True
        start = entry.end
    run = _Run(job, partition, pages, watcher)
    while not watcher.is_stopping():
        with closing(_Records(job, partition, start)) as records:
            while True:
                found = run.part(records, start)
                if found is None:
                    return False
                entry, is_own = found
                watcher.on_part(entry, is_own=is_own)
                if entry.is_last:
                    return True
                start = entry.end
                if not is_own:
                    break  # another run is ahead: continue after it
                if watcher.is_stopping():
                    return False
    return False


class _Records:
    """The records of a partition with a look at the next one."""

    def __init__(self, job: WorkerJob, partition: Partition, start: int) -> None:
        self._partition = partition
        self._place = start
        self._records = read_records(partition, start, job.plan.options, job.storage)
        self.next = self._read()

    def take(self) -> InputRecord:
        """Return the next record, and look at the one after it."""
        record = self.next
        assert record is not None
        self._place = record.position + 1
        self.next = self._read()
        return record

    @property
    def end(self) -> int:
        """Where the next part begins."""
        if self.next is not None:
            return self.next.position
        return self._place if self._partition.end == TO_THE_END else self._partition.end

    def close(self) -> None:
        """Close the input."""
        self._records.close()

    def _read(self) -> InputRecord | None:
        try:
            return next(self._records, None)
        except Rejected as error:  # the rest of the file cannot be read: one row records it
            self._records.close()
            return InputRecord(self._place, failed=f"the file cannot be read from here on: {error}")
        except OSError as error:
            raise StorageFailed(f"{self._partition.file}: reading failed: {error}; run the same command again") from error


@dataclass(slots=True)
class _Part:
    """Counters of the part that is being written."""

    states: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)
    models: Counter[str] = field(default_factory=Counter)

    def add(self, row: PageRow) -> None:
        self.states[row.state] += 1
        if row.model:
            self.models[f"{row.model} {row.version}".strip()] += 1


@dataclass(frozen=True, slots=True)
class _Run:
    job: WorkerJob
    partition: Partition
    pages: PageProcess
    watcher: Watcher

    def part(self, records: _Records, start: int) -> tuple[CommittedPart, bool] | None:
        """Write and commit one part; return its entry, and whether it is this run's. None if it was stopped before the first record."""
        storage, options, attempt = self.job.storage, self.job.plan.options, token_hex(8)
        name = part_name(self.partition.number, start, attempt, SUFFIXES[options.output_format])
        part, digest, began = _Part(), blake2b(digest_size=16), time.monotonic()
        cpu_before = self.pages.cpu_seconds

        def supply() -> Iterator[Task | PageRow]:
            while records.next is not None and not self.watcher.is_stopping() and time.monotonic() - began < self.job.part_seconds:
                record = records.take()
                for value in (str(record.position).encode(), record.url.encode("utf-8", "replace"), record.html, record.page):
                    digest.update(len(value).to_bytes(8) + value)
                if record.other:
                    part.others[record.other] += 1
                elif record.skipped or record.failed:
                    yield _without_page(self.partition.file, record)
                else:
                    yield Task(self.partition.file, record)

        with storage.writing(name) as path:
            with (
                storage_errors(path),
                row_writer(path, options.output_format, options.extraction.formats) as write,
                closing(self.pages.rows(supply())) as rows,
            ):
                for row in rows:
                    write(row)
                    part.add(row)
                    self.watcher.on_row(self.partition, row)
            with storage_errors(path):
                checksum = file_digest(path)
        if not part.states and not part.others and records.next is not None:
            storage.remove(name)
            return None
        entry = CommittedPart(
            self.partition.number,
            start,
            records.end,
            records.next is None,
            name,
            attempt,
            checksum,
            digest.hexdigest(),
            part.states["extracted"],
            part.states["skipped"],
            part.states["failed"],
            dict(part.others),
            options.extraction.model,
            dict(part.models),
            round(time.monotonic() - began, 3),
            round(self.pages.cpu_seconds - cpu_before, 3),
            time.time(),
        )
        if storage.create(entry.name, msgspec.json.encode(entry)):
            return entry, True
        storage.remove(name)
        other = entry_at(storage, self.partition.number, start)
        if other is None:
            raise StorageFailed(f"{storage.path(entry.name)}: it was there and is not any more: run the same command again")
        return other, False


def _without_page(source: str, record: InputRecord) -> PageRow:
    if record.failed:
        return PageRow(source, record.position, record.url, "failed", record.failed, "Unusable")
    return PageRow(source, record.position, record.url, "skipped", record.skipped)
