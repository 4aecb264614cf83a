"""Routes of inspections: a page, a learned site or a job in the viewer, with the handlers of `sightread inspect`.

A page can be inspected with the scope `read`, a job with `jobs`; a learned site needs `learn`, and is corrected there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from aiohttp import web

from sightread.reading.reading import is_large
from sightread.render.errors import Rejected
from sightread.render.network.address import origin_of
from sightread.server.access.gate import CALLER, OF_A_PAGE, Caller, content_policy
from sightread.server.inspector import (
    ACTIONS,
    OWN_ORIGIN,
    SHOWN,
    VIEWS,
    Inspected,
    Inspection,
    check_origin,
    inspect_corpus,
    inspect_reading,
    row_of,
)
from sightread.server.jobs.sites import job_corpus
from sightread.server.routes.native import page_route
from sightread.server.routes.table import ERRORS, PUBLIC, Operation, Parameter, Perform, Route, body_of, json_response
from sightread.server.schema.answers import FINAL, ErrorAnswer, ExtractAnswer, JobRecord
from sightread.server.schema.requests import ExtractRequest, LearnRequest
from sightread.sites.catalog import find_site
from sightread.sites.folders import SiteFolder
from sightread.sites.store import SiteStore
from sightread.viewer.records import encode
from sightread.viewer.report import unlearned_site

if TYPE_CHECKING:
    from sightread.server.service import Service


POLICY = content_policy(*OF_A_PAGE, framed_by="self")
_TOO_LARGE = "too large to be inspected in the service: use `sightread inspect` on your machine, or extract it"
CORRECTS = "learn"
"""The scope of what changes a site for all callers."""


class InspectAnswer(msgspec.Struct, frozen=True):
    """The document of a page, and the inspection of how it was read, at `/inspections/{id}/`."""

    id: str
    answer: ExtractAnswer


class InspectionRecord(msgspec.Struct, frozen=True):
    """An inspection, at `/inspections/{id}/`."""

    id: str


class LearningState(msgspec.Struct, frozen=True):
    """State of learning the site of an inspected page."""

    job: JobRecord | None
    """None if it was not begun."""
    inspection: str
    """The inspection of the learned site; empty until the job is done."""


async def _inspect(service: Service, request: web.Request) -> web.StreamResponse:
    decoded: ExtractRequest = await body_of(service, request, ExtractRequest)
    caller = request[CALLER]
    answer, reading = await service.engine.extract_with_reading(decoded)
    if is_large(reading.page):
        raise Rejected(f"{reading.page.url or 'the document'}: {_TOO_LARGE}")
    url = reading.page.final_url if decoded.url and not decoded.html else ""
    unlearned = await asyncio.to_thread(unlearned_site, url, SiteStore(service.engine.reader.home), can_learn=CORRECTS in caller.scopes)
    return await json_response(InspectAnswer(service.inspections.add(inspect_reading(reading, unlearned), caller, url), answer))


async def _inspect_site(service: Service, request: web.Request) -> web.StreamResponse:
    site = await asyncio.to_thread(find_site, request.match_info["name"], service.engine.reader.home)
    assert site.current is not None
    return await _add_corpus(service, request[CALLER], site.current, CORRECTS)


async def _inspect_job(service: Service, request: web.Request) -> web.StreamResponse:
    job = (await service.find_job(request)).record
    if job.state not in FINAL:
        raise Rejected(f"job {job.id} is {job.state}: inspect it when it has ended")
    folder = await job_corpus(service.jobs, job.id, service.crawls, service.engine.reader.home)
    return await _add_corpus(service, request[CALLER], SiteFolder(folder), "jobs")


async def _add_corpus(service: Service, caller: Caller, folder: SiteFolder, scope: str) -> web.StreamResponse:
    return await json_response(InspectionRecord(service.inspections.add(await _open(folder, caller), caller, scope=scope)))


async def _open(folder: SiteFolder, caller: Caller) -> Inspected:
    return await asyncio.to_thread(inspect_corpus, folder.path, caller.name, corrects=CORRECTS in caller.scopes)


async def _learn_site(service: Service, request: web.Request, inspection: Inspection) -> web.Response:
    """Begin to learn the site of a page, by POST, or return what became of it."""
    if request.method == "POST":
        check_origin(request)
        unlearned = inspection.shown.unlearned
        if unlearned is None or not unlearned.can_learn or CORRECTS not in inspection.caller.scopes:
            raise web.HTTPForbidden(text="the site of this page cannot be learned here: it is, or the token lacks the scope learn\n")
        if not inspection.learning:
            task = LearnRequest(url=f"{origin_of(inspection.url)}/")
            inspection.learning = (await service.start_job(task, inspection.caller.name))[0].id
    found = await service.jobs.get(inspection.learning, inspection.caller.name) if inspection.learning else None
    if found and found.record.state == "done" and not inspection.successor:
        folder = await job_corpus(service.jobs, inspection.learning, service.crawls, service.engine.reader.home)
        shown = await _open(SiteFolder(folder), inspection.caller)
        inspection.successor = service.inspections.add(shown, inspection.caller, scope=inspection.scope)
    state = LearningState(found.record if found else None, inspection.successor)
    return web.Response(body=encode(state), content_type="application/json")


async def _view(view: Callable[[web.Request], Awaitable[web.Response]], service: Service, request: web.Request) -> web.StreamResponse:
    """Perform a view or an action of the inspector in its caller's turn, and none of a page that would take more than seconds."""

    async def perform(_service: Service, each: web.Request, inspection: Inspection) -> web.Response:
        async with service.engine.computing.turn(inspection.caller.name):
            pages = (await asyncio.to_thread(lambda: inspection.shown.findings)).pages
            row = each.match_info.get("row") or each.query.get("page", "")
            if row and is_large(pages[row_of(row, len(pages))]):
                raise web.HTTPNotFound(text=f"{_TOO_LARGE}\n")
            return await view(each)

    return await _within(perform, service, request)


