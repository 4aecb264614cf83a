"""Browser pool: starts Chromium, watches it, and replaces it when it is old, dies or no longer responds.

A browser that has read its number of pages is retired: its successor is started while it continues, takes the next pages, and the old one
ends with its last page. One that is lost is replaced when the next page comes; the pages that it had open fail as `BrowserFailed`.

All pages of a browser share its main process. If a page burdens it, the browser is left to the caller of that page when another caller's
page comes: it gets the lowest priority, and the others get a new one.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from playwright.async_api import Error as PlaywrightError

from sightread.render.browser.find_browser import find_browser
from sightread.render.browser.launch import Chromium, launch
from sightread.render.browser.limiter import (
    LARGE_RENDERER,
    WORKS_FOR,
    excessive_renderers,
    free_memory,
    give_way,
    is_renderer,
    memory_of,
    process_tree,
    processor_times,
)
from sightread.render.errors import SightreadError


@dataclass(slots=True)
class PoolCounts:
    """Counts since the pool was opened."""

    done: int = 0
    failed: int = 0
    """Pages that ended in an error of any kind."""
    retried: int = 0
    """Tries that the browser failed and another followed."""
    restarts: int = 0
    """Browsers that were lost or had to be killed."""
    recycled: int = 0
    """Browsers that were replaced because they had done their share of pages or memory."""
    killed_for_memory: int = 0
    """Renderers that were killed because a page took too much."""


@dataclass(slots=True, kw_only=True)
class PoolHealth(PoolCounts):
    """Health figures of the pool at one moment."""

    open: int
    waiting: int
    """Pages that wait for their turn."""
    bound: int
    """How many may be open at once now: the requested tabs, or fewer while memory is short or the machine is overloaded."""
    memory: int
    """Bytes that the browser's processes use now; 0 if unknown."""
    alive: bool
    """Whether a browser is up; the next page starts one if none is."""
    draining: bool
    """Whether no new pages are taken."""


WATCH_SECONDS = 0.5
"""Seconds between two looks at the memory of a browser with pages open; a look costs a few ms."""
BURDEN_SECONDS = 4.0
"""Seconds after which an open page is a burden, if its browser works: real pages take one as a rule."""
BURDEN_CORES = 0.2
"""Processor time per second of a browser that works; one whose pages wait for their servers needs less."""
APART_SECONDS = 60.0
"""Seconds for which a caller shares no browser with others after its last page that was a burden; a browser takes one to start."""
ANSWER_TIMEOUT = 1.5
"""Seconds a browser may take to answer after it failed a page, 0.005 as a rule."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PoolPolicy:
    """When a browser is replaced, what one page may take, and how often a page is tried."""

    pages: int = 500
    """Pages after which a browser is recycled."""
    memory: int = 4 * 2**30
    """Bytes of all of its processes beyond which it is recycled; at twice that it is killed."""
    renderer: int = 4 * 2**30
    """Bytes beyond which a renderer is killed: real pages took 30 to 70 MiB, one of 200,000 paragraphs 2.8 GiB, a bomb takes all."""
    tries: int = 3
    """How often a page is begun that the browser, not the page, fails; its deadline counts for all of them."""


@dataclass(slots=True, eq=False)
class Running:
    """One browser, and what it has done."""

    chromium: Chromium
    pid: int
    pages: int = 0
    """Given to it so far."""
    open: dict[object, tuple[str, float]] = field(default_factory=dict)
    """Caller of each open page, and when it began, by the event loop's clock."""
    memory: int = 0
    """Bytes at the last look."""
    times: Mapping[int, float] = field(default_factory=dict)
    """Seconds of processor time of each process at the last look."""
    looked: float = 0.0
    load: float = 0.0
    """Processor time per second between the last two looks."""
    bombs: int = 0
    """Renderers killed for their memory whose pages have not noticed yet."""
    retired: bool = False
    ended: bool = False

    @property
    def takes_pages(self) -> bool:
        """Whether a page may begin in it."""
        return not (self.retired or self.ended) and self.chromium.alive

    def burdened_by(self, caller: str, now: float) -> set[str]:
        """Return the other callers whose pages burden the browser."""
        slow = {each for each, began in self.open.values() if now - began > BURDEN_SECONDS}
        return slow - {caller} if self.load > BURDEN_CORES and caller else set()


