"""A small HTTP client for robots.txt and sitemaps: capped in bytes, seconds and redirects, and behind the egress boundary."""

from __future__ import annotations

import zlib
from contextlib import AsyncExitStack
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import urljoin

import aiohttp
from yarl import URL

from crawler.urls import normalize
from crawler.version import USER_AGENT
from render.errors import PageFailed, Private, Retryable, Unusable
from render.network.address import check_url
from render.network.egress import PUBLIC, Boundary, Egress
from render.network.proxy import Proxy

CAP = 20_000_000
"""Decoded bytes of one answer."""
MEMBERS = 100
"""Gzip files in a row that make one; real ones have one, and a million empty ones in 20 MB took time with the square of their number."""
REDIRECTS = 10
TIMEOUT = aiohttp.ClientTimeout(total=20, connect=10)
"""Seconds for one answer and for one connection."""
PROXY_STATUSES = (403, 502)
"""Status codes by which our proxy reports that it did not connect; a server may send them too."""
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

    def __init__(self, egress: Egress = PUBLIC, cap: int = CAP) -> None:
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
                headers={"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"},
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
        for _ in range(REDIRECTS + 1):
            await self._admit(target, url)
            try:
                async with self._session.get(URL(target, encoded=True), allow_redirects=False, proxy=self._proxy.url) as answer:
                    if answer.status in PROXY_STATUSES and (failure := self._failure(target)):
                        raise failure
                    location = answer.headers.get("Location", "")
                    if answer.status not in (301, 302, 303, 307, 308) or not location:
                        body = await self._body(answer, target)
                        return Fetched(target, answer.status, body)
            except TimeoutError as error:
                raise Retryable(f"{target}: no answer within {TIMEOUT.total:.0f} s: try again later") from error
            except aiohttp.ClientError as error:
                raise self._failure(target) or _connection_failure(target, error) from error
            onward = normalize(urljoin(target, location))
            if onward is None:
                raise Unusable(f"{target}: redirects to {location[:200]!r}, which is no web address")
            target = onward
        raise Unusable(f"{url}: more than {REDIRECTS} redirects")

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
            raise Unusable(f"{url}: content encoding {encoding[:40]!r}, which was not asked for")
        body = bytearray()
        async for chunk in answer.content.iter_chunked(_CHUNK):
            body += chunk
            if len(body) > self._cap:
                raise Unusable(f"{url}: larger than {self._cap} bytes")
        return inflate(bytes(body), url, self._cap) if encoding.endswith("gzip") else bytes(body)


def inflate(data: bytes, url: str, cap: int = CAP) -> bytes:
    """Decompress gzip data of up to `cap` decoded bytes; what breaks off early gives what there is.

    Raises `Unusable` beyond the caps and for data that is not gzip.
    """
    decoded = bytearray()
    members = 0
    while data[:2] == b"\x1f\x8b":
        members += 1
        if members > MEMBERS:
            raise Unusable(f"{url}: more than {MEMBERS} gzip files in one")
        member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            decoded += member.decompress(data, cap + 1 - len(decoded))
        except zlib.error as error:
            raise Unusable(f"{url}: damaged gzip data: {error}") from error
        if len(decoded) > cap:
            raise Unusable(f"{url}: larger than {cap} bytes when decompressed")
        data = member.unused_data
    if not decoded and data:
        raise Unusable(f"{url}: declared as gzip, and is not")
    return bytes(decoded)


def _connection_failure(url: str, error: aiohttp.ClientError) -> PageFailed:
    match error:
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return Unusable(f"{url}: no secure connection: {error}")
        case _:
            return Retryable(f"{url}: the connection failed: {str(error) or type(error).__name__}: try again later")
