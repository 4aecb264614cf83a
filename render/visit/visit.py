"""One visit: navigate to an address, wait until the page is stable, collect its blocks, take a screenshot."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import perf_counter
from typing import NamedTuple

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.analysis.block_pages import check_wall
from sightread.render.analysis.fallback_text import recover, shows_little
from sightread.render.argument_checks import check_fields, check_range
from sightread.render.errors import ConditionNotMet, PageFailed, Rejected, Unusable, Walled, quoted
from sightread.render.network.address import check_url
from sightread.render.network.http import (
    NO_HEADERS,
    PROXY_STATUSES,
    PageHeaders,
    first_line,
    navigation_failure,
    status_failure,
    type_failure,
)
from sightread.render.network.proxy import Proxy
from sightread.render.page import Box, Page, Size, Timing
from sightread.render.visit.actions import Action, check_condition, is_met, not_met, perform, scroll_to_top
from sightread.render.visit.capture import Blocking, Capture, CaptureOptions
from sightread.render.visit.collect import Collected, CollectOptions, Sources, collect, collect_sources
from sightread.render.visit.device import Device
from sightread.render.visit.navigation import Attached, DocumentResponse, Navigations
from sightread.render.visit.options import DeadlineOption, ReadyOptions, check_bounds
from sightread.render.visit.picture import SCALE, Picture, PictureFormat
from sightread.render.visit.recorder import Recorder
from sightread.render.visit.requests import Access
from sightread.render.visit.screenshot import screenshot
from sightread.render.visit.settle import LIMITS, Settled, settle, step_through, step_to_end, wait_for_document

READING_SHARE = 0.8
"""Of the deadline: a document that still comes then is read as far as it is there, and a picture that is still taken ends with its tile."""
RESERVE = 3.0
"""Seconds that are left at the end of an endless page, to read it."""
CRASH_TIMEOUT = 0.2
"""Seconds for a tab to report that it crashed, which ends the visit, when no server has answered: a navigation of one only looks aborted.
Seen once in 25 renderers killed."""
ERROR_PAGE = "chrome-error:"
MOST_ACTIONS = 100
_BOX_OF = """(selector) => {
    try {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        return box ? [box.x + scrollX, box.y + scrollY, box.width, box.height] : [];
    } catch {
        return false;
    }
}"""
"""The box of the first element that a selector matches, an empty list without one, false for a malformed selector."""
GUARDED_STATUSES = (401, 403, 503)
"""Statuses of bot challenges and denied access."""


@dataclass(frozen=True, slots=True)
class RenderOptions(DeadlineOption, ReadyOptions):
    """How to render a page, with the options of `sightread.render.visit.options` besides its own.

    Raises `Rejected` for a field of another type, or out of its range.
    """

    device: Device = field(default_factory=Device)
    access: Access | None = None
    """Credentials for the page's site; stored pages send no requests."""
    collect: CollectOptions = field(default_factory=CollectOptions)
    picture: bool = False
    picture_scale: float = SCALE
    """Picture px per CSS px."""
    picture_format: PictureFormat = "webp"
    picture_of: str = ""
    """CSS selector of the element that the picture shows alone; empty for the whole page."""
    actions: tuple[Action, ...] = ()
    """Done in this order once the page has loaded; after each the page is waited for (see `sightread.render.visit.actions`)."""
    before_collect: Callable[[Tab], Awaitable[object]] | None = None
    """Called with Playwright's page just before it is collected; every request that it makes passes the egress boundary."""
    capture: CaptureOptions = field(default_factory=CaptureOptions)
    """Options of the page's capture."""
    block: Blocking = field(default_factory=Blocking)
    """Requests of a live page that are not made."""

    def __post_init__(self) -> None:
        if isinstance(self.actions, list):
            object.__setattr__(self, "actions", tuple(self.actions))
        check_fields(self)
        check_range("RenderOptions: picture_scale", self.picture_scale, 0, 4, unit="picture pixels per CSS pixel", above=True)
        if self.deadline > 0:
            check_range(
                "RenderOptions: min_wait", self.min_wait, 0, READING_SHARE * self.deadline, unit="seconds, the deadline's part for it"
            )
        check_bounds(self)
        check_condition("RenderOptions: wait_for", self.wait_for)
        if len(self.actions) > MOST_ACTIONS:
            raise Rejected(f"has {len(self.actions)} entries: give {MOST_ACTIONS} at most", "RenderOptions: actions")
        if self.is_interactive and not self.javascript:
            raise Rejected("RenderOptions: wait_for, min_wait, actions and before_collect need scripts: set javascript=True")

    @property
    def is_interactive(self) -> bool:
        """Whether the page is waited for or acted on as the caller wishes."""
        return bool(self.wait_for or self.min_wait or self.actions or self.before_collect)


