"""The browser: renders pages in a pool with one Chromium, a fresh context per page and a bound on open pages.

async with Browser() as browser:
    page = (await browser.render("https://example.com/article")).page
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Self

from playwright.async_api import Error as PlaywrightError

from sightread.render.archives.base import Archive, choose_page, land
from sightread.render.archives.replay import Replay
from sightread.render.browser.find_browser import find_browser
from sightread.render.browser.launch import LIGHT
from sightread.render.browser.limiter import ON_REQUEST, PageLimiter, cores
from sightread.render.browser.pool import Pool, PoolCounts, PoolHealth, PoolPolicy, Running
from sightread.render.browser.tab import ContextSettings, PooledTab, TabCache
from sightread.render.errors import BrowserFailed, PageFailed, Rejected, Retryable, SightreadError, TimedOut, Unusable
from sightread.render.network.address import STORED_URL, check_url, origin_of, without_placeholder
from sightread.render.network.egress import PUBLIC, Boundary, Egress
from sightread.render.network.http import first_line
from sightread.render.page import without_address
from sightread.render.static.charset import DecodedHtml, Html, as_decoded, decode_html
from sightread.render.visit.device import Device
from sightread.render.visit.requests import block, grant
from sightread.render.visit.visit import Rendered, RenderOptions, Visit

RESET_SECONDS = 2.0
"""For a tab to leave a page that missed its deadline; then the session is over."""

ReadInTab = Callable[[str, RenderOptions], Awaitable[Rendered]]


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
                return await self._read(url, chosen)
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


__all__ = ["STORED", "Browser", "PoolHealth", "PoolPolicy", "RenderOptions", "Rendered", "find_browser"]

STORED = RenderOptions(javascript=False)
"""Stored HTML was written down after its scripts ran, or without them; their requests would be refused anyway."""

StoredSource = DecodedHtml | Archive


class Browser:
    """A pool to render pages with; an async context manager, outside of which it raises `RuntimeError`.

    `executable` names the program (see `find_browser`), `tabs` how many pages may be open at once: one per core by default, more is slower,
    and fewer are opened while memory is short; `egress` is what pages may reach, the public web by default; `policy` when a Chromium is
    replaced. A light one loads no images and no web fonts; images without a declared size take no space, and are in `Page.images` all the
    same. A page that fails because of the Chromium is tried again within its deadline.
    """

    def __init__(
        self,
        executable: Path | None = None,
        tabs: int | None = None,
        egress: Egress = PUBLIC,
        policy: PoolPolicy = PoolPolicy(),  # noqa: B008  (frozen)
        light: bool = False,
    ) -> None:
        self._boundary = Boundary(egress)
        self._policy = policy
        self._counters = PoolCounts()
        self._pool = Pool(executable, policy, self._counters, LIGHT if light else ())
        self._tabs = TabCache(self._pool, self._boundary, tabs or cores())
        self._limiter = PageLimiter(tabs or cores())
        self._opened = False
        self._draining = False

    async def __aenter__(self) -> Self:
        await self._pool.open()
        self._opened = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self._opened = False
        await self._pool.close()
        await self._tabs.close()

    async def render(self, url: str, options: RenderOptions = RenderOptions()) -> Rendered:  # noqa: B008  (frozen)
        """Render the page at `url`, with scripts if the options allow them.

        Raises `Retryable` (too slow, name not resolved, connection refused, HTTP 5xx or 429), `Unusable` (other 4xx, not HTML, no text)
        and `Rejected` for an address that is not http or https; `Private`, a subclass of it, if only `Egress(local=True)` allows it.
        """
        return await self._visit(url, options)

    async def render_html(self, html: Html, url: str = "", options: RenderOptions = STORED) -> Rendered:
        """Render stored HTML as if it came from `url`; every other request is refused. Bytes are decoded by
        `sightread.render.static.charset.decode_html`, as without a browser.

        A page without a URL has no address: links within it have the fragment alone, and its references to others lead nowhere unless they
        are absolute, as without a browser.
        Raises `Retryable` (too slow), `Unusable` (no text) and `Rejected` for an address that is not http or https.
        """
        check_url(url or STORED_URL)
        decoded = as_decoded(html)
        rendered = await self._visit(url or STORED_URL, options, decoded)
        page = replace(rendered.page, guessed_charset=decoded.charset) if decoded.is_guessed else rendered.page
        return rendered._replace(page=page if url else without_address(page, STORED_URL))

    async def render_archived(self, archive: Archive, url: str = "", options: RenderOptions = STORED) -> Rendered:
        """Render a page of an archive (see `sightread.render.archives.open`) with the files that it holds; every other request is refused.

        `url` is the page's address, optional for an archive of one page. Status and final URL are as archived. Raises
        `Rejected` if the archive does not hold the page, or holds several and none is named, and `Unusable` if it is not a page.
        """
        chosen = await asyncio.to_thread(choose_page, archive, url)
        landing = await asyncio.to_thread(land, archive, chosen)
        rendered = await self._visit(chosen, options, archive)
        moved = await asyncio.to_thread(archive.find, rendered.page.final_url)  # it may have moved on inside the archive
        answer = moved or landing.answer
        decoded = await asyncio.to_thread(decode_html, answer.body, answer.charset)
        page = replace(rendered.page, status=answer.status, guessed_charset=decoded.charset if decoded.is_guessed else "")
        return rendered._replace(page=without_address(page, STORED_URL) if chosen.startswith(STORED_URL) else page)

    @asynccontextmanager
    async def session(self, options: RenderOptions = RenderOptions()) -> AsyncIterator[BrowserSession]:  # noqa: B008  (frozen)
        """Open a session, whose pages share cookies, storage and cache; they are gone at the end of the block.

            async with browser.session() as session:
                await session.render("https://example.com/login", login)
                page = (await session.render("https://example.com/account")).page

        `options` are those of its pages. Raises `NoBrowser`.
        """
        self._check_open()
        kind = ContextSettings(options.device, options.javascript, stored=False, painted=True)
        async with self._pool.lease() as running, self._tabs.take(running, kind, "") as pooled:

            async def read(url: str, chosen: RenderOptions) -> Rendered:
                self._check_open()
                await self._boundary.admit(url)
                ends = asyncio.get_running_loop().time() + chosen.deadline
                return await self._read_by(ends, url, chosen, nullcontext((running, pooled)))

            await _prepare(pooled, options)
            session = BrowserSession(pooled, options, lambda url, chosen: self._in_turn(url, lambda: read(url, chosen)))
            try:
                yield session
            finally:
                session.end()
                pooled.may_rest = False

    async def user_agent(self, device: Device) -> str:
        """Return the user agent of its requests for pages of a device."""
        self._check_open()
        async with self._pool.lease() as running:
            return str(device.context_options(running.chromium.browser.version)["user_agent"])

    @property
    def health(self) -> PoolHealth:
        """How the pool is doing now; reading the memory of its processes takes a few ms."""
        return PoolHealth(
            **asdict(self._counters),
            open=self._limiter.opened,
            waiting=self._limiter.waiting,
            bound=self._limiter.bound,
            memory=self._pool.memory,
            alive=self._pool.alive,
            draining=self._draining,
        )

    async def drain(self) -> None:
        """Refuse new pages and those that wait, and wait for those that are open: each ends within its deadline."""
        self._draining = True
        await self._limiter.emptied()

    async def _visit(self, url: str, options: RenderOptions, stored: StoredSource | None = None) -> Rendered:
        self._check_open()
        if stored is None:
            await self._boundary.admit(url)
        try:
            return await self._in_turn(url, lambda: self._try(url, options, stored))
        except SightreadError as error:  # stored pages without an address are called by their name, not by their placeholder URL
            error.args = (without_placeholder(str(error)),)
            raise

    def _check_open(self) -> None:
        if not self._opened:
            raise RuntimeError("the browser is not open: use it inside `async with`")

    async def _in_turn(self, url: str, read: Callable[[], Awaitable[Rendered]]) -> Rendered:
        self._refuse_when_draining(url)
        async with self._limiter.turn():
            self._refuse_when_draining(url)
            try:
                rendered = await read()
            except PageFailed:
                self._counters.failed += 1
                raise
            self._counters.done += 1
            return rendered

    def _refuse_when_draining(self, url: str) -> None:
        if self._draining:
            raise Retryable(f"{url}: the browser is being closed and takes no new pages: try again later")

    async def _try(self, url: str, options: RenderOptions, stored: StoredSource | None) -> Rendered:
        """Try the page until it is read or fails by itself, as often and for as long as it may."""
        ends = asyncio.get_running_loop().time() + options.deadline
        for _ in range(self._policy.tries - 1):
            with suppress(BrowserFailed):
                return await self._read_by(ends, url, options, self._lend(url, options, stored), stored)
            if not self._opened:  # by its owner, who waits for this page no longer
                raise asyncio.CancelledError("the browser was closed")
            await self._pool.check()
            self._counters.retried += 1
        return await self._read_by(ends, url, options, self._lend(url, options, stored), stored)

    @asynccontextmanager
    async def _lend(self, url: str, options: RenderOptions, stored: StoredSource | None) -> AsyncIterator[tuple[Running, PooledTab]]:
        kind = ContextSettings(options.device, options.javascript, stored is not None, options.picture or options.is_interactive)
        origin = origin_of(url) if stored is None else ""
        async with self._pool.lease() as running, self._tabs.take(running, kind, origin) as pooled:
            if stored is None:
                await _prepare(pooled, options)
            yield running, pooled

    async def _read_by(
        self,
        ends: float,
        url: str,
        options: RenderOptions,
        lent: AbstractAsyncContextManager[tuple[Running, PooledTab]],
        stored: StoredSource | None = None,
    ) -> Rendered:
        """Read a page in a tab until `ends` of the event loop's clock; its failures are raised by what caused them."""
        reason: PageFailed = TimedOut(f"{url}: not read within {options.deadline:g} s: try again, or allow more")
        running: Running | None = None

        def give_up(because: PageFailed) -> None:
            nonlocal reason
            reason = because
            with suppress(RuntimeError):  # it is over already
                deadline.reschedule(asyncio.get_running_loop().time())

        try:
            async with asyncio.timeout_at(ends) as deadline, lent as (running, pooled):
                ON_REQUEST.get()()
                return (await _read(pooled, url, options, stored, give_up))._replace(ends=ends)
        except TimeoutError as error:
            raise self._blame(reason, running) from error
        except PlaywrightError as error:
            raise BrowserFailed(f"{url}: the browser failed: {first_line(error.message)}: try again") from error
        except Retryable as error:
            if running and not running.chromium.alive and not isinstance(error, BrowserFailed):  # it only looks like the page's fault
                raise BrowserFailed(str(error)) from error
            raise

    def _blame(self, reason: PageFailed, running: Running | None) -> PageFailed:
        """Return why a page ended, which is its own fault if its renderer was killed for what it took."""
        if running and running.bombs and isinstance(reason, BrowserFailed):
            running.bombs -= 1
            limit = f"more than {self._policy.renderer >> 20} MiB of memory, or all that the machine has left"
            return Unusable(f"{str(reason).partition(': ')[0]}: it takes {limit}")
        return reason


