"""Watches: jobs that read a site again and again, and report the documents that are new, changed, moved or gone.

Each round continues the state of the crawl in the job's folder, so only what may have changed is requested. The first round reports
nothing: what it finds is what later ones are compared with. A round that a kill interrupts is continued, and its report is complete.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import msgspec

from sightread.batch.outcome import IndexLine, PageFormat
from sightread.batch.site_folder import STATE, SiteFolder
from sightread.crawler.answers import WholeSiteOptions
from sightread.crawler.site_state import CHANGES, KnownUrl, SiteState
from sightread.crawler.urls import SECTION, parse_start_url, site_of
from sightread.crawler.whole_site import WholeSiteCrawl
from sightread.reading.site_pages import SiteAnswer, read_rendered
from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Rejected, Retryable, Unusable
from sightread.server.engine.engine import Engine, Stopping
from sightread.server.jobs.store import Progress
from sightread.server.schema.answers import Outcome, PageChange
from sightread.server.schema.requests import WatchRequest

VISIT = RenderOptions(render="auto")
_REPORTED = "reported"
"""How far the folder was written at the end of the last round that was reported."""


async def watch(engine: Engine, request: WatchRequest, folder: Path, progress: Progress) -> AsyncGenerator[tuple[str, Outcome], None]:
    """Read what may have changed since the last round, and yield the changes, each with a key that is unique in the watch.

    Raises `PageFailed` if the site cannot be read at the first round, `StorageFailed`, and `Stopping` when the service stops.
    """
    start = parse_start_url(request.url).url
    scope = request.scope.scope()
    options = WholeSiteOptions(
        msgspec.structs.replace(scope, within="/") if scope.within == SECTION else scope,
        engine.pages_ahead,
        delay=request.delay,
        egress=engine.reader.egress,
        most_known=request.pages,
    )

    async def read(known: KnownUrl) -> SiteAnswer:
        progress.on_step(f"requests {known.url}")
        progress.pages += 1
        try:
            return await read_rendered(engine.reader, known, VISIT)
        except Retryable as error:
            if engine.draining:
                raise Stopping from error
            raise

    async with _held(folder) as store:
        with SiteState(folder / STATE) as state:
            with state.transaction():
                state.add_site(site_of(start), start)
                store.cut_back(state.fact("store"))
                reported = state.fact(_REPORTED)
                if reported and reported == state.fact("store") and not state.has_unread():
                    state.begin_round(time.time())
            crawl = WholeSiteCrawl(state, read, store, options, lambda _: None)
            end = await crawl.run()
            progress.delay = max(crawl.delays.values(), default=progress.delay)
            if end == "empty":
                raise Unusable(f"{start}: no page to read was found")
            place = int(reported.split()[0]) if reported else 0
            for number, line in enumerate(store.lines_since(reported) if reported else ()):
                if line.change in CHANGES and (line.change != "moved" or line.detail):
                    yield f"{place} {number}", Outcome(number, line.source, change=await asyncio.to_thread(_change, folder, line))
            state.set_fact(_REPORTED, store.end())


@asynccontextmanager
async def _held(folder: Path) -> AsyncIterator[SiteFolder]:
    """Open the folder, once a process that has lost the job has closed it."""
    with ExitStack() as opened:
        for pause in (0.1, 1.0, 5.0, 0.0):
            store = SiteFolder(folder, PageFormat("markdown"))
            try:
                opened.enter_context(store)
                break
            except Rejected:
                if not pause:
                    raise
                await asyncio.sleep(pause)
        yield store


def _change(folder: Path, line: IndexLine) -> PageChange:
    article = line.article
    text = (folder / article.file).read_text("utf-8").split("\n---\n", 1)[-1].strip() if article else ""
    return PageChange(line.change, article.title if article else "", text, line.added, line.removed, line.detail, line.near_duplicate_of)
