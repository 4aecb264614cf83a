"""Routes that read pages: extract, render, explain, map, and batch as a stream of lines."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from sightread.server.engine.engine import Engine
from sightread.server.routes.responses import body_of, json_response
from sightread.server.routes.table import Operation, Route
from sightread.server.schema.answers import ErrorAnswer, ExplainAnswer, ExtractAnswer, MapAnswer, Outcome, RenderAnswer
from sightread.server.schema.requests import BatchRequest, ExplainRequest, ExtractRequest, MapRequest, RenderRequest

if TYPE_CHECKING:
    from sightread.server.service import Service

ERRORS = dict.fromkeys((400, 401, 403, 408, 413, 415, 422, 429, 500, 503), ErrorAnswer)
"""Answers that every route with a body may give."""
NDJSON = "application/x-ndjson"


def _one_page(model: type[Any], perform: Callable[[Engine, Any], Awaitable[object]]) -> Callable[..., Awaitable[web.StreamResponse]]:
    async def answer(service: Service, request: web.Request) -> web.StreamResponse:
        return await json_response(await perform(service.engine, await body_of(service, request, model)))

    return answer


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


def _operation(summary: str, body: Any, answer: Any) -> Operation:
    return Operation(summary, "pages", body, {200: answer, **ERRORS})


ROUTES = (
    Route(
        "POST",
        "/api/v1/extract",
        _one_page(ExtractRequest, Engine.extract),
        "read",
        reads_page=True,
        operation=_operation("Return the main content of a page", ExtractRequest, ExtractAnswer),
    ),
    Route(
        "POST",
        "/api/v1/render",
        _one_page(RenderRequest, Engine.render),
        "read",
        reads_page=True,
        operation=_operation("Return a page as the browser shows it, with its blocks", RenderRequest, RenderAnswer),
    ),
    Route(
        "POST",
        "/api/v1/explain",
        _one_page(ExplainRequest, Engine.explain),
        "read",
        reads_page=True,
        operation=_operation("Return the decision about every block of a page, with reason and evidence", ExplainRequest, ExplainAnswer),
    ),
    Route(
        "POST",
        "/api/v1/map",
        _one_page(MapRequest, Engine.map),
        "read",
        reads_page=True,
        operation=_operation("Return the addresses of a site that a crawl would take", MapRequest, MapAnswer),
    ),
    Route(
        "POST",
        "/api/v1/batch",
        _batch,
        "read",
        reads_page=True,
        operation=Operation(
            "Return many pages as lines of JSON, in order of completion", "pages", BatchRequest, {200: (NDJSON, Outcome), **ERRORS}
        ),
    ),
)
