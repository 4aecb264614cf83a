"""Learns a site for a job: crawls with the service's browser, and learns in a process of its own, which a cancelled job ends."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

import sightread.render.errors
from sightread.crawler.crawl import MOST_TABS, CrawlOptions
from sightread.crawler.crawl import crawl as crawl_site
from sightread.crawler.events import CrawlEvent, Visiting
from sightread.crawler.urls import parse_start_url
from sightread.render.browser.browser import Rendered, RenderOptions
from sightread.render.errors import Rejected, Retryable, SightreadError
from sightread.render.labels import PartKind
from sightread.server.engine.engine import Engine, Stopping
from sightread.server.schema.answers import LearnedRecord
from sightread.server.schema.requests import LearnRequest
from sightread.sites.catalog import chosen_parts
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.history import locked, open_candidate, open_current, promote, read_mark, reject

PICTURES = RenderOptions(picture=True)
"""The report shows the pages."""


class LearnTask(msgspec.Struct):
    """Standard input of the learning process."""

    folder: str
    old: str
    """Folder of the version that it may replace; empty if there is none."""
    choices: dict[PartKind, bool]


class LearnLine(msgspec.Struct, omit_defaults=True):
    """A line that the learning process writes: a step, and at the end the result or the error."""

    step: str = ""
    learned: LearnedRecord | None = None
    reason: str = ""
    """Why the new version may not replace the old one; empty if it may."""
    error: str = ""
    """Class name of a sightread error, whose message is `reason`."""


async def learn(engine: Engine, request: LearnRequest, on_step: Callable[[str], None]) -> LearnedRecord:
    """Crawl and learn a site, or learn a known one again, and return what came of it.

    A site that is known already is replaced only by a version that is as good. Raises `Rejected` if the site is being learned elsewhere or
    its pages are not sufficient, `PageFailed` if it cannot be crawled, and `Stopping` when the service stops.
    """
    choices = chosen_parts(request.keep, request.drop)
    start = parse_start_url(request.url).url
    site = SiteHome.of(start, engine.reader.home)
    with locked(site):
        current = open_current(site)
        if not (current.model.is_file() and current.evaluation.is_file()):
            await _crawl(engine, request, start, current.path, frozenset(), on_step)
            async with engine.learning.turn():
                return (await _learn(LearnTask(str(current.path), "", choices), on_step)).learned or _nothing()
        candidate = open_candidate(site, start)
        return await _refresh(engine, request, site, candidate, choices, on_step)


async def _refresh(
    engine: Engine,
    request: LearnRequest,
    site: SiteHome,
    candidate: SiteFolder,
    choices: Mapping[PartKind, bool],
    on_step: Callable[[str], None],
) -> LearnedRecord:
    """Learn a known site from fresh pages, and put the new version into use if it is as good."""
    old = site.current
    assert old is not None
    mark = read_mark(candidate)
    await _crawl(engine, request, parse_start_url(request.url).url, candidate.path, frozenset(mark.known if mark else ()), on_step)
    try:
        async with engine.learning.turn():
            line = await _learn(LearnTask(str(candidate.path), str(old.path), dict(choices)), on_step)
    except Rejected as error:
        reject(candidate, str(error))
        raise
    learned = line.learned or _nothing()
    if line.reason:
        reject(candidate, line.reason)
        return msgspec.structs.replace(learned, version_in_use=old.path.name, distrust_reason=line.reason)
    promote(site, candidate)
    return learned


async def relearn(folder: SiteFolder) -> None:
    """Label, train and evaluate a version of a site again with its corrections, in a process of its own.

    Raises `Rejected` if the site is being learned elsewhere, or its pages are not sufficient with them.
    """
    with locked(SiteHome(folder.path.parent)):
        await _learn(LearnTask(str(folder.path), "", {}), lambda _: None)


async def _crawl(
    engine: Engine, request: LearnRequest, start: str, folder: Path, known: frozenset[str], on_step: Callable[[str], None]
) -> None:
    def on_event(event: CrawlEvent) -> None:
        if isinstance(event, Visiting):
            on_step(f"visiting {event.url}")

    async def visit(url: str) -> Rendered:
        try:
            return await engine.reader.render(url, options=PICTURES)
        except Retryable as error:
            if engine.draining:
                raise Stopping from error
            raise

    width = min(engine.pages_ahead, MOST_TABS)
    scope, egress = request.scope.scope(), engine.reader.egress
    options = CrawlOptions(request.pages, width, request.delay, known=known, scope=scope, egress=egress, computing=engine.crawling)
    await crawl_site(start, folder, visit, options, on_event)


async def _learn(task: LearnTask, on_step: Callable[[str], None]) -> LearnLine:
    """Return the last line of the learning process. Raises the error that it wrote."""
    command = (sys.executable, "-m", "sightread.server.jobs.learn_process", str(os.getpid()))
    process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    line = LearnLine(error="SightreadError", reason="the learning process ended early: see the service's log")
    try:
        process.stdin.write(msgspec.json.encode(task))
        process.stdin.close()
        async for text in process.stdout:
            line = msgspec.json.decode(text, type=LearnLine)
            if line.step:
                on_step(line.step)
        await process.wait()
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    if line.learned is None:
        raise getattr(sightread.render.errors, line.error, SightreadError)(
            line.reason or "the learning process ended early: see the service's log"
        )
    return line


def _nothing() -> LearnedRecord:
    raise SightreadError("the learning process returned no result; please report it")
