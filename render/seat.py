"""Contexts and their tabs: a fresh one for each page, opened ahead while another page is read, and closed for certain.

What a page leaves behind (cookies, caches, storage, workers) ends with its context, and so does its renderer process: no page is ever
shown in a context that another has seen. A context opened ahead costs nothing more, and its page does not wait for a new process (67 ms of
330 for a page of WCXB, measured on a loaded machine).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from playwright.async_api import BrowserContext, ProxySettings, ViewportSize
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from render.egress import Boundary
from render.launch import NOWHERE
from render.page import Size
from render.pool import Pool, Running
from render.proxy import Proxy

CLOSE_PATIENCE = 5.0
"""Seconds a context may take to close, 0.03 as a rule and 0.1 with a page in a loop; then its browser is killed and replaced. No page
waits for it. With 1.5 s, on a machine with ten processes a core, two healthy browsers in 600 pages were killed."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What contexts differ in."""

    viewport: Size
    javascript: bool
    stored: bool
    """Whether its page is served from memory, with every other request refused."""


@dataclass(slots=True, eq=False)
class Seat:
    """A context that no page has seen, with its one tab and its proxy."""

    proxy: Proxy
    context: BrowserContext
    tab: Tab
    stack: AsyncExitStack
    """Closes the context, then the proxy."""
    well: bool = True
    """False once its renderer crashed, which may be before its page came."""


class Seats:
    """Opens and closes seats in the browsers of a pool."""

    def __init__(self, pool: Pool, boundary: Boundary) -> None:
        self._pool = pool
        self._boundary = boundary
        self._ahead: asyncio.Task[Seat] | None = None
        self._ahead_of: tuple[Running, Kind] | None = None
        self._last: Kind | None = None
        self._background: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def take(self, running: Running, kind: Kind) -> AsyncIterator[Seat]:
        """Lend a fresh seat for one page; afterwards it is closed in the background, or its browser is killed."""
        opening = self._take_ahead(running, kind) or asyncio.create_task(self._open(running, kind))
        try:
            seat = await asyncio.shield(opening)  # one that opens after a cancellation is closed all the same
            if kind == self._last:  # the second of a kind: more will come
                self._open_ahead(running, kind)
            self._last = kind
            yield seat
        finally:
            self._run(self._discard(opening, running))

    async def close(self) -> None:
        """Wait until every seat is closed. The browsers are dead, so that none takes long."""
        self._drop_ahead()
        while self._background:
            await asyncio.wait(self._background)

    def _take_ahead(self, running: Running, kind: Kind) -> asyncio.Task[Seat] | None:
        ahead, wanted = self._ahead, self._ahead_of == (running, kind)
        if not wanted or not ahead or (ahead.done() and (ahead.cancelled() or ahead.exception() or not ahead.result().well)):
            self._drop_ahead()
            return None
        self._ahead = self._ahead_of = None
        return ahead

    def _open_ahead(self, running: Running, kind: Kind) -> None:
        if self._ahead is None and running.takes_pages:
            self._ahead, self._ahead_of = asyncio.create_task(self._open(running, kind)), (running, kind)

    def _drop_ahead(self) -> None:
        if self._ahead and self._ahead_of:
            self._run(self._discard(self._ahead, self._ahead_of[0]))
        self._ahead = self._ahead_of = None

    async def _open(self, running: Running, kind: Kind) -> Seat:
        async with AsyncExitStack() as stack:
            proxy = await stack.enter_async_context(Proxy(self._boundary))
            context = await running.chromium.browser.new_context(
                viewport=ViewportSize(width=int(kind.viewport.width), height=int(kind.viewport.height)),
                java_script_enabled=kind.javascript,
                accept_downloads=False,
                service_workers="block",
                reduced_motion="reduce",  # what fades in on scrolling would be missed
                proxy=ProxySettings(server=NOWHERE if kind.stored else proxy.url),
                offline=kind.stored,
            )
            stack.push_async_callback(context.close)
            tab = await context.new_page()
            seat = Seat(proxy, context, tab, stack.pop_all())
            tab.on("crash", lambda _: setattr(seat, "well", False))
            return seat
        raise AssertionError("unreachable")  # for mypy: an exit stack may swallow

    async def _discard(self, opening: asyncio.Task[Seat], running: Running) -> None:
        """Close a seat, also one that is still opening; kill the browser that does not manage it in time."""
        with suppress(PlaywrightError, OSError):  # it did not open, or its browser is dead: nothing is left to close
            try:
                async with asyncio.timeout(CLOSE_PATIENCE):
                    await (await asyncio.shield(opening)).stack.aclose()
            except TimeoutError:
                self._pool.kill(running, f"a context did not close within {CLOSE_PATIENCE:g} s")
                await (await opening).stack.aclose()  # the dead browser holds it no longer

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
