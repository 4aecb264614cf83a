"""Pages for the tools, from an engine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory

from sightread.server.engine.engine import Engine
from sightread.server.jobs.crawl import crawl
from sightread.server.schema.answers import ExtractAnswer, MapAnswer, Outcome
from sightread.server.schema.requests import CrawlRequest, ExtractRequest, MapRequest


class EngineSource:
    """Reads pages and sites at once, without a job."""

    def __init__(self, start: Callable[[], Awaitable[Engine]]) -> None:
        """`start` returns the engine; it is called once, by the first call of a tool, so that a client is not kept waiting by a browser."""
        self._start = start
        self._starting = asyncio.Lock()
        self._engine: Engine | None = None

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        """Return the main content of a page."""
        return await (await self._started()).extract(request)

    async def map(self, request: MapRequest) -> MapAnswer:
        """Return the addresses of a site."""
        return await (await self._started()).map(request)

    async def crawl(self, request: CrawlRequest) -> AsyncGenerator[Outcome, None]:
        """Yield pages of a site; nothing of the crawl is kept."""
        with TemporaryDirectory(prefix="sightread-crawl-") as folder:
            async with aclosing(crawl(await self._started(), request, Path(folder) / "site")) as outcomes:
                async for outcome in outcomes:
                    yield outcome

    async def _started(self) -> Engine:
        async with self._starting:
            if self._engine is None:
                self._engine = await self._start()
            return self._engine
