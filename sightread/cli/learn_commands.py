"""The commands that crawl and learn a site. Each returns an exit code."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from crawler.crawl import MOST_TABS, CrawlOptions
from crawler.crawl import crawl as crawl_site
from crawler.crawl_folder import last_begun
from crawler.journal import read_journal
from crawler.urls import parse_start_url
from labeling.labels import NO_CHOICES, Choices
from render.browser.resources import cores
from render.errors import Doubtful, Rejected
from sightread.cli.browser_options import egress, render_options
from sightread.cli.crawl_browser import CrawlRenderer
from sightread.cli.options import CrawlCommand, DemoCommand, LearnCommand
from sightread.cli.output import print_result
from sightread.cli.progress import CrawlProgress
from sightread.server.demo_site import PORT as DEMO_PORT
from sightread.server.demo_site import serve_demo
from sightread.sites import learn as job
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.refresh import RefreshDecision, judge_refresh
from sightread.sites.store import LearnedSite
from sightread.sites.versions import locked, open_candidate, open_current, promote, read_mark, reject

PAGES = 25
"""Default number of articles; a refresh uses the number of the version that it replaces."""


async def learn(options: LearnCommand) -> int:
    """Crawl and learn a site; with --refresh learn it again, and keep the result only if it is as good as the version in use."""
    crawl, choices = options.crawl, _choices(options)
    if not options.refresh:
        return await _learn(crawl.site, crawl, choices)
    if crawl.out:
        raise Rejected("--refresh replaces the version in use, which is in the home folder: leave --out or --refresh out")
    site = SiteHome.of(parse_start_url(crawl.site).url, crawl.home)
    with locked(site):
        current = open_current(site)
        if current.model.is_file() and current.evaluation.is_file():
            return await _refresh(site, crawl, choices)
        return await _learn_into(current, crawl.site, crawl, choices)  # there is nothing yet that it could replace


def _choices(options: LearnCommand) -> Choices:
    """Return the parts of pages to keep or drop. Raises `Rejected` if one is in both lists."""
    if both := set(options.keep) & set(options.drop):
        raise Rejected(f"--keep and --drop both name {', '.join(sorted(both))}: leave it in one of them")
    return {**dict.fromkeys(options.keep, True), **dict.fromkeys(options.drop, False)}


async def demo(options: DemoCommand) -> int:
    """Crawl and learn the bundled demo site."""
    async with serve_demo(DEMO_PORT if options.port is None else options.port) as url:
        return await _learn(url, options.crawl)


async def crawl(options: CrawlCommand) -> int:
    """Crawl a site into a corpus."""
    with CrawlProgress(quiet=options.json) as progress, _writing(options.site, options) as folder:
        trouble = await _crawl(options.site, folder, options, progress)
    corpus = job.Site.open(folder.path).corpus
    print_result({"folder": str(folder.path), "pages": len(corpus), "failures": len(corpus.failures)} | trouble, json=options.json)
    return 0


async def _learn(url: str, options: CrawlCommand, choices: Choices = NO_CHOICES) -> int:
    with _writing(url, options) as folder:
        return await _learn_into(folder, url, options, choices)


async def _learn_into(folder: SiteFolder, url: str, options: CrawlCommand, choices: Choices) -> int:
    with CrawlProgress(quiet=options.json) as progress:
        trouble = await _crawl(url, folder, options, progress)
        learned = await _learn_until_stopped(folder.path, progress.on_step, choices)
    print_result(_learned_figures(learned) | trouble, json=options.json)
    if doubt := learned.standing.doubt:
        raise Doubtful(f"learned, but auto will not use the model: {doubt}; look at the report")
    return 0


async def _refresh(site: SiteHome, options: CrawlCommand, choices: Choices) -> int:
    """Learn the site from fresh pages as a new version, which is promoted if it is accepted; a killed refresh is continued by the next
    run. Parts of pages that the user chose before stay chosen.
    """
    current = open_current(site)
    choices = {**job.stored_choices(current), **choices}
    old, candidate = LearnedSite.load(current), open_candidate(site, parse_start_url(options.site).url)
    mark = read_mark(candidate)
    options = replace(options, pages=options.pages or _previous_size(current))
    with CrawlProgress(quiet=options.json) as progress:
        trouble = await _crawl(options.site, candidate, options, progress, frozenset(mark.known if mark else ()))
        try:
            learned = await _learn_until_stopped(candidate.path, progress.on_step, choices)
        except Rejected as error:
            reject(candidate, str(error))
            raise Doubtful(f"version {old.version} stays in use, for the new pages gave no other: {error}") from error
        progress.on_step(f"comparing with version {old.version}")
        verdict = await asyncio.to_thread(lambda: judge_refresh(old, job.Site.open(candidate.path), learned))
    if verdict.reason:
        reject(candidate, verdict.reason)
    else:
        promote(site, candidate)
    print_result(_learned_figures(learned) | _refresh_counts(verdict, old, candidate) | trouble, json=options.json)
    if verdict.reason:
        changed = ", though the site has changed" if verdict.drifted else ""
        raise Doubtful(f"version {old.version} stays in use{changed}: of {candidate.path}, {verdict.reason}; look at its report")
    return 0


def _previous_size(version: SiteFolder) -> int:
    """Return the number of articles that the version's crawl was asked for."""
    begun = last_begun(read_journal(version.path / "crawl.jsonl").entries)
    return begun.pages if begun else PAGES


