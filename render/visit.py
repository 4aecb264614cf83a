"""One tab's way from an address to a `Page`: navigate, wait until it looks like itself, collect, and take a picture."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from typing import NamedTuple

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab
from playwright.async_api import Response
from playwright.async_api import TimeoutError as PlaywrightTimeout

from render.address import check_url
from render.collect import Collected, CollectOptions, Provenance, collect
from render.errors import BrowserFailed, PageFailed, Rejected, Unusable
from render.failures import navigation_failure, status_failure, type_failure
from render.navigations import Navigations
from render.page import Page, Size, Source, Timing
from render.picture import screenshot

PAPERS_VIEWPORT = Size(1600, 1000)
"""CSS px: the width of the original paper."""
LOAD_PATIENCE = 3.0
"""Seconds to wait for images and fonts, which move boxes, after the document itself is there. What is slower is mostly advertising."""
TEXT_PATIENCE = (0.25, 0.75, 1.5)
"""Seconds to wait, in turn, where a page has no text yet: one that scripts fill after its load event."""
ERROR_PAGE = "chrome-error:"
PROXY_STATUSES = (403, 502)
"""Those with which the proxy says that it did not connect; a server may say the same."""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How to render a page."""

    viewport: Size = PAPERS_VIEWPORT
    javascript: bool = True
    deadline: float = 30.0
    """Seconds for the whole page, from its turn in the browser on; everything that happens to it happens inside."""
    collect: CollectOptions = field(default_factory=CollectOptions)
    picture: bool = False


class Rendered(NamedTuple):
    """A page, and its picture (WebP, see `render.picture`) where one was asked for."""

    page: Page
    picture: bytes | None


@dataclass(frozen=True, slots=True)
class Order:
    """What to read: the address, and whether what stands there is live or stored."""

    url: str
    options: RenderOptions
    source: Source
    explain: Callable[[str, int, str], PageFailed | None]
    """From host, port and the page's URL to why the connection did not come about, where the proxy knows that (see `render.proxy`)."""


class Visit:
    """One page in one tab. The tab is the caller's, and so is the deadline."""

    def __init__(self, tab: Tab, order: Order, give_up: Callable[[PageFailed], None]) -> None:
        """`give_up` ends the visit at once with the given reason, as the deadline would: a tab that crashed answers nothing any more."""
        self._tab = tab
        self._url = order.url
        self._options = order.options
        self._source = order.source
        self._explain = order.explain
        tab.on("crash", lambda _: give_up(BrowserFailed(f"{order.url}: its tab crashed: try again")))
        endless = f"{order.url}: it moves on and on: only pages that stay can be read"
        self._navigations = Navigations(tab, lambda: give_up(Unusable(endless)))

    async def read(self) -> Rendered:
        """Go there and read the page; once more wherever it moved on meanwhile.

        Raises `Retryable` or `Unusable` where there is nothing to read.
        """
        started = perf_counter()
        await self._go()
        collected: Collected | None = None
        while collected is None:
            seen = self._navigations.count
            try:
                await self._settle()
                self._check(self._navigations.shown)
                ready = perf_counter()
                collected = await self._collect()
            except PlaywrightError:  # what was asked of a document that is no more
                if self._navigations.count == seen:
                    raise
            if self._navigations.count > seen:  # a redirect without delay begins while the stub before it is read
                collected = None
        if not collected.shows_text:
            raise Unusable(f"{self._url}: no text on the page")
        timing = Timing((ready - started) * 1000, (perf_counter() - ready) * 1000)
        # No wider than the viewport: what stands beside it, as text parked off the page does, no reader scrolls to.
        shown = Size(min(collected.document.width, self._options.viewport.width), collected.document.height)
        picture = await screenshot(self._tab, shown) if self._options.picture else None
        return Rendered(collected.page(self._provenance(timing)), picture)

    async def _go(self) -> None:
        try:
            await self._tab.goto(self._url, wait_until="commit", timeout=0)
        except PlaywrightError as error:
            self._check(self._navigations.arrived)  # a status or a type tells more than the error that followed from it
            raise self._unconnected() or navigation_failure(self._url, error.message) from error

    async def _settle(self) -> None:
        """Wait for the navigation under way, for its document, and for a while for its images and fonts."""
        await self._navigations.idle.wait()
        if self._tab.url.startswith(ERROR_PAGE):
            raise self._unconnected() or navigation_failure(self._url, self._navigations.failure)
        while True:
            try:
                await self._tab.wait_for_load_state("domcontentloaded", timeout=1000)
                break
            except PlaywrightTimeout:  # Playwright loses the event where a redirect to a download comes before it: look at the document
                if await self._tab.evaluate("document.readyState") != "loading":
                    break
        with suppress(PlaywrightTimeout):
            await self._tab.wait_for_load_state("load", timeout=LOAD_PATIENCE * 1000)

    def _check(self, response: Response | None) -> None:
        if self._source != "browser" or response is None:
            return
        failure = status_failure(self._url, response.status) or type_failure(self._url, response.headers.get("content-type", ""))
        if failure:
            raise (self._unconnected() if response.status in PROXY_STATUSES else None) or failure

    def _unconnected(self) -> PageFailed | None:
        """Return why the last navigation got no connection; None where it got one."""
        try:
            address = check_url(self._navigations.target)
        except Rejected:
            return None
        return self._explain(address.host, address.port, self._url)

    async def _collect(self) -> Collected:
        collected = await collect(self._tab, self._options.collect)
        for pause in TEXT_PATIENCE if self._options.javascript else ():
            if collected.shows_text:
                break
            await asyncio.sleep(pause)
            collected = await collect(self._tab, self._options.collect)
        return collected

    def _provenance(self, timing: Timing) -> Provenance:
        response = self._navigations.shown
        return Provenance(
            url=self._url,
            final_url=self._tab.url,
            source=self._source,
            status=response.status if response and self._source == "browser" else 0,
            rendered_at=datetime.now(UTC).isoformat(timespec="seconds"),
            timing=timing,
        )
