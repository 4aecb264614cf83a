"""Limits of the service, and the queue of its requests: bounded, and fair between callers."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from render.browser.limiter import Turns
from render.errors import Rejected, quoted

MEGABYTE = 1024 * 1024
RETRY_AFTER = "2"
"""Seconds after which a refused client may retry."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of requests."""

    body: int = 10 * MEGABYTE
    """Bytes of a request."""
    body_timeout: float = 10.0
    """Seconds in which the body must arrive, and as much longer as it takes at `body_rate`."""
    body_rate: float = 128 * 1024
    """Bytes per second: 1 Mbit/s."""
    small_body: int = 65_536
    """Bytes of a body that counts for nothing in the memory of waiting requests."""
    waiting: int = 32
    """Most requests under way, those that wait for a tab included; one more is refused, unless it is of a caller with few of them."""
    at_once: int = 0
    """Requests that are forwarded to the browser at once, in turns between callers; 0 for all."""
    encodings: tuple[str, ...] = ("", "identity", "gzip", "deflate")
    """Content-Encodings of a body that are decoded."""

    @property
    def reserve(self) -> int:
        """Places beyond `waiting` for callers that have fewer requests under way than that."""
        return self.waiting // 4


class RequestQueue:
    """Requests under way. Those beyond `Limits.at_once` wait, and are taken in turns between callers."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._by_caller: Counter[str] = Counter()
        self._turns = Turns(lambda _: limits.at_once or math.inf)
        self._bodies = 0
        self._ended = asyncio.Event()
        self.draining = False

    @property
    def under_way(self) -> int:
        """Number of requests under way, those that wait included."""
        return self._by_caller.total()

    @asynccontextmanager
    async def place(self, caller: str) -> AsyncIterator[None]:
        """Hold a place for one request, and wait for its turn. Raises HTTP 503 or 429 with Retry-After if there is none."""
        self.check(caller)
        self._by_caller[caller] += 1
        try:
            async with self._turns.turn(caller):
                yield
        finally:
            self._by_caller[caller] -= 1
            if not self._by_caller[caller]:
                del self._by_caller[caller]
            self._ended.set()

    async def drain(self) -> None:
        """Refuse new requests and those that wait for their turn, and wait for the others."""
        self.draining = True
        self._turns.refuse(unavailable("the service is stopping: try again later"))
        while self.under_way:
            self._ended.clear()
            await self._ended.wait()

    @contextmanager
    def body(self, length: int | None) -> Iterator[None]:
        """Hold memory for the body of one request; a large body, or one of unknown length, is refused with HTTP 503 if there is none."""
        is_large = length is None or length > self._limits.small_body
        if is_large and self._bodies >= self._limits.waiting + self._limits.reserve:
            raise unavailable(f"{self._bodies} large requests are under way: try again soon")
        self._bodies += is_large
        try:
            yield
        finally:
            self._bodies -= is_large

    def check(self, caller: str) -> None:
        """Raise HTTP 503 or 429 with Retry-After if there is no place for a request of the caller."""
        if self.draining:
            raise unavailable("the service is stopping: try again later")
        under_way, own = self.under_way, self._by_caller[caller]
        if not own:
            del self._by_caller[caller]
        if under_way < self._limits.waiting:
            return
        if own < self._limits.reserve and under_way < self._limits.waiting + self._limits.reserve:
            return
        if own > self._limits.waiting // max(1, len(self._by_caller)):
            message = f"{own} of the {under_way} requests under way are yours: wait for some of them"
            raise web.HTTPTooManyRequests(text=message, headers={"Retry-After": RETRY_AFTER})
        raise unavailable(f"{under_way} pages are under way: try again soon")


def unavailable(why: str) -> web.HTTPServiceUnavailable:
    """Return the refusal of a request that may be sent again soon."""
    return web.HTTPServiceUnavailable(text=why, headers={"Retry-After": RETRY_AFTER})


BODY: web.RequestKey[bytes] = web.RequestKey("body", bytes)


async def read_body(request: web.Request, limits: Limits) -> bytes:
    """Return the decoded body of a request, or raise the HTTP error that refuses it, from its head alone if possible."""
    if BODY in request:
        return request[BODY]
    encoding = request.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in limits.encodings:
        raise web.HTTPUnsupportedMediaType(
            text=f"the Content-Encoding is {quoted(encoding)}: send the body as it is, or with gzip or deflate"
        )
    if (request.content_length or 0) > limits.body:
        raise _too_large(limits, request.content_length or 0)
    body = bytearray()
    begun = asyncio.get_running_loop().time()
    try:
        while True:
            async with asyncio.timeout_at(begun + limits.body_timeout + len(body) / limits.body_rate):
                piece = await request.content.readany()
            if not piece:
                break
            body += piece
            if len(body) > limits.body:
                raise _too_large(limits, len(body))
    except TimeoutError as error:
        rate = limits.body_rate / 1024
        message = f"the body comes too slowly: send {rate:g} KiB per second after the first {limits.body_timeout:g} s"
        raise web.HTTPRequestTimeout(text=message) from error
    except (web.RequestPayloadError, HttpProcessingError) as error:
        raise Rejected("the body cannot be decoded: it is cut short, or not what its Content-Encoding declares") from error
    request[BODY] = bytes(body)
    return request[BODY]


def _too_large(limits: Limits, size: int) -> web.HTTPRequestEntityTooLarge:
    return web.HTTPRequestEntityTooLarge(limits.body, size, text=f"a body has at most {limits.body} bytes")


def check_json(request: web.Request) -> None:
    """Raise HTTP 415 unless the body is declared as JSON in UTF-8."""
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType(text="send JSON, with Content-Type: application/json")
    if request.charset and request.charset.lower() not in ("utf-8", "utf8"):
        raise web.HTTPUnsupportedMediaType(text=f"the charset is {quoted(request.charset)}, and JSON is in UTF-8: send it so")
