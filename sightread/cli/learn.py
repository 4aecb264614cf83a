"""The commands that crawl a site: `crawl`, `learn` and `demo`, and the browser of a crawl."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sightread.cli.commands import CrawlCommand, CrawlOptions, DemoCommand, LearnCommand
from sightread.cli.progress import CrawlProgress
from sightread.cli.run import Stopped, print_json, print_result, stop_signals, write
from sightread.cli.sites import without_browser
from sightread.cli.stored import read_lines
from sightread.cli.visiting import egress, render_options, scope_of
from sightread.crawler.corpus import Corpus, last_begun
from sightread.crawler.crawl import MOST_TABS, rehearse
from sightread.crawler.crawl import CrawlOptions as CrawlPlan
from sightread.crawler.crawl import crawl as crawl_site
from sightread.crawler.journal import read_journal
from sightread.crawler.urls import DEFAULT_SCOPE, SECTION, Scope, list_urls, parse_start_url
from sightread.labeling.labels import NO_CHOICES, Choices
from sightread.reading.html_first import WAYS
from sightread.reading.reader import Reader
from sightread.render.browser.browser import Rendered
from sightread.render.browser.limiter import cores
from sightread.render.errors import NotTrusted, Rejected, Retryable
from sightread.render.visit.capture import CaptureOptions
from sightread.server.http import serve_demo
from sightread.sites import learn as jobs
from sightread.sites.catalog import chosen_parts, look_up_site, summarise
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.history import locked, open_candidate, open_current, promote, read_mark, reject
from sightread.sites.refresh import decide_refresh
from sightread.sites.store import LearnedSite
from sightread.viewer.report import STEP, write_site_report

PAGES = 25
"""Default number of articles; a refresh uses the number of the version that it replaces."""
GRACE_SECONDS = 1.0
"""Seconds for a crawl to store the last open pages (usually a few ms) and to end."""
SCORES = ("precision", "recall", "f1", "mean_fold_f1", "global_f1", "expected_f1")
"""Figures of a model's evaluation that are printed; none if no page could be held out."""
COUNTED_FAULTS = ("retried", "restarts", "recycled", "killed_for_memory")
"""Fields of `PoolHealth` that are reported at the end of a crawl."""


@dataclass(frozen=True, slots=True)
class _Job:
    """A crawl as it was requested."""

    start: str
    """A normal URL."""
    note: str
    """Assumptions about it; empty if there are none."""
    scope: Scope
    options: CrawlOptions
    choices: Choices = field(default_factory=lambda: NO_CHOICES)


async def learn(options: LearnCommand) -> int | None:
    """Crawl and learn a site; with --refresh learn it again, and keep the result only if it is as good as the version in use."""
    if options.sites is not None:
        from sightread.cli.learn_sites import learn_sites  # noqa: PLC0415  (the queue of jobs, and with it the service)

        return await learn_sites(options)
    await _learn_one(options)
    return None


async def _learn_one(options: LearnCommand) -> None:
    if options.store or options.database or options.sites_at_once or options.dask:
        raise Rejected("--store, --database, --sites-at-once and --dask go with --sites FILE, a list of sites: it may have a single line")
    if options.render != "always":
        raise Rejected("learn looks at every page, and needs a browser for each: leave --render out")
    choices = chosen_parts(options.keep, options.drop)
    job = replace(_read_job(options), choices=choices)
    if options.dry_run:
        await _print_plan(job)
        return
    if not options.refresh:
        await _learn_new(job)
        return
    if options.out:
        raise Rejected("--refresh replaces the version in use, which is in the home folder: leave --out or --refresh out")
    site = SiteHome.of(job.start, options.home)
    with locked(site):
        current = open_current(site)
        if current.model.is_file() and current.evaluation.is_file():
            await _refresh(site, job)
        else:  # there is nothing yet that it could replace
            await _learn_into(current, job)


async def demo(options: DemoCommand) -> None:
    """Crawl and learn the bundled demo site."""
    async with serve_demo(options.sockets) as url:
        await _learn_new(_Job(parse_start_url(url).url, "", DEFAULT_SCOPE, options))


async def crawl(options: CrawlCommand) -> None:
    """Crawl a site into a corpus."""
    job = _read_job(options)
    if options.dry_run:
        await _print_plan(job)
        return
    with CrawlProgress(quiet=options.json) as progress, _writing(job) as folder:
        fault_counts = await _crawl(job, folder, progress)
    corpus = Corpus.open(folder.path)
    print_result({"folder": str(folder.path), "pages": len(corpus), "failures": len(corpus.failures)} | fault_counts, json=options.json)


def _read_job(options: CrawlCommand) -> _Job:
    """Return the requested crawl. Raises `Rejected`."""
    if options.site is None and options.urls is None:
        raise Rejected("no site is named: give the URL to start from, or a list of URLs with --urls FILE")
    start, note = _start(options)
    urls = list_urls(read_lines(options.urls, options.standard_input), start) if options.urls is not None else ()
    scope = scope_of(options, SECTION, urls)
    return _Job(urls[0] if urls else start, note, scope, options)


