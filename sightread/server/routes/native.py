"""Native routes: pages (extract, render, explain, map, batch as lines), and jobs (create, list, state, events, results, cancel)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from aiohttp import web

from sightread.render.errors import Rejected, quoted
from sightread.server.access.gate import CALLER
from sightread.server.engine.engine import Engine
from sightread.server.jobs.runner import JobEvent
from sightread.server.jobs.webhooks import signature
from sightread.server.routes.table import ERRORS, Operation, Parameter, Perform, Route, body_of, json_response
from sightread.server.schema.answers import FINAL, ErrorAnswer, ExplainAnswer, ExtractAnswer, JobRecord, MapAnswer, Outcome, RenderAnswer
from sightread.server.schema.requests import (
    BatchRequest,
    ExplainRequest,
    ExtractRequest,
    JobRequest,
    LearnRequest,
    MapRequest,
    RenderRequest,
    WatchRequest,
)

if TYPE_CHECKING:
    from sightread.server.service import Service


SIGNATURE = "X-Sightread-Signature"
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


async def _extract(service: Service, request: web.Request) -> web.StreamResponse:
    decoded: ExtractRequest = await body_of(service, request, ExtractRequest)
    return await json_response(await service.extract(decoded, request[CALLER]))


async def _batch(service: Service, request: web.Request) -> web.StreamResponse:
    decoded: BatchRequest = await body_of(service, request, BatchRequest)
    service.engine.check(decoded)
    response = web.StreamResponse(headers={"Content-Type": NDJSON})
    response.enable_chunked_encoding()
    async with aclosing(service.engine.batch(decoded)) as outcomes:
        await response.prepare(request)
        async for outcome in outcomes:
            if outcome.result:
                await service.compare(decoded, outcome.result, request[CALLER])
            await response.write(await asyncio.to_thread(msgspec.json.encode, outcome) + b"\n")
    await response.write_eof()
    return response


EXPLAINED = "Return the decision about every block of a page, with reason and evidence"


EVENTS_EVERY = 0.5
"""Seconds between two looks at a job whose events a client receives."""
KEEP_ALIVE_SECONDS = 10.0
"""Seconds without an event after which a comment keeps the connection open."""
LONGEST_KEY = 200
MOST_RESULTS = 1000

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Limit: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=MOST_RESULTS)]


class JobList(msgspec.Struct, frozen=True):
    """Jobs of the caller, the newest first."""

    jobs: list[JobRecord]


class JobResults(msgspec.Struct, frozen=True):
    """Results of a job in the order in which they were stored, each an `Outcome`."""

    results: list[msgspec.Raw]
    next: int | None
    """The `after` of the next request; None once the job has ended and all results were sent."""
    job: JobRecord


async def _create(service: Service, request: web.Request) -> web.StreamResponse:
    return await _start(service, request, await body_of(service, request, JobRequest))


async def _start(service: Service, request: web.Request, job_request: JobRequest) -> web.StreamResponse:
    caller = request[CALLER]
    if isinstance(job_request, LearnRequest) and "learn" not in caller.scopes:
        raise web.HTTPForbidden(text="the token lacks the scope learn: ask the operator for one that has it\n")
    key = request.headers.get("Idempotency-Key", "")
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise Rejected(f"the Idempotency-Key has more than {LONGEST_KEY} characters, or one that cannot be printed: send a UUID")
    job, is_new = await service.start_job(job_request, caller.name, key=key)
    response = await json_response(job, 202 if is_new else 200)
    response.headers["Location"] = f"/api/v1/jobs/{job.id}"
    return response


async def _watch(service: Service, request: web.Request) -> web.StreamResponse:
    return await _start(service, request, await body_of(service, request, WatchRequest))


async def observe(service: Service, event: JobEvent) -> None:
    """Send the changes of a round of a watch, and the reason for which a watch ended, to its webhook."""
    if event.job.record.kind != "watch" or event.kind not in ("round", "finished") or not (event.changes or event.error):
        return
    watched = msgspec.json.decode(event.job.request, type=WatchRequest)
    if watched.webhook:
        changes = [
            {"url": each.url, "change": each.change.change, "title": each.change.title, "detail": each.change.detail}
            for each in event.changes[:MOST_RESULTS]
            if each.change
        ]
        counts = Counter(each.change.change for each in event.changes if each.change)
        sent = {"job": event.job.record.id, "url": watched.url, "counts": counts, "changes": changes, "error": event.error}
        body, secret = msgspec.json.encode(sent), service.engine.policy.webhook_secret
        service.webhooks.deliver(watched.webhook, body, {SIGNATURE: signature(body, secret)} if secret else {})


async def _list(service: Service, request: web.Request) -> web.StreamResponse:
    return await json_response(JobList(await service.jobs.list_jobs(request[CALLER].name, _number(request, "limit", 100, Limit))))


async def _state(service: Service, request: web.Request) -> web.StreamResponse:
    return await json_response((await service.find_job(request)).record)


async def _cancel(service: Service, request: web.Request) -> web.StreamResponse:
    job = await service.find_job(request)
    await service.cancel_job(job.record.id, job.caller)
    return await json_response((await service.find_job(request)).record)


async def _results(service: Service, request: web.Request) -> web.StreamResponse:
    after, limit = _number(request, "after", 0, Count), _number(request, "limit", 100, Limit)
    job = await service.find_job(request)  # before its results: those that came later are sent next time
    rows = await service.jobs.results(job.record.id, after, limit)
    last = rows[-1].seq if rows else after
    has_more = len(rows) == limit or job.record.state not in FINAL
    return await json_response(JobResults([msgspec.Raw(row.body) for row in rows], last if has_more else None, job.record))


async def _events(service: Service, request: web.Request) -> web.StreamResponse:
    """Send the job's record whenever it changes, as server-sent events named `job`, until it has ended."""
    job = await service.find_job(request)
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    await response.prepare(request)
    sent: JobRecord | None = None
    silence = 0.0
    while not service.draining and "jobs" in service.rights(request[CALLER]):
        if job.record != sent:
            sent, silence = job.record, 0.0
            await response.write(b"event: job\ndata: " + msgspec.json.encode(sent) + b"\n\n")
            if sent.state in FINAL:
                break
        elif silence >= KEEP_ALIVE_SECONDS:
            silence = 0.0
            await response.write(b": still there\n\n")
        await asyncio.sleep(EVENTS_EVERY)
        silence += EVENTS_EVERY
        found = await service.jobs.get(job.record.id, job.caller)
        if found is None:
            break
        job = found
    await response.write_eof()
    return response


