"""`PageProcess`: the process that extracts the pages of a batch, watched by its parent: a page may cost its process, and no more.

A page over its processor time or memory is an error row at once. A page whose process ends, or does not answer, is tried again in a new
process; at the third time it is recorded as failed. Without a browser the process reads one page after the other, so the page that it was
reading is known; with one, several are under way, and are read again one by one.
"""

from __future__ import annotations

import os
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait

from sightread.batch.child_process import ChildProcess
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.page_server import PageProcessOrder, Task, failed_row
from sightread.render.browser.limiter import memory_of, process_tree
from sightread.render.errors import Unequipped, Unusable

POLL_SECONDS = 0.25
"""Seconds between two looks at the memory and time of a process."""
PAGES_AHEAD = 64
"""Pages that may be done, or under way, behind one that is not."""


@dataclass(frozen=True, slots=True)
class PageLimits:
    """Limits of a page in its process."""

    cpu_seconds: float = 60.0
    """Processor time of a page without a browser."""
    wall_seconds: float = 90.0
    """Time without an answer until a process counts as dead; with a browser the page's own deadline is added."""
    memory: int = 2 << 30
    """Bytes of resident memory of a process while it extracts pages; its browser has limits of its own."""
    idle_memory: int = 1 << 30
    """Bytes above which a process is replaced between two pages."""
    start_seconds: float = 120.0
    """Until a process has loaded its model and started its browser."""
    deaths: int = 3
    """Processes that a page may kill until it is recorded as failed."""
    starts: int = 3
    """Processes in succession that may end before they are ready, until the machine counts as unfit."""
    window: int = 4
    """Pages under way at once with a browser; without one, two: the next page waits in the process."""


LIMITS = PageLimits()


class ProcessesDied(Unequipped):
    """Processes for pages were killed while they had no page, or lacked memory: another run may end well."""


@dataclass(slots=True)
class _Flight:
    """A page under way."""

    task: Task
    began: float
    """By the monotonic clock."""
    began_cpu: float
    """Processor seconds of the process at that time."""


