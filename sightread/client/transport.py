"""Requests to the service: sent again when it is busy, its errors raised as those of `Reader`."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

import aiohttp
import msgspec

import sightread.render.errors
from sightread.render.errors import Rejected, Retryable, SightreadError
from sightread.render.network.address import host_of, join_url
from sightread.render.network.http import PRODUCT, encoded_url
from sightread.server.observe.metrics import inject
from sightread.server.schema.answers import ErrorAnswer

LOCAL_SERVICE = "http://127.0.0.1:8412"
BUSY = (429, 503)
"""HTTP statuses of a request that may be sent again."""
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When a request is sent again: after Retry-After, else after a pause that doubles, with a random part so that callers spread."""

    tries: int = 5
    first_pause: float = 0.5
    """Seconds."""
    longest_pause: float = 30.0
    """Seconds; the service's Retry-After is cut to it too."""

    def pause(self, attempt: int, retry_after: str = "") -> float:
        """Return the seconds before the next try; `attempt` counts from 0."""
        if retry_after.isascii() and retry_after.isdigit():
            return min(float(retry_after), self.longest_pause) * random.uniform(1.0, 1.25)  # noqa: S311  (no secret)
        return min(self.first_pause * 2.0**attempt, self.longest_pause) * random.uniform(0.5, 1.0)  # noqa: S311


def service_url(text: str) -> str:
    """Return the base URL of a service, with a slash at its end. Raises `Rejected` for anything else."""
    url = join_url(text.rstrip("/") + "/", "") if isinstance(text, str) else ""
    if not host_of(url) or "?" in text or "#" in text:
        guess = f"http://{text}" if isinstance(text, str) and re.fullmatch(r"[\w.-]+(:\d+)?", text) else LOCAL_SERVICE
        raise Rejected(f"{text!r:.100} is not the URL of a service: give one such as {guess}")
    return url


class Transport:
    """Sends requests to one service; open until `close`."""

    def __init__(self, url: str, token: str, timeout: float, retry: RetryPolicy) -> None:
        self._base = service_url(url)
        self._retry = retry
        headers = {"User-Agent": PRODUCT} | ({"Authorization": f"Bearer {token}"} if token else {})
        limits = aiohttp.ClientTimeout(total=None, connect=10, sock_read=timeout)
        self._session = aiohttp.ClientSession(headers=headers, timeout=limits, cookie_jar=aiohttp.DummyCookieJar())

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()

    async def json(self, method: str, path: str, body: object = None, headers: Mapping[str, str] = _NO_HEADERS) -> bytes:
        """Return the body of the answer. Raises the error that the service answers with, `Retryable` if there is no answer."""
        async with self.stream(method, path, body, headers) as answer:
            try:
                return await answer.read()
            except (aiohttp.ClientError, TimeoutError) as error:
                raise Retryable(f"{self._base}: the answer is cut short: {error}: try again") from error

    @asynccontextmanager
    async def stream(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] = _NO_HEADERS
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Yield the answer, whose body is still to come. Raises as `json`."""
        answer = await self._send(method, path, body, headers)
        try:
            yield answer
        finally:
            answer.release()

    async def _send(self, method: str, path: str, body: object, headers: Mapping[str, str]) -> aiohttp.ClientResponse:
        sent = dict(headers)
        inject(sent)
        data = None if body is None else msgspec.json.encode(body)
        if data is not None:
            sent["Content-Type"] = "application/json"
        failure: SightreadError | None = None
        for attempt in range(self._retry.tries):
            retry_after = ""
            try:
                answer = await self._session.request(
                    method, encoded_url(join_url(self._base, path)), data=data, headers=sent, allow_redirects=False
                )
                if answer.status < 400:
                    return answer
                failure = _error(answer.status, await answer.read())
                if answer.status not in BUSY:
                    raise failure
                retry_after = answer.headers.get("Retry-After", "")
            except (aiohttp.ClientError, TimeoutError) as error:
                failure = Retryable(f"{self._base}: no answer: {error or type(error).__name__}: is the service running?")
                failure.__cause__ = error
            if attempt + 1 < self._retry.tries:
                await asyncio.sleep(self._retry.pause(attempt, retry_after))
        assert failure is not None
        raise failure


def _error(status: int, body: bytes) -> SightreadError:
    """Return the error that an answer describes: of the class that it names, else of that which its status means."""
    try:
        found = msgspec.json.decode(body, type=ErrorAnswer).error
        kind, message = found.kind, found.message
    except (msgspec.DecodeError, UnicodeDecodeError):
        kind, message = "", f"HTTP status {status}, and no error of sightread: is this the address of a service?"
    named = getattr(sightread.render.errors, kind, None)
    if isinstance(named, type) and issubclass(named, SightreadError):
        return named(message)
    if status in BUSY:
        return Retryable(message)
    return Rejected(message) if status < 500 else SightreadError(message)
