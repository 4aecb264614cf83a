"""Browser of a crawl: started with the first page, closed after open pages have ended."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Any, Self

from sightread.cli.options.options import BrowserOptions
from sightread.cli.signals import Stopped, stop_signals
from sightread.render.browser.browser import Browser, Rendered, RenderOptions
from sightread.render.errors import Retryable
from sightread.render.network.egress import Egress

GRACE_SECONDS = 1.0
"""Seconds for a crawl to store the last open pages (usually a few ms) and to end."""
COUNTED_FAULTS = ("retried", "restarts", "recycled", "killed_for_memory")
"""Fields of `PoolHealth` that are reported at the end of a crawl."""


class CrawlRenderer:
    """Renders the pages of one crawl; an async context manager. A crawl that needs no further page starts no browser."""

    def __init__(self, options: BrowserOptions, egress: Egress, rendering: RenderOptions) -> None:
        self._options = options
        self._egress = egress
        self._rendering = rendering
        self._starting = asyncio.Lock()
        self._open = AsyncExitStack()
        self._browser: Browser | None = None
        self._stopping: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._open.aclose()

    async def render(self, address: str) -> Rendered:
        """Render a page. Raises `Stopped`, which is not a failure of the page, if the crawl is ending."""
        async with self._starting:
            if self._browser is None and not self._stopping:
                browser = Browser(self._options.browser, self._options.tabs, self._egress, light=self._options.light)
                self._browser = await self._open.enter_async_context(browser)
        if self._browser is None or self._stopping:
            raise Stopped
        try:
            return await self._browser.render(address, self._rendering)
        except Retryable as error:
            if self._stopping:  # it was refused, or another try would be
                raise Stopped from error
            raise

    async def until_stopped(self, crawl: Awaitable[object], report: Callable[[str], None]) -> None:
        """Wait for the crawl. At SIGTERM it begins no more pages, stores those that are open, and raises `Stopped`."""
        command = asyncio.current_task()
        assert command is not None
        drained = asyncio.Event()

        async def end() -> None:
            if self._browser is not None:
                await self._browser.drain()
            await asyncio.sleep(GRACE_SECONDS)
            drained.set()
            command.cancel()  # it waits for no page: for robots.txt, a sitemap, or its next turn

        def begin() -> None:
            report("stopping: open pages end first; a second SIGTERM ends at once")
            self._stopping = asyncio.ensure_future(end())

        with stop_signals(begin, signal.SIGTERM):
            try:
                await crawl
            except asyncio.CancelledError:
                if drained.is_set():
                    raise Stopped from None
                raise
            finally:
                if self._stopping:
                    self._stopping.cancel()
        if self._stopping:
            raise Stopped

    def fault_counts(self) -> dict[str, Any]:
        """Return the browser's failures and restarts."""
        health = self._browser.health if self._browser else None
        return {name: getattr(health, name, 0) for name in COUNTED_FAULTS}
