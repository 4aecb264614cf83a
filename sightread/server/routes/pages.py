"""Routes that read pages: extract, render, explain, map, and batch as a stream of lines."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from sightread.server.access.limits import check_json
from sightread.server.engine.engine import Engine
from sightread.server.routes.table import Operation, Perform, Route
from sightread.server.schema.answers import ErrorAnswer, ExplainAnswer, ExtractAnswer, MapAnswer, Outcome, RenderAnswer
from sightread.server.schema.requests import BatchRequest, ExplainRequest, ExtractRequest, MapRequest, RenderRequest, parse

if TYPE_CHECKING:
    from sightread.server.service import Service


async def json_response(answer: object, status: int = 200) -> web.Response:
    """Return an answer as JSON; it is encoded in a thread, since it may be large."""
    body = await asyncio.to_thread(msgspec.json.encode, answer)
    return web.Response(status=status, body=body, content_type="application/json")


async def body_of(service: Service, request: web.Request, model: Any) -> Any:
    """Return the parsed body of a request. Raises `Rejected`, and HTTP 413, 415 and 408."""
    check_json(request)
    return parse(await service.read_body(request), model)


ERRORS = dict.fromkeys((400, 401, 403, 408, 413, 415, 422, 429, 500, 503), ErrorAnswer)
"""Answers that every route with a body may give."""
NDJSON = "application/x-ndjson"


def page_route(name: str, perform: Perform, summary: str, model: type[Any], answer: Any) -> Route:
    """Return a route below `/api/v1/` that reads pages; `model` is that of the request."""
    operation = Operation(summary, "pages", model, {200: answer, **ERRORS})
    return Route("POST", f"/api/v1/{name}", perform, "read", reads_page=True, operation=operation)


def _engine_route(perform: Callable[[Engine, Any], Awaitable[object]], summary: str, model: type[Any], answer: Any) -> Route:
    """Return the route of an operation of the engine, which has its name."""

    async def respond(service: Service, request: web.Request) -> web.StreamResponse:
        return await json_response(await perform(service.engine, await body_of(service, request, model)))

    return page_route(perform.__name__, respond, summary, model, answer)


async def _batch(service: Service, request: web.Request) -> web.StreamResponse:
    decoded: BatchRequest = await body_of(service, request, BatchRequest)
    service.engine.check(decoded)
    response = web.StreamResponse(headers={"Content-Type": NDJSON})
    response.enable_chunked_encoding()
    async with aclosing(service.engine.batch(decoded)) as outcomes:
        await response.prepare(request)
        async for outcome in outcomes:
            await response.write(await asyncio.to_thread(msgspec.json.encode, outcome) + b"\n")
    await response.write_eof()
    return response


EXPLAINED = "Return the decision about every block of a page, with reason and evidence"
ROUTES = (
    _engine_route(Engine.extract, "Return the main content of a page", ExtractRequest, ExtractAnswer),
    _engine_route(Engine.render, "Return a page as the browser shows it, with its blocks", RenderRequest, RenderAnswer),
    _engine_route(Engine.explain, EXPLAINED, ExplainRequest, ExplainAnswer),
    _engine_route(Engine.map, "Return the addresses of a site that a crawl would take", MapRequest, MapAnswer),
    page_route("batch", _batch, "Return many pages as lines of JSON, in order of completion", BatchRequest, (NDJSON, Outcome)),
)
