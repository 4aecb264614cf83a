"""Crawls a site: from a start URL to a corpus of N pages.

What `pages=25` means: 25 different pages of the site, from its sections about as often as the site has pages there
(`sightread.crawler.sections`), and as far as it has them pages that a reader would call articles. The start page is visited first; if that
fails, so does the crawl. If it is a front page or another list of links, it is set aside and serves for its links; so is any list
or index met on the way.
Only when nothing better is left do the pages set aside fill the corpus up, in the order in which they were met. A site with fewer
pages gives a smaller corpus, which is no error. A later run with more pages continues where this one ended.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Protocol, TypeVar

from sightread.crawler.corpus import Corpus, CrawlRecord, check_scope, last_begun
from sightread.crawler.events import (
    CrawlBegun,
    CrawlEvent,
    DelayKnown,
    PageDuplicate,
    PageSetAside,
    PageStored,
    VisitFailed,
    VisitForbidden,
    Visiting,
    Waiting,
)
from sightread.crawler.fetch import FORBIDDEN, Fetched, Fetcher, read_robots
from sightread.crawler.frontier import Frontier, Step
from sightread.crawler.journal import (
    Begun,
    Duplicate,
    Failed,
    JournalEntry,
    Promoted,
    RobotsRead,
    SetAside,
    SitemapRead,
    Stored,
    VisitEntry,
    read_journal,
)
from sightread.crawler.rate_limit import Pace, with_retries
from sightread.crawler.sitemaps import read_sitemaps
from sightread.crawler.urls import DEFAULT_SCOPE, Scope, parse_start_url
from sightread.render.browser.limiter import ON_REQUEST, Turns
from sightread.render.errors import BadRecord, PageFailed, Rejected, Retryable, Unusable
from sightread.render.network.egress import PUBLIC, Egress
from sightread.render.page import Page
from sightread.render.visit.picture import Picture

MOST_TABS = 16
"""More visits at once than this is no polite crawl of one site."""


T = TypeVar("T")


class RenderedPage(Protocol):
    """The result of a renderer: the page, its screenshot if one was taken, and its HTML as it came from the server if that was kept."""

    @property
    def page(self) -> Page: ...  # noqa: D102  (see the class)

    @property
    def picture(self) -> Picture | None: ...  # noqa: D102

    @property
    def source(self) -> str: ...  # noqa: D102


Renderer = Callable[[str], Awaitable[RenderedPage]]


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """Options of a crawl. Raises `Rejected` for values that make no sense."""

    pages: int = 25
    width: int = 2
    """Visits at once; two tabs saturate two cores."""
    delay: float | None = None
    """Seconds between two request starts; None for half a second, and for none on loopback. A longer Crawl-delay prevails."""
    backoff: float = 1.0
    """Seconds before the second try of a visit that failed for the time being; twice as long before the third, which is the last."""
    known: frozenset[str] = frozenset()
    """URLs that a reader would call articles but that are wanted only if there are not enough others; the same in every run."""

    scope: Scope = DEFAULT_SCOPE
    """Which pages of the site are taken; the same in every run."""
    egress: Egress = PUBLIC
    """Egress policy for robots.txt and sitemaps; the renderer has its own for pages."""
    computing: Turns = field(default_factory=lambda: Turns(lambda _: math.inf))
    """Turns of the crawls of one process to compare addresses with rules and patterns, which a site can make slow."""

    def __post_init__(self) -> None:
        if self.pages < 1:
            raise Rejected(f"{self.pages} pages: a crawl needs at least 1")
        if not 1 <= self.width <= MOST_TABS:
            raise Rejected(f"{self.width} visits at once: from 1 to {MOST_TABS} can be done")
        for name, seconds in (("delay", self.delay), ("backoff", self.backoff)):
            if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
                raise Rejected(f"{name} of {seconds} seconds: give 0 or more")


def ignore(event: CrawlEvent) -> None:
    """Take an event and do nothing."""


async def crawl(
    start_url: str,
    folder: Path | str,
    render: Renderer,
    options: CrawlOptions = CrawlOptions(),
    on_event: Callable[[CrawlEvent], None] = ignore,
) -> Corpus:
    """Visit pages of the start URL's site until the corpus in `folder` holds `options.pages`, and return it.

    Killed at any moment and called again with the same arguments, it ends with the same corpus as a run that was never killed.
    A folder that holds enough pages already returns at once. A page that fails is recorded in `Corpus.failures` and stops nothing.

    Raises `Rejected` for a bad start URL or a folder with another site's corpus, `BadRecord` for a damaged folder, `StorageFailed` for
    a full disk, and `PageFailed` (that of the start page, or of robots.txt) if the start page failed or no page could be stored. All that
    `render` raises besides `PageFailed` passes through, and what was stored until then stays.
    """
    start, assumed = parse_start_url(start_url)
    folder = Path(folder)
    if (folder / "corpus.json").exists():
        corpus = Corpus.open(folder)
        if corpus.start_url == start and len(corpus) >= options.pages:
            check_scope(folder, read_journal(folder / "crawl.jsonl").entries, options.scope)
            on_event(CrawlBegun(len(corpus), options.pages, assumed))
            return corpus
    with CrawlRecord(folder, start) as record:
        check_scope(folder, record.entries, options.scope)
        on_event(CrawlBegun(len(record.corpus), options.pages, assumed))
        await _Crawl(record, render, options, on_event).run()
        return record.corpus


class PlannedVisit(NamedTuple):
    """An address that a crawl would take, and why."""

    url: str
    why: str


class CrawlPlan(NamedTuple):
    """The plan of a crawl, made from its robots.txt, its start page and its sitemaps."""

    section: str
    """The path that it stays below."""
    taken: tuple[PlannedVisit, ...]
    """In their order, as many as are wanted."""
    spare: tuple[PlannedVisit, ...]
    """Taken if some of those turn out to be no articles."""
    refused: tuple[PlannedVisit, ...]


async def plan(start_url: str, render: Renderer, options: CrawlOptions) -> CrawlPlan:
    """Read robots.txt, the start page and the sitemaps, and return what a crawl would take, without writing a corpus.

    Raises `Rejected` for a bad start URL, and `PageFailed` for a start page that cannot be read.
    """
    start, _ = parse_start_url(start_url)
    with TemporaryDirectory(prefix="sightread-plan-") as folder, CrawlRecord(Path(folder) / "plan", start) as record:
        return await _Crawl(record, render, options, ignore).plan()


async def rehearse(start_url: str, render: Renderer, options: CrawlOptions, on_event: Callable[[CrawlEvent], None] = ignore) -> CrawlPlan:
    """Visit the pages that a crawl would visit, and return those that it would take, without writing a corpus.

    Sections are known only when their pages were read, so this takes as long as the crawl. Raises what `crawl` raises.
    """
    start, _ = parse_start_url(start_url)
    with TemporaryDirectory(prefix="sightread-plan-") as folder, CrawlRecord(Path(folder) / "plan", start) as record:
        crawling = _Crawl(record, render, options, on_event)
        await crawling.run()
        return await crawling.plan_from_here()


class _Crawl:
    """One run: replays the journal, then continues live."""

    def __init__(self, record: CrawlRecord, render: Renderer, options: CrawlOptions, on_event: Callable[[CrawlEvent], None]) -> None:
        self._record = record
        self._render = render
        self._options = options
        self._on_event = on_event
        self._frontier = Frontier(record.corpus.start_url, options.known, options.scope)
        self._fetcher = Fetcher(options.egress)
        self._pace = Pace(0.0)
        self._visits: dict[str, asyncio.Task[RenderedPage | PageFailed]] = {}
        self._start_failure: Failed | None = None
        self._forbidden = 0
        """Number of URLs that robots.txt forbids and an event was sent for."""

    async def run(self) -> None:
        await self._in_thread(self._replay)
        if self._frontier.robots is not None:
            self._on_event(DelayKnown(self._pace.delay))
        begun = Begun(self._options.pages, self._options.width, scope=self._options.scope)
        if last_begun(self._record.entries) != begun:
            await self._commit(begun)
        try:
            async with self._fetcher:
                while len(self._record.corpus) < self._options.pages and (step := self._frontier.step()) is not None:
                    self._begin_visits()
                    await self._commit(await self._take(step))
        finally:
            for visit in self._visits.values():
                visit.cancel()
            await asyncio.gather(*self._visits.values(), return_exceptions=True)
        if not len(self._record.corpus):
            self._raise_start_failure()
            raise Unusable(f"{self._record.corpus.start_url}: no page of the site is in the scope that was requested: widen it")

    async def plan(self) -> CrawlPlan:
        """Go as far as the sitemaps, and return what would follow."""
        await self._commit(Begun(self._options.pages, self._options.width, scope=self._options.scope))
        async with self._fetcher:
            while (step := self._frontier.step()) is not None:
                self._begin_visits()
                await self._commit(await self._take(step))
                if step.kind == "sitemaps":
                    break
        if not len(self._record.corpus) + len(self._record.aside):
            self._raise_start_failure()
        return await self.plan_from_here()

    async def plan_from_here(self) -> CrawlPlan:
        """Return what was taken, and what would follow."""
        return await self._in_thread(self._plan)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Return the result of work on the state of the crawl, done in a thread in its turn; a cancellation waits for its end."""
        async with self._options.computing.turn():
            working = asyncio.ensure_future(asyncio.to_thread(work))
            try:
                return await asyncio.shield(working)
            except asyncio.CancelledError:
                await asyncio.wait([working])
                raise

    def _plan(self) -> CrawlPlan:
        frontier = self._frontier
        stored = [PlannedVisit(page.url, frontier.why(page.url)) for page in self._record.corpus]
        waiting = {url: PlannedVisit(url, frontier.why(url)) for url in frontier.waiting()}
        planned = (*stored, *(visit for url, visit in waiting.items() if frontier.is_planned(url)))
        passed = (visit for url, visit in waiting.items() if not frontier.is_planned(url))
        refused = (PlannedVisit(url, why) for url, why in frontier.refused.items())
        count = self._options.pages
        return CrawlPlan(frontier.section, planned[:count], planned[count:], (*passed, *refused))

    def _raise_start_failure(self) -> None:
        """Raise the error of the first page that failed, if one did: if no page was stored, that of the start page."""
        if self._start_failure is not None:
            error = Retryable if self._start_failure.retryable else Unusable
            raise error(f"{self._start_failure.url}: {self._start_failure.reason}")

    def _replay(self) -> None:
        for number, entry in enumerate(self._record.entries, 1):
            try:
                self._apply(entry)
            except ValueError as error:
                where = f"{self._record.corpus.folder / 'crawl.jsonl'}, line {number}"
                raise BadRecord(f"{where}: does not follow from the lines before it: {error}: crawl into a new folder") from error

    async def _commit(self, entry: JournalEntry) -> None:
        """Commit one entry: first on the disk, then in the frontier, which compares ten thousand addresses with all rules and patterns."""
        self._record.append(entry)
        await self._in_thread(lambda: self._apply(entry))
        if isinstance(entry, RobotsRead):
            self._on_event(DelayKnown(self._pace.delay))
        for url in self._frontier.forbidden[self._forbidden :]:
            self._on_event(VisitForbidden(url))
        self._forbidden = len(self._frontier.forbidden)

    def _apply(self, entry: JournalEntry) -> None:
        self._frontier.apply(entry)
        if isinstance(entry, RobotsRead) and self._frontier.robots is not None:
            self._pace.delay = self._frontier.robots.delay(self._options.delay)
        if isinstance(entry, Failed) and self._start_failure is None:
            self._start_failure = entry  # if no page was stored, the first failure is the start page's

    async def _take(self, step: Step) -> JournalEntry:
        match step.kind:
            case "robots":
                return await self._with_retries(step.url, lambda: self._read_robots(step.url))
            case "visit":
                return await self._settle(step.url, await self._visits.pop(step.url))
            case "sitemaps":
                return await self._read_sitemaps(step.url)
            case "promote":
                return self._promote(step.url)

    async def _read_sitemaps(self, url: str) -> SitemapRead:
        """Return the addresses that the scope lists, else those of the site's sitemaps."""
        scope = self._options.scope
        if scope.urls:
            return SitemapRead(0, scope.urls)
        if scope.sitemap:
            found = await read_sitemaps(self._get, (scope.sitemap,), url)
            if not found.urls:
                raise Unusable(f"{scope.sitemap}: no sitemap with pages of this site: check its address")
            return found
        return await read_sitemaps(self._get, () if self._frontier.robots is None else self._frontier.robots.sitemaps(), url)

    async def _read_robots(self, url: str) -> RobotsRead:
        await self._pace.turn()
        return await read_robots(self._fetcher, url)

    async def _get(self, url: str) -> Fetched:
        await self._pace.turn()
        return await self._fetcher.get(url)

    async def _with_retries(self, url: str, attempt: Callable[[], Awaitable[T]]) -> T:
        return await with_retries(attempt, self._options.backoff, lambda seconds, reason: self._on_event(Waiting(url, seconds, reason)))

    def _begin_visits(self) -> None:
        for url in self._frontier.pending:
            if url not in self._visits and url not in self._frontier.aside:
                self._visits[url] = asyncio.create_task(self._visit(url))

    async def _visit(self, url: str) -> RenderedPage | PageFailed:
        if url in self._record.recovered:
            return self._record.recovered.pop(url)
        if self._frontier.robots is not None and not self._frontier.robots.allows(url):
            return Unusable(f"{url}: {FORBIDDEN} it")
        try:
            return await self._with_retries(url, lambda: self._render_in_turn(url))
        except PageFailed as error:
            return error

    async def _render_in_turn(self, url: str) -> RenderedPage:
        async with self._pace.visit() as start:
            ON_REQUEST.set(start)  # each visit is a task of its own
            self._on_event(Visiting(url))
            return await self._render(url)

    async def _settle(self, url: str, result: RenderedPage | PageFailed) -> VisitEntry:
        """Decide what becomes of a visit, and store its page. Nothing awaits after the decision, so that no cancellation comes between."""
        if isinstance(result, PageFailed):
            reason = str(result).removeprefix(f"{url}: ")
            self._on_event(VisitFailed(url, reason))
            return Failed(url, reason, isinstance(result, Retryable))
        page = replace(result.page, url=url)
        visit = await self._in_thread(lambda: self._frontier.assess(url, page))
        match visit:
            case Stored():
                self._record.corpus.append(page, result.picture, result.source)
                self._on_event(PageStored(url, len(self._record.corpus)))
            case SetAside():
                self._record.aside.append(page, result.picture, result.source)
                self._on_event(PageSetAside(url, is_list=not visit.look))
            case Duplicate():
                self._on_event(PageDuplicate(url, visit.of))
            case Failed():
                self._on_event(VisitFailed(url, visit.reason))
        return visit

    def _promote(self, url: str) -> Promoted:
        aside = self._frontier.aside[url]
        pages, row = self._record.aside, aside.row
        self._record.corpus.append(pages.page(row), pages.picture(row), pages.html(row))
        self._on_event(PageStored(url, len(self._record.corpus)))
        return Promoted(url)
