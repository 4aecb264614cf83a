"""The listening process of the service: validates requests, forwards them to the worker, answers `/healthz`."""

from __future__ import annotations

import asyncio
import io
import os
import signal
from contextlib import suppress
from typing import Any, Self

import aiohttp
import msgspec
from aiohttp import web

from render.errors import Unequipped
from sightread.server.http import RETRY_AFTER, bearing, errors_as_json, under_own_name
from sightread.server.service import Limits, read_body
from sightread.server.worker import Worker

POLL = 0.5
"""Seconds between two health checks of the worker."""
START_PATIENCE = 60.0
"""Seconds until a worker listens; its browser takes one, on a loaded machine ten."""
HANG_SECONDS = 60.0
"""Seconds without a response of the worker, or with a page beyond its deadline, after which the worker is killed and replaced."""
_PIECE = 1 << 16
_WORKER = "http://worker"


class Listener:
    """Forwards requests to a worker; an async context manager that waits until the worker listens."""

    def __init__(self, worker: Worker, limits: Limits = Limits(), token: str = "") -> None:  # noqa: B008  (frozen)
        """`token` is required as `Authorization: Bearer TOKEN`; without one, the service responds under its loopback name only."""
        self._worker = worker
        self._limits = limits
        self._guard = bearing(token) if token else under_own_name
        self._session: aiohttp.ClientSession | None = None
        self._watching: asyncio.Task[None] | None = None
        self._under_way = 0
        self._answered = asyncio.Event()
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
        ends = asyncio.get_running_loop().time() + START_PATIENCE
        while not await self._look():
            self._worker.check()
            if asyncio.get_running_loop().time() > ends:
                raise Unequipped(f"the service's worker process did not start within {START_PATIENCE:g} s: start it again")
            await asyncio.sleep(0.05)

    async def __aexit__(self, *_: object) -> None:
        if self._watching:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
        if self._session:
            await self._session.close()

    def app(self) -> web.Application:
        """Return the listener as an aiohttp application."""
        app = web.Application(middlewares=[errors_as_json, self._guard], client_max_size=self._limits.body)
        app.router.add_post("/v1/extract", self._extract)
        app.router.add_get("/healthz", self._healthz)
        return app

    async def drain(self) -> None:
        """Refuse new requests; wait for those under way, which end within their deadlines."""
        self._draining = True
        self._worker.drain()
        while self._under_way:
            self._answered.clear()
            await self._answered.wait()

    async def _extract(self, request: web.Request) -> web.StreamResponse:
        if self._draining:
            raise _unavailable("the service is stopping: try again later")
        if self._under_way >= self._limits.waiting:
            raise _unavailable(f"{self._under_way} pages are under way: try again soon")
        self._under_way += 1
        try:
            return await self._forward(request, await read_body(request, self._limits))
        finally:
            self._under_way -= 1
            self._answered.set()

    async def _forward(self, request: web.Request, body: bytes) -> web.StreamResponse:
        assert self._session is not None
        headers = {"Content-Type": "application/json"}
        never = aiohttp.ClientTimeout(total=None)  # the worker has the deadlines; one that hangs is killed
        try:
            async with self._session.post(f"{_WORKER}/v1/extract", data=io.BytesIO(body), headers=headers, timeout=never) as answer:
                kept = {name: value for name in ("Retry-After", "Content-Length") if (value := answer.headers.get(name))}
                response = web.StreamResponse(status=answer.status, headers=kept)
                response.content_type = "application/json"
                await response.prepare(request)
                async for piece in answer.content.iter_chunked(_PIECE):
                    await response.write(piece)
                await response.write_eof()
                return response
        except aiohttp.ClientConnectionError as error:
            raise _unavailable("the worker process ended while it had the page, and is replaced: try again") from error

    async def _healthz(self, request: web.Request) -> web.Response:
        """Respond with figures alone, no names or addresses, from the last health check of the worker, which may be some seconds old."""
        age = asyncio.get_running_loop().time() - self._well_at
        status = "stopping" if self._draining else "ok" if age < HANG_SECONDS else "stuck"
        known = {"status": status, "under_way": self._under_way, "waiting_limit": self._limits.waiting}
        answer = self._health | known | {"worker_seen_s": round(age, 1)}
        return web.Response(status=200 if status == "ok" else 503, body=msgspec.json.encode(answer), content_type="application/json")

    async def _watch(self) -> None:
        """Check the worker's health repeatedly, and kill a worker that hangs: its keeper starts another."""
        while True:
            await asyncio.sleep(POLL)
            await self._look()
            if asyncio.get_running_loop().time() - self._well_at > HANG_SECONDS and (process := self._health.get("process")):
                self._well_at = asyncio.get_running_loop().time()
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    async def _look(self) -> bool:
        """Request the worker's health; False if it does not respond."""
        assert self._session is not None
        try:
            async with self._session.get(f"{_WORKER}/healthz", timeout=aiohttp.ClientTimeout(total=HANG_SECONDS)) as answer:
                self._health = msgspec.json.decode(await answer.read(), type=dict[str, Any])
        except aiohttp.ClientConnectorError:  # it has ended, and its process id may be another's by now
            self._health.pop("process", None)
            return False
        except (aiohttp.ClientError, TimeoutError, msgspec.DecodeError):
            return False
        if not self._health.get("overdue"):
            self._well_at = asyncio.get_running_loop().time()
        return True


def _unavailable(why: str) -> web.HTTPServiceUnavailable:
    return web.HTTPServiceUnavailable(text=why, headers={"Retry-After": RETRY_AFTER})