def _start(options: CrawlCommand) -> tuple[str, str]:
    """Return the start URL and what was assumed of it, each empty if there is none; a name that `sites` lists means its site's URL."""
    if options.site is None:
        return "", ""
    site = None if options.out or "/" in options.site else look_up_site(options.site, options.home)
    if site and site.current and (known := summarise(site).start_url):
        return known, f"{site.name} is a learned site: {known}"
    return parse_start_url(options.site)


async def _print_plan(job: _Job) -> None:
    """Print which pages a crawl would take, and why; nothing is written."""
    with CrawlProgress(quiet=job.options.json) as progress:
        async with CrawlRenderer(job) as renderer:
            planned = await rehearse(job.start, renderer.render, renderer.plan, progress.on_crawl)
    groups = {"take": planned.taken, "if needed": planned.spare, "leave": planned.refused}
    if job.options.json:
        lists = {name.replace(" ", "_"): [visit._asdict() for visit in visits] for name, visits in groups.items()}
        print_json({"within": planned.section, **lists})
        return
    write(f"pages below {planned.section}: {len(planned.taken)} of {renderer.plan.pages} wanted\n")
    for name, visits in groups.items():
        write("".join(f"{name}\t{visit.url}\t{visit.why}\n" for visit in visits))


async def _learn_new(job: _Job) -> None:
    with _writing(job) as folder:
        await _learn_into(folder, job)


async def _learn_into(folder: SiteFolder, job: _Job) -> None:
    options = job.options
    with CrawlProgress(quiet=options.json) as progress:
        fault_counts = await _crawl(job, folder, progress)
        learned = await _learn_until_stopped(folder.path, progress.on_step, job.choices)
    print_result(fault_counts | _learned_figures(learned, job), json=options.json)
    if distrust_reason := learned.site_evaluation.distrust_reason:
        raise NotTrusted(f"learned, but auto will not use the model: {distrust_reason}; look at the report")


async def _refresh(site: SiteHome, job: _Job) -> None:
    """Learn the site from fresh pages as a new version, which is promoted if it is accepted; a killed refresh is continued by the next
    run. Parts of pages that the user chose before stay options.
    """
    current = open_current(site)
    old, candidate = LearnedSite.load(current), open_candidate(site, job.start)
    mark = read_mark(candidate)
    job = _as_before(job, current)
    options = job.options
    with CrawlProgress(quiet=options.json) as progress:
        fault_counts = await _crawl(job, candidate, progress, frozenset(mark.known if mark else ()))
        try:
            learned = await _learn_until_stopped(candidate.path, progress.on_step, {**jobs.stored_choices(current), **job.choices})
        except Rejected as error:
            reject(candidate, str(error))
            raise NotTrusted(
                f"version {old.version} stays in use, because no version could be learned from the new pages: {error}"
            ) from error
        progress.on_step(f"comparing with version {old.version}")
        decision = await asyncio.to_thread(lambda: decide_refresh(old, jobs.Site.open(candidate.path), learned))
    if decision.reason:
        reject(candidate, decision.reason)
    else:
        promote(site, candidate)
    counts = {
        "changed": decision.drifted,
        "strange_pages": decision.strange,
        "strange_means": decision.remark and f"version {old.version}: {decision.remark}",
        "version": candidate.path.name,
        "version_in_use": old.version if decision.reason else candidate.path.name,
    }
    print_result(fault_counts | _learned_figures(learned, job) | counts, json=options.json)
    if decision.reason:
        changed = ", though the site has changed" if decision.drifted else ""
        raise NotTrusted(f"version {old.version} stays in use{changed}: of {candidate.path}, {decision.reason}; look at its report")


def _as_before(job: _Job, version: SiteFolder) -> _Job:
    """Return the job with the number and the choice of pages of the version that it replaces, as far as it names none."""
    begun = last_begun(read_journal(version.path / "crawl.jsonl").entries)
    if begun is None:
        return job
    scope = begun.scope if job.scope == DEFAULT_SCOPE else job.scope
    return replace(job, scope=scope, options=replace(job.options, pages=job.options.pages or begun.pages))


def _learned_figures(learned: jobs.Learned, job: _Job) -> dict[str, Any]:
    evaluation, folder = learned.site_evaluation, learned.folder
    scores = {name: getattr(evaluation, name) if evaluation.folds else None for name in SCORES}
    return {
        "conclusion": ": ".join(evaluation.conclusion),
        "pages": learned.pages,
        "failures": learned.failures,
        "confidence": round(evaluation.confidence, 4),
        **{name: None if score is None else round(score, 4) for name, score in scores.items()},
        "trusted": not evaluation.distrust_reason,
        **without_browser(folder, json=job.options.json),
        "corrections": learned.corrections.describe(),
        "corrections_needing_you": [f"{match.correction.id}: {match.correction.describe()}" for match in learned.corrections.needing],
        "parts": [decision.describe() for decision in learned.labels.parts],
        "advice": list(learned.advice),
        **_every_page(job),
        **{name: str(getattr(folder, name)) for name in ("articles", "article_lines", "model", "report")},
    }


