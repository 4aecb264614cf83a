"""Local runner: threads, each with a process for pages, and with rendering a browser, of its own.

A thread reads the input and writes the rows, which take a few per cent of the time of the pages; a page can end its process alone.
"""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Condition, Event
from typing import Literal, TypeAlias

import msgspec

from sightread.batch.inputs.files import Partition
from sightread.batch.job.manifest import CommittedPart
from sightread.batch.job.page_process import LIMITS, PageLimits, PageProcess, ProcessesDied
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.page_server import PageProcessOrder
from sightread.batch.job.partition_run import PART_SECONDS, WorkerJob, run_partition
from sightread.batch.job.plan import load_plan
from sightread.batch.storage import open_storage
from sightread.render.errors import SightreadError, StorageFailed, Unwritable
from sightread.render.files import storage_errors

MessageKind: TypeAlias = Literal["pages", "done", "failed", "died"]
POLL_SECONDS = 0.5


class WorkerOrder(msgspec.Struct, frozen=True):
    """Instructions for all partitions of a run."""

    output: str
    home: str | None = None
    browser: str | None = None
    log: str | None = None
    page_memory: int = LIMITS.memory
    page_seconds: float = LIMITS.cpu_seconds
    part_seconds: float = PART_SECONDS

    @property
    def limits(self) -> PageLimits:
        """Limits of a page."""
        wall = max(LIMITS.wall_seconds, 1.5 * self.page_seconds)
        return PageLimits(self.page_seconds, wall, self.page_memory, idle_memory=self.page_memory // 2)


def is_temporary(error: SightreadError) -> bool:
    """Return whether another run may end well after an error of this one."""
    return isinstance(error, StorageFailed | ProcessesDied) and not isinstance(error, Unwritable)


class Report(msgspec.Struct, frozen=True):
    """Report of what was done of a partition."""

    kind: MessageKind
    partition: int = -1
    pages: int = 0
    """Pages done since the last report; they are not committed yet."""
    failed: int = 0
    message: str = ""
    error: str = ""
    exit_code: int = 0
    is_temporary: bool = False
    """Whether another run may end well."""

    @classmethod
    def of_failure(cls, partition: int, error: SightreadError, pages: int = 0, failed: int = 0) -> Report:
        """Return the report of a partition that cannot be completed."""
        return cls("failed", partition, pages, failed, str(error), type(error).__name__, error.exit_code, is_temporary(error))


WriteEvent: TypeAlias = Callable[..., None]
"""Appends an event, by its name, with its own fields. A full disk loses the line, not the job."""


@contextmanager
def job_log(path: Path | None) -> Iterator[WriteEvent]:
    """Open a file for the events of a job; without a path they are lost. Several processes may append to one file.

    Each line has `time`, `event`, `host`, `process` and the event's own fields, of pages `partition`, `source` and `position`.
    """
    if path is None:
        yield lambda *_, **__: None
        return
    with storage_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def write(event: str, **fields: object) -> None:
        known = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "event": event, "host": socket.gethostname()}
        with suppress(OSError, UnicodeEncodeError):
            os.write(file, msgspec.json.encode({**known, "process": os.getpid(), **fields}) + b"\n")

    try:
        yield write
    finally:
        os.close(file)


@dataclass(slots=True)
class Result:
    """How a run ended."""

    failures: list[Report] = field(default_factory=list)
    """Why partitions were not completed."""
    is_stopped: bool = False


def run_local(
    order: WorkerOrder, partitions: Sequence[Partition], processes: int, stop: Event, on_report: Callable[[Report], None]
) -> Result:
    """Run the partitions over the given number of processes for pages, until all are complete, one cannot be, or `stop` is set.

    Partitions of one owner are run one after the other. `on_report` is called by several threads.
    """
    with job_log(Path(order.log) if order.log else None) as log:
        run = _Run(order, partitions, stop, on_report, log)
        with ThreadPoolExecutor(max(1, min(processes, len(partitions)))) as threads:
            for working in [threads.submit(run.work) for _ in range(min(processes, len(partitions)))]:
                working.result()
    run.result.is_stopped = stop.is_set()
    return run.result


class _Run:
    """The run of all threads, and the watcher of its partitions."""

    def __init__(
        self, order: WorkerOrder, partitions: Sequence[Partition], stop: Event, on_report: Callable[[Report], None], log: WriteEvent
    ) -> None:
        storage = open_storage(order.output)
        plan = load_plan(storage)
        self.result = Result()
        self._order = order
        self._job = WorkerJob(storage, plan, order.part_seconds)
        self._pages = PageProcessOrder(plan.options.extraction, order.home, order.browser, order.page_memory)
        self._waiting = deque(partitions)
        self._busy: set[int] = set()
        """Owners of the partitions under way."""
        self._changed = Condition()
        self._stop = stop
        self._on_report = on_report
        self._log = log
        self._is_broken = False

    def work(self) -> None:
        """Run one partition after the other, with one process for pages."""
        try:
            with PageProcess(self._pages, self._order.limits) as pages:
                while (partition := self._take()) is not None:
                    self._run(partition, pages)
        except BaseException:
            self._is_broken = True  # the other threads end too
            raise

    def _take(self) -> Partition | None:
        """Return the next partition whose owner has none under way; None at the end of the run."""
        with self._changed:
            while self._waiting and not self.is_stopping():
                for partition in self._waiting:
                    if partition.owner not in self._busy:
                        self._waiting.remove(partition)
                        self._busy.add(partition.owner)
                        return partition
                self._changed.wait(POLL_SECONDS)
        return None

    def _run(self, partition: Partition, pages: PageProcess) -> None:
        try:
            if run_partition(self._job, partition, pages, self):
                self._on_report(Report("done", partition.number))
        except SightreadError as error:
            self._log("partition-failed", partition=partition.number, error=type(error).__name__, message=str(error))
            failure = Report.of_failure(partition.number, error)
            self.result.failures.append(failure)
            self._on_report(failure)
        finally:
            with self._changed:
                self._busy.remove(partition.owner)
                self._changed.notify_all()

    def on_row(self, partition: Partition, row: PageRow) -> None:
        """Report a page, and log it if it failed."""
        is_failed = row.state == "failed"
        if is_failed:
            place = {"partition": partition.number, "source": row.source, "position": row.position, "url": row.url}
            self._log("page-failed", **place, error=row.error, message=row.reason)
        self._on_report(Report("pages", partition.number, 1, int(is_failed)))

    def on_part(self, entry: CommittedPart, *, is_own: bool) -> None:
        """Log a part."""
        counts = {"extracted": entry.extracted, "skipped": entry.skipped, "failed": entry.failed}
        self._log("part-committed" if is_own else "part-of-another", partition=entry.partition, start=entry.start, **counts)

    def is_stopping(self) -> bool:
        """Return whether no further pages are begun: the run was stopped, or a partition cannot be completed."""
        return self._stop.is_set() or self._is_broken or bool(self.result.failures)
