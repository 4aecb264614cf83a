"""Webhooks: signed POST requests to a caller's address, through the same egress check as pages, tried again when they fail."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Self

import aiohttp

from sightread.render.errors import Retryable, SightreadError
from sightread.render.network.address import check_url, shown
from sightread.render.network.egress import PUBLIC, Boundary, Egress
from sightread.render.network.http import PRODUCT, PROXY_STATUSES, encoded_url
from sightread.render.network.proxy import Proxy

LOG = logging.getLogger(__name__)
TIMEOUT = aiohttp.ClientTimeout(total=10, connect=5)
"""Seconds for one try."""
PAUSES = (1.0, 5.0, 30.0)
"""Seconds before each further try."""
MOST_WAITING = 1000
"""Deliveries under way; beyond that the oldest are given up, so that a dead receiver costs a bounded amount of memory."""
SECRET_SETTING = "SIGHTREAD_WEBHOOK_SECRET"  # noqa: S105  (the name of one)
"""Environment variable with the key of the signatures."""
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


def signature(body: bytes, secret: str) -> str:
    """Return `sha256=` and the HMAC-SHA-256 of the body, in hexadecimal."""
    return f"sha256={hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()}"


class Webhooks:
    """Delivers webhooks in the background; an async context manager, whose end discards undelivered webhooks."""

    def __init__(self, egress: Egress = PUBLIC) -> None:
        self._boundary = Boundary(egress)
        self._proxy = Proxy(self._boundary)
        self._session: aiohttp.ClientSession | None = None
        self._tasks: dict[asyncio.Task[None], None] = {}
        self._last: dict[str, asyncio.Task[None]] = {}
        """The last delivery to each URL, which the next one waits for."""

    async def __aenter__(self) -> Self:
        """Start the proxy through which everything is sent."""
        await self._proxy.__aenter__()
        self._session = aiohttp.ClientSession(timeout=TIMEOUT, headers={"User-Agent": PRODUCT}, cookie_jar=aiohttp.DummyCookieJar())
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()
        await self._proxy.__aexit__(None, None, None)

    async def check(self, url: str) -> None:
        """Raise `Rejected`, or `Private`, for an address to which nothing would be delivered."""
        await self._boundary.admit(url)

    def deliver(self, url: str, body: bytes, headers: Mapping[str, str] = _NO_HEADERS) -> None:
        """Deliver JSON to a URL in the background, with three further tries.

        What is delivered to one URL arrives in order. Failures are logged: a receiver that is gone stops no job.
        """
        if len(self._tasks) >= MOST_WAITING:
            next(iter(self._tasks)).cancel()
        task = asyncio.create_task(self._deliver(url, body, {**headers, "Content-Type": "application/json"}, self._last.get(url)))
        self._tasks[task] = None
        self._last[url] = task
        task.add_done_callback(lambda done: self._forget(url, done))

    @property
    def under_way(self) -> int:
        """Number of deliveries that have neither arrived nor been given up."""
        return len(self._tasks)

    def _forget(self, url: str, done: asyncio.Task[None]) -> None:
        self._tasks.pop(done, None)
        if self._last.get(url) is done:
            del self._last[url]

    async def _deliver(self, url: str, body: bytes, headers: Mapping[str, str], before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        for pause in (0.0, *PAUSES):
            await asyncio.sleep(pause)
            try:
                return await self._post(url, body, headers)
            except Retryable as error:
                LOG.warning("webhook not delivered: %s", error)
            except SightreadError as error:
                return LOG.warning("webhook refused: %s", error)
        LOG.warning("webhook given up after %d tries: %s", len(PAUSES) + 1, shown(url))
        return None

    async def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        assert self._session is not None
        await self._boundary.admit(url)
        target = check_url(url)
        try:
            async with self._session.post(
                encoded_url(target.href), data=body, headers=headers, proxy=self._proxy.url, allow_redirects=False
            ) as answer:
                if answer.status in PROXY_STATUSES and (failure := self._proxy.failure(target.host, target.port, url)):
                    raise failure
                if answer.status >= 300:
                    raise Retryable(f"{target.href}: HTTP status {answer.status}")
        except TimeoutError as error:
            raise Retryable(f"{target.href}: no answer within {TIMEOUT.total:g} s") from error
        except aiohttp.ClientError as error:
            raise Retryable(f"{target.href}: {str(error) or type(error).__name__}") from error
