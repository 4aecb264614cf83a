"""Routes of inspections: a page is read once, and shown in the viewer with every block and why it was kept.

The address of an inspection holds 128 random bits and is known to the caller who made it alone, so that a frame, which sends no token, can
show it. Inspections are in memory, few and for a short time.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

import msgspec
from aiohttp import web

from classify.model import Explains
from sightread.reading import Reading
from sightread.server.answers import ExtractAnswer
from sightread.server.requests import ExtractRequest
from sightread.server.routes.pages import ERRORS
from sightread.server.routes.responses import body_of, json_response
from sightread.server.routes.table import PUBLIC, Operation, Route
from sightread.viewer.build import Findings, build_page, build_site, explain_block
from sightread.viewer.records import Job, encode
from sightread.viewer.report import viewer_part

if TYPE_CHECKING:
    from sightread.server.service import Service

MOST = 16
"""Inspections in memory: a page with its picture takes some MB."""
SECONDS = 900.0
"""For which an inspection is kept."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


class InspectAnswer(msgspec.Struct, frozen=True):
    """The document of a page, and the inspection of how it was read, at `/inspections/{id}/`."""

    id: str
    answer: ExtractAnswer


class Inspections:
    """The inspections in memory."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[float, Findings]] = OrderedDict()

    def add(self, reading: Reading) -> str:
        """Keep a reading, and return its id."""
        document = reading.document
        findings = Findings(
            job=Job(name=document.metadata.title or document.url or "the document", url=reading.page.final_url, model=document.model),
            pages=[reading.page],
            pictures=[reading.picture],
            predictions=[reading.prediction.relative],
            kept=[document.selection.rows],
            confidence=[document.confidence],
            markdown=[document.markdown],
            explain=reading.model.explain if isinstance(reading.model, Explains) else None,
        )
        id = secrets.token_hex(16)
        self._kept[id] = time.monotonic(), findings
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return id

    def find(self, id: str) -> Findings:
        """Return what is known of an inspection. Raises HTTP 404."""
        made, findings = self._kept.get(id, (0.0, None))
        if findings is None or time.monotonic() - made > SECONDS:
            self._kept.pop(id, None)
            raise web.HTTPNotFound(text="this inspection is past its time: read the page again\n")
        return findings


async def _inspect(service: Service, request: web.Request) -> web.StreamResponse:
    decoded: ExtractRequest = await body_of(service, request, ExtractRequest)
    answer, reading = await service.engine.extract_with_reading(decoded)
    id = await asyncio.to_thread(service.inspections.add, reading)
    return await json_response(InspectAnswer(id, answer))


def _findings(service: Service, request: web.Request) -> Findings:
    return service.inspections.find(request.match_info["id"])


def _shown(body: bytes | str, media_type: str) -> web.Response:
    content = body.encode() if isinstance(body, str) else body
    charset = "utf-8" if media_type.startswith("text/") else None
    return web.Response(body=content, content_type=media_type, charset=charset, headers={"Content-Security-Policy": POLICY})


async def _index(service: Service, request: web.Request) -> web.StreamResponse:
    _findings(service, request)
    return _shown(viewer_part("index.html"), "text/html")


async def _asset(_service: Service, request: web.Request) -> web.StreamResponse:
    name = request.match_info["name"]
    return _shown(viewer_part(name), "text/css" if name.endswith("css") else "text/javascript")


async def _site(service: Service, request: web.Request) -> web.StreamResponse:
    findings = _findings(service, request)
    return _shown(await asyncio.to_thread(lambda: encode(build_site(findings))), "application/json")


async def _page(service: Service, request: web.Request) -> web.StreamResponse:
    findings = _findings(service, request)
    return _shown(await asyncio.to_thread(lambda: encode(build_page(findings, 0))), "application/json")


async def _picture(service: Service, request: web.Request) -> web.StreamResponse:
    picture, number = _findings(service, request).pictures[0], int(request.match_info["tile"])
    if picture is None or not 1 <= number <= len(picture.tiles):
        raise web.HTTPNotFound(text="this page has no picture there\n")
    return _shown(picture.tiles[number - 1], "image/webp")


async def _reasons(service: Service, request: web.Request) -> web.StreamResponse:
    findings, text = _findings(service, request), request.query.get("block", "")
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < len(findings.pages[0].blocks)):
        raise web.HTTPNotFound(text="there is no such block\n")
    return _shown(await asyncio.to_thread(lambda: encode(explain_block(findings, 0, int(text)))), "application/json")


_AT = "/inspections/{id:[0-9a-f]{32}}/"
ROUTES = (
    Route(
        "POST",
        "/api/v1/inspect",
        _inspect,
        "read",
        reads_page=True,
        operation=Operation(
            "Extract a page, and keep an inspection of it for a quarter of an hour", "pages", ExtractRequest, {200: InspectAnswer, **ERRORS}
        ),
    ),
    Route("GET", _AT, _index, PUBLIC),
    Route("GET", _AT + "{name:viewer\\.(?:css|js)}", _asset, PUBLIC),
    Route("GET", _AT + "data.json", _site, PUBLIC),
    Route("GET", _AT + "pages/0.json", _page, PUBLIC),
    Route("GET", _AT + "pictures/0-{tile:\\d{1,3}}.webp", _picture, PUBLIC),
    Route("GET", _AT + "explain", _reasons, PUBLIC),
)
