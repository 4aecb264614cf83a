"""Limits of the service, and the queue of its requests: bounded, and fair between callers."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from aiohttp import web

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
        self._active = 0
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
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
            await self._turn(caller)
            try:
                yield
            finally:
                self._next()
        finally:
            self._by_caller[caller] -= 1
            if not self._by_caller[caller]:
                del self._by_caller[caller]
            self._ended.set()

    async def drain(self) -> None:
        """Refuse new requests and those that wait for their turn, and wait for the others."""
        self.draining = True
        for queue in self._waiting.values():
            for turn in queue:
                if not turn.done():
                    turn.set_exception(unavailable("the service is stopping: try again later"))
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

    async def _turn(self, caller: str) -> None:
        if not self._limits.at_once or self._active < self._limits.at_once:
            self._active += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(turn)
        try:
            await turn
        except BaseException:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._next()  # its turn had come
            else:
                self._leave(caller, turn)
            raise

    def _leave(self, caller: str, turn: asyncio.Future[None]) -> None:
        queue = self._waiting.get(caller)
        if queue is not None:
            with suppress(ValueError):
                queue.remove(turn)
            if not queue:
                del self._waiting[caller]

    def _next(self) -> None:
        """Pass the turn on to the next caller that waits."""
        while self._waiting:
            caller, queue = next(iter(self._waiting.items()))
            turn = queue.popleft()
            if queue:
                self._waiting.move_to_end(caller)
            else:
                del self._waiting[caller]
            if not turn.done():
                turn.set_result(None)
                return
        self._active -= 1


def unavailable(why: str) -> web.HTTPServiceUnavailable:
    """Return the refusal of a request that may be sent again soon."""
    return web.HTTPServiceUnavailable(text=why, headers={"Retry-After": RETRY_AFTER})
