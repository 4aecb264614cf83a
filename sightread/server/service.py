"""The HTTP service: `POST /v1/extract` and `GET /healthz`.

Every address that a client or a page names goes through the egress boundary (`render.network.egress`), which allows the public web only.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, replace
from typing import Annotated

import msgspec
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from render.browser.browser import STORED, RenderOptions
from render.errors import BrowserFailed, Rejected, Retryable, Unusable
from render.network.address import check_url
from render.page import Size
from render.visit.device import LANGUAGE, PAPERS_VIEWPORT, ColourScheme, Device
from sightread.document.pruning import Part
from sightread.reader import Reader
from sightread.server.http import RETRY_AFTER, bearing, errors_as_json, under_own_name

MEGABYTE = 1024 * 1024

HEALTH_AGE = 1.0
"""Seconds for which a reading of the browser's health is reused: a fresh one costs a few ms."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the service."""

    body: int = 10 * MEGABYTE
    """Bytes of a request."""
    body_patience: float = 30.0
    """Seconds in which the body must arrive; 10 MiB in that time are 2.8 Mbit/s."""
    waiting: int = 32
    """Most requests under way, those that wait for a tab included; one more is refused."""
    encodings: tuple[str, ...] = ("", "identity", "gzip", "deflate")
    """Content-Encodings of a body that are decoded."""


Side = Annotated[int, msgspec.Meta(ge=200, le=4000)]
"""Most CSS px of a requested window: the size of a screen, so that its memory is bounded."""


class DeviceRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The device of a request; the fields of `Device` that send nothing to the server except the language."""

    viewport: tuple[Side, Side] = (int(PAPERS_VIEWPORT.width), int(PAPERS_VIEWPORT.height))
    """Width and height."""
    colour_scheme: ColourScheme = "light"
    language: str = LANGUAGE
    time_zone: str = ""

    def device(self) -> Device:
        """Return the device. Raises `Rejected`."""
        return Device(Size(*self.viewport), colour_scheme=self.colour_scheme, language=self.language, time_zone=self.time_zone)


class ExtractRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /v1/extract`: a `url` to render, or `html` (with the `url` it came from, if known)."""

    url: str = ""
    html: str = ""
    model: str = ""
    """As on the command line; empty for the service's default model."""
    without: tuple[Part, ...] = ()
    """Parts to leave out."""
    device: DeviceRequest = msgspec.field(default_factory=DeviceRequest)


class Service:
    """Responds with a reader's documents; the caller opens and closes the reader.

    The service has no access to private networks: a reader with such access raises `ValueError`, since every client would have it too.
    """

    def __init__(self, reader: Reader, limits: Limits = Limits(), token: str = "") -> None:
        """`token` is required as `Authorization: Bearer TOKEN`; without one, the service responds under its loopback name only."""
        if reader.egress.local:
            raise ValueError("a service reads the public web alone: give it a reader without Egress(local=True)")
        self._reader = reader
        self._limits = limits
        self._guard = bearing(token) if token else under_own_name
        self._under_way = 0
        self._answered = asyncio.Event()
        self._draining = False
        self._health_seen = (-HEALTH_AGE, reader.health)

    def app(self, *, guarded: bool = True) -> web.Application:
        """Return the service as an aiohttp application; an unguarded one is for a socket that only the listening process reaches."""
        middlewares = [errors_as_json, self._guard] if guarded else [errors_as_json]
        app = web.Application(middlewares=middlewares, client_max_size=self._limits.body)
        app.router.add_post("/v1/extract", self._extract)
        app.router.add_get("/healthz", self._health)
        return app

    async def drain(self) -> None:
        """Refuse new requests and those that wait for a tab; wait for the others, which end within their deadlines."""
        self._draining = True
        await self._reader.drain()
        while self._under_way:
            self._answered.clear()
            await self._answered.wait()

    async def _extract(self, request: web.Request) -> web.Response:
        if self._draining:
            raise web.HTTPServiceUnavailable(text="the service is stopping: try again later", headers={"Retry-After": RETRY_AFTER})
        if self._under_way >= self._limits.waiting:
            message = f"{self._under_way} pages are under way: try again soon"
            raise web.HTTPServiceUnavailable(text=message, headers={"Retry-After": RETRY_AFTER})
        self._under_way += 1
        try:
            wanted = parse(await read_body(request, self._limits))
            if wanted.url or not wanted.html:
                check_url(wanted.url)
            device = wanted.device.device()
            body = await self._read(wanted, device)
        finally:
            self._under_way -= 1
            self._answered.set()
        return web.Response(body=body, content_type="application/json")

    async def _read(self, wanted: ExtractRequest, device: Device) -> bytes:
        """Return the document as JSON."""
        if not wanted.html:
            reading = await self._reader.read(wanted.url, model=wanted.model, options=RenderOptions(device=device))
            return await self._reader.process(wanted.url, lambda: reading.document.without(*wanted.without).to_json().encode())
        options = replace(STORED, device=device)
        try:
            reading = await self._reader.read_html(wanted.html, wanted.url, model=wanted.model, options=options)
        except BrowserFailed:
            raise
        except Retryable as error:
            if self._draining:
                raise
            raise Unusable(f"{wanted.url or 'the document'}: not laid out within {options.deadline:g} s: send a smaller one") from error
        return await self._reader.process(wanted.url, lambda: reading.document.without(*wanted.without).to_json().encode())

    async def _health(self, request: web.Request) -> web.Response:
        """Respond with figures alone, no names or addresses: this path needs no token."""
        now = asyncio.get_running_loop().time()
        if now - self._health_seen[0] >= HEALTH_AGE:
            self._health_seen = now, self._reader.health
        said = {"status": "stopping" if self._draining else "ok", "under_way": self._under_way, "waiting_limit": self._limits.waiting}
        answer = said | {"process": os.getpid(), "overdue": self._reader.overdue, "browser": msgspec.to_builtins(self._health_seen[1])}
        return web.Response(status=503 if self._draining else 200, body=msgspec.json.encode(answer), content_type="application/json")


async def read_body(request: web.Request, limits: Limits) -> bytes:
    """Return the decoded body of a request, or raise the HTTP error that refuses it, from its head alone if possible."""
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType(text="send JSON, with Content-Type: application/json")
    if request.charset and request.charset.lower() not in ("utf-8", "utf8"):
        raise web.HTTPUnsupportedMediaType(text=f"the charset is {request.charset!r}, and JSON is in UTF-8: send it so")
    encoding = request.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in limits.encodings:
        raise web.HTTPUnsupportedMediaType(text=f"the Content-Encoding is {encoding!r}: send the body as it is, or with gzip or deflate")
    if (request.content_length or 0) > limits.body:
        raise web.HTTPRequestEntityTooLarge(limits.body, request.content_length or 0, text=f"a body has at most {limits.body} bytes")
    try:
        async with asyncio.timeout(limits.body_patience):
            return await request.read()
    except TimeoutError as error:
        raise web.HTTPRequestTimeout(text=f"the body did not come within {limits.body_patience:g} s") from error
    except (web.RequestPayloadError, HttpProcessingError) as error:
        raise Rejected("the body cannot be decoded: it is cut short, or not what its Content-Encoding declares") from error


def parse(body: bytes) -> ExtractRequest:
    """Return the parsed request. Raises `Rejected`."""
    try:
        wanted = msgspec.json.decode(body, type=ExtractRequest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Rejected(f"the body is invalid: {error}; send url or html, and model, without and device if you like") from error
    if not wanted.url and not wanted.html:
        raise Rejected("neither url nor html was sent: one of them is required")
    return wanted
