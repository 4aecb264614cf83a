"""Routes of the start page, the page of the API and the OpenAPI document: the same for everybody, so they need no token."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
from aiohttp import web

from sightread.server.routes.openapi import document
from sightread.server.routes.table import FRONT_ROUTES, PUBLIC, Route, routes_of
from sightread.viewer.report import viewer_part

if TYPE_CHECKING:
    from sightread.server.service import Service

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
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


ROUTES = (
    Route("GET", "/", _start, PUBLIC),
    Route("GET", "/api", _api, PUBLIC),
    Route("GET", "/start/{name:(?:start\\.css|start\\.js|api\\.js|icon\\.svg)}", _asset, PUBLIC),
    Route("GET", "/api/v1/openapi.json", _document, PUBLIC),
)
