"""Crawls a site for a job: yields each page as it is stored, and continues where a killed process stopped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import suppress
from pathlib import Path

from sightread.crawler.corpus import Corpus
from sightread.crawler.crawl import MOST_TABS, CrawlOptions
from sightread.crawler.crawl import crawl as crawl_site
from sightread.crawler.events import CrawlEvent, PageDuplicate, PageSetAside, PageStored, VisitFailed, VisitForbidden, Visiting
from sightread.crawler.fetch import FORBIDDEN
from sightread.render.browser.browser import Rendered
from sightread.render.errors import Retryable
from sightread.render.visit.capture import Capture
from sightread.server.engine.build_answers import render_options
from sightread.server.engine.engine import Engine, Stopping
from sightread.server.schema.answers import ErrorRecord, Outcome
from sightread.server.schema.requests import CrawlRequest, page_request

FAILED_VISIT = "PageFailed"
"""Kind of the error of a page that the crawler gave up, if no more is known."""
NEEDS_BROWSER = frozenset(("page_html", "screenshot", "response", "network", "console"))
"""Outputs that a stored page does not have."""


async def crawl(
    engine: Engine,
    request: CrawlRequest,
    folder: Path,
    done: Collection[str] = (),
    on_step: Callable[[str], None] = lambda _: None,
) -> AsyncGenerator[Outcome, None]:
    """Yield the pages of a site, except those whose URL is in `done`; pages that failed are errors as values.

    `folder` holds the corpus: the same call with the same folder continues with it. Raises `Rejected`, `PageFailed` if no page could be
    read, and `Stopping` when the service stops.
    """
    work = _Crawl(engine, request, folder, on_step)
    seen = set(done)
    async for outcome in work.outcomes(seen):
        yield outcome


class _Crawl:
    def __init__(self, engine: Engine, request: CrawlRequest, folder: Path, on_step: Callable[[str], None]) -> None:
        self._engine = engine
        self._request = request
        self._folder = folder
        self._on_step = on_step
        self._events: asyncio.Queue[CrawlEvent | None] = asyncio.Queue()
        self._rendered: dict[str, Rendered] = {}
        self._responses: dict[str, Capture] = {}
        """Status and headers of pages that were set aside, and are read later if nothing better is left."""
        self._free_pages = asyncio.Semaphore(2 * engine.pages_ahead)
        """For rendered pages that are not read yet."""
        self._count = 0

    async def outcomes(self, seen: set[str]) -> AsyncGenerator[Outcome, None]:
        """Yield what is there from an earlier run, then pages as they are stored."""
        self._count = len(seen)
        async for outcome in self._stored(seen):
            yield outcome
        crawling = asyncio.create_task(self._crawl())
        try:
            while (event := await self._events.get()) is not None:
                if isinstance(event, PageStored) and event.url not in seen:
                    seen.add(event.url)
                    yield await self._read(event.url, event.pages - 1)
                elif isinstance(event, VisitFailed) and event.url not in seen:
                    seen.add(event.url)
                    yield self._failed(event.url, event.reason)
                elif isinstance(event, VisitForbidden) and event.url not in seen:
                    seen.add(event.url)
                    yield self._failed(event.url, f"{FORBIDDEN} it")
            await crawling
        finally:
            crawling.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await crawling

    async def _crawl(self) -> None:
        request = self._request
        engine = self._engine
        options = CrawlOptions(
            pages=request.pages,
            width=min(engine.pages_ahead, MOST_TABS),
            delay=request.delay,
            scope=request.scope.scope(),
            egress=engine.reader.egress,
            computing=engine.crawling,
        )
        try:
            await crawl_site(request.url, self._folder, self._render, options, self._on_event)
        finally:
            self._events.put_nowait(None)

    def _on_event(self, event: CrawlEvent) -> None:
        if isinstance(event, PageDuplicate | PageSetAside | VisitFailed) and event.url in self._rendered:
            capture = self._rendered.pop(event.url).capture
            if isinstance(event, PageSetAside) and capture is not None:
                self._responses[event.url] = Capture(status=capture.status, headers=capture.headers)
            self._free_pages.release()
        if isinstance(event, Visiting):
            self._on_step(f"visiting {event.url}")
        self._events.put_nowait(event)

    async def _render(self, url: str) -> Rendered:
        options = render_options(self._request, url, is_stored=False, actions=self._engine.policy.actions)
        await self._free_pages.acquire()
        try:
            rendered = await self._engine.reader.render(url, options=options)
        except Retryable as error:
            self._free_pages.release()
            if self._engine.draining:
                raise Stopping from error
            raise
        except BaseException:
            self._free_pages.release()
            raise
        self._rendered[url] = rendered
        return rendered

    async def _stored(self, seen: set[str]) -> AsyncGenerator[Outcome, None]:
        """Yield the pages and failures of an earlier run that have no outcome yet."""
        if not (self._folder / "corpus.json").exists():
            return
        corpus = await asyncio.to_thread(Corpus.open, self._folder)
        for row in range(len(corpus)):
            page = await asyncio.to_thread(corpus.page, row)
            if page.url not in seen:
                seen.add(page.url)
                yield await self._read(page.url, row)
        for failure in corpus.failures:
            if failure.url not in seen:
                seen.add(failure.url)
                yield self._failed(failure.url, failure.reason)

    async def _read(self, url: str, row: int) -> Outcome:
        """Return the outcome of a page of the corpus: of its rendering if it is still there, else from the corpus or by another visit."""
        index, self._count = self._count, self._count + 1
        request = page_request(self._request, url)
        rendered = self._rendered.pop(url, None)
        if rendered is not None:
            try:
                return await self._engine.outcome(index, request, rendered)
            finally:
                self._free_pages.release()
        response = self._responses.pop(url, None)
        missing = NEEDS_BROWSER.intersection(self._request.outputs)
        if missing - {"response"} if response else missing:
            return await self._engine.outcome(index, request)
        page = await asyncio.to_thread(lambda: Corpus.open(self._folder).page(row))
        return await self._engine.outcome(index, request, Rendered(page, capture=response))

    def _failed(self, url: str, reason: str) -> Outcome:
        index, self._count = self._count, self._count + 1
        return Outcome(index, url, error=ErrorRecord(FAILED_VISIT, f"{url}: {reason}"))
