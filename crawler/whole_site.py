"""Crawls whole sites: reads every page that sitemaps, feeds and links lead to, once, and later those that may have changed since.

The order of the pages of a site is a pure function of the answers of its server: sitemaps, then feeds, then pages in the order in which
they were found; a page that failed for the time being comes again after all others. Up to `WINDOW` pages are chosen ahead, from what has
been committed; they are requested as the limits of the host allow, and committed in the order in which they were chosen. So a crawl that is
killed at any moment, or runs with more tabs, reads the same pages in the same order. A site waits for no other.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Literal, TypeVar

from sightread.crawler.answers import LIMITS, Answer, Change, ListAnswer, PageAnswer, Redirected, Store, Unchanged, WholeSiteOptions
from sightread.crawler.bookkeeping import WINDOW, Bookkeeping
from sightread.crawler.fetch import Fetched, Fetcher, Robots, read_robots
from sightread.crawler.journal import RobotsRead
from sightread.crawler.rate_limit import LONGEST_WAIT, PAGES_AT_ONCE
from sightread.crawler.site_state import Kind, KnownUrl, SiteRow, SiteState
from sightread.crawler.sitemaps import SitemapEntry, read_sitemap
from sightread.crawler.urls import is_loopback, normalize
from sightread.crawler.warc import ReplayedFetcher
from sightread.render.convert.feed import read_feed
from sightread.render.errors import PageFailed, Private, Retryable, Unusable
from sightread.render.network.address import origin_of
from sightread.render.network.exchange import RECEIVED, Received
from sightread.render.network.http import NOT_MODIFIED, status_failure

T = TypeVar("T")
FORBIDS_ALL = "User-agent: *\nDisallow: /"
PageReader = Callable[[KnownUrl], Awaitable[PageAnswer[Any] | Unchanged | Redirected]]
"""Reads a page, or returns that it is as it was when it was received with the headers of the known URL."""
End = Literal["finished", "empty", "waiting"]
"""How a run ended: nothing is left to be read; no page was found; some pages are to be requested later."""


class WholeSiteCrawl:
    """A run over a state, which it begins or continues."""

    def __init__(
        self, state: SiteState, read: PageReader, store: Store, options: WholeSiteOptions, on_change: Callable[[Change], None]
    ) -> None:
        self.state, self.read, self.store, self.options, self.on_change = state, read, store, options, on_change
        self.fetcher = ReplayedFetcher(options.replayed) if options.replayed else Fetcher(options.egress)
        self.slots = asyncio.Semaphore(options.width)
        self.waiting: dict[str, str] = {}
        """Sites that do not answer at present, and why."""
        self.delays: dict[str, float] = {}
        """Seconds between two requests of each site."""
        self.free_at: dict[str, float] = {}
        """When the next request of each site may start, by the event loop's clock."""
        self._writing = asyncio.Lock()

    async def run(self) -> End:
        """Read until nothing is left that may be requested now.

        Raises `Retryable` if the robots.txt of the only site cannot be had at the start, `StorageFailed` for a full disk, and all that
        `read` raises besides `PageFailed`.
        """
        sites = self.state.sites()
        try:
            async with self.fetcher, asyncio.TaskGroup() as group:
                for site in sites:
                    group.create_task(_Site(self, site).crawl())
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        counts = self.state.counts()
        if counts["ready"] or self.waiting:
            return "waiting"
        return "finished" if counts["read"] + counts["gone"] else "empty"

    @property
    def delayed(self) -> list[str]:
        """The sites whose next request waits for the delay."""
        return [site for site, at in self.free_at.items() if at > _clock() and site not in self.waiting]

    async def write(self, work: Callable[[], T]) -> T:
        """Return the result of work on the state, done in a thread; a cancellation waits for its end."""
        async with self._writing:
            working = asyncio.ensure_future(asyncio.to_thread(work))
            try:
                return await asyncio.shield(working)
            except asyncio.CancelledError:
                await asyncio.wait([working])
                raise