def _every_page(job: _Job) -> dict[str, str]:
    """Return the command that reads every page of the site with what was learned; none of a folder that `auto` does not use."""
    local = " --local" if job.options.local else ""
    return {} if job.options.out else {"every_page": f"sightread extract --site {job.start} --render auto --output-dir pages{local}"}


@contextmanager
def _writing(job: _Job) -> Iterator[SiteFolder]:
    """Yield the folder to crawl into: the given one, else the site's version in use, locked against other processes."""
    if job.options.out:
        yield SiteFolder(job.options.out)
        return
    site = SiteHome.of(job.start, job.options.home)
    with locked(site):
        yield open_current(site)


async def _learn_until_stopped(folder: Path, on_step: Callable[[str], None], choices: Choices) -> jobs.Learned:
    """Learn and write the report in a thread, which cannot be cancelled: on cancellation it ends after its current step."""
    stopped = threading.Event()

    def begin(step: str) -> None:
        if stopped.is_set():
            raise asyncio.CancelledError
        on_step(step)

    def learn_and_report() -> jobs.Learned:
        learned = jobs.learn_corpus(folder, begin, choices)
        begin(STEP)
        write_site_report(learned.results)
        return learned

    try:
        return await asyncio.to_thread(learn_and_report)
    finally:
        stopped.set()


async def _crawl(job: _Job, folder: SiteFolder, progress: CrawlProgress, known: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Crawl, and return the browser's counts to report: all of them in JSON, else those that are not 0."""
    progress.print_line(job.note)
    async with CrawlRenderer(job, known) as renderer:
        crawling = crawl_site(job.start, folder.path, renderer.render, renderer.plan, progress.on_crawl)
        await renderer.until_stopped(crawling, progress.print_line)
        health = renderer.reader.health if renderer.reader else None
        counts = {name: getattr(health, name, 0) for name in COUNTED_FAULTS}
        if job.options.render == "auto" and renderer.reader:
            counts |= {f"read_by_{way}": renderer.reader.ways[way] for way in WAYS}
        return {name: count for name, count in counts.items() if count or job.options.json}


class CrawlRenderer(AsyncExitStack):
    """Reads the pages of one crawl; `reader` is open until the end of its `async with`. `plan` are the crawl's options.

    A crawl that needs no further page starts no browser. Unless their HTML may be enough (`--render auto`), pages are rendered, with their
    picture and their HTML as it came.
    """

    def __init__(self, job: _Job, known: frozenset[str] = frozenset()) -> None:
        super().__init__()
        options = job.options
        self._options = options
        self._egress = egress(options)
        rendering = render_options(options, job.start)
        if rendering.render == "always":  # the site may be learned from these pages
            rendering = replace(
                rendering, picture=not (options.no_pictures or options.dry_run), capture=CaptureOptions(source=not options.dry_run)
            )
        self._rendering = rendering
        width, pages = options.tabs or min(cores(), MOST_TABS), options.pages or len(job.scope.urls) or PAGES
        self.plan = CrawlPlan(pages, width, options.delay, known=known, scope=job.scope, egress=self._egress)
        self._starting = asyncio.Lock()
        self.reader: Reader | None = None
        self._stopping: asyncio.Task[None] | None = None

    async def render(self, address: str) -> Rendered:
        """Render a page. Raises `Stopped`, which is not a failure of the page, if the crawl is ending."""
        async with self._starting:
            if self.reader is None and not self._stopping:
                options = self._options
                reader = Reader(home=options.home, executable=options.browser, tabs=options.tabs, egress=self._egress, light=options.light)
                self.reader = await self.enter_async_context(reader)
        if self.reader is None or self._stopping:
            raise Stopped
        try:
            return await self.reader.render(address, options=self._rendering)
        except Retryable as error:
            if self._stopping:  # it was refused, or another try would be
                raise Stopped from error
            raise

    async def until_stopped(self, crawl: Awaitable[object], report: Callable[[str], None]) -> None:
        """Wait for the crawl. At SIGTERM it begins no more pages, stores those that are open, and raises `Stopped`."""
        command = asyncio.current_task()
        assert command is not None
        drained = asyncio.Event()

        async def end() -> None:
            if self.reader is not None:
                await self.reader.drain()
            await asyncio.sleep(GRACE_SECONDS)
            drained.set()
            command.cancel()  # it waits for no page: for robots.txt, a sitemap, or its next turn

        def begin() -> None:
            report("stopping: open pages end first; a second SIGTERM ends at once")
            self._stopping = asyncio.ensure_future(end())

        with stop_signals(begin, signal.SIGTERM):
            try:
                await crawl
            except asyncio.CancelledError:
                if drained.is_set():
                    raise Stopped from None
                raise
            finally:
                if self._stopping:
                    self._stopping.cancel()
        if self._stopping:
            raise Stopped
