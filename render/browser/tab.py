"""A pooled tab: a browser context with one tab and one proxy, and how it is cleared for another page of the same origin.

The pooled tabs of a browser. No page finds state that another page left.

A page gets an unused tab, or one that was cleared after a page of the same origin that loaded documents from no other origin. The first
costs a renderer process, about 100 CPU ms (`python -m benchmarks pool`). No page waits for one to close, and if pages take new ones the
next is opened while the page before it is read.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from playwright.async_api import BrowserContext, Dialog
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.browser.launch import CLOSED_PROXY, proxied
from sightread.render.browser.pool import Pool, Running
from sightread.render.errors import Unusable
from sightread.render.network.egress import Boundary
from sightread.render.network.proxy import Proxy
from sightread.render.visit.device import Device
from sightread.render.visit.navigation import Attached, attach, watch_timers

MOST_WINDOWS = 20
"""Windows opened by one page, if the browser itself does not refuse them, as the headless shell does. A flood of them brings 46 in
five seconds, a shop three."""

BETWEEN = "Not attached to an active page"
"""Errors of the browser for a moment after a document replaced another; on a loaded machine once in fifty times."""
RETRY_SECONDS = 0.01
"""Seconds until the next try; the caller of `clear` sets the deadline."""
COLLECT_EVERY = 3
"""Pages after which a tab collects its garbage: 40 % less memory of the renderers, for some 20 ms (docs/experiments/service.md). Chromium
itself collects late, as if the tab were in use."""

Event = Literal["closed", "crashed", "flooded"]


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """The settings by which contexts differ."""

    device: Device
    javascript: bool
    stored: bool
    """Whether its page is served from memory, with every other request refused."""
    painted: bool
    """Whether a picture is taken of its page, or a caller acts on it; else almost nothing of it is painted."""


@dataclass(eq=False)  # no slots: Playwright keeps its listeners there
class PooledTab:
    """A pooled tab: a browser context with one tab and one proxy, for one page at a time."""

    kind: ContextSettings
    proxy: Proxy
    context: BrowserContext
    tab: Tab
    attached: Attached
    stack: AsyncExitStack
    """Closes the context, then the proxy."""
    on_event: Callable[[Event], None] = lambda event: None
    """Called with the reason when the tab crashes or closes while its page is read."""
    origin: str = ""
    """Of the page that has it now, or had it last."""
    pages: int = 0
    windows: int = 0
    is_well: bool = True
    """False once its renderer crashed, which may be before its page came."""
    may_rest: bool = False
    """Whether another page of the origin may have it: its page ended well, and did nothing that clearing does not undo."""

    def watch(self) -> None:
        """Watch the tab for crashes from now on; close windows and dismiss dialogs as they come."""
        self.tab.on("close", lambda _: self._report("closed"))
        self.tab.on("crash", lambda _: self._report("crashed"))
        self.tab.on("dialog", self._dismiss)
        self.context.on("page", self._close_window)

    def _report(self, event: Event) -> None:
        self.is_well = False
        self.on_event(event)

    async def _close_window(self, window: Tab) -> None:
        self.windows += 1
        if self.windows > MOST_WINDOWS:
            self._report("flooded")
        with suppress(PlaywrightError):  # gone by itself
            await window.close()

    async def _dismiss(self, dialog: Dialog) -> None:
        self.windows += 1
        with suppress(PlaywrightError):
            await dialog.dismiss()

    async def stop_scripts(self) -> None:
        """Stop the scripts of a page that has been read."""
        if self.kind.javascript:
            await self.attached.session.send("Emulation.setScriptExecutionDisabled", {"value": True})

    async def clear(self) -> None:
        """Undo what the last page, whose scripts are stopped, left: document, cookies, storage. The HTTP cache stays: it only holds what
        servers sent.
        """
        if self.kind.javascript:
            await self.tab.goto("about:blank", wait_until="commit")  # first: its listeners for the end run all the same
        if self.pages % COLLECT_EVERY == 0:
            await self.attached.session.send("HeapProfiler.collectGarbage")
        await asyncio.gather(*self._clearing())
        self.proxy.begin()

    def _clearing(self) -> Iterator[Awaitable[Any]]:
        send = self.attached.session.send
        if self.kind.javascript:
            yield self.attached.evaluate("name = ''")
            yield send("Storage.clearDataForOrigin", {"origin": self.origin, "storageTypes": "all"})
            yield self._forget_history()
            yield send("Emulation.setScriptExecutionDisabled", {"value": False})
        if not self.kind.stored:
            yield self.context.clear_cookies()

    async def _forget_history(self) -> None:
        """Remove all entries but that of the blank page; again if the browser adds one late, of a page that went on pushing them."""
        while True:
            try:
                await self.attached.session.send("Page.resetNavigationHistory")
                if await self._history_length() == 1:
                    return
            except PlaywrightError as error:
                if BETWEEN not in error.message:
                    raise
            await asyncio.sleep(RETRY_SECONDS)

    async def _history_length(self) -> int:
        """Return the greater of what the browser has and of what the blank page sees."""
        seen = await self.attached.evaluate("history.length")
        return max(int(seen), len((await self.attached.session.send("Page.getNavigationHistory"))["entries"]))


PAINTED_AREA = {"width": 8, "height": 8}
"""CSS px of the window when no screenshot is taken. The page is laid out for the whole window and cannot detect
the difference; not painting the rest saves a tenth of the CPU time."""


@dataclass(frozen=True, slots=True)
class TabPolicy:
    """How long a tab is kept, and what its steps may take; times in seconds (docs/experiments/browser-pool.md, "Tabs")."""

    open: float = 5.0
    """0.1 as a rule: if its renderer is killed meanwhile a tab never opens, and no event reports that."""
    clear: float = 2.0
    """0.02 as a rule; then the tab is closed, and the page gets another."""
    close: float = 5.0
    """0.03 as a rule and 0.1 with a page in a loop; then its browser is killed and replaced. No page waits for it."""
    idle: float = 5.0
    """How long a tab is kept for another page of its origin; a polite crawl opens one per second."""
    pages: int = 40
    """After which a tab is replaced: it grows by 0.7 MB per page."""


POLICY = TabPolicy()


@dataclass(slots=True, eq=False)
class _Resting:
    """An idle tab, kept for another page of its origin."""

    opening: asyncio.Task[PooledTab]
    running: Running
    pooled: PooledTab
    ends: asyncio.TimerHandle = field(init=False)


class TabCache:
    """Opens, keeps and closes the tabs of a browser pool; at most `most` are kept idle."""

    def __init__(self, pool: Pool, boundary: Boundary, most: int) -> None:
        self._pool = pool
        self._boundary = boundary
        self._most = most
        self._resting: list[_Resting] = []
        self._ahead: asyncio.Task[PooledTab] | None = None
        self._ahead_of: tuple[Running, ContextSettings] | None = None
        self._is_ahead_needed = False
        self._background: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def take(self, running: Running, kind: ContextSettings, origin: str) -> AsyncIterator[PooledTab]:
        """Lend a tab for one page of an origin. Afterwards it is kept if another page may use it; else it is closed in the background."""
        opening = self._take_resting(running, kind, origin) or self._take_ahead(running, kind) or self._start(running, kind)
        rests = False
        try:
            pooled = await self._opened(opening)
            if pooled.pages and not await self._succeeds(pooled.clear()):
                self._run(self._discard(opening, running))
                opening = self._start(running, kind)
                pooled = await self._opened(opening)
            self._open_ahead(running, kind)
            pooled.origin, pooled.may_rest = origin, False
            pooled.pages += 1
            yield pooled
            rests = pooled.may_rest and pooled.is_well and not pooled.windows and pooled.pages < POLICY.pages
        finally:
            if opening.done() and not opening.cancelled() and not opening.exception():
                opening.result().on_event = lambda event: None
            self._is_ahead_needed = not rests
            if rests:
                self._rest(opening, running)
            else:
                self._run(self._discard(opening, running))

    async def close(self) -> None:
        """Wait until every tab is closed. The browsers are dead, so that none takes long."""
        self._drop_ahead()
        while self._resting:
            self._dismiss(self._resting[0])
        while self._background:
            await asyncio.wait(self._background)

    def _rest(self, opening: asyncio.Task[PooledTab], running: Running) -> None:
        pooled = opening.result()
        self._run(self._stop_scripts(pooled))  # the caller that waits for the page does not wait for this
        resting = _Resting(opening, running, pooled)
        resting.ends = asyncio.get_running_loop().call_later(POLICY.idle, self._dismiss, resting)
        self._resting.append(resting)
        if len(self._resting) > self._most:
            self._dismiss(self._resting[0])

    def _dismiss(self, resting: _Resting) -> None:
        resting.ends.cancel()
        self._resting.remove(resting)
        self._run(self._discard(resting.opening, resting.running))

    def _take_resting(self, running: Running, kind: ContextSettings, origin: str) -> asyncio.Task[PooledTab] | None:
        for resting in self._resting:
            pooled = resting.pooled
            if (resting.running, pooled.kind, pooled.origin) == (running, kind, origin) and pooled.is_well and running.takes_pages:
                resting.ends.cancel()
                self._resting.remove(resting)
                return resting.opening
        return None

    async def _opened(self, opening: asyncio.Task[PooledTab]) -> PooledTab:
        try:
            async with asyncio.timeout(POLICY.open):
                return await asyncio.shield(opening)  # one that opens after a cancellation is closed all the same
        except TimeoutError as error:
            raise PlaywrightError(f"no tab was opened within {POLICY.open:g} s") from error

    async def _stop_scripts(self, pooled: PooledTab) -> None:
        if not await self._succeeds(pooled.stop_scripts()):
            pooled.is_well = False

    async def _succeeds(self, work: Coroutine[Any, Any, None]) -> bool:
        try:
            async with asyncio.timeout(POLICY.clear):
                await work
        except (PlaywrightError, TimeoutError, Unusable):  # the tab is closed, and a fault of its browser is detected at its next use
            return False
        return True

    def _start(self, running: Running, kind: ContextSettings) -> asyncio.Task[PooledTab]:
        return asyncio.create_task(self._open(running, kind))

    def _take_ahead(self, running: Running, kind: ContextSettings) -> asyncio.Task[PooledTab] | None:
        ahead, is_same_kind = self._ahead, self._ahead_of == (running, kind)
        if not is_same_kind or not ahead or (ahead.done() and (ahead.cancelled() or ahead.exception() or not ahead.result().is_well)):
            self._drop_ahead()
            return None
        self._ahead = self._ahead_of = None
        return ahead

    def _open_ahead(self, running: Running, kind: ContextSettings) -> None:
        """Open the next tab while a page is read, if no idle tab is left for it."""
        if self._is_ahead_needed and self._ahead is None and running.takes_pages:
            self._ahead, self._ahead_of = asyncio.create_task(self._open(running, kind)), (running, kind)

    def _drop_ahead(self) -> None:
        if self._ahead and self._ahead_of:
            self._run(self._discard(self._ahead, self._ahead_of[0]))
        self._ahead = self._ahead_of = None

    async def _open(self, running: Running, kind: ContextSettings) -> PooledTab:
        async with AsyncExitStack() as stack:
            proxy = await stack.enter_async_context(Proxy(self._boundary))
            context = await running.chromium.browser.new_context(
                **kind.device.context_options(running.chromium.browser.version),
                java_script_enabled=kind.javascript,
                accept_downloads=False,
                service_workers="block",
                reduced_motion="reduce",  # what fades in on scrolling would be missed
                proxy=proxied(CLOSED_PROXY if kind.stored else proxy.url),
                offline=kind.stored,
            )
            stack.push_async_callback(context.close)
            tab = await context.new_page()
            attached = await attach(tab)
            if kind.javascript:
                attached = await watch_timers(attached)
            pooled = PooledTab(kind, proxy, context, tab, attached, stack)
            if not kind.painted:
                await pooled.attached.session.send("Emulation.setVisibleSize", PAINTED_AREA)
            pooled.watch()
            pooled.stack = stack.pop_all()
            return pooled
        raise AssertionError("unreachable")  # for mypy: an exit stack may swallow

    async def _discard(self, opening: asyncio.Task[PooledTab], running: Running) -> None:
        """Close a tab, also one that is still opening; kill the browser if that takes too long."""
        with suppress(PlaywrightError, OSError):  # it did not open, or its browser is dead: nothing is left to close
            try:
                async with asyncio.timeout(POLICY.close):
                    await (await asyncio.shield(opening)).stack.aclose()
            except TimeoutError:
                self._pool.kill(running, f"a context did not close within {POLICY.close:g} s")
                await (await opening).stack.aclose()  # the dead browser holds it no longer

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
