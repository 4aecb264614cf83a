"""Routes of what the service shows of itself: start page, page of the API, OpenAPI document, models and learned sites."""

from __future__ import annotations

import asyncio
import inspect
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
from aiohttp import web

from sightread.labeling.known_clusters import has_drifted
from sightread.models.model_choice import NAMES
from sightread.models.registry import MODELS
from sightread.render.errors import Rejected, SightreadError
from sightread.server.access.gate import OF_A_PAGE, content_policy
from sightread.server.routes.table import FRONT_ROUTES, PUBLIC, Operation, Parameter, Route, document, json_response, routes_of
from sightread.server.schema.answers import ErrorAnswer, worded
from sightread.sites.catalog import SiteSummary, find_site, list_sites, summarise
from sightread.sites.store import read_recent
from sightread.viewer.report import viewer_part

if TYPE_CHECKING:
    from sightread.server.service import Service


POLICY = content_policy(*OF_A_PAGE, "frame")
MEDIA_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "html": "text/html"}


@cache
def _file(name: str) -> bytes:
    content = (files("sightread.server.start_page") / name).read_bytes()
    return viewer_part("styles/palette.css").encode() + content if name == "start.css" else content


def _answer(name: str) -> web.Response:
    media_type = MEDIA_TYPES[name.rpartition(".")[2]]
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}
    return web.Response(body=_file(name), content_type=media_type, charset="utf-8", headers=headers)


async def _start(_service: Service, _request: web.Request) -> web.StreamResponse:
    return _answer("index.html")


async def _api(_service: Service, _request: web.Request) -> web.StreamResponse:
    return _answer("api.html")


async def _asset(_service: Service, request: web.Request) -> web.StreamResponse:
    return _answer(request.match_info["name"])


@cache
def openapi_document(routes: tuple[Route, ...]) -> bytes:
    """Return the OpenAPI document of the routes and of those that the front answers."""
    return msgspec.json.encode(document(dict.fromkeys((*routes, *FRONT_ROUTES))))


async def _document(_service: Service, request: web.Request) -> web.StreamResponse:
    return web.Response(body=openapi_document(routes_of(request.app)), content_type="application/json")


ABOUT = {
    "auto": "The site's own model if it was learned and is trusted, else the global model.",
    "site": "The site's own model, trusted or not.",
}


class ModelRecord(msgspec.Struct, frozen=True):
    """A model by the name that requests use."""

    name: str
    about: str
    default: bool
    """Whether the service takes it for requests that name none."""


class ModelList(msgspec.Struct, frozen=True):
    """All models."""

    models: tuple[ModelRecord, ...]


class SiteRecord(msgspec.Struct, frozen=True):
    """A learned site."""

    name: str
    start_url: str
    state: str
    """`trusted`, `not trusted`, or `crawled only`."""
    distrust_reason: str = msgspec.field(name="doubt")
    """Why `auto` does not use its model; empty if it does."""
    expected_f1: float | None
    pages: int
    version: str
    learned_at: str
    """UTC, ISO 8601; empty if it was only crawled."""
    recent_pages: int
    """Of the last pages that were read, those that are compared with the training pages."""
    strange_pages: int
    """The recent pages that are evidence of a change; a page of a kind that was never learned is none."""
    drifted: bool
    """Whether that many show that the site has changed: learn it again."""


class SiteList(msgspec.Struct, frozen=True):
    """All learned sites, by name."""

    sites: tuple[SiteRecord, ...]


@cache
def _about(name: str) -> str:
    if name in ABOUT:
        return ABOUT[name]
    module, _, attribute = MODELS[name].source.partition(":")
    return (inspect.getdoc(getattr(import_module(module), attribute)) or "").partition("\n\n")[0].replace("\n", " ")


async def _models(service: Service, _request: web.Request) -> web.StreamResponse:
    default = service.engine.reader.model
    return await json_response(
        ModelList(await asyncio.to_thread(lambda: tuple(ModelRecord(name, _about(name), name == default) for name in NAMES)))
    )


async def _sites(service: Service, _request: web.Request) -> web.StreamResponse:
    home = service.engine.reader.home
    return await json_response(SiteList(await asyncio.to_thread(lambda: tuple(_record(each) for each in list_sites(home)))))


async def _site(service: Service, request: web.Request) -> web.StreamResponse:
    def find() -> SiteRecord:
        return _record(summarise(find_site(request.match_info["name"], service.engine.reader.home)))

    try:
        return await json_response(await asyncio.to_thread(find))
    except Rejected as error:
        raise web.HTTPNotFound(text=f"{worded(error)}\n") from error


def _record(summary: SiteSummary) -> SiteRecord:
    recent = read_recent(summary.version.recent)
    try:
        site_evaluation = summary.version.read_evaluation()
    except SightreadError:
        site_evaluation = None
    usual = site_evaluation.usual if site_evaluation else None
    return SiteRecord(
        name=summary.name,
        start_url=summary.start_url,
        state=summary.state,
        distrust_reason=summary.distrust_reason.replace(f"{summary.version.path}/", ""),
        expected_f1=summary.expected_f1,
        pages=summary.pages,
        version=summary.version.path.name,
        learned_at=summary.learned_at,
        recent_pages=recent.pages,
        strange_pages=recent.strange,
        drifted=bool(usual and recent.pages) and has_drifted(recent.strange, recent.pages, usual.odd if usual else 0.0),
    )


_ERRORS = dict.fromkeys((400, 401, 403, 500, 503), ErrorAnswer)
_NAME = Parameter("name", "path", str, "The host of the site")


_SITE = Operation("Return a learned site", "catalog", None, {200: SiteRecord, 404: ErrorAnswer, **_ERRORS}, (_NAME,))
ROUTES = (
    Route("GET", "/", _start, PUBLIC),
    Route("GET", "/api", _api, PUBLIC),
    Route("GET", "/start/{name:(?:start\\.css|start\\.js|api\\.js|icon\\.svg)}", _asset, PUBLIC),
    Route("GET", "/api/v1/openapi.json", _document, PUBLIC),
    Route("GET", "/api/v1/models", _models, "read", operation=Operation("List the models", "catalog", None, {200: ModelList, **_ERRORS})),
    Route("GET", "/api/v1/sites", _sites, "read", operation=Operation("List learned sites", "catalog", None, {200: SiteList, **_ERRORS})),
    Route("GET", "/api/v1/sites/{name}", _site, "read", operation=_SITE),
)
