"""The HTTP service: `POST /v1/extract` and `GET /healthz`.

What a caller names, and all that its page leads to, goes through the egress boundary (`render.egress`), which is the public web's alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from render.address import check_url
from render.errors import PageFailed, Rejected, Retryable, SightreadError, Unequipped
from sightread.loopback import bearing, under_own_name
from sightread.reader import Reader

MEGABYTE = 1024 * 1024
RETRY_AFTER = "2"
"""Seconds, said to callers who are turned away."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the service takes on."""

    body: int = 10 * MEGABYTE
    """Bytes of a request."""
    body_patience: float = 30.0
    """Seconds in which the body must have come; 10 MiB in that time are 2.8 Mbit/s."""
    waiting: int = 32
    """Requests under way at once, those that wait for a tab included; one more is turned away."""


class ExtractRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /v1/extract`: a `url` to render, or `html` (with the `url` it came from, if known)."""

    url: str = ""
    html: str = ""
    model: str = ""
    """As on the command line; empty for the one that the service was started with."""


class Service:
    """Answers with a reader's documents; the reader is opened and closed by whoever made it.

    It has no local door: a reader with one raises `ValueError`, for every caller would walk through it.
    """

    def __init__(self, reader: Reader, limits: Limits = Limits(), token: str = "") -> None:
        """`token` is what callers must show as `Authorization: Bearer TOKEN`; without one, it answers under its loopback name only."""
        if reader.egress.local:
            raise ValueError("a service reads the public web alone: give it a reader without Egress(local=True)")
        self._reader = reader
        self._limits = limits
        self._guard = bearing(token) if token else under_own_name
        self._under_way = 0

    def app(self) -> web.Application:
        """Return the service as an application."""
        app = web.Application(middlewares=[_errors_as_json, self._guard], client_max_size=self._limits.body)
        app.router.add_post("/v1/extract", self._extract)
        app.router.add_get("/healthz", self._health)
        return app

    async def _extract(self, request: web.Request) -> web.Response:
        if self._under_way >= self._limits.waiting:
            message = f"{self._under_way} pages are under way: try again soon"
            raise web.HTTPServiceUnavailable(text=message, headers={"Retry-After": RETRY_AFTER})
        self._under_way += 1
        try:
            wanted = await _parse(request, self._limits.body_patience)
            if wanted.url or not wanted.html:
                check_url(wanted.url)
            if wanted.html:
                reading = await self._reader.read_html(wanted.html, wanted.url, model=wanted.model)
            else:
                reading = await self._reader.read(wanted.url, model=wanted.model)
        finally:
            self._under_way -= 1
        return web.Response(text=reading.document.to_json(), content_type="application/json")

    async def _health(self, request: web.Request) -> web.Response:
        return _json(200, {"status": "ok", "under_way": self._under_way, "waiting_limit": self._limits.waiting})


async def _parse(request: web.Request, patience: float) -> ExtractRequest:
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType(text="send JSON, with Content-Type: application/json")
    try:
        async with asyncio.timeout(patience):
            body = await request.read()
    except TimeoutError as error:
        raise web.HTTPRequestTimeout(text=f"the body did not come within {patience:g} s") from error
    try:
        wanted = msgspec.json.decode(body, type=ExtractRequest)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Rejected(f"the body is not what is wanted: {error}; send url or html, and model if you like") from error
    if not wanted.url and not wanted.html:
        raise Rejected("neither url nor html was sent: one of them is needed")
    return wanted


@web.middleware
async def _errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return _error(error.status, error.reason, error.text or error.reason, error.headers)
    except SightreadError as error:
        later = {"Retry-After": RETRY_AFTER} if isinstance(error, Retryable) else {}
        return _error(_status(error), type(error).__name__, str(error), later)


def _status(error: SightreadError) -> int:
    if isinstance(error, Rejected):
        return 400
    if isinstance(error, Retryable | Unequipped):
        return 503
    return 422 if isinstance(error, PageFailed) else 500


def _error(status: int, kind: str, message: str, headers: Mapping[str, str]) -> web.Response:
    response = _json(status, {"error": {"kind": kind, "message": message.strip()}})
    response.headers.update({name: value for name, value in headers.items() if name in ("Retry-After", "Allow", "WWW-Authenticate")})
    return response


def _json(status: int, answer: Any) -> web.Response:
    return web.Response(status=status, body=msgspec.json.encode(answer), content_type="application/json")
