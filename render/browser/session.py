"""A browsing session: pages that share one browser context, and so cookies, storage and the HTTP cache, one after another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError

from sightread.render.errors import BrowserFailed, PageFailed, Rejected
from sightread.render.visit.visit import Rendered, RenderOptions

if TYPE_CHECKING:
    from sightread.render.browser.tab import PooledTab

RESET_SECONDS = 2.0
"""For a tab to leave a page that missed its deadline; then the session is over."""

ReadInTab = Callable[["PooledTab", str, RenderOptions], Awaitable[Rendered]]


class BrowserSession:
    """Renders pages in one tab, made by `Browser.session`; it ends with the block. Calls wait for each other.

    A page that fails does not end the session. One whose browser is lost does, since its cookies are lost too.
    """

    def __init__(self, pooled: PooledTab, options: RenderOptions, read: ReadInTab) -> None:
        self._pooled = pooled
        self._read = read
        self._turn = asyncio.Lock()
        self._ended = ""
        """Why no further page can be read; empty as long as one can."""
        self.options = options
        """The options of its pages, unless a call has others."""

    async def render(self, url: str, options: RenderOptions | None = None) -> Rendered:
        """Render the page at `url`, with the cookies and the storage that the pages before it left.

        `options` may differ from the session's in all but device, scripts, credentials and blocking. Raises what `Browser.render` raises,
        and `BrowserFailed` once the session's browser is lost.
        """
        chosen = self._checked(options or self.options)
        async with self._turn:
            if self._ended:
                raise BrowserFailed(f"{url}: the session is over: {self._ended}: begin another")
            self._pooled.proxy.begin()
            try:
                return await self._read(self._pooled, url, chosen)
            except BrowserFailed as error:
                self._ended = str(error)
                raise
            except PageFailed:
                await self._reset()
                raise

    def end(self) -> None:
        """Refuse further pages."""
        self._ended = self._ended or "its block has ended"

    def _checked(self, options: RenderOptions) -> RenderOptions:
        for name in ("device", "javascript", "access", "block"):
            if getattr(options, name) != getattr(self.options, name):
                raise Rejected(f"{name} differs from the session's: give it to the session, where it applies to all pages")
        return options

    async def _reset(self) -> None:
        """Leave the page that failed; the session is over if that does not work."""
        try:
            async with asyncio.timeout(RESET_SECONDS):
                await self._pooled.tab.goto("about:blank", wait_until="commit")
        except (PlaywrightError, TimeoutError):
            self._ended = "a page blocked its tab"
