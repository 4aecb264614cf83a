"""Limits of the service, and the queue of its requests: bounded, and fair between callers."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web

from sightread.render.browser.limiter import Turns

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
