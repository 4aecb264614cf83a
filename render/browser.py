"""The browser: one Chromium for many pages, a fresh context for each, a bounded number at once.

async with Browser() as browser:
    page, picture = await browser.render("https://example.com/article")
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Self

from playwright.async_api import BrowserContext, Dialog, ProxySettings, ViewportSize
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab
from yarl import URL

from render.errors import PageFailed, Rejected, Retryable
from render.failures import first_line
from render.find import find_browser
from render.launch import Chromium, launch
from render.visit import Order, Rendered, RenderOptions, Visit

__all__ = ["STORED", "Browser", "RenderOptions", "Rendered", "find_browser"]

STORED = RenderOptions(javascript=False)
"""Stored HTML was written down after its scripts ran, or without them; their requests would be refused anyway."""
STORED_URL = "http://stored.invalid/"
"""The address of stored HTML that comes without one; such names never resolve (RFC 2606)."""
NOWHERE = ProxySettings(server="http://127.0.0.1:9")
"""The proxy of stored pages, on the discard port: what being offline does not refuse (preconnects, sockets) ends there."""
CLOSE_PATIENCE = 5.0
"""Seconds a context may take to close, 0.02 as a rule; then its browser is replaced."""


class Browser:
    """A Chromium to render pages with; an async context manager, outside of which it raises `RuntimeError`.

    `executable` names the program (see `find_browser`), `tabs` how many pages may be open at once: more than one a core is slower.
    A browser that dies fails the pages it has open as `Retryable`; the next page gets a new one.
    """

    def __init__(self, executable: Path | None = None, tabs: int = 2) -> None:
        self._wanted = executable
        self._tabs = tabs
        self._slots: asyncio.Semaphore | None = None
        self._starting = asyncio.Lock()
        self._chromium: Chromium | None = None

    async def __aenter__(self) -> Self:
        self._chromium = await launch(find_browser(self._wanted))
        self._slots = asyncio.Semaphore(self._tabs)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._slots = None
        if self._chromium:
            await self._discard(self._chromium)

    async def render(self, url: str, options: RenderOptions = RenderOptions()) -> Rendered:  # noqa: B008  (frozen)
        """Render the page at `url`, with scripts as the options say.

        Raises `Retryable` (too slow, name not resolved, connection refused, HTTP 5xx or 429), `Unusable` (other 4xx, not HTML, no text)
        and `Rejected` for an address that is not http or https.
        """
        return await self._visit(_checked(url), options)

    async def render_html(self, html: str | bytes, url: str = "", options: RenderOptions = STORED) -> Rendered:
        """Render stored HTML as if it came from `url`; every other request is refused. Bytes are decoded as a browser would.

        Raises `Retryable` (too slow), `Unusable` (no text) and `Rejected` for an address that is not http or https.
        """
        return await self._visit(_checked(url or STORED_URL), options, html)

    async def _visit(self, url: str, options: RenderOptions, html: str | bytes | None = None) -> Rendered:
        if self._slots is None:
            raise RuntimeError("the browser is not open: use it inside `async with`")
        reason: PageFailed = Retryable(f"{url}: not read within {options.deadline:g} s: try again, or allow more")

        def give_up(because: PageFailed) -> None:
            nonlocal reason
            reason = because
            with suppress(RuntimeError):  # it is over already
                deadline.reschedule(asyncio.get_running_loop().time())

        async with self._slots:
            try:
                async with asyncio.timeout(options.deadline) as deadline, self._context(options, stored=html is not None) as context:
                    tab = await context.new_page()
                    _keep_quiet(context, tab)
                    if html is not None:
                        await _serve(tab, html)
                    return await Visit(tab, Order(url, options, "browser" if html is None else "stored"), give_up).read()
            except TimeoutError as error:
                raise reason from error
            except PlaywrightError as error:
                raise Retryable(f"{url}: the browser failed: {first_line(error.message)}: try again") from error

    @asynccontextmanager
    async def _context(self, options: RenderOptions, *, stored: bool) -> AsyncIterator[BrowserContext]:
        """Open a context and close it for certain; a browser that does not manage that within its time is replaced."""
        chromium = await self._running()
        opening = asyncio.ensure_future(
            chromium.browser.new_context(
                viewport=ViewportSize(width=int(options.viewport.width), height=int(options.viewport.height)),
                java_script_enabled=options.javascript,
                accept_downloads=False,
                service_workers="block",
                reduced_motion="reduce",  # what fades in on scrolling would be missed
                proxy=NOWHERE if stored else None,
                offline=stored,
            )
        )
        try:
            yield await asyncio.shield(opening)  # one that opens after a cancellation is closed all the same
        finally:
            try:
                async with asyncio.timeout(CLOSE_PATIENCE):
                    await (await opening).close()
            except (TimeoutError, PlaywrightError):
                await self._discard(chromium)

    async def _running(self) -> Chromium:
        async with self._starting:
            if self._chromium and not self._chromium.alive:
                await self._discard(self._chromium)
            if self._slots is None:
                raise RuntimeError("the browser was closed")
            if self._chromium is None:
                self._chromium = await launch(find_browser(self._wanted))
            return self._chromium

    async def _discard(self, chromium: Chromium) -> None:
        if self._chromium is chromium:
            self._chromium = None
            await chromium.close()


def _checked(url: str) -> str:
    with suppress(ValueError):
        parsed = URL(url)
        if parsed.scheme in ("http", "https") and parsed.host:
            return url
    raise Rejected(f"{url}: not an http or https address: give one, such as https://example.com/")


def _keep_quiet(context: BrowserContext, tab: Tab) -> None:
    """Close popups and dismiss dialogs as they come."""

    async def close_popup(popup: Tab) -> None:
        if popup != tab:
            with suppress(PlaywrightError):  # gone by itself
                await popup.close()

    async def dismiss(dialog: Dialog) -> None:
        with suppress(PlaywrightError):
            await dialog.dismiss()

    context.on("page", close_popup)
    tab.on("dialog", dismiss)


async def _serve(tab: Tab, html: str | bytes) -> None:
    """Answer the first navigation of the tab with the HTML, and call off every later one, so that the document stays.

    Only navigations are intercepted, through the debugging protocol: the context is offline, which refuses the hundreds of other
    requests of a page for nothing, where interception would ask us about each.
    """
    body, kind = (html.encode(), "text/html; charset=utf-8") if isinstance(html, str) else (html, "text/html")
    answer = {"responseCode": 200, "responseHeaders": [{"name": "Content-Type", "value": kind}], "body": b64encode(body).decode()}
    served = False
    session = await tab.context.new_cdp_session(tab)

    async def decide(paused: dict[str, Any]) -> None:
        nonlocal served
        first, served = not served, True
        request = {"requestId": paused["requestId"]}
        with suppress(PlaywrightError):  # the page went away meanwhile
            if first:
                await session.send("Fetch.fulfillRequest", request | answer)
            else:  # for any other reason than this one an error page would take the document's place
                await session.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})

    session.on("Fetch.requestPaused", decide)
    await session.send("Fetch.enable", {"patterns": [{"resourceType": "Document"}]})
