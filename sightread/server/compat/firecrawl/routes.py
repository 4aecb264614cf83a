"""Routes of the Firecrawl API under `/v1` and `/v2`, and its webhooks: the events of a job, sent to the address that its caller gave."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from sightread.render.errors import Rejected, TimedOut, quoted
from sightread.render.visit.requests import Access
from sightread.server.access.gate import CALLER
from sightread.server.access.limits import check_json
from sightread.server.compat.firecrawl import answers
from sightread.server.compat.firecrawl.requests import (
    JobNote,
    Version,
    Webhook,
    translate_batch,
    translate_crawl,
    translate_map,
    translate_scrape,
)
from sightread.server.jobs.runner import JobEvent
from sightread.server.jobs.store import JobRow, StoredJob
from sightread.server.jobs.webhooks import signature
from sightread.server.routes.table import Perform, Route, json_response
from sightread.server.schema.answers import FINAL, JobKind, Outcome
from sightread.server.schema.requests import BatchRequest, CrawlRequest, decode_object

if TYPE_CHECKING:
    from sightread.server.service import Service


ORIGIN = "firecrawl"
"""Of the jobs of this API."""
SIGNATURE = "X-Firecrawl-Signature"
MOST_METADATA = 10_000
"""Bytes of the metadata that a caller gives, which every event repeats."""
_NAMES = {"crawl": "crawl", "batch": "batch_scrape"}


RESULTS_PER_ANSWER = 100
RESULT_BYTES = 10_000_000
"""Of the stored results in one answer, which has one at least."""
MOST_ERRORS = 1000
"""Failed pages in the answer about a job's errors."""
LANGUAGE_MODEL_PATHS = ("extract", "agent", "deep-research", "llmstxt", "crawl/params-preview")


async def _scrape(_version: Version, service: Service, request: web.Request) -> web.StreamResponse:
    translated = translate_scrape(await _body(service, request))
    try:
        answer = await service.extract(translated.request, request[CALLER])
    except TimedOut as error:
        return await _timed_out(error)
    data = await asyncio.to_thread(answers.document, answer, translated.output, translated.warnings)
    return await json_response({"success": True, "data": data})


async def _map(version: Version, service: Service, request: web.Request) -> web.StreamResponse:
    translated = translate_map(await _body(service, request), version)
    try:
        links = await service.engine.map(translated.request)
    except TimedOut as error:
        return await _timed_out(error)
    found = answers.site_map(links, translated.search, translated.request.pages, version)
    return await json_response(_warned(found, translated.warnings))


async def _timed_out(error: TimedOut) -> web.StreamResponse:
    """Return the API's answer for a page that is not read in time; our own would be 503."""
    return await json_response(answers.failure(408, type(error).__name__, str(error)), 408)


async def _start_crawl(version: Version, service: Service, request: web.Request) -> web.StreamResponse:
    translated = translate_crawl(await _body(service, request), version)
    return await json_response(await _start(service, request, translated.request, translated.note))


async def _start_batch(version: Version, service: Service, request: web.Request) -> web.StreamResponse:
    translated = translate_batch(await _body(service, request), version)
    started = await _start(service, request, translated.request, translated.note)
    return await json_response(started | {"invalidURLs": translated.invalid} if translated.invalid else started)


async def _status(kind: JobKind, service: Service, request: web.Request) -> web.StreamResponse:
    after = request.query.get("skip", "0")
    if not (after.isascii() and after.isdecimal()) or len(after) > 10:
        raise Rejected(f"skip is {quoted(after[:60])}: take the address in next as it is")
    job = await _find(kind, service, request)  # before its results: those that came later are sent next time
    outcomes, cursor = await _results(service, job, int(after))
    following = "" if cursor is None else f"{service.origin(request)}{request.path}?skip={cursor}"
    keep = service.jobs.limits.keep
    note = msgspec.json.decode(job.extra, type=JobNote)
    return await json_response(await asyncio.to_thread(answers.job_status, job.record, note, outcomes, following, keep))


async def _errors(kind: JobKind, service: Service, request: web.Request) -> web.StreamResponse:
    job = await _find(kind, service, request)
    rows = await service.jobs.results(job.record.id, 0, MOST_ERRORS, failed=True)
    return await json_response(answers.job_errors(job.record, _decoded(rows)))


async def _cancel(kind: JobKind, service: Service, request: web.Request) -> web.StreamResponse:
    job = await _find(kind, service, request)
    was_ended = await service.cancel_job(job.record.id, job.caller, ORIGIN)
    if not was_ended and job.record.state in ("done", "failed"):
        raise web.HTTPConflict(text="the job has ended already: there is nothing to cancel")
    return await json_response({"success": True, "status": "cancelled"})


async def _active(service: Service, request: web.Request) -> web.StreamResponse:
    caller = request[CALLER].name
    running = [job for job in await service.jobs.list_jobs(caller, origin=ORIGIN) if job.kind == "crawl" and job.state not in FINAL]
    crawls = []
    for record in running:
        if (job := await service.jobs.get(record.id, caller, ORIGIN)) is not None:
            translated = msgspec.json.decode(job.request, type=CrawlRequest)
            crawls.append({"id": record.id, "teamId": caller, "url": translated.url, "options": {"limit": translated.pages}})
    return await json_response({"success": True, "crawls": crawls})


