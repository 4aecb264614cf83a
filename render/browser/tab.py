"""A pooled tab: a browser context with one tab and one proxy, and how it is cleared for another page of the same origin."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from typing import Any, Literal

from playwright.async_api import BrowserContext, Dialog
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.network.proxy import Proxy
from sightread.render.visit.device import Device
from sightread.render.visit.devtools_session import Attached

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
            yield self._clear_name()
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
        world = await self.attached.open_world()
        seen = await self.attached.session.send("Runtime.evaluate", {"expression": "history.length", "contextId": world})
        entries = (await self.attached.session.send("Page.getNavigationHistory"))["entries"]
        return max(int(seen["result"]["value"]), len(entries))

    async def _clear_name(self) -> None:
        world = await self.attached.open_world()
        await self.attached.session.send("Runtime.evaluate", {"expression": "name = ''", "contextId": world})
