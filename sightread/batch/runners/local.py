"""Local runner: worker processes on this machine, each with a process for pages, and with rendering a browser, of its own."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from threading import Event

import msgspec

from sightread.batch.inputs.files import Partition
from sightread.batch.runners.worker import Report, WorkerOrder, WorkerProcess
from sightread.render.errors import Unequipped

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
        self._workers.append(WorkerProcess.start(self._order))

    def step(self, seconds: float) -> None:
        """Give partitions to idle workers, and take what workers report within the given number of seconds."""
        for worker in self._workers:
            if worker.is_ready and worker.partition is None and (partition := self._following()):
                worker.partition = partition
                with suppress(OSError):  # it has died: its connection shows it
                    worker.connection.send_bytes(str(partition.number).encode())
        ready = wait([worker.connection for worker in self._workers], seconds)
        for worker in [worker for worker in self._workers if worker.connection in ready]:
            self._take(worker)

    def finish(self, until: float) -> None:
        """Let the workers commit their pages under way, and end them."""
        for worker in self._workers:
            with suppress(OSError):
                worker.connection.send_bytes(b"")
        while self._workers and time.monotonic() < until:
            for connection in wait([worker.connection for worker in self._workers], POLL_SECONDS):
                worker = next(worker for worker in self._workers if worker.connection is connection)
                try:
                    self._on_report(msgspec.msgpack.decode(worker.connection.recv_bytes(), type=Report))
                except (EOFError, OSError):
                    self._workers.remove(worker)
                    worker.close(POLL_SECONDS)

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.close(0.0)

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
            report = msgspec.msgpack.decode(worker.connection.recv_bytes(), type=Report)
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
