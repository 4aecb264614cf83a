"""A small HTTP client for robots.txt and sitemaps: capped in bytes, seconds and redirects, and behind the egress boundary."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from types import TracebackType
from typing import NamedTuple, Self

import aiohttp

from sightread.crawler.urls import normalize
from sightread.render.archives.decoding import MOST_DECODED, decode_body
from sightread.render.errors import PageFailed, Private, Retryable, Unusable, quoted
from sightread.render.network.address import check_url, join_url
from sightread.render.network.egress import PUBLIC, Boundary, Egress
from sightread.render.network.http import MOST_REDIRECTS, PROXY_STATUSES, REDIRECT_STATUSES, encoded_url
from sightread.render.network.proxy import Proxy
from sightread.render.network.version import PRODUCT

TIMEOUT = aiohttp.ClientTimeout(total=20, connect=10)
"""Seconds for one answer and for one connection."""
_CHUNK = 65_536


class Fetched(NamedTuple):
    """An HTTP answer of any status, after its redirects; the body is decoded."""

    url: str
    status: int
    body: bytes


class Fetcher:
    """An HTTP client; an async context manager, and use outside its block raises `RuntimeError`.

    All of it goes through a `Proxy` of its own, under the same rules as the pages of a browser. Sends no cookies, follows redirects only
    to http and https, and inflates by itself, because a small answer may decode to gigabytes.
    """

    def __init__(self, egress: Egress = PUBLIC, cap: int = MOST_DECODED) -> None:
        self._cap = cap
        self._boundary = Boundary(egress)
        self._proxy = Proxy(self._boundary)
        self._open = AsyncExitStack()
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        await self._open.enter_async_context(self._proxy)
        self._session = await self._open.enter_async_context(
            aiohttp.ClientSession(
                timeout=TIMEOUT,
                headers={"User-Agent": PRODUCT, "Accept-Encoding": "gzip"},
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
            )
        )
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._session = None
        await self._open.aclose()

    async def get(self, url: str) -> Fetched:
        """Fetch a normal URL; a status of 4xx or 5xx is an answer like any other.

        Raises `Retryable` if no answer came, `Unusable` for one beyond the caps or a redirect that leads nowhere, and `Private` for an
        address that only `Egress(local=True)` allows.
        """
        if self._session is None:
            raise RuntimeError("the fetcher is not open: enter its `async with` block first")
        target = url
        for _ in range(MOST_REDIRECTS + 1):
            await self._admit(target, url)
            try:
                async with self._session.get(encoded_url(target), allow_redirects=False, proxy=self._proxy.url) as answer:
                    if answer.status in PROXY_STATUSES and (failure := self._failure(target)):
                        raise failure
                    location = answer.headers.get("Location", "")
                    if answer.status not in REDIRECT_STATUSES or not location:
                        body = await self._body(answer, target)
                        return Fetched(target, answer.status, body)
            except TimeoutError as error:
                raise Retryable(f"{target}: no answer within {TIMEOUT.total:.0f} s: try again later") from error
            except aiohttp.ClientError as error:
                raise self._failure(target) or _connection_failure(target, error) from error
            onward = normalize(join_url(target, location))
            if onward is None:
                raise Unusable(f"{target}: redirects to {quoted(location, 200)}, which is no web address")
            target = onward
        raise Unusable(f"{url}: more than {MOST_REDIRECTS} redirects")

    async def _admit(self, target: str, url: str) -> None:
        """Check where a request leads; a redirect to a private address is the fault of the site."""
        try:
            await self._boundary.admit(target)
        except Private as error:
            if target == url:
                raise
            raise Unusable(f"{url}: redirects to {error}") from error

    def _failure(self, target: str) -> PageFailed | None:
        address = check_url(target)
        return self._proxy.failure(address.host, address.port, target)

    async def _body(self, answer: aiohttp.ClientResponse, url: str) -> bytes:
        encoding = answer.headers.get("Content-Encoding", "").strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise Unusable(f"{url}: content encoding {quoted(encoding, 40)}, which was not requested")
        body = bytearray()
        async for chunk in answer.content.iter_chunked(_CHUNK):
            body += chunk
            if len(body) > self._cap:
                raise Unusable(f"{url}: larger than {self._cap} bytes")
        return await asyncio.to_thread(decode, bytes(body), encoding, url, self._cap)


def decode(body: bytes, encoding: str, url: str, cap: int = MOST_DECODED) -> bytes:
    """Return a body without its content encoding. Raises `Unusable` for more than `cap` decoded bytes."""
    try:
        return decode_body(body, "", encoding, cap)
    except Unusable as error:
        raise Unusable(f"{url}: {error}") from error


def _connection_failure(url: str, error: aiohttp.ClientError) -> PageFailed:
    match error:
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return Unusable(f"{url}: no secure connection: {error}")
        case _:
            return Retryable(f"{url}: the connection failed: {str(error) or type(error).__name__}: try again later")
