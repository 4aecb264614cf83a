"""Concurrency limits that callers share fairly; that on open pages is lower while memory is short or the machine is overloaded.

CPU and memory of this machine and of the browser's processes, read from /proc and the cgroup files.

If those are missing, as on macOS, the readings are None and empty: callers then use fixed bounds.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

PROC = Path("/proc")
CGROUPS = Path("/sys/fs/cgroup")
KIB = 1024
RESERVED_MEMORY = 512 * 2**20
"""Bytes of the machine's memory that pages must leave free (docs/experiments/browser-pool.md, "Memory")."""
LARGE_RENDERER = 512 * 2**20
"""Bytes that no renderer is killed for; of real pages the largest took 70 MiB."""

LOWEST_PRIORITY = 19


def cores(cgroups: Path = CGROUPS, proc: Path = PROC) -> int:
    """Return how many cores this process may use: those that it is allowed on, or fewer by the quota of its cgroup."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for folder in _own_groups(cgroups, proc):
        quota = re.match(r"(\d+) (\d+)", _text(folder / "cpu.max"))
        if quota and int(quota[2]):
            allowed = min(allowed, max(1, math.ceil(int(quota[1]) / int(quota[2]))))
    return allowed


def free_memory(cgroups: Path = CGROUPS, proc: Path = PROC) -> int | None:
    """Return the bytes that can still be allocated without swapping or being killed; None if it is unknown."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", _text(proc / "meminfo"), re.MULTILINE)
    readings = [int(found[1]) * KIB] if found else []
    for folder in _own_groups(cgroups, proc):
        limit, used = _text(folder / "memory.max"), _text(folder / "memory.current")
        if limit.strip().isdigit() and used.strip().isdigit():
            given_back = re.search(r"^inactive_file (\d+)", _text(folder / "memory.stat"), re.MULTILINE)
            readings.append(max(0, int(limit) - int(used) + int(given_back[1] if given_back else 0)))
    return min(readings, default=None)


def load() -> float:
    """Return the processes that wait for or use a core, over the last minute, for each core of the machine; 0 if it is unknown."""
    with suppress(OSError):
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    return 0.0


def process_tree(pid: int, proc: Path = PROC) -> Iterator[int]:
    """Yield the process and all those below it; nothing if it is gone or unknown. Renderers have none below them."""
    if is_renderer(pid, proc):
        yield pid
        return
    with suppress(OSError):
        threads = list((proc / str(pid) / "task").iterdir())
        yield pid
        for thread in threads:
            for child in _text(thread / "children").split():
                yield from process_tree(int(child), proc)


def memory_of(pids: Iterable[int]) -> Mapping[int, int]:
    """Return the bytes of memory that each process has for itself or shares with others it made; what it maps from files is left out."""
    taken = {}
    for pid in pids:
        kinds = re.findall(r"^Rss(?:Anon|Shmem):\s+(\d+) kB", _text(PROC / str(pid) / "status"), re.MULTILINE)
        if kinds:
            taken[pid] = sum(map(int, kinds)) * KIB
    return taken


