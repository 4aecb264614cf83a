"""Local runner: worker processes on this machine, each with a process for pages, and with rendering a browser, of its own.

A worker runs the partitions that its parent names. It ends when its parent closes the connection, or dies; the pages under way are then
finished and committed.
"""

from __future__ import annotations

import os
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Event
from typing import Literal, TypeAlias

import msgspec

from sightread.batch.child_process import ChildProcess
from sightread.batch.inputs.files import Partition
from sightread.batch.job.manifest import CommittedPart
from sightread.batch.job.page_process import LIMITS, PageLimits, PageProcess, ProcessesDied
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.page_server import PageProcessOrder
from sightread.batch.job.partition_run import PART_SECONDS, WorkerJob, run_partition
from sightread.batch.job.plan import load_plan
from sightread.batch.storage import open_storage
from sightread.render.errors import SightreadError, StorageFailed, Unequipped, Unwritable
from sightread.render.files import storage_errors

REPORT_EVERY = 0.5
"""Seconds between two reports of pages to the parent."""
MessageKind: TypeAlias = Literal["ready", "pages", "part", "done", "stopped", "failed", "died"]


class WorkerOrder(msgspec.Struct, frozen=True):
    """Instructions for a worker, sent to it once."""

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
    """Report of a worker to its parent."""

    kind: MessageKind
    partition: int = -1
    pages: int = 0
    """Pages done since the last report; they are not committed yet."""
    failed: int = 0
    message: str = ""
    error: str = ""
    """Class name of the error."""
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


def serve(connection: Connection, order: WorkerOrder) -> None:
    """Run one partition after the other: its number comes in, and reports go out. None ends the worker in order."""
    storage = open_storage(order.output)
    plan = load_plan(storage)
    job = WorkerJob(storage, plan, order.part_seconds)
    page_order = PageProcessOrder(plan.options.extraction, order.home, order.browser, order.page_memory)
    with job_log(Path(order.log) if order.log else None) as log, PageProcess(page_order, order.limits) as pages:
        connection.send(Report("ready"))
        while (number := connection.recv()) is not None:
            try:
                is_done = run_partition(job, plan.partitions[number], pages, ParentWatcher(connection, log))
            except SightreadError as error:
                log("partition-failed", partition=number, error=type(error).__name__, message=str(error))
                connection.send(Report.of_failure(number, error))
                return
            connection.send(Report("done" if is_done else "stopped", number))
            if not is_done:
                return


class ParentWatcher:
    """Reports to the parent; it stops the run with a message, or by its death."""

    def __init__(self, connection: Connection, log: WriteEvent) -> None:
        self._connection = connection
        self._log = log
        self._pages = self._failed = 0
        self._reported = time.monotonic()
        self._is_stopping = False

    def on_row(self, partition: Partition, row: PageRow) -> None:
        """Count a page, and log it if it failed."""
        self._pages += 1
        if row.state == "failed":
            self._failed += 1
            place = {"partition": partition.number, "source": row.source, "position": row.position, "url": row.url}
            self._log("page-failed", **place, error=row.error, message=row.reason)
        if time.monotonic() - self._reported >= REPORT_EVERY:
            self._report(Report("pages", partition.number, self._pages, self._failed))

    def on_part(self, entry: CommittedPart, *, is_own: bool) -> None:
        """Report a part."""
        counts = {"extracted": entry.extracted, "skipped": entry.skipped, "failed": entry.failed}
        self._log("part-committed" if is_own else "part-of-another", partition=entry.partition, start=entry.start, **counts)
        self._report(Report("part", entry.partition, self._pages, self._failed))

    def is_stopping(self) -> bool:
        """Return whether the parent sent the message that ends the worker, or has died."""
        if not self._is_stopping:
            try:
                self._is_stopping = self._connection.poll(0) and self._connection.recv() is None
            except (EOFError, OSError):
                self._is_stopping = True
        return self._is_stopping

    def _report(self, report: Report) -> None:
        self._pages = self._failed = 0
        self._reported = time.monotonic()
        with suppress(OSError):  # the parent has died: the next question for stopping shows it
            self._connection.send(report)


@dataclass(slots=True, eq=False)
class WorkerProcess(ChildProcess):
    """A worker, and the partition that it runs."""

    partition: Partition | None = None
    is_ready: bool = False

    def stop(self) -> None:
        """Let it finish and commit its pages under way, and end."""
        with suppress(OSError):  # it has died: its connection shows it
            self.connection.send(None)