class Rendered(NamedTuple):
    """A page, and what was requested besides its blocks."""

    page: Page
    picture: Picture | None = None
    capture: Capture | None = None
    ends: float = math.inf
    """Its deadline, by the event loop's clock."""
    headers: PageHeaders = NO_HEADERS
    """Of the response; empty if a script or `<meta>` led to the page."""

    @property
    def source(self) -> str:
        """The HTML as it came from the server, if it was captured."""
        return self.capture.source if self.capture else ""


class Visit:
    """One page in one tab, live or stored. The tab is the caller's with its proxy, and so is the deadline."""

    def __init__(
        self, attached: Attached, proxy: Proxy, url: str, options: RenderOptions, *, is_live: bool, give_up: Callable[[PageFailed], None]
    ) -> None:
        """`give_up` ends the visit at once with the given reason, as the deadline would."""
        self._tab = attached.tab
        self._attached = attached
        self._proxy = proxy
        self._url = url
        self._options = options
        self._is_live = is_live
        self.replays: Callable[[], int] = lambda: 0
        """Returns how many requests of a stored page wait for an answer."""
        self._whole = True
        self._shown: DocumentResponse | None = None
        self._unfinished = ""
        self._unmet: ConditionNotMet | None = None
        """Raised once the status and a block page, which are the cause, are ruled out."""
        self._actions = list(options.actions)
        self._hook = options.before_collect
        self._navigations = Navigations(attached, lambda reason: give_up(Unusable(f"{url}: {reason}")))

    def close(self) -> str:
        """Stop watching the tab, and return the one origin whose documents it loaded; empty if there were others, or a navigation is
        announced.
        """
        self._navigations.close()
        origins = self._navigations.origins
        return "" if len(origins) != 1 or self._navigations.is_restless else next(iter(origins))

    async def read(self) -> Rendered:
        """Go there and read the page; once more wherever it moved on meanwhile.

        Raises `Retryable` or `Unusable` if there is nothing to read, `ConditionNotMet` if what it waits for is not shown.
        """
        options = self._options
        started = perf_counter()
        ends = started + READING_SHARE * options.deadline
        collected: Collected | None = None
        capture: Capture | None = None
        secret_headers = tuple(name for name, _ in options.access.headers) if options.access else ()
        async with Recorder(self._attached, options.capture, secret_headers) as recorder:
            await self._go()
            while collected is None:
                seen = self._navigations.count
                try:
                    await self._settle(ends)
                    await self._check_shown()
                    ready = perf_counter()
                    collected = await self._collect()
                    capture = await recorder.finish(self._tab.url, next(iter(collected.titles), ""))
                    if capture is not None and options.capture.source:
                        capture = replace(capture, source=await self._navigations.source())
                except PlaywrightError:  # the document of this call is gone
                    if self._navigations.count == seen:
                        raise
                if self._navigations.count > seen:  # a redirect without delay begins while the stub before it is read
                    collected = None
        page = self._page(collected, Timing((ready - started) * 1000, (perf_counter() - ready) * 1000))
        if self._unmet is None:
            page = await self._recover(page, collected)
        check_wall(page)
        if self._unmet is not None:
            raise self._unmet
        picture = None
        if options.picture:
            # No wider than the viewport: no reader scrolls to what is beside it, such as text that is moved off the page.
            shown = Size(min(collected.document.width, collected.viewport.width), collected.document.height)
            part = await self._box_of(options.picture_of) if options.picture_of else None
            left = ends - perf_counter()
            picture = await screenshot(self._tab, shown, options.picture_scale, options.device, left, part, options.picture_format)
        return Rendered(page, picture, capture, headers=self._shown.headers if self._shown else NO_HEADERS)

    async def _box_of(self, selector: str) -> Box:
        """Return where the first element that a selector matches is on the page. Raises `Unusable` if none is laid out."""
        found = await self._attached.evaluate(f"({_BOX_OF})({json.dumps(selector)})")
        if found is False:
            raise Rejected(f"is {quoted(selector)}, which is not a CSS selector", "RenderOptions: picture_of")
        if not found or not (found[2] and found[3]):
            raise Unusable(f"{self._url}: no picture of {quoted(selector)}: {'no element matches it' if not found else 'it has no size'}")
        return Box(*found)

    async def _recover(self, page: Page, collected: Collected) -> Page:
        """Return a page that shows no text, or almost none, with text from elsewhere in its document. Raises `Unusable`."""
        if not shows_little(page):
            return page
        sources = Sources()
        with suppress(PlaywrightError, Unusable):  # the document is no more
            sources = await collect_sources(self._attached)
        recovered = await asyncio.to_thread(recover, page, sources.scripts, sources.unscripted)
        if not recovered.recovered and not collected.shows_text:
            raise Unusable(f"{self._url}: no text on the page")
        return recovered

    async def _go(self) -> None:
        try:
            await self._tab.goto(self._url, wait_until="commit", timeout=0)
        except PlaywrightError as error:
            self._check(self._navigations.arrived)  # a status or a type is more precise than the error that followed from it
            await asyncio.sleep(CRASH_TIMEOUT)
            raise self._unconnected() or navigation_failure(self._url, error.message) from error

    async def _settle(self, ends: float) -> None:
        """Wait for the page, perform the options' actions, and wait for their conditions."""
        if not await self._load(ends):
            return
        settled = await self._wait(ends)
        bound = ""
        while self._actions:
            action, left = self._actions.pop(0), ends - perf_counter()
            bound = await perform(action, self._attached, left, lambda: self._settle_again(ends)) or bound
            await asyncio.sleep(LIMITS.start / 1000)  # for a navigation to begin
            if not await self._load(ends):
                return
            settled = await self._wait(ends, LIMITS.quiet)
        self._unfinished = settled.unfinished or bound
        if self._options.is_interactive:
            await self._meet_conditions(ends)

    async def _settle_again(self, ends: float) -> None:
        await asyncio.sleep(LIMITS.start / 1000)
        if await self._load(ends):
            await settle(self._attached, self._has_pending_request, LIMITS.quiet)

    async def _load(self, ends: float) -> bool:
        """Wait for the navigation under way and for its document; return whether its scripts are to be waited for."""
        await self._navigations.idle.wait()
        if self._tab.url.startswith(ERROR_PAGE):
            raise self._unconnected() or navigation_failure(self._url, self._navigations.failure)
        self._whole = await wait_for_document(self._attached, self._proxy.cut, ends)
        return self._whole and self._options.javascript

    async def _wait(self, ends: float, hold: int = 0) -> Settled:
        """Wait until the page stays as it is, and scroll through it if something waits for that."""
        began = perf_counter()
        settled = await settle(self._attached, self._has_pending_request, hold)
        left = self._options.min_wait - (perf_counter() - began)
        if left > 0:
            await asyncio.sleep(min(left, ends - perf_counter()))
            settled = await settle(self._attached, self._has_pending_request)
        if self._options.scroll == "endless":
            settled = await step_to_end(self._attached, self._has_pending_request, (ends - perf_counter()) - RESERVE)
        elif settled.waits_for_scrolling and self._options.scroll == "lazy":
            settled = await step_through(self._attached, self._has_pending_request)
        return settled

    async def _meet_conditions(self, ends: float) -> None:
        options = self._options
        if options.actions:
            await scroll_to_top(self._attached)
        if options.wait_for is not None:
            began = perf_counter()
            is_shown = await is_met(options.wait_for, self._attached, ends - began)
            spent = perf_counter() - began
            self._unmet = None if is_shown else not_met(self._url, "RenderOptions: wait_for", options.wait_for, spent)
            self._unfinished = ""
        if self._hook:
            hook, self._hook = self._hook, None
            try:
                await hook(self._tab)
            except PlaywrightError as error:
                raise Unusable(f"{self._url}: before_collect failed: {first_line(error.message)}") from error
            await self._load(ends)

    def _has_pending_request(self, seconds: float) -> bool:
        """Whether a request to the page's site, sent within that many seconds, is unanswered; an error page is checked afterwards."""
        if not self._is_live:
            return bool(self.replays())
        is_of_site = self._tab.url.startswith(("http:", "https:"))
        return is_of_site and self._proxy.has_pending_request(check_url(self._tab.url).host, seconds)

    async def _check_shown(self) -> None:
        """Raise the error for the status; if a block page was shown with it, the error that names the block page."""
        has_moved = self._navigations.count > 1
        shown = self._shown = await self._navigations.response() if has_moved else self._navigations.arrived
        try:
            self._check(shown)
        except PageFailed as failure:
            if shown and shown.status in GUARDED_STATUSES:
                try:
                    check_wall(self._page(await self._collect()))
                except Walled as wall:
                    if wall.kind == "bot":
                        raise Walled(f"{failure}: {str(wall).removeprefix(f'{self._tab.url}: ')}", wall.kind) from failure
            raise

    def _check(self, answer: DocumentResponse | None) -> None:
        if not self._is_live or answer is None:
            return
        failure = status_failure(self._url, answer.status, answer.retry_after) or type_failure(self._url, answer.content_type)
        if failure:
            raise (self._unconnected() if answer.status in PROXY_STATUSES else None) or failure

    def _unconnected(self) -> PageFailed | None:
        """Return why the last navigation got no connection; None if it got one."""
        try:
            address = check_url(self._navigations.target)
        except Rejected:
            return None
        return self._proxy.failure(address.host, address.port, self._url)

    async def _collect(self) -> Collected:
        collected = await collect(self._attached, self._options.collect)
        return collected if self._whole else replace(collected, truncated=True)

    def _page(self, collected: Collected, timing: Timing | None = None) -> Page:
        return collected.page(
            self._url,
            self._tab.url,
            "browser" if self._is_live else "stored",
            status=self._shown.status if self._shown and self._is_live else 0,
            rendered_at=datetime.now(UTC).isoformat(timespec="seconds"),
            timing=timing,
            unfinished=self._unfinished,
        )