async def _needs_language_model(_service: Service, _request: web.Request) -> web.StreamResponse:
    raise Rejected("this needs a language model, which this service does not have: scrape the pages as markdown and pass it to yours")


async def _start(service: Service, request: web.Request, translated: BatchRequest | CrawlRequest, note: JobNote) -> dict[str, Any]:
    if note.webhook is not None:
        await check_webhook(service, note.webhook)
    key = request.headers.get("X-Idempotency-Key", "")
    extra = msgspec.json.encode(note)
    job, _ = await service.start_job(translated, request[CALLER].name, key=key, origin=ORIGIN, extra=extra)
    return _warned({"success": True, "id": job.id, "url": f"{service.origin(request)}{request.path}/{job.id}"}, note.warnings)


async def _results(service: Service, job: StoredJob, after: int) -> tuple[list[Outcome], int | None]:
    """Return the pages that were read from a cursor on, and the cursor behind them, if more may come: in any case while the job runs."""
    rows = await service.jobs.results(job.record.id, after, RESULTS_PER_ANSWER + 1, failed=False)
    taken: list[JobRow] = []
    size = 0
    for row in rows[:RESULTS_PER_ANSWER]:
        size += len(row.body)
        if taken and size > RESULT_BYTES:
            break
        taken.append(row)
    has_more = len(taken) < len(rows) or job.record.state not in FINAL
    return await asyncio.to_thread(_decoded, taken), (taken[-1].seq if taken else after) if has_more else None


async def _find(kind: JobKind, service: Service, request: web.Request) -> StoredJob:
    job = await service.find_job(request, ORIGIN)
    if job.record.kind != kind:
        raise web.HTTPNotFound(text="you have no job with this id: it is of another kind")
    return job


async def _body(service: Service, request: web.Request) -> dict[str, Any]:
    check_json(request)
    return decode_object(await service.read_body(request), "the options of the Firecrawl API")


def _decoded(rows: list[JobRow]) -> list[Outcome]:
    return [msgspec.json.decode(row.body, type=Outcome) for row in rows]


def _warned(answer: dict[str, Any], warnings: tuple[str, ...]) -> dict[str, Any]:
    return answer | {"warning": "; ".join(warnings)} if warnings else answer


async def check_webhook(service: Service, webhook: Webhook) -> None:
    """Raise `Rejected` for an address or headers that would not be sent, before the job begins."""
    Access(webhook.url, headers=tuple(webhook.headers.items()))
    if len(msgspec.json.encode(webhook.metadata)) > MOST_METADATA:
        raise Rejected(f"webhook.metadata has more than {MOST_METADATA} bytes: send less")
    await service.webhooks.check(webhook.url)


async def observe(service: Service, event: JobEvent) -> None:
    """Send an event of a job, if its caller subscribed to it. Pages that failed are sent without `success`, with the error."""
    note = msgspec.json.decode(event.job.extra, type=JobNote)
    if note.webhook is None:
        return
    name = "failed" if event.error is not None else "completed" if event.kind == "finished" else event.kind
    if name not in [each.rpartition(".")[2] for each in note.webhook.events]:
        return
    job = event.job.record
    kind = f"{_NAMES[job.kind]}.{name}"
    body = await asyncio.to_thread(_event_body, kind, job.id, note, event)
    secret = service.engine.policy.webhook_secret
    signed = {SIGNATURE: signature(body, secret)} if secret else {}
    service.webhooks.deliver(note.webhook.url, body, {**note.webhook.headers, **signed})


def _event_body(kind: str, job: str, note: JobNote, event: JobEvent) -> bytes:
    if event.row is None:
        return answers.event(kind, job, note, error=event.error.message if event.error else "")
    outcome = msgspec.json.decode(event.row.body, type=Outcome)
    error = outcome.error.message if outcome.error else ""
    return answers.event(kind, job, note, answers.documents(job, note, [outcome]), error, event.row.key)


def _routes(version: Version) -> list[Route]:
    def route(method: str, path: str, perform: Perform, scope: str, *, reads_page: bool = False) -> Route:
        return Route(method, f"/v{version}/{path}", perform, scope, reads_page, error_form=answers.failure)

    routes = [
        route("POST", "scrape", partial(_scrape, version), "read", reads_page=True),
        route("POST", "map", partial(_map, version), "read", reads_page=True),
        route("POST", "crawl", partial(_start_crawl, version), "jobs"),
        route("POST", "batch/scrape", partial(_start_batch, version), "jobs"),
        route("GET", "crawl/active", _active, "jobs"),
        route("GET", "crawl/ongoing", _active, "jobs"),
        *(route("POST", path, _needs_language_model, "read") for path in LANGUAGE_MODEL_PATHS),
    ]
    kinds: tuple[tuple[str, JobKind], ...] = (("crawl", "crawl"), ("batch/scrape", "batch"))
    for path, kind in kinds:
        routes += [
            route("GET", f"{path}/{{id}}", partial(_status, kind), "jobs"),
            route("DELETE", f"{path}/{{id}}", partial(_cancel, kind), "jobs"),
            route("GET", f"{path}/{{id}}/errors", partial(_errors, kind), "jobs"),
        ]
    return routes


ROUTES = (*_routes(1), *_routes(2))
OBSERVERS = {ORIGIN: observe}