class _Site:
    """The crawl of one site: requests as the limits of its host allow, while it answers."""

    def __init__(self, crawl: WholeSiteCrawl, site: SiteRow) -> None:
        self._crawl, self._site = crawl, site
        self._books = Bookkeeping(crawl.state, crawl.store, crawl.options, site)
        per_host = crawl.options.per_host or (WINDOW if is_loopback(site.start) else PAGES_AT_ONCE)
        self._open = asyncio.Semaphore(min(per_host, WINDOW))
        self._turns = asyncio.Lock()
        self._free_at = 0.0
        self._visits: dict[int, asyncio.Task[Answer]] = {}
        self._received: dict[int, Received] = {}
        """Answers to the requests of the pages under way."""
        self._robots_read: dict[str, float] = {}

    async def crawl(self) -> None:
        """Read the pages of the site until none is left that may be requested now, or its host does not answer for long."""
        try:
            while await self._has_robots(origin_of(self._site.start)) and await self._choose():
                for row in self._books.pending:
                    if row.id not in self._visits:
                        self._visits[row.id] = asyncio.create_task(self._visit(row))
                row = self._books.pending[0]
                answer = await self._visits[row.id]
                if isinstance(answer, Retryable):
                    self._free_at = max(self._free_at, _clock() + min(answer.wait, LONGEST_WAIT))
                    if not await self._answers(row, answer):
                        if await self._has_recovered():
                            continue
                        return
                answered = self._answered()
                received = [self._received.pop(row.id) for row, _ in answered]
                for change in await self._crawl.write(partial(self._books.commit, answered, received)):
                    self._crawl.on_change(change)
        finally:
            for visit in self._visits.values():
                visit.cancel()
            await asyncio.gather(*self._visits.values(), return_exceptions=True)

    def _answered(self) -> list[tuple[KnownUrl, Answer]]:
        """Take the answers that are committed together: as many as there are in a row, but none from which on further pages are chosen."""
        answered: list[tuple[KnownUrl, Answer]] = []
        for row in self._books.pending[: max(1, len(self._books.pending) - WINDOW // 2)]:
            visit = self._visits.get(row.id)
            if not visit or not visit.done() or visit.exception() or (isinstance(visit.result(), Retryable) and answered):
                break
            answered.append((row, self._visits.pop(row.id).result()))
        return answered

    async def _choose(self) -> bool:
        """Choose the pages that are read next, if more are needed; return whether there is one."""
        while len(self._books.pending) <= WINDOW // 2 and (origin := await self._crawl.write(self._books.choose)):
            if not await self._has_robots(origin):
                break
        return bool(self._books.pending)

    async def _turn(self) -> None:
        """Wait until the next request of the site may start, and take a slot for it, which the caller gives back."""
        async with self._turns:
            await asyncio.sleep(max(0.0, self._free_at - _clock()))
            await self._crawl.slots.acquire()
            options = self._crawl.options
            delays = [robots.delay(options.delay) for robots in self._books.robots.values() if not options.replayed]
            delay = self._crawl.delays[self._site.name] = max(delays, default=0.0)
            self._free_at = max(self._free_at, _clock() + delay)
            self._crawl.free_at[self._site.name] = self._free_at

    async def _visit(self, row: KnownUrl) -> Answer:
        async with self._open:
            self._received[row.id] = self._receive()
            await asyncio.sleep(max(0.0, row.due - time.time()))
            await self._turn()
            try:
                return await (self._read_list(row) if row.kind in ("sitemap", "feed") else self._crawl.read(row))
            except PageFailed as error:
                return error
            except Private as error:  # the sitemap of a public site at a private address, or a name that resolves to one meanwhile
                return Unusable(str(error))
            finally:
                self._crawl.slots.release()

    def _receive(self) -> Received:
        """Return the list that will have the answers to the requests of the current task, if they are archived."""
        received: Received = []
        RECEIVED.set(received if self._crawl.options.archive else None)
        return received

    async def _read_list(self, row: KnownUrl) -> ListAnswer | Unchanged:
        answer = await self._crawl.fetcher.get(row.url, lambda _: row.headers.condition)
        if answer.status == NOT_MODIFIED:
            return Unchanged()
        if failure := status_failure(row.url, answer.status, answer.retry_after):
            raise failure
        return await asyncio.to_thread(read_list, answer, row.kind, self._site.start)

    async def _request_robots(self, origin: str) -> None:
        """Request a robots.txt. Raises `Retryable`."""
        await self._turn()
        received = self._receive()
        try:
            read = await read_robots(self._crawl.fetcher, f"{origin}/")
        finally:
            self._crawl.slots.release()
        self._books.robots[origin], self._robots_read[origin] = await asyncio.to_thread(Robots, read), time.time()
        await self._crawl.write(partial(self._books.note_robots, origin, read, received))

    async def _has_robots(self, origin: str) -> bool:
        """Read the robots.txt of an origin unless it is known, and return whether it could be had."""
        oldest = time.time() - LIMITS.robots_age
        if origin in self._books.robots and self._robots_read[origin] > oldest:
            return True
        known = await self._crawl.write(lambda: self._crawl.state.robots(origin))
        if known and known[1] > oldest:
            self._books.robots[origin], self._robots_read[origin] = await asyncio.to_thread(Robots, known[0]), known[1]
            return True
        try:
            await self._request_robots(origin)
        except Retryable as error:
            if origin != origin_of(self._site.start):  # such as http of a site that answers https alone: forbidden until the next round
                self._books.robots[origin], self._robots_read[origin] = Robots(RobotsRead(f"{origin}/", 0, FORBIDS_ALL)), time.time()
                return True
            self._crawl.waiting[self._site.name] = str(error)
            sites, known_urls = await self._crawl.write(lambda: (len(self._crawl.state.sites()), self._crawl.state.known(self._site.id)))
            if not known_urls and sites == 1:
                raise
            return bool(known_urls) and await self._has_recovered() and await self._has_robots(origin)
        return True

    async def _answers(self, row: KnownUrl, failure: Retryable) -> bool:
        """Return whether the failure is that of the page alone: the host answers a request for its robots.txt."""
        try:
            await self._request_robots(origin_of(row.url))
        except Retryable:
            self._crawl.waiting[self._site.name] = str(failure)
            return False
        return True

    async def _has_recovered(self) -> bool:
        """Wait until the host answers, and return whether it did in time. Its pages that failed meanwhile are requested again."""
        pause, began = LIMITS.backoff, _clock()
        while _clock() - began < LIMITS.outage:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LIMITS.longest_pause)
            with suppress(Retryable):
                await self._request_robots(origin_of(self._site.start))
                del self._crawl.waiting[self._site.name]
                failed = [row for row, visit in self._visits.items() if visit.done() and isinstance(visit.result(), Retryable)]
                for row in failed:
                    del self._visits[row]
                return True
        return False


def _clock() -> float:
    return asyncio.get_running_loop().time()


def read_list(answer: Fetched, kind: Kind, start: str) -> ListAnswer:
    """Return the entries of a sitemap or a feed of the site of `start`; a feed may serve as a sitemap. Raises `Unusable`."""
    if kind == "sitemap":
        with suppress(Unusable):
            found = read_sitemap(answer.body, answer.url, start)
            return ListAnswer(found.pages, found.sitemaps, answer.headers)
    feed, _ = read_feed(answer.body, answer.url)
    urls = dict.fromkeys(url for entry in feed.entries if (url := normalize(entry.url)))
    return ListAnswer(tuple(map(SitemapEntry, urls)), (), answer.headers)