class PageProcess:
    """A process, replaced when it dies; a context manager."""

    def __init__(self, order: PageProcessOrder, limits: PageLimits = LIMITS) -> None:
        self._order = order
        self._limits = limits
        self._is_static = order.extraction.static
        self._window = 2 if self._is_static else limits.window
        self._wall = limits.wall_seconds + (0.0 if self._is_static else order.extraction.deadline)
        self._child: ChildProcess | None = None
        self._flights: OrderedDict[int, _Flight] = OrderedDict()
        self._again: deque[Task] = deque()
        self._done: dict[int, PageRow] = {}
        self._deaths: Counter[int] = Counter()
        self._spent = 0.0

    def __enter__(self) -> PageProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        return self._child.process.pid if self._child else None

    @property
    def cpu_seconds(self) -> float:
        """Processor seconds of all its processes so far, with their browsers."""
        return self._spent + self._tree_cpu()

    def rows(self, pages: Iterator[Task | PageRow]) -> Generator[PageRow, None, None]:
        """Yield the row of each page, in order; a row among the pages is passed on. Positions are not repeated.

        Raises `Unequipped` if no process can be started.
        """
        self._deaths.clear()
        order: deque[int] = deque()
        is_exhausted = False
        try:
            while True:
                while len(order) < PAGES_AHEAD and len(self._flights) < self._window and not self._again and not is_exhausted:
                    page = next(pages, None)
                    if page is None:
                        is_exhausted = True
                    elif isinstance(page, PageRow):
                        order.append(page.position)
                        self._done[page.position] = page
                    else:
                        order.append(page.record.position)
                        self._send(page)
                if self._again and not self._flights:
                    again = self._again.popleft()
                    if not self._is_condemned(again):
                        self._send(again)
                if self._flights and (not order or order[0] not in self._done):
                    self._await()
                while order and order[0] in self._done:
                    yield self._done.pop(order.popleft())
                if not order and is_exhausted:
                    return
        finally:
            if self._flights:  # closed while pages are under way: their answers must not be taken for those of other pages
                self.close(0.0)
            self._flights.clear()
            self._again.clear()
            self._done.clear()

    def close(self, seconds: float | None = None) -> None:
        """End the process, with its browser, in order if it ends within a number of seconds."""
        self._spent += self._tree_cpu()
        if self._child is not None:
            self._child.close((1.0 if self._is_static else 10.0) if seconds is None else seconds)
            self._child = None

    def _is_condemned(self, task: Task) -> bool:
        """Record a page that killed its process too often as failed."""
        deaths = self._deaths[task.record.position]
        if deaths < self._limits.deaths:
            return False
        self._fail(task, f"the process that read it ended {deaths} times: too large, or a defect of sightread")
        return True

    def _fail(self, task: Task, reason: str) -> None:
        self._done[task.record.position] = failed_row(task, Unusable(f"{task.record.url or 'the document'}: {reason}"))

    def _send(self, task: Task) -> None:
        for _ in range(self._limits.starts):
            child = self._ready()
            try:
                child.connection.send(task)
            except OSError:  # it died while it waited
                self._on_death()
                if self._again:
                    self._again.append(task)
                    return
                continue
            self._flights[task.record.position] = _Flight(task, time.monotonic(), self._cpu())
            return
        raise ProcessesDied("processes for pages end while they wait: free some memory, or see the lines above")

    def _ready(self) -> ChildProcess:
        """Return a process that has loaded its model. Raises `Unequipped`."""
        for _ in range(self._limits.starts):
            if self._child is not None:
                return self._child
            child = self._child = ChildProcess.start("sightread.batch.job.page_server:serve", self._order, with_thread=True)
            with suppress(EOFError, OSError):
                if child.connection.poll(self._limits.start_seconds):
                    if not (fault := child.connection.recv()):
                        return child
                    self.close(0.0)
                    raise Unequipped(fault)
            self.close(0.0)
        raise ProcessesDied(f"{self._limits.starts} processes ended while they loaded the model: free some memory, or see the lines above")

    def _await(self) -> None:
        assert self._child is not None
        connection = self._child.connection
        if not wait([connection], POLL_SECONDS):
            self._check()
            return
        try:
            row: PageRow = connection.recv()
        except (EOFError, OSError):
            self._on_death()
            return
        self._flights.pop(row.position, None)
        self._done[row.position] = row
        now, cpu = time.monotonic(), self._cpu()
        if self._is_static:
            for flight in self._flights.values():  # the next page begins
                flight.began, flight.began_cpu = now, cpu
        if not self._flights and self._memory() > self._limits.idle_memory:
            self.close()

    def _check(self) -> None:
        head = next(iter(self._flights.values()))
        is_known = self._is_static or len(self._flights) == 1
        memory = self._memory()
        if memory > self._limits.memory:
            self._end(head if is_known else None, f"too large: its process needed {memory >> 20} MB of memory")
        elif self._is_static and self._cpu() - head.began_cpu > self._limits.cpu_seconds:
            self._end(head, f"too large: not processed within {self._limits.cpu_seconds:g} s of processor time")
        elif any(time.monotonic() - flight.began > self._wall for flight in self._flights.values()):
            self._on_death()

    def _end(self, culprit: _Flight | None, reason: str) -> None:
        """End the process for a page, which is recorded as failed if it is known; the others are read again, one by one."""
        if culprit is not None:
            self._flights.pop(culprit.task.record.position)
            self._fail(culprit.task, reason)
        self.close(0.0)
        self._read_again()

    def _on_death(self) -> None:
        """Count the death of the process for the page that it was reading, and read all under way again, one by one."""
        if self._flights and (self._is_static or len(self._flights) == 1):
            self._deaths[next(iter(self._flights))] += 1
        self.close(0.0)
        self._read_again()

    def _read_again(self) -> None:
        self._again.extendleft(flight.task for flight in reversed(self._flights.values()))
        self._flights.clear()

    def _cpu(self) -> float:
        """Return the processor seconds of the process so far; 0 if they are unknown."""
        return sum(_cpu_times(self.pid)[:2]) if self.pid else 0.0

    def _tree_cpu(self) -> float:
        """Return the processor seconds of the process and those below it, dead ones included."""
        return sum(sum(_cpu_times(pid)) for pid in process_tree(self.pid)) if self.pid else 0.0

    def _memory(self) -> int:
        return sum(memory_of(iter(() if self.pid is None else (self.pid,))).values())


def _cpu_times(pid: int) -> tuple[float, ...]:
    """Return the processor seconds of a process: user and system, its own and those of its dead children; empty if they are unknown."""
    with suppress(OSError, IndexError, ValueError):
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123  (per page: a Path costs more than the reading)
            fields = file.read().rpartition(b")")[2].split()
        return tuple(int(field) / os.sysconf("SC_CLK_TCK") for field in fields[11:15])
    return ()
