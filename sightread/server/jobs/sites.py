"""Jobs about a site: crawls yield each page as it is stored, and continue where a killed process stopped; learning crawls and then learns.

Both crawl with the service's browser. A site is learned in a process of its own, which a cancelled job ends. The inspector shows the corpus
of a job that is done: of a crawl its own pages, of a learning job the site.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import suppress
from pathlib import Path

import msgspec

from sightread.batch.child_process import ChildDied, call_in_process
from sightread.batch.storage import open_storage
from sightread.crawler.corpus import Corpus
from sightread.crawler.crawl import MOST_TABS, CrawlOptions
from sightread.crawler.crawl import crawl as crawl_site
from sightread.crawler.events import CrawlEvent, DelayKnown, PageDuplicate, PageSetAside, PageStored, VisitFailed, VisitForbidden, Visiting
from sightread.crawler.fetch import FORBIDDEN
from sightread.crawler.urls import parse_start_url
from sightread.labeling.labels import Choices
from sightread.reading.archived import CORPUS
from sightread.render.browser.browser import Rendered, RenderOptions
from sightread.render.errors import Rejected, Retryable, SightreadError, StorageFailed
from sightread.render.visit.capture import Capture, CaptureOptions
from sightread.server.engine.build_answers import render_options
from sightread.server.engine.engine import Engine, Stopping
from sightread.server.jobs.database import open_database
from sightread.server.jobs.store import JobStore, Progress
from sightread.server.schema.answers import ErrorRecord, JobRecord, LearnedRecord, Outcome
from sightread.server.schema.requests import CrawlRequest, LearnRequest, page_request
from sightread.sites import learn as steps
from sightread.sites.catalog import chosen_parts
from sightread.sites.exchange import publish_site
from sightread.sites.folders import SiteFolder, SiteHome, home_folder
from sightread.sites.history import locked, open_candidate, open_current, promote, read_mark, reject
from sightread.sites.refresh import decide_refresh
from sightread.sites.store import LearnedSite
from sightread.viewer.report import STEP, write_site_report

LOG = logging.getLogger(__name__)
FAILED_VISIT = "PageFailed"
"""Kind of the error of a page that the crawler gave up, if no more is known."""
NEEDS_BROWSER = frozenset(("page_html", "screenshot", "response", "network", "console"))
"""Outputs that a stored page does not have."""
LEARNING = RenderOptions(picture=True, capture=CaptureOptions(source=True))
"""Of learning: the report shows the pages, and the student learns from their HTML."""
MOST_KEPT_PAGES = 200
"""Pages of a crawl whose corpus is kept until its results are deleted, some 50 kB each: what the inspector shows with ease."""

OnStep = Callable[[str], None]


def _record(progress: Progress, event: CrawlEvent) -> None:
    match event:
        case Visiting(url):
            progress.on_step(f"visiting {url}")
        case DelayKnown(seconds):
            progress.delay = seconds
            progress.has_news.set()


async def _visit(engine: Engine, url: str, options: RenderOptions) -> Rendered:
    """Return a page of a crawl. Raises `Stopping` if it is not read because the service stops."""
    try:
        return await engine.reader.render(url, options=options)
    except Retryable as error:
        if engine.draining:
            raise Stopping from error
        raise


async def _crawl(
    engine: Engine,
    request: CrawlRequest | LearnRequest,
    folder: Path,
    render: Callable[[str], Awaitable[Rendered]],
    on_event: Callable[[CrawlEvent], None],
    known: frozenset[str] = frozenset(),
) -> None:
    options = CrawlOptions(
        pages=request.pages,
        width=min(engine.pages_ahead, MOST_TABS),
        delay=request.delay,
        known=known,
        scope=request.scope.scope(),
        egress=engine.reader.egress,
        computing=engine.crawling,
    )
    start = parse_start_url(request.url).url if isinstance(request, LearnRequest) else request.url
    await crawl_site(start, folder, render, options, on_event)


def crawl(
    engine: Engine, request: CrawlRequest, folder: Path, done: Collection[str] = (), progress: Progress | None = None
) -> AsyncGenerator[Outcome, None]:
    """Yield the pages of a site, except those whose URL is in `done`; pages that failed are errors as values.

    `folder` holds the corpus: the same call with the same folder continues with it. Raises `Rejected`, `PageFailed` if no page could be
    read, and `Stopping` when the service stops.
    """
    return _CrawlJob(engine, request, folder, progress or Progress()).outcomes(set(done))


class _CrawlJob:
    def __init__(self, engine: Engine, request: CrawlRequest, folder: Path, progress: Progress) -> None:
        self._engine = engine
        self._request = request
        self._folder = folder
        self._progress = progress
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
                if isinstance(event, PageStored | VisitFailed | VisitForbidden) and event.url not in seen:
                    seen.add(event.url)
                    if isinstance(event, PageStored):
                        yield await self._read(event.url, event.pages - 1)
                    else:
                        yield self._failed(event.url, event.reason if isinstance(event, VisitFailed) else f"{FORBIDDEN} it")
            await crawling
        finally:
            crawling.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await crawling

    async def _crawl(self) -> None:
        try:
            await _crawl(self._engine, self._request, self._folder, self._render, self._on_event)
        finally:
            self._events.put_nowait(None)

    def _on_event(self, event: CrawlEvent) -> None:
        if isinstance(event, PageDuplicate | PageSetAside | VisitFailed) and event.url in self._rendered:
            capture = self._rendered.pop(event.url).capture
            if isinstance(event, PageSetAside) and capture is not None:
                self._responses[event.url] = Capture(status=capture.status, headers=capture.headers)
            self._free_pages.release()
        _record(self._progress, event)
        self._events.put_nowait(event)

    async def _render(self, url: str) -> Rendered:
        options = render_options(self._request, url, is_stored=False, actions=self._engine.policy.actions)
        await self._free_pages.acquire()
        try:
            rendered = self._rendered[url] = await _visit(self._engine, url, options)
        except BaseException:
            self._free_pages.release()
            raise
        return rendered

    async def _stored(self, seen: set[str]) -> AsyncGenerator[Outcome, None]:
        """Yield the pages and failures of an earlier run that have no outcome yet."""
        if not (self._folder / CORPUS).exists():
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


async def learn(engine: Engine, request: LearnRequest, progress: Progress) -> LearnedRecord:
    """Crawl and learn a site, or learn a known one again, and return what came of it; a version in use is put into the engine's store.

    A site that is known already is replaced only by a version that is as good. Raises `Rejected` if the site is being learned elsewhere or
    its pages are not sufficient, `PageFailed` if it cannot be crawled, `StorageFailed`, and `Stopping` when the service stops.
    """
    choices = chosen_parts(request.keep, request.drop)
    start = parse_start_url(request.url).url
    site = SiteHome.of(start, engine.reader.home)

    def on_event(event: CrawlEvent) -> None:
        _record(progress, event)
        if isinstance(event, PageStored):  # its crawl does not end the process
            progress.pages += 1
            if progress.pages == 1:
                progress.has_news.set()

    with locked(site):
        current = open_current(site)
        is_known = current.model.is_file() and current.evaluation.is_file()
        folder = open_candidate(site, start) if is_known else current
        mark = read_mark(folder) if is_known else None
        known = frozenset(mark.known if mark else ())
        await _crawl(engine, request, folder.path, lambda url: _visit(engine, url, LEARNING), on_event, known)
        old = site.current if is_known else None
        try:
            async with engine.learning.turn():
                learned, reason = await _learn(folder, old, choices, progress.on_step)
        except Rejected as error:
            if old:
                reject(folder, str(error))
            raise
        if old and reason:
            reject(folder, reason)
            return msgspec.structs.replace(learned, version_in_use=old.path.name, distrust_reason=reason)
        if old:
            promote(site, folder)
    if engine.policy.store:
        progress.on_step("exporting")
        try:
            await asyncio.to_thread(publish_site, site, open_storage(engine.policy.store))
        except StorageFailed as error:  # another try of the job would crawl the site again
            LOG.warning("%s: %s", request.url, error)
            raise Rejected(f"{request.url}: learned, but not put into the store, which failed: see the log, and learn it again") from error
    return learned


async def _learn(folder: SiteFolder, old: SiteFolder | None, choices: Choices, on_step: OnStep) -> tuple[LearnedRecord, str]:
    try:
        return await call_in_process(learn_version, folder, old, choices, on_step=on_step)
    except ChildDied as error:
        raise SightreadError("the learning process ended early: see the service's log") from error


def learn_version(folder: SiteFolder, old: SiteFolder | None, choices: Choices, on_step: OnStep) -> tuple[LearnedRecord, str]:
    """Learn a version of a site; return what came of it, and why it may not replace the old one: empty if it may, or if there is none."""
    learned = steps.learn_corpus(folder.path, on_step, {**steps.stored_choices(old), **choices} if old else choices)
    on_step(STEP)
    write_site_report(learned.results)
    reason = ""
    if old:
        on_step(f"comparing with version {old.path.name}")
        reason = decide_refresh(LearnedSite.load(old), steps.Site.open(folder.path), learned).reason
    site_evaluation = learned.site_evaluation
    record = LearnedRecord(
        site=folder.path.parent.name,
        version=folder.path.name,
        version_in_use=folder.path.name,
        pages=learned.pages,
        failures=learned.failures,
        trusted=not site_evaluation.distrust_reason,
        distrust_reason=site_evaluation.distrust_reason,
        expected_f1=round(site_evaluation.expected_f1, 4),
        advice=learned.advice,
    )
    return record, reason


def keeps_corpus(job: JobRecord) -> bool:
    """Return whether the corpus of a job that is done is kept for the inspector."""
    return job.kind == "crawl" and job.total <= MOST_KEPT_PAGES


async def job_corpus(store: JobStore, id: str, crawls: Path, home: Path | None) -> Path:
    """Return the folder of a finished job's corpus; `crawls` holds those of crawls.

    Raises `Rejected` if the job has none: it failed, has not ended, was a batch, or crawled more than `MOST_KEPT_PAGES` pages.
    """
    own = crawls / id
    if (own / CORPUS).is_file():
        return own
    for row in await store.results(id, limit=1):
        learned = msgspec.json.decode(row.body, type=Outcome).learned
        version = SiteHome((home or home_folder()) / "sites" / learned.site).current if learned else None
        if version is not None:
            return version.path
    remedy = "inspect one of its pages by its URL, or the site by its name"
    raise Rejected(f"job {id} has no pages to show: only learning jobs, and crawls of up to {MOST_KEPT_PAGES} pages, keep them; {remedy}")


async def find_job_folder(id: str, home: Path | None) -> Path:
    """Return the folder of the corpus of a job of this machine's service, as `job_corpus`."""
    state = (home or home_folder()) / "service"
    database = state / "jobs.sqlite3"
    if not database.is_file():
        raise Rejected(f"{id}: no service on this machine has jobs in {state}: open the job in the start page of its service")
    store = JobStore(open_database(str(database)))
    try:
        return await job_corpus(store, id, state / "crawls", home)
    finally:
        await store.close()
