"""Extractors in processes that can be killed: each page has a limit of CPU time, of patience and of memory.

A process that ends, for any reason, costs the page that it was reading one recorded failure; the next page finds a new one.
"""

from __future__ import annotations

import os
import queue
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

from benchmarks.extractors.child import ROOT, read_frame, write_frame
from benchmarks.extractors.registry import Extractor
from benchmarks.runner.store import Extraction
from sightread.render.errors import Rejected

TICK = 0.5
"""Seconds between two looks at a process. Patience is counted in looks: a run that is held and continued has waited one tick."""
START_TIMEOUT = 10
"""Times its CPU seconds that a process may take to answer: it sleeps, or shares its core."""
STARTING = 120.0
"""Seconds of patience with a process that starts: some extractors import for long."""
RECYCLED = 500
"""Pages that one process reads: what leaks ends with it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a page."""

    cpu: float = 30.0
    """Seconds of CPU time. The slowest of the 3,120 pages of the comparison's sets takes the quicker peers 1.7."""
    memory: int = 4 << 30
    """Bytes of address space; the neural models' libraries alone map about one gibibyte."""


class PageTask(NamedTuple):
    """A page to be read."""

    key: str
    html: str
    url: str


class Ended(Exception):
    """The process ended, or was killed; the message contains the reason."""


class Child:
    """A process of one extractor; a context manager that ends it. Raises `Rejected` if the extractor does not start."""

    def __init__(self, extractor: Extractor, python: Path, limits: Limits) -> None:
        self._limits = limits
        paths = [str(Path.cwd()), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        command = [str(python), "-W", "ignore", "-m", "benchmarks.extractors.child"]
        command += [extractor.target, extractor.package, str(limits.cpu), str(limits.memory)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
            )
        except OSError as error:
            raise Rejected(f"{python}: not an interpreter that runs: {error.strerror}; name another with --python") from error
        assert self._process.stdin
        assert self._process.stdout
        self._to: BinaryIO = self._process.stdin  # type: ignore[assignment]
        self._from: BinaryIO = self._process.stdout  # type: ignore[assignment]
        try:
            hello = self._receive(STARTING)
        except Ended as error:
            self.end()
            raise Rejected(f"{extractor.name} does not start under {python}: {error}") from error
        if "error" in hello:
            self.end()
            raise Rejected(
                f"{extractor.name} does not start under {python}: {hello['error']}; install it there, or name another with --python"
            )
        self.version: str = str(hello["version"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def read(self, page: PageTask) -> Extraction:
        """Return what the extractor makes of the page. Raises `Ended`."""
        with suppress(BrokenPipeError):
            write_frame(self._to, {"html": page.html, "url": page.url})
        found = self._receive(START_TIMEOUT * self._limits.cpu)
        return Extraction(str(found["text"]), str(found["failure"]), float(str(found["cpu"])))

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._to, self._from):
            with suppress(BrokenPipeError):
                stream.close()

    def _receive(self, timeout: float) -> dict[str, object]:
        waited = 0.0
        while not select.select([self._from], [], [], TICK)[0]:
            waited += TICK
            if waited >= timeout:
                self._process.kill()
                raise Ended(f"no answer for {waited:.0f} s")
        found = read_frame(self._from)
        if found is None:
            raise Ended(self._end_of_process())
        return found

    def _end_of_process(self) -> str:
        code = self._process.wait()
        if code == -signal.SIGXCPU:
            return f"more than {self._limits.cpu:g} s of CPU time"
        return f"its process was killed by {signal.Signals(-code).name}" if code < 0 else f"its process ended with exit code {code}"


def version_under(extractor: Extractor, python: Path, limits: Limits) -> str:
    """Return the version that the extractor has under an interpreter. Raises `Rejected` if it does not start there."""
    with Child(extractor, python, limits) as child:
        return child.version


def installed(extractors: Sequence[Extractor], python: Path) -> list[Extractor]:
    """Return those that start under an interpreter; the others are left out with a word on the standard error."""
    found = []
    for extractor in extractors:
        try:
            version_under(extractor, python, Limits())
        except Rejected as error:
            print(f"left out: {error}", file=sys.stderr, flush=True)
        else:
            found.append(extractor)
    return found


@dataclass(frozen=True, slots=True)
class Workers:
    """How extractors are run: the number of processes at once, each under this interpreter and within these limits."""

    jobs: int = 1
    python: Path = Path(sys.executable)
    limits: Limits = field(default_factory=Limits)

    def extract(self, extractor: Extractor, pages: Sequence[PageTask]) -> Generator[tuple[str, Extraction], None, None]:
        """Yield each page's key with what the extractor made of it, as they come. Closing the iterator ends the processes.

        Raises `Rejected` if the extractor does not start.
        """
        waiting: queue.SimpleQueue[PageTask] = queue.SimpleQueue()
        for page in pages:
            waiting.put(page)
        done: queue.SimpleQueue[tuple[str, Extraction] | Rejected] = queue.SimpleQueue()
        stopping = threading.Event()
        threads = [
            threading.Thread(target=self._work, args=(extractor, waiting, done, stopping), daemon=True)
            for _ in range(min(self.jobs, len(pages)))
        ]
        with _running(threads, stopping):
            for _ in pages:
                found = done.get()
                if isinstance(found, Rejected):
                    raise found
                yield found

    def _work(
        self,
        extractor: Extractor,
        waiting: queue.SimpleQueue[PageTask],
        done: queue.SimpleQueue[tuple[str, Extraction] | Rejected],
        stopping: threading.Event,
    ) -> None:
        """Read pages until none waits, under one process after another."""
        while not stopping.is_set() and not waiting.empty():
            try:
                with Child(extractor, self.python, self.limits) as child:
                    self._serve(child, waiting, done, stopping)
            except Rejected as error:
                done.put(error)
                return

    def _serve(
        self,
        child: Child,
        waiting: queue.SimpleQueue[PageTask],
        done: queue.SimpleQueue[tuple[str, Extraction] | Rejected],
        stopping: threading.Event,
    ) -> None:
        """Read pages until none waits or the process has read its share, or ended."""
        for _ in range(RECYCLED):
            if stopping.is_set():
                return
            try:
                page = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((page.key, child.read(page)))
            except Ended as error:
                done.put((page.key, Extraction("", f"Ended: {error}", self.limits.cpu)))
                return


@contextmanager
def _running(threads: Sequence[threading.Thread], stopping: threading.Event) -> Iterator[None]:
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        for thread in threads:
            thread.join()
