"""The listening process of the service: validates requests, forwards them to the worker, answers `/healthz`."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Self

import aiohttp
import msgspec
from aiohttp import web

from sightread.render.errors import SightreadError, Unequipped
from sightread.render.network.http import encoded_url
from sightread.server.access.gate import CALLER, GatePolicy, forwarded_headers
from sightread.server.access.limits import Limits, read_body, unavailable
from sightread.server.metrics import inject
from sightread.server.process.front import Front
from sightread.server.process.worker import HANG_SECONDS, START_TIMEOUT, Worker
from sightread.server.routes.table import Route

POLL_SECONDS = 0.5
"""Seconds between two health checks of the worker."""
_WORKER = "http://worker"
_OF_THE_CONNECTION = frozenset(("connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "date", "server"))
"""Headers that are not forwarded: each connection has its own (RFC 9110, section 7.6.1)."""
_OWN_HEADERS = _OF_THE_CONNECTION | {
    "host",
    "content-length",
    "content-encoding",
    "expect",
    "authorization",
}
"""Headers of a request that the worker does not get, or gets from the listening process."""


class Listener:
    """Forwards requests to a worker; an async context manager that waits until the worker listens."""

    def __init__(
        self,
        worker: Worker,
        limits: Limits = Limits(),  # noqa: B008  (frozen)
        policy: GatePolicy = GatePolicy(),  # noqa: B008  (frozen)
        public_url: str = "",
        routes: Sequence[Route] = (),
    ) -> None:
        """`public_url` is the origin by which clients reach the service, if that is not the Host of their requests by HTTP.

        `routes` are those that are forwarded.
        """
        self._worker = worker
        self._limits = limits
        self._front = Front(limits, policy, self._known)
        self._public_url = public_url
        self._routes = routes
        self._session: aiohttp.ClientSession | None = None
        self._watching: asyncio.Task[None] | None = None
        self._draining = False
        self._health: dict[str, Any] = {}
        self._well_at = 0.0
        """Time of the worker's last response without a page beyond its deadline, by the event loop's clock."""

    async def __aenter__(self) -> Self:
        """Wait for the worker. Raises the error that keeps it from starting."""
        self._session = aiohttp.ClientSession(connector=aiohttp.UnixConnector(str(self._worker.socket), limit=0))
        try:
            await self._wait_for_worker()
        except BaseException:
            await self._session.close()
            raise
        self._watching = asyncio.create_task(self._watch())
        return self

    async def _wait_for_worker(self) -> None:
        ends = asyncio.get_running_loop().time() + START_TIMEOUT
        while not await self._look():
            self._worker.check()
            if asyncio.get_running_loop().time() > ends:
                raise Unequipped(f"the service's worker process did not start within {START_TIMEOUT:g} s: start it again")
            await asyncio.sleep(0.05)

    async def __aexit__(self, *_: object) -> None:
        if self._watching:
            self._watching.cancel()
            with suppress(asyncio.CancelledError, SightreadError):
                await self._watching
        if self._session:
            await self._session.close()

    async def failure(self) -> None:
        """Wait for ever, or raise the error for which the worker cannot be kept running."""
        assert self._watching is not None
        await asyncio.shield(self._watching)

    def app(self) -> web.Application:
        """Return the listener as an aiohttp application."""
        return self._front.app(self._routes, lambda _: self._forward)

    async def drain(self) -> None:
        """Refuse new requests; wait for those under way, which end within their deadlines."""
        self._draining = True
        self._worker.drain()
        await self._front.queue.drain()

    async def _forward(self, request: web.Request) -> web.StreamResponse:
        """Send a request that has passed the gate to the worker, with the caller's name, and its answer to the caller."""
        assert self._session is not None
        body = await read_body(request, self._limits)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in _OWN_HEADERS}
        headers |= forwarded_headers(request[CALLER], self._public_url or f"http://{request.host}")
        inject(headers)
        never = aiohttp.ClientTimeout(total=None)  # the worker has the deadlines; one that hangs is killed
        url = encoded_url(f"{_WORKER}{request.rel_url.raw_path_qs}")
        data = io.BytesIO(body) if body else None
        response: web.StreamResponse | None = None
        try:
            async with self._session.request(
                request.method, url, data=data, headers=headers, timeout=never, allow_redirects=False
            ) as answer:
                kept = {name: value for name, value in answer.headers.items() if name.lower() not in _OF_THE_CONNECTION}
                response = web.StreamResponse(status=answer.status, headers=kept)
                await response.prepare(request)
                async for piece in answer.content.iter_any():
                    await response.write(piece)
                await response.write_eof()
                return response
        except aiohttp.ClientError as error:
            if response is not None and response.prepared:  # what was sent cannot be taken back: the caller sees it is cut short
                if request.transport is not None:
                    request.transport.abort()
                return response
            raise unavailable("the worker process ended while it had the page, and is replaced: try again") from error

    def _known(self) -> dict[str, Any]:
        """Return the last health check of the worker, which may be some seconds old."""
        age = asyncio.get_running_loop().time() - self._well_at
        status = "stopping" if self._draining else "ok" if age < HANG_SECONDS else "stuck"
        return self._health | {"status": status, "worker_seen_s": round(age, 1)}

    async def _watch(self) -> None:
        """Check the worker's health repeatedly; its keeper replaces one that hangs. Raises as `Worker.check`."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            if not await self._look():
                self._worker.check()

    async def _look(self) -> bool:
        """Request the worker's health; False if it does not respond."""
        assert self._session is not None
        try:
            async with self._session.get(f"{_WORKER}/healthz", timeout=aiohttp.ClientTimeout(total=HANG_SECONDS)) as answer:
                self._health = msgspec.json.decode(await answer.read(), type=dict[str, Any])
        except aiohttp.ClientConnectorError:  # it has ended
            self._health.pop("process", None)
            return False
        except (aiohttp.ClientError, TimeoutError, msgspec.DecodeError):
            return False
        if not self._health.get("overdue"):
            self._well_at = asyncio.get_running_loop().time()
        return True