async def _within(
    perform: Callable[[Service, web.Request, Inspection], Awaitable[web.Response]], service: Service, request: web.Request
) -> web.StreamResponse:
    """Perform a request about one inspection, under the policy of the viewer."""
    inspection = service.inspections.find(request.match_info["id"], service.rights)
    request[SHOWN] = inspection.shown
    request[OWN_ORIGIN] = service.origin(request)
    response = await perform(service, request, inspection)
    response.headers["Content-Security-Policy"] = POLICY
    return response


_AT = "/inspections/{id:[0-9a-f]{32}}/"
_ID = Parameter("id", "path", str, "The id of the job")
_NAME = Parameter("name", "path", str, "The host of the site")
_OWN: tuple[tuple[str, str, Perform], ...] = (
    ("GET", "learn", partial(_within, _learn_site)),
    ("POST", "learn", partial(_within, _learn_site)),
)
"""Routes of the service beside the inspector's own views and actions, or in their place."""
_FOUND = {200: InspectionRecord, 404: ErrorAnswer, **ERRORS}
_OF_SITE = Operation("Inspect and correct a learned site", "catalog", None, _FOUND, (_NAME,))
_OF_JOB = Operation("Inspect the pages of a finished crawl or learning job", "jobs", None, _FOUND, (_ID,))
ROUTES = (
    page_route("inspect", _inspect, "Extract a page, and keep an inspection of it for a quarter of an hour", ExtractRequest, InspectAnswer),
    Route("POST", "/api/v1/sites/{name}/inspect", _inspect_site, CORRECTS, operation=_OF_SITE),
    Route("POST", "/api/v1/jobs/{id}/inspect", _inspect_job, "jobs", operation=_OF_JOB),
    *(Route(method, _AT + path, perform, PUBLIC) for method, path, perform in _OWN),
    *(Route("GET", _AT + path, partial(_view, view), PUBLIC) for path, view in VIEWS),
    *(Route(method, _AT + path, partial(_view, act), PUBLIC) for method, path, act in ACTIONS),
)