MOST_DEATHS = 5
"""Workers that may die in succession on one partition without committing a part of it, until the run stops."""
STOP_SECONDS = 150.0
"""Until a stopping worker must have committed its pages: as long as the longest page."""
POLL_SECONDS = 0.5


@dataclass(slots=True)
class Result:
    """How a run ended."""

    failures: list[Report] = field(default_factory=list)
    """Why partitions were not completed."""
    is_stopped: bool = False
    """Whether it was stopped before its end."""


def run_local(
    order: WorkerOrder, partitions: Sequence[Partition], processes: int, stop: Event, on_report: Callable[[Report], None]
) -> Result:
    """Run the partitions over the given number of worker processes, until all are complete, one cannot be, or `stop` is set.

    Partitions of one owner are run one after the other. A worker that dies is replaced, and its partition continues after its last part.
    Raises `Unequipped` if no process can be started.
    """
    with closing(_Run(order, partitions, on_report)) as run:
        for _ in range(min(processes, len(partitions))):
            run.start()
        while run.is_active and not stop.is_set() and not run.result.failures:
            run.step(POLL_SECONDS)
        run.result.is_stopped = stop.is_set()
        run.finish(time.monotonic() + STOP_SECONDS)
        return run.result


class _Run:
    def __init__(self, order: WorkerOrder, partitions: Sequence[Partition], on_report: Callable[[Report], None]) -> None:
        self.result = Result()
        self._order = order
        self._waiting = deque(partitions)
        self._on_report = on_report
        self._workers: list[WorkerProcess] = []
        self._deaths: Counter[int] = Counter()

    @property
    def is_active(self) -> bool:
        """Whether partitions wait or are under way."""
        return bool(self._waiting) or any(worker.partition for worker in self._workers)

    def start(self) -> None:
        """Start a worker."""
        self._workers.append(WorkerProcess.start(f"{__name__}:serve", self._order))

    def step(self, seconds: float) -> None:
        """Give partitions to idle workers, and take what workers report within the given number of seconds."""
        for worker in self._workers:
            if worker.is_ready and worker.partition is None and (partition := self._following()):
                worker.partition = partition
                with suppress(OSError):  # it has died: its connection shows it
                    worker.connection.send(partition.number)
        ready = wait([worker.connection for worker in self._workers], seconds)
        for worker in [worker for worker in self._workers if worker.connection in ready]:
            self._take(worker)

    def finish(self, until: float) -> None:
        """Let the workers commit their pages under way, and end them."""
        for worker in self._workers:
            worker.stop()
        while self._workers and time.monotonic() < until:
            for connection in wait([worker.connection for worker in self._workers], POLL_SECONDS):
                worker = next(worker for worker in self._workers if worker.connection is connection)
                try:
                    self._on_report(worker.connection.recv())
                except (EOFError, OSError):
                    self._workers.remove(worker)
                    worker.close(POLL_SECONDS)

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.close()

    def _following(self) -> Partition | None:
        """Return the next partition whose owner has none under way."""
        busy = {worker.partition.owner for worker in self._workers if worker.partition}
        for partition in self._waiting:
            if partition.owner not in busy:
                self._waiting.remove(partition)
                return partition
        return None

    def _take(self, worker: WorkerProcess) -> None:
        try:
            report: Report = worker.connection.recv()
        except (EOFError, OSError):
            self._on_death(worker)
            return
        if report.kind == "ready":
            worker.is_ready = True
        elif report.kind == "part":
            self._deaths[report.partition] = 0
        elif report.kind in ("done", "stopped"):
            worker.partition = None
        elif report.kind == "failed":
            worker.partition = None
            self.result.failures.append(report)
        self._on_report(report)

    def _on_death(self, worker: WorkerProcess) -> None:
        """Replace a worker; its partition is the next to be run."""
        worker.close(POLL_SECONDS)
        self._workers.remove(worker)
        number = worker.partition.number if worker.partition else -1
        self._deaths[number] += 1
        if worker.partition is not None:
            self._waiting.appendleft(worker.partition)
        status = worker.process.returncode
        if self._deaths[number] >= MOST_DEATHS:
            where = f"on partition {number}" if worker.partition else "before they were ready"
            message = f"{MOST_DEATHS} workers ended {where}, the last with status {status}: see the lines above, or free some memory"
            if worker.partition is None:
                raise Unequipped(message)
            self.result.failures.append(Report("failed", number, message=message, exit_code=4, is_temporary=True))
            return
        self._on_report(Report("died", number, message=f"a worker ended with status {status}; another continues"))
        self.start()
