"""One renderer over pages of a local server, measured from inside its own process: ours, or a peer's as its users call it.

Run by `benchmarks.experiments.throughput.pool` as a program of its own
(`-m benchmarks.extractors.engines NAME SETTING WIDTH ROOT COUNT EXECUTABLE`), so that a peer can live in an environment of its own; each
adapter imports only its own library. The last line printed is the result, as JSON.
"""

# ruff: noqa: PLC0415  (an adapter's library is imported where it is)

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.metrics.cost import tree_seconds

WARM = 10
"""Pages before the clock starts: the browser's start, caches and compiled code are not what is compared."""


class Task(NamedTuple):
    """Task of an engine."""

    fast: bool
    """Without scripts and images, and without waiting for them; else with both."""
    width: int
    urls: tuple[str, ...]
    executable: str


class Clock:
    """Runs from the end of the last warm page to the end of the last one."""

    def __init__(self) -> None:
        self.done = self.failed = self._counted = 0
        self._started = self._last = self._stopped = 0.0
        self._cpu = self._read = self._lost = 0.0

    def _seconds(self) -> float:
        """Return the CPU seconds so far. They decrease by the CPU time of browsers that were killed without being waited for."""
        now = tree_seconds()
        self._lost += max(0.0, self._read - now)
        self._read = now
        return now + self._lost

    def tick(self, good: bool) -> None:
        """Note that a page has ended."""
        self.done += 1
        self.failed += not good
        if self.done % WARM == 0:
            self.stop()
            if self.done == WARM:
                self._started, self._cpu = time.perf_counter(), self._stopped
        self._last = time.perf_counter()

    def result(self) -> dict[str, float]:
        """Return pages per second, CPU ms per page over the whole process tree, and failed pages."""
        measured = self.done - WARM
        return {
            "pages_per_second": measured / (self._last - self._started),
            "cpu_ms": 1000 * (self._stopped - self._cpu) / (self._counted - WARM),
            "failed": self.failed,
        }

    def stop(self) -> None:
        """Read the CPU time, while the browser still lives; some engines do not report their last page."""
        self._stopped, self._counted = self._seconds(), self.done


async def sightread(task: Task, clock: Clock) -> None:
    """Ours: the whole of it, blocks with boxes and styles."""
    from sightread.render.browser.browser import Browser, RenderOptions
    from sightread.render.errors import PageFailed, Unusable
    from sightread.render.network.egress import LOCAL

    options = RenderOptions(javascript=not task.fast)
    async with Browser(Path(task.executable), task.width, LOCAL, light=task.fast) as browser:

        async def read(url: str) -> bool:
            try:
                await browser.render(url, options)
            except PageFailed as error:
                return isinstance(error, Unusable)  # a page without text is read
            return True

        await _spread(task, clock, read)


async def bare(task: Task, clock: Clock) -> None:
    """Only navigation, in tabs that are kept: what no renderer with this browser and these pages can pass."""
    from playwright.async_api import Error, async_playwright

    arguments = ["--blink-settings=imagesEnabled=false"] if task.fast else []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=task.executable, args=arguments)
        context = await browser.new_context(java_script_enabled=not task.fast, viewport={"width": 1600, "height": 1000})
        tabs = [await context.new_page() for _ in range(task.width)]

        async def read(url: str) -> bool:
            tab = tabs.pop()
            try:
                await tab.goto(url, wait_until="load")
            except Error:
                return False
            finally:
                tabs.append(tab)
            return True

        await _spread(task, clock, read)
        await browser.close()


def launch_always(executable: str) -> None:
    """Let Playwright start this browser in this process, in place of the one that a library requests: crawl4ai has no setting for it."""
    from playwright.async_api import BrowserType

    launch = BrowserType.launch

    async def same_browser(self: BrowserType, **options: Any) -> Any:
        return await launch(self, **{**options, "channel": None, "executable_path": executable})

    BrowserType.launch = same_browser  # type: ignore[method-assign]


async def crawl4ai(task: Task, clock: Clock) -> None:
    """crawl4ai with no cache and no delays; fast is its text and light mode. It waits for the document, not for its images."""
    from crawl4ai import AsyncWebCrawler, BrowserConfig, CacheMode, CrawlerRunConfig  # type: ignore[import-not-found]

    launch_always(task.executable)
    modes = {"text_mode": True, "light_mode": True, "java_script_enabled": False} if task.fast else {}
    config = BrowserConfig(headless=True, verbose=False, viewport_width=1600, viewport_height=1000, **modes)
    each = CrawlerRunConfig(cache_mode=CacheMode.BYPASS, delay_before_return_html=0, mean_delay=0, max_range=0, verbose=False)
    async with AsyncWebCrawler(config=config) as crawler:

        async def read(url: str) -> bool:
            return bool((await crawler.arun(url, config=each)).html)

        await _spread(task, clock, read)


async def _spread(task: Task, clock: Clock, read: Callable[[str], Awaitable[bool]]) -> None:
    urls = iter(task.urls)

    async def work() -> None:
        for url in urls:
            clock.tick(await read(url))

    await asyncio.gather(*(work() for _ in range(task.width)))
    clock.stop()


ENGINES: dict[str, Callable[[Task, Clock], Awaitable[None]]] = {
    "sightread": sightread,
    "bare": bare,
    "crawl4ai": crawl4ai,
}
OWN = ("sightread", "bare")
"""Engines that need only our own packages."""


async def main(name: str, setting: str, width: str, root: str, count: str, executable: str) -> None:
    """Read the pages `root/0`, `root/1` and so on, and print the result."""
    logging.disable(logging.WARNING)
    clock = Clock()
    urls = tuple(f"{root}/{row}" for row in range(int(count)))
    await ENGINES[name](Task(setting == "fast", int(width), urls, executable), clock)
    print(json.dumps(clock.result()), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