class Pool:
    """Keeps one working browser at a time, and one more for callers whose pages are a burden. Its owner opens and closes it."""

    def __init__(self, executable: Path | None, policy: PoolPolicy, counters: PoolCounts, flags: tuple[str, ...] = ()) -> None:
        """Note what to start: `flags` are Chromium's, besides those of every browser."""
        self._executable = executable
        self._flags = flags
        self._policy = policy
        self._counters = counters
        self._running: Running | None = None
        self._apart: Running | None = None
        """The browser of the callers in `_burdens`."""
        self._apart_at = -APART_SECONDS
        """When it was set apart."""
        self._burdens: dict[str, float] = {}
        """Callers whose pages were a burden, and until when they share no browser with others."""
        self._starting: asyncio.Task[None] | None = None
        self._all_running: set[Running] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._watch: asyncio.Task[None] | None = None
        self._closed = True

    @property
    def alive(self) -> bool:
        """Whether a browser is up."""
        return any(running.chromium.alive for running in self._all_running)

    @property
    def memory(self) -> int:
        """Bytes that all browsers take now."""
        return sum(sum(memory_of(process_tree(running.pid)).values()) for running in self._all_running)

    async def open(self) -> None:
        """Start the first browser. Raises `NoBrowser`."""
        self._closed = False
        try:
            await self._current()
        except BaseException:
            await self.close()
            raise
        self._watch = asyncio.create_task(self._look_after())

    async def close(self) -> None:
        """Kill every browser and wait until nothing of them is left."""
        self._closed = True
        tasks = [task for task in (self._watch, self._starting) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for running in list(self._all_running):
            self._end(running)
        self._running = None
        while self._ending:
            await asyncio.wait(self._ending)

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[Running]:
        """Lend a working browser for one page. Raises `NoBrowser` if none starts, `RuntimeError` once the pool is closed."""
        caller, now, page = WORKS_FOR.get(), asyncio.get_running_loop().time, object()
        running = await self._current(caller)
        running.open[page] = caller, now()
        running.pages += 1
        try:
            yield running
        finally:
            if now() - running.open.pop(page)[1] > BURDEN_SECONDS and running is self._apart:
                self._burdens[caller] = now() + APART_SECONDS
            if running is self._apart and self._is_due(running):
                running.retired, self._apart = True, None
            if running.retired and not running.open:
                self._end(running)
            elif running is self._running and self._is_due(running) and not self._closed:
                self._start()

    async def check(self) -> None:
        """Kill a browser if it or its driver does not answer: the death of one is not always reported."""
        for running in filter(None, (self._running, self._apart)):
            try:
                async with asyncio.timeout(ANSWER_TIMEOUT):
                    await (await running.chromium.browser.new_browser_cdp_session()).detach()
            except (TimeoutError, PlaywrightError):
                self.kill(running, "it does not answer")

    def kill(self, running: Running, why: str) -> None:
        """Kill a browser at once, with all of its pages."""
        if not running.ended:
            self._counters.restarts += 1
            logger.info("a browser is replaced: %s", why)
            self._end(running)

    async def _current(self, caller: str = "") -> Running:
        now = asyncio.get_running_loop().time()
        if self._apart and self._apart.takes_pages and self._burdens.get(caller, 0.0) > now:
            return self._apart
        if self._running and (burdens := self._running.burdened_by(caller, now)) and now - self._apart_at > APART_SECONDS / 2:
            self._set_apart(self._running, burdens)
        while True:
            if self._closed:
                raise RuntimeError("the browser was closed")
            if self._running and not self._running.chromium.alive:
                self.kill(self._running, "it died")
            if self._running:
                return self._running
            await asyncio.shield(self._start())  # it is not this page's alone

    def _set_apart(self, running: Running, callers: Iterable[str]) -> None:
        """Leave the browser to callers whose pages burden it; the one that was set apart before ends with its last page."""
        former, self._apart, self._running = self._apart, running, None
        self._apart_at = asyncio.get_running_loop().time()
        self._burdens |= dict.fromkeys(callers, self._apart_at + APART_SECONDS)
        give_way(running.pid, _process_id(running.chromium.scratch.driver_id))
        if former:
            former.retired = True
            if not former.open:
                self._end(former)

    def _start(self) -> asyncio.Task[None]:
        if self._starting is None:
            self._starting = asyncio.create_task(self._launch())
            self._starting.add_done_callback(self._started)
        return self._starting

    async def _launch(self) -> None:
        chromium = await launch(find_browser(self._executable), self._flags)
        running = Running(chromium, _process_id(chromium.scratch.browser_id))
        self._all_running.add(running)
        former, self._running = self._running, running
        if former:
            self._counters.recycled += 1
            former.retired = True
            if not former.open:
                self._end(former)

    def _started(self, task: asyncio.Task[None]) -> None:
        self._starting = None
        if not task.cancelled() and isinstance(error := task.exception(), SightreadError) and self._running:
            logger.warning("the browser is not recycled: %s", error)
            self._running.pages = 0  # tried again after as many pages

    def _is_due(self, running: Running) -> bool:
        return running.pages >= self._policy.pages or running.memory > self._policy.memory

    def _end(self, running: Running) -> None:
        if running.ended:
            return
        running.ended = True
        self._all_running.discard(running)
        if self._running is running:
            self._running = None
        if self._apart is running:
            self._apart = None
        task = asyncio.create_task(running.chromium.close())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            now = asyncio.get_running_loop().time()
            self._burdens = {caller: until for caller, until in self._burdens.items() if until > now}
            for running in list(self._all_running):
                if running.open:
                    self._look_at(running, now)
                elif running is self._apart and not self._burdens:
                    self._end(running)

    def _look_at(self, running: Running, now: float) -> None:
        """Note what a browser uses, and kill what takes too much memory: a renderer, or else the whole browser."""
        processes = tuple(process_tree(running.pid))
        times = processor_times(processes)
        running.load = sum(used - running.times.get(pid, 0.0) for pid, used in times.items()) / (now - running.looked)
        running.times, running.looked = times, now
        taken = memory_of(processes)
        running.memory = sum(taken.values())
        most = self._policy.renderer
        large = {pid: size for pid, size in taken.items() if size > min(most, LARGE_RENDERER) and is_renderer(pid)}
        for pid in excessive_renderers(large, most, free_memory()) if large else ():
            with suppress(OSError):  # it ended by itself
                os.kill(pid, signal.SIGKILL)
                running.bombs += 1
                self._counters.killed_for_memory += 1
                running.memory -= large[pid]
        if running.memory > 2 * self._policy.memory:
            self.kill(running, f"it takes {running.memory >> 20} MiB")


def _process_id(note: Path) -> int:
    """Return the process id that the browser's launcher recorded; 0 if it has died meanwhile."""
    try:
        return int(note.read_text())
    except (OSError, ValueError):
        return 0
