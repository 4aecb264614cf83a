"""`POST /mcp`: the Model Context Protocol over HTTP (Streamable HTTP), answered in JSON and without sessions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from aiohttp import web

from sightread.server.access.limits import check_json
from sightread.server.engine.engine import Engine
from sightread.server.jobs.crawl import crawl
from sightread.server.mcp.protocol import (
    HANDSHAKE_VERSIONS,
    HTTP_STATUSES,
    STATELESS_VERSIONS,
    Message,
    ProtocolError,
    decode_message,
    error_answer,
    unsupported_version,
)
from sightread.server.mcp.tools import tool_server
from sightread.server.routes.pages import json_response
from sightread.server.routes.table import Route
from sightread.server.schema.answers import ExtractAnswer, MapAnswer, Outcome
from sightread.server.schema.requests import CrawlRequest, ExtractRequest, MapRequest

if TYPE_CHECKING:
    from sightread.server.service import Service


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


async def _answer(service: Service, request: web.Request) -> web.StreamResponse:
    check_json(request)
    version = request.headers.get("MCP-Protocol-Version", HANDSHAKE_VERSIONS[0])
    try:
        message = decode_message(await service.read_body(request))
    except ProtocolError as error:
        return await json_response(error_answer(None, error), 400)
    if version not in (*HANDSHAKE_VERSIONS, *STATELESS_VERSIONS):
        return await json_response(error_answer(message.get("id"), unsupported_version(version)), 400)

    async def engine() -> Engine:
        return service.engine

    server = tool_server(EngineSource(engine))
    answer = await server.answer(message, request.headers)
    if answer is None:
        return web.Response(status=202)
    return await json_response(answer, _status(answer, version))


def _status(answer: Message, version: str) -> int:
    """Return the HTTP status of an answer: errors have their own in the revisions without a handshake."""
    if "error" not in answer or version in HANDSHAKE_VERSIONS:
        return 200
    return HTTP_STATUSES.get(answer["error"]["code"], 200)


ROUTES = (Route("POST", "/mcp", _answer, "read", reads_page=True),)