async def _prepare(pooled: PooledTab, options: RenderOptions) -> None:
    """Give a tab what it sends to live pages, and what it blocks of them."""
    if options.access:
        await grant(pooled.tab, options.access)
    if options.block:
        await block(await pooled.context.new_cdp_session(pooled.tab), pooled.attached.frame, options.block)


async def _read(
    pooled: PooledTab, url: str, options: RenderOptions, stored: StoredSource | None, give_up: Callable[[PageFailed], None]
) -> Rendered:
    """Read a page in its tab, and mark whether the tab may be used again."""
    failures = {  # a tab of a killed browser reports no more than the first
        "closed": BrowserFailed(f"{url}: its tab was closed: try again"),
        "crashed": BrowserFailed(f"{url}: its tab crashed: try again"),
        "flooded": Unusable(f"{url}: it opens window after window"),
    }
    pooled.on_event = lambda event: give_up(failures[event])
    pooled.proxy.on_flood = lambda what: give_up(Unusable(f"{url}: {what}"))
    replay = Replay(pooled.attached.session, stored) if stored is not None else None
    if replay:
        await replay.begin()
    visit = Visit(pooled.attached, pooled.proxy, url, options, is_live=stored is None, give_up=give_up)
    if replay:
        visit.replays = lambda: replay.pending
    try:
        rendered = await visit.read()
    finally:
        origin = visit.close()
    if replay:
        await replay.end()
        pooled.may_rest = not options.javascript and not isinstance(stored, Archive)
    elif stored is None and not options.access and not options.is_interactive and not options.block and origin:
        pooled.origin, pooled.may_rest = origin, True
    return rendered