def _number(request: web.Request, name: str, default: int, allowed: Any) -> int:
    """Return a number of the query. Raises `Rejected`."""
    text = request.query.get(name, "")
    try:
        return msgspec.convert(text, allowed, strict=False) if text else default
    except msgspec.ValidationError as error:
        raise Rejected(f"{name} is {quoted(text)}: {error}") from error


_ID = Parameter("id", "path", str, "The id of the job")
_KEY = Parameter(
    "Idempotency-Key", "header", Annotated[str, msgspec.Meta(max_length=LONGEST_KEY)], "A second job with this key is the first"
)
_LIMIT = Parameter("limit", "query", Limit, "Most entries of the answer")
_AFTER = Parameter("after", "query", Count, "The cursor: `next` of the answer before")
_SEEN = dict.fromkeys((400, 401, 403, 404, 500, 503), ErrorAnswer)


def _about(summary: str, answer: Any, *parameters: Parameter) -> Operation:
    return Operation(summary, "jobs", answers={200: answer, **_SEEN}, parameters=parameters)


_CREATION = Operation(
    "Create a job: a batch, a crawl, learning a site, or watching one",
    "jobs",
    JobRequest,
    {200: JobRecord, 202: JobRecord, **ERRORS},
    (_KEY,),
)
_WATCH = Operation(
    "Create a job that reads a site again and again, with what changed",
    "jobs",
    WatchRequest,
    {200: JobRecord, 202: JobRecord, **ERRORS},
    (_KEY,),
)
_RESULTS = _about("Return results, while the job runs too", JobResults, _ID, _AFTER, _LIMIT)
_EVENTS = _about("Stream the job's record as it changes", "text/event-stream", _ID)
_AT = "/api/v1/jobs/{id}"
ROUTES = (
    page_route("extract", _extract, "Return the main content of a page", ExtractRequest, ExtractAnswer),
    _engine_route(Engine.render, "Return a page as the browser shows it, with its blocks", RenderRequest, RenderAnswer),
    _engine_route(Engine.explain, EXPLAINED, ExplainRequest, ExplainAnswer),
    _engine_route(Engine.map, "Return the addresses of a site that a crawl would take", MapRequest, MapAnswer),
    page_route("batch", _batch, "Return many pages as lines of JSON, in order of completion", BatchRequest, (NDJSON, Outcome)),
    Route("POST", "/api/v1/jobs", _create, "jobs", operation=_CREATION),
    Route("POST", "/api/v1/watches", _watch, "jobs", operation=_WATCH),
    Route("GET", "/api/v1/jobs", _list, "jobs", operation=_about("List your jobs", JobList, _LIMIT)),
    Route("GET", _AT, _state, "jobs", operation=_about("Return a job", JobRecord, _ID)),
    Route("DELETE", _AT, _cancel, "jobs", operation=_about("Cancel a job; its results stay", JobRecord, _ID)),
    Route("GET", f"{_AT}/results", _results, "jobs", operation=_RESULTS),
    Route("GET", f"{_AT}/events", _events, "jobs", operation=_EVENTS),
)
OBSERVERS = {"native": observe}
