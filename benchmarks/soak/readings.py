"""Readings of the parts of a soak test: memory, processes and open files over time, and the growth over the last two thirds.

And the surroundings of the parts: pages, folders, the end of the time.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from benchmarks.service.programs import family_cpu, family_memory
from sightread.render.browser.limiter import process_tree

TOLERANCE = 0.10
"""Growth of a fitted line over the last two thirds, as a share of its first value, up to which memory counts as flat."""
WARM_UP = 1 / 3
"""Share of a part's time that is not fitted: caches fill, and each kind of work is done for the first time."""


class Reading(msgspec.Struct, frozen=True, array_like=True):
    """A part at one time, with all processes below it."""

    second: float
    """Since the beginning of the soak test."""
    memory: int
    """Bytes: proportional set size, in which memory that processes share counts once."""
    processes: int
    files: int
    """Open file descriptors."""
    cpu: float = 0.0
    """CPU seconds so far, with those of processes that ended in order."""


class Account(msgspec.Struct, frozen=True):
    """The pages of a part: what went in, and what came out."""

    requested: int
    extracted: int
    failed: int
    """Ended with an error on record."""
    lost: int
    """Neither a result nor an error."""
    twice: int
    different: int
    """Results other than the most frequent one of the same page."""
    errors: Mapping[str, int] = {}
    """Errors by class, or what else was found."""

    @property
    def is_whole(self) -> bool:
        """Whether each page came out once."""
        return not self.lost and not self.twice and self.requested == self.extracted + self.failed


class Part(msgspec.Struct, frozen=True):
    """A part of the soak test as it ended."""

    name: str
    readings: tuple[Reading, ...]
    account: Account

    @property
    def cores(self) -> float:
        """CPU seconds per second, from the first reading to the last."""
        first, last = self.readings[0], self.readings[-1]
        return (last.cpu - first.cpu) / max(1.0, last.second - first.second)

    def growth(self, field: str = "memory") -> float:
        """Return the growth of a fitted line over the last two thirds, as a share of its first value; 0 for fewer than 3 readings."""
        return growth([(reading.second, float(getattr(reading, field))) for reading in self.at_rest])

    @property
    def at_rest(self) -> tuple[Reading, ...]:
        """Readings with the fewest processes, if they are a tenth of all: those of the crawler between two crawls. Else all readings."""
        fewest = min((reading.processes for reading in self.readings), default=0)
        found = tuple(reading for reading in self.readings if reading.processes == fewest)
        return found if 10 * len(found) >= len(self.readings) else self.readings


class Record(msgspec.Struct, frozen=True):
    """A soak test as it is written to a file."""

    seconds: float
    parts: tuple[Part, ...]
    left_processes: tuple[str, ...]
    """Command lines of processes that outlived their part."""
    left_files: tuple[str, ...]
    """Names of temporary files that outlived their part."""


def growth(series: Sequence[tuple[float, float]]) -> float:
    """Return how much a line that is fitted to the last two thirds of (second, value) grows, as a share of its first value."""
    if len(series) < 3:
        return 0.0
    begin, end = series[0][0], series[-1][0]
    late = np.array([point for point in series if point[0] >= begin + WARM_UP * (end - begin)])
    if len(late) < 3:
        return 0.0
    slope, level = np.polyfit(late[:, 0], late[:, 1], 1)
    first = level + slope * late[0, 0]
    return float(slope * (late[-1, 0] - late[0, 0]) / first) if first > 0 else 0.0


def other_than_usual(results: Iterable[Counter[bytes]]) -> int:
    """Return how many results are other than the most frequent one of their page; each counter has the digests of one page."""
    return sum(found.total() - max(found.values()) for found in results)


class Watch:
    """Takes readings of the parts that it is given, until each ends."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._pids: dict[str, int] = {}
        self._series: dict[str, list[Reading]] = {}
        self._seen: dict[int, str] = {}
        """Processes of all parts, with their start times."""

    def add(self, name: str, pid: int) -> Callable[[], object]:
        """Read a part's process and those below it from now on; return what ends it."""
        self._pids[name] = pid
        self._series[name] = [self._read(pid)]
        return lambda: self._pids.pop(name, None)

    async def run(self, every: float) -> None:
        """Take a reading once per the given number of seconds, until it is cancelled."""
        while True:
            await asyncio.sleep(every)
            for name, pid in tuple(self._pids.items()):
                reading = await asyncio.to_thread(self._read, pid)
                if name in self._pids:
                    self._series[name].append(reading)

    def part(self, name: str, account: Account) -> Part:
        """Return a part that has ended."""
        return Part(name, tuple(self._series[name]), account)

    def left(self) -> tuple[str, ...]:
        """Return the command lines of processes of the parts that still run."""
        return tuple(_command(pid) for pid, started in self._seen.items() if _started(pid) == started)

    def _read(self, pid: int) -> Reading:
        family = tuple(process_tree(pid))
        for each in family:
            if each not in self._seen and (started := _started(each)):
                self._seen[each] = started
        files = sum(_open_files(each) for each in family)
        second = round(time.monotonic() - self._began, 1)
        return Reading(second, family_memory(pid), len(family), files, round(family_cpu(pid), 2))


def _open_files(pid: int) -> int:
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return 0


def _started(pid: int) -> str:
    """Return when a process was started, in ticks since the machine was; empty if it does not run."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace").replace("\0", " ")[:200]
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Paces:
    """How much work there is besides the batch, which runs as fast as one process can."""

    clients: int = 3
    """Of the service, each with one request at a time."""
    pause: float = 5.0
    """Seconds between two requests of a client."""
    job_every: float = 60.0
    """Seconds between two jobs of `JOB_PAGES` pages."""
    delay: float = 2.0
    """Seconds between two pages of a crawl."""
    crawl_pause: float = 15.0
    """Seconds between two crawls."""


@dataclass(frozen=True, slots=True)
class SoakOptions:
    """How long, and how much."""

    seconds: float = 5400.0
    batch: int = 200_000
    """Pages of the batch; what is not extracted when the time is over counts as neither requested nor lost."""
    every: float = 10.0
    """Seconds between two readings."""
    paces: Paces = Paces()


@dataclass(frozen=True, slots=True)
class TestBed:
    """The surroundings of the parts."""

    work: Path
    """For outputs and logs."""
    temporary: Path
    """TMPDIR of all programs that are started; it must be empty at the end."""
    pages: Sequence[bytes]
    """HTML that the service is sent, and that the local site has, in UTF-8."""
    archived: Sequence[bytes]
    """HTML of the batch's input."""
    paces: Paces
    watch: Watch
    stop: asyncio.Event
    """Set when no more work is begun."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Environment of the programs."""
        return os.environ | {"SIGHTREAD_HOME": str(self.work / "home"), "TMPDIR": str(self.temporary)}

    async def wait(self, seconds: float) -> bool:
        """Wait; return whether work continues after it."""
        try:
            async with asyncio.timeout(seconds):
                await self.stop.wait()
        except TimeoutError:
            pass
        return not self.stop.is_set()
