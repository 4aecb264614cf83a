"""Browsers for the commands that tests run in this process: kept open between commands, since starting one takes a second of CPU time."""

from __future__ import annotations

import asyncio
import contextvars
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from sightread.cli.learn import COUNTED_FAULTS
from sightread.render.browser.browser import Browser
from sightread.render.browser.launch import clean_environment
from tests.processes.families import PATIENCE

MOST_PAGES = 200
"""Pages that a kept browser reads; a pool replaces its Chromium after 500, which a crawl would report."""
MOST = 2
"""Kept at once: one that may open pages of this machine, and one that may not."""
FINDS_BROWSER = ("SIGHTREAD_BROWSER", "PLAYWRIGHT_BROWSERS_PATH", "XDG_CACHE_HOME", "HOME", "TMPDIR")
"""Environment variables that decide which browser starts, and where; more than these and `clean_environment` it does not get."""


class SharedBrowser:
    """The browser of the session in the place of a reader's own, which would close it."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def __aenter__(self) -> SharedBrowser:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)


class LentBrowser:
    """Stands for a command's own browser: a kept one with the same settings and environment, or a new one. The command does not end it."""

    def __init__(self, keeper: KeptBrowsers, settings: tuple[Any, ...], options: dict[str, Any]) -> None:
        self._keeper = keeper
        self._settings = settings, options, clean_environment(), [os.environ.get(name) for name in FINDS_BROWSER]
        self._browser = Browser(*settings, **options)

    async def __aenter__(self) -> LentBrowser:
        self._browser = await self._keeper.lend(self._settings, self._browser)
        return self

    async def __aexit__(self, *_: object) -> None:
        health = self._browser.health
        if health.draining or health.done + health.failed > MOST_PAGES or any(getattr(health, fault) for fault in COUNTED_FAULTS):
            await self._keeper.discard(self._browser)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._browser, name)


class KeptBrowsers:
    """Runs commands in one event loop, in which their browsers outlive them."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)  # which leaves the thread's current loop as it is
        self._kept: list[tuple[object, Browser]] = []

    def run_main(self, main: Callable[[list[str]], int], arguments: list[str]) -> int:
        """Run a command with kept browsers."""
        run = asyncio.run

        def run_here(command: Coroutine[Any, Any, int]) -> int:
            return self._run(command) if threading.current_thread() is threading.main_thread() else run(command)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(asyncio, "run", run_here)
            patch.setattr("sightread.reading.reader.Browser", lambda *settings, **options: LentBrowser(self, settings, options))
            return main(arguments)

    async def lend(self, settings: object, new: Browser) -> Browser:
        """Return a browser with these settings that is open and in order, or else the new one, opened."""
        for kept in self._kept:
            if kept[0] == settings and kept[1].health.alive:
                self._kept.append(self._kept.pop(self._kept.index(kept)))
                return kept[1]
        await new.__aenter__()
        self._kept.append((settings, new))
        while len(self._kept) > MOST:
            await self.discard(self._kept[0][1])
        return new

    async def discard(self, browser: Browser) -> None:
        """End a browser."""
        self._kept = [kept for kept in self._kept if kept[1] is not browser]
        await browser.__aexit__()

    def close(self) -> None:
        """End all browsers, and the loop."""

        async def discard_all() -> None:
            for _, browser in list(self._kept):
                await self.discard(browser)

        self._runner.run(discard_all())
        self._runner.close()

    def _run(self, command: Coroutine[Any, Any, int]) -> int:
        """Run as `asyncio.run` does, but for the loop, which stays open, and the tasks of the browsers, which go on."""
        loop = self._runner.get_loop()
        before = asyncio.all_tasks(loop)
        try:
            return self._runner.run(command, context=contextvars.copy_context())
        except (KeyboardInterrupt, asyncio.CancelledError):  # the loop left the command's tasks where they were
            unfinished = asyncio.all_tasks(loop) - before
            for task in unfinished:
                task.cancel()
            loop.run_until_complete(asyncio.wait_for(_ended(unfinished), PATIENCE))
            raise
        finally:
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.remove_signal_handler(number)


async def _ended(tasks: set[asyncio.Task[Any]]) -> None:
    await asyncio.gather(*tasks, return_exceptions=True)
