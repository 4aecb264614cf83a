"""Limits of the service, and the queue of its requests: bounded, and fair between callers."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from sightread.render.browser.limiter import Turns
from sightread.render.errors import Rejected, quoted

MEGABYTE = 1024 * 1024
RETRY_AFTER = "2"
"""Seconds after which a refused client may retry."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of requests."""

    body: int = 10 * MEGABYTE
    """Bytes of a request."""
    body_timeout: float = 10.0
    """Seconds in which the body must arrive, and as much longer as it takes at `body_rate`; the longest pause, and wait for memory."""
    body_rate: float = 128 * 1024
    """Bytes per second: 1 Mbit/s."""
    body_memory: int = 64 * MEGABYTE
    """Bytes of the bodies of all requests under way."""
    waiting: int = 32
    """Most requests under way, those that wait for a tab included; one more is refused, unless it is of a caller with few of them."""
    at_once: int = 0
    """Requests that are forwarded to the browser at once, in turns between callers; 0 for all. There are half as many more for callers
    with none: what others have begun may take minutes."""
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
        self._turns = Turns(lambda _: limits.at_once or math.inf, reserve=limits.at_once // 2)
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
"""The body of a request of the service, which was read with memory held for it."""
_READ_BYTES = 262_144
"""Of a body that is read; of others much less is received (`runner_of`)."""


class BodyMemory:
    """Memory for the bodies of requests under way.

    It is reserved for the whole body before the first byte is read, so that no two bodies wait for each other. A caller holds at most as
    much as is left free then, so that there is always room for other callers. A body without room is not read: its sender waits.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held: Counter[str] = Counter()
        self._waiting: list[tuple[str, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def body(self, request: web.Request, caller: str) -> AsyncIterator[None]:
        """Read the body of a request, and hold memory for it. Raises as `read_body`, and HTTP 429 or 503 if there is no room in time."""
        if not request.body_exists:
            yield
            return
        size = _reserved_bytes(request, self._limits)
        await self._take(caller, size)
        try:
            length = len(await read_body(request, self._limits))
            self._give(caller, size - length)
            size = length
            yield
        finally:
            self._give(caller, size)

    async def _take(self, caller: str, size: int) -> None:
        room: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = caller, size, room
        self._waiting.append(waiting)
        self._admit()
        try:
            async with asyncio.timeout(self._limits.body_timeout):
                await room
        except BaseException as error:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self._give(caller, size)
            if not isinstance(error, TimeoutError):
                raise
            own = self._held[caller] / MEGABYTE
            if not own:
                raise unavailable("the bodies of other requests take all memory: try again soon") from error
            message = f"the bodies of your requests under way take {own:.1f} MiB of memory: wait for some of them"
            raise web.HTTPTooManyRequests(text=message, headers={"Retry-After": RETRY_AFTER}) from error

    def _give(self, caller: str, size: int) -> None:
        self._held[caller] -= size
        if not self._held[caller]:
            del self._held[caller]
        self._admit()

    def _admit(self) -> None:
        """Reserve memory for those of the waiting requests that have room; small ones do not wait for large ones before them."""
        free = self._limits.body_memory - self._held.total()
        for waiting in list(self._waiting):
            caller, size, room = waiting
            if self._held[caller] + size <= free - size:
                self._waiting.remove(waiting)
                self._held[caller] += size
                free -= size
                if not room.done():
                    room.set_result(None)


def _reserved_bytes(request: web.Request, limits: Limits) -> int:
    """Return how many bytes the decoded body has at most, or raise the HTTP error that refuses it from its head alone."""
    encoding = request.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in limits.encodings:
        raise web.HTTPUnsupportedMediaType(
            text=f"the Content-Encoding is {quoted(encoding)}: send the body as it is, or with gzip or deflate"
        )
    length = request.content_length
    if (length or 0) > limits.body:
        raise _too_large(limits, length or 0)
    return limits.body if length is None or encoding not in ("", "identity") else length


async def read_body(request: web.Request, limits: Limits) -> bytes:
    """Return the decoded body of a request, or raise the HTTP error that refuses it, from its head alone if possible."""
    if BODY in request:
        return request[BODY]
    _reserved_bytes(request, limits)
    request.content.set_read_chunk_size(_READ_BYTES)
    body = bytearray()
    loop = asyncio.get_running_loop()
    begun = loop.time()
    try:
        while True:
            async with asyncio.timeout_at(min(loop.time(), begun + len(body) / limits.body_rate) + limits.body_timeout):
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