def _learned_figures(learned: job.Learned) -> dict[str, Any]:
    standing = learned.standing
    return {
        "pages": learned.pages,
        "failures": learned.failures,
        "confidence": round(standing.confidence, 4),
        "precision": round(standing.precision, 4),
        "recall": round(standing.recall, 4),
        "f1": round(standing.f1, 4),
        "mean_fold_f1": round(standing.mean_fold_f1, 4),
        "global_f1": None if standing.global_f1 is None else round(standing.global_f1, 4),
        "expected_f1": round(standing.expected_f1, 4),
        "trusted": not standing.doubt,
        "parts": [decision.describe() for decision in learned.labels.parts],
        "advice": list(learned.advice),
        "articles": str(learned.folder.articles),
        "article_lines": str(learned.folder.article_lines),
        "model": str(learned.folder.model),
        "report": str(learned.folder.report),
    }


def _refresh_counts(verdict: RefreshDecision, old: LearnedSite, candidate: SiteFolder) -> dict[str, Any]:
    return {
        "changed": verdict.drifted,
        "strange_pages": verdict.strange,
        "strange_means": verdict.remark and f"version {old.version}: {verdict.remark}",
        "version": candidate.path.name,
        "version_in_use": old.version if verdict.reason else candidate.path.name,
    }


@contextmanager
def _writing(url: str, options: CrawlCommand) -> Iterator[SiteFolder]:
    """Yield the folder to crawl into: the given one, else the site's version in use, locked against other processes."""
    start = parse_start_url(url).url
    if options.out:
        yield SiteFolder(options.out)
        return
    site = SiteHome.of(start, options.home)
    with locked(site):
        yield open_current(site)


async def _learn_until_stopped(folder: Path, on_step: Callable[[str], None], choices: Choices) -> job.Learned:
    """Learn in a thread, which cannot be cancelled: on cancellation it ends after its current step."""
    stopped = threading.Event()

    def begin(step: str) -> None:
        if stopped.is_set():
            raise asyncio.CancelledError
        on_step(step)

    try:
        return await asyncio.to_thread(job.learn_corpus, folder, begin, choices)
    finally:
        stopped.set()


async def _crawl(
    url: str, folder: SiteFolder, options: CrawlCommand, progress: CrawlProgress, known: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Crawl, and return the browser's counts to report: all of them in JSON, else those that are not 0."""
    browsing = options.browsing
    width = browsing.tabs or min(cores(), MOST_TABS)
    reach = egress(browsing)
    rendering = replace(render_options(browsing, parse_start_url(url).url), picture=not options.no_pictures)
    wanted = CrawlOptions(options.pages or PAGES, width, options.delay, known=known, egress=reach)
    async with CrawlRenderer(browsing, reach, rendering) as renderer:
        await renderer.until_stopped(crawl_site(url, folder.path, renderer.render, wanted, progress.on_crawl), progress.say)
        return {name: count for name, count in renderer.trouble().items() if count or options.json}