def processor_times(pids: Iterable[int]) -> Mapping[int, float]:
    """Return the seconds of processor time that each process has used."""
    times = {}
    for pid in pids:
        fields = _text(PROC / str(pid) / "stat").rpartition(")")[2].split()  # the name may hold spaces
        if fields:
            times[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return times


def give_way(group: int, process: int) -> None:
    """Give a process group, its session, and a process outside of it the lowest priority, which cannot always be raised again."""
    with suppress(OSError):  # they have ended, or Linux does not compare sessions
        if group and process:  # 0 is this process
            os.setpriority(os.PRIO_PGRP, group, LOWEST_PRIORITY)
            os.setpriority(os.PRIO_PROCESS, process, LOWEST_PRIORITY)
            (PROC / str(group) / "autogroup").write_text(str(LOWEST_PRIORITY))


def excessive_renderers(renderers: Mapping[int, int], most: int, free: int | None) -> tuple[int, ...]:
    """Return the processes that use too much memory: all beyond `most` bytes, else the largest if the machine has no more than its
    reserve.

    `free` is what the machine has left, in bytes; None if it is unknown.
    """
    found = tuple(pid for pid, size in renderers.items() if size > most)
    if found or free is None or free > RESERVED_MEMORY:
        return found
    return tuple(pid for pid, size in renderers.items() if size > LARGE_RENDERER and size == max(renderers.values()))[:1]


def is_renderer(pid: int, proc: Path = PROC) -> bool:
    """Return whether a process is one in which Chromium runs pages."""
    return "--type=renderer" in _text(proc / str(pid) / "cmdline")


def _own_groups(cgroups: Path, proc: Path) -> Iterator[Path]:
    """Yield the folders of this process's cgroup (version 2) and of those around it: the tightest limit counts."""
    found = re.search(r"^0::/(.*)$", _text(proc / "self" / "cgroup"), re.MULTILINE)
    if found:
        folder = cgroups / found[1]
        yield folder
        yield from (parent for parent in folder.parents if parent == cgroups or parent.is_relative_to(cgroups))


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:  # gone meanwhile, not ours to read, or not there on this system
        return ""


PAGE_MEMORY = 256 * 2**20
"""Bytes that must be free for one more page (docs/experiments/browser-pool.md, "Memory")."""
OVERLOADED_PROCESSES = 8.0
"""Processes per core above which a second page per core only delays all of them."""
LOOK_AGAIN = 0.5
"""Seconds between two looks at a limit that may rise by itself: other programs may have released memory."""
WORKS_FOR: ContextVar[str] = ContextVar("works_for", default="")
"""The caller for whom a task works, and the tasks that it starts."""
ON_REQUEST: ContextVar[Callable[[], None]] = ContextVar("on_request", default=lambda: None)
"""Called by a task when it has a tab and requests the page, for which it may have waited long: a site's delay counts from then."""


def free_tabs(tabs: int, opened: int, free: int | None, crowd: float) -> int:
    """Return how many pages may be open at once: of `tabs`, with `opened` now, `free` bytes of memory and `crowd` processes per core.

    One page may always be open, so that work continues. Unknown memory (None) is no bound.
    """
    bound = tabs if crowd < OVERLOADED_PROCESSES else min(tabs, cores())
    if free is not None:
        bound = min(bound, opened + free // PAGE_MEMORY)
    return max(1, bound)


class Turns:
    """Limits how much is under way at once: the next is always of the caller with the least under way, who of equals waits the longest.

    A caller who has nothing under way may begin beyond the limit, while `reserve` allows: what others have begun may take minutes.
    """

    def __init__(self, bound: Callable[[int], float], reserve: int = 0) -> None:
        """`bound` returns the limit, given how much is under way now."""
        self._bound = bound
        self._reserve = reserve
        self._under_way: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._looks_again = False
        self._left = asyncio.Event()

    @property
    def opened(self) -> int:
        """How much is under way."""
        return self._under_way.total()

    @property
    def waiting(self) -> int:
        """How much waits for its turn."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, caller: str | None = None) -> AsyncIterator[None]:
        """Wait for a turn of a caller, by default of `WORKS_FOR`, and hold it for the block. Raises the error of `refuse`."""
        caller = WORKS_FOR.get() if caller is None else caller
        begins: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(begins)
        try:
            self._begin()
            await begins
            yield
        finally:
            if caller in self._waiting and begins in self._waiting[caller]:
                self._take(caller, begins)
            elif begins.done() and not begins.cancelled() and begins.exception() is None:
                self._under_way -= Counter((caller,))  # also forgets a caller with nothing left
            self._begin()
            self._left.set()

    def refuse(self, error: Exception) -> None:
        """Raise an error from all that wait for their turn."""
        for caller, queue in list(self._waiting.items()):
            for begins in list(queue):
                self._take(caller, begins)
                if not begins.done():
                    begins.set_exception(error)

    async def emptied(self) -> None:
        """Wait until nothing is under way and nothing waits."""
        while self.opened or self.waiting:
            self._left.clear()
            await self._left.wait()

    def _begin(self) -> None:
        while self._waiting:
            caller = min(self._waiting, key=self._under_way.__getitem__)
            reserve = 0 if self._under_way[caller] else self._reserve
            if self.opened >= self._bound(self.opened) + reserve:
                if not self._looks_again:
                    self._looks_again = True
                    asyncio.get_running_loop().call_later(LOOK_AGAIN, self._look_again)
                return
            begins = self._waiting[caller][0]
            self._take(caller, begins)
            if not begins.done():
                self._under_way[caller] += 1
                begins.set_result(None)

    def _look_again(self) -> None:
        self._looks_again = False
        self._begin()

    def _take(self, caller: str, begins: asyncio.Future[None]) -> None:
        """Take one out of its queue, and let other callers go before the rest of it."""
        queue = self._waiting.pop(caller)
        queue.remove(begins)
        if queue:
            self._waiting[caller] = queue


class PageLimiter(Turns):
    """Limits the number of pages that are open at once, with one more per four tabs for callers who have none open."""

    def __init__(self, tabs: int, bound: Callable[[int, int], int] | None = None) -> None:
        """`bound` maps the requested tabs and the number open now to how many may be open at once, by default the machine's limit."""
        limit = bound or (lambda tabs, opened: free_tabs(tabs, opened, free_memory(), load()))
        super().__init__(lambda opened: limit(tabs, opened), reserve=max(1, tabs // 4))

    @property
    def bound(self) -> int:
        """How many pages may be open at once now."""
        return int(self._bound(self.opened))
