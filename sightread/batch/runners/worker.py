"""A worker process of the local runner: runs the partitions that its parent names, with a process for pages of its own.

Its program is `serve(DESCRIPTOR)`. It ends when its parent closes the connection, or dies; the pages under way are then finished and
committed.
"""

from __future__ import annotations

import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from sightread.batch.child_process import start_process
from sightread.batch.inputs.files import Partition
from sightread.batch.job.manifest import CommittedPart
from sightread.batch.job.page_process import LIMITS, PageLimits, PageProcess, ProcessesDied
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.page_server import PageProcessOrder
from sightread.batch.job.partition_run import PART_SECONDS, WorkerJob, run_partition
from sightread.batch.job.plan import load_plan
from sightread.batch.job.status import JobLog
from sightread.batch.job.storage import open_storage
from sightread.render.errors import SightreadError, StorageFailed, Unwritable

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


class Report(msgspec.Struct, frozen=True, array_like=True):
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


def serve(descriptor: int) -> None:
    """Run one partition after the other: its number comes in, and reports go out. An empty message ends the worker in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to end
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with Connection(descriptor) as connection, suppress(EOFError, ConnectionError):
        order = msgspec.json.decode(connection.recv_bytes(), type=WorkerOrder)
        with JobLog(Path(order.log) if order.log else None) as log:
            _run(connection, order, log)


def _run(connection: Connection, order: WorkerOrder, log: JobLog) -> None:
    storage = open_storage(order.output)
    plan = load_plan(storage)
    job = WorkerJob(storage, plan, order.part_seconds)
    page_order = PageProcessOrder(plan.options.extraction, order.home, order.browser, order.page_memory)
    with PageProcess(page_order, order.limits) as pages:
        send(connection, Report("ready"))
        while number := connection.recv_bytes():
            partition = plan.partitions[int(number)]
            watcher = ParentWatcher(connection, log)
            try:
                kind: MessageKind = "done" if run_partition(job, partition, pages, watcher) else "stopped"
            except SightreadError as error:
                log.write("partition-failed", partition=partition.number, error=type(error).__name__, message=str(error))
                kind_of_error = type(error).__name__, error.exit_code, is_temporary(error)
                send(connection, Report("failed", partition.number, 0, 0, str(error), *kind_of_error))
                return
            send(connection, Report(kind, partition.number))
            if kind == "stopped":
                return


def send(connection: Connection, report: Report) -> None:
    """Send a report. Raises `ConnectionError` if the parent has died."""
    connection.send_bytes(msgspec.msgpack.encode(report))


class ParentWatcher:
    """Reports to the parent; it stops the run with a message, or by its death."""

    def __init__(self, connection: Connection, log: JobLog) -> None:
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
            self._log.write("page-failed", **place, error=row.error, message=row.reason)
        if time.monotonic() - self._reported >= REPORT_EVERY:
            self._report(Report("pages", partition.number, self._pages, self._failed))

    def on_part(self, entry: CommittedPart, *, is_own: bool) -> None:
        """Report a part."""
        counts = {"extracted": entry.extracted, "skipped": entry.skipped, "failed": entry.failed}
        self._log.write("part-committed" if is_own else "part-of-another", partition=entry.partition, start=entry.start, **counts)
        self._report(Report("part", entry.partition, self._pages, self._failed))

    def is_stopping(self) -> bool:
        """Return whether the parent sent the message that ends the worker, or has died."""
        if not self._is_stopping:
            try:
                self._is_stopping = self._connection.poll(0) and not self._connection.recv_bytes()
            except (EOFError, OSError):
                self._is_stopping = True
        return self._is_stopping

    def _report(self, report: Report) -> None:
        self._pages = self._failed = 0
        self._reported = time.monotonic()
        with suppress(OSError):  # the parent has died: the next question for stopping shows it
            send(self._connection, report)


@dataclass(slots=True, eq=False)
class WorkerProcess:
    """The process, its connection, and the partition that it runs."""

    process: subprocess.Popen[bytes]
    connection: Connection
    partition: Partition | None = None
    is_ready: bool = False

    @classmethod
    def start(cls, order: WorkerOrder) -> WorkerProcess:
        """Start a worker. Raises `Unequipped`."""
        process, connection = start_process("sightread.batch.runners.worker:serve")
        with suppress(OSError):
            connection.send_bytes(msgspec.json.encode(order))
        return cls(process, connection)

    def close(self, seconds: float) -> None:
        """End the process: in order if it ends within the given number of seconds."""
        with suppress(OSError):
            self.connection.send_bytes(b"")
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        self.connection.close()
        self.process.kill()
        self.process.wait()
