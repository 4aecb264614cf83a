"""A small HTTP client for robots.txt and sitemaps: capped in bytes, seconds and redirects."""

from __future__ import annotations

import zlib
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import urljoin

import aiohttp

from crawler.urls import normalize
from crawler.version import USER_AGENT
from render.errors import PageFailed, Retryable, Unusable

CAP = 20_000_000
"""Decoded bytes of one answer."""
REDIRECTS = 10
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

    Sends no cookies, follows redirects only to http and https, and inflates by itself, because a small answer may decode to gigabytes.
    """

    def __init__(self, cap: int = CAP) -> None:
        self._cap = cap
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            timeout=TIMEOUT,
            headers={"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"},
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
        )
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def get(self, url: str) -> Fetched:
        """Fetch a normal URL; a status of 4xx or 5xx is an answer like any other.

        Raises `Retryable` where no answer came, `Unusable` for one beyond the caps or a redirect that leads nowhere.
        """
        if self._session is None:
            raise RuntimeError("the fetcher is not open: enter its `async with` block first")
        target = url
        for _ in range(REDIRECTS + 1):
            try:
                async with self._session.get(target, allow_redirects=False) as answer:
                    location = answer.headers.get("Location", "")
                    if answer.status not in (301, 302, 303, 307, 308) or not location:
                        body = await self._body(answer, target)
                        return Fetched(target, answer.status, body)
            except TimeoutError as error:
                raise Retryable(f"{target}: no answer within {TIMEOUT.total:.0f} s: try again later") from error
            except aiohttp.ClientError as error:
                raise _connection_failure(target, error) from error
            onward = normalize(urljoin(target, location))
            if onward is None:
                raise Unusable(f"{target}: redirects to {location[:200]!r}, which is no web address")
            target = onward
        raise Unusable(f"{url}: more than {REDIRECTS} redirects")

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

    Raises `Unusable` beyond the cap and for data that is not gzip.
    """
    decoded = bytearray()
    while data[:2] == b"\x1f\x8b":
        member = zlib.decompressobj(16 + zlib.MAX_WBITS)
        try:
            decoded += member.decompress(data, cap + 1 - len(decoded))
        except zlib.error as error:
            raise Unusable(f"{url}: damaged gzip data: {error}") from error
        if len(decoded) > cap:
            raise Unusable(f"{url}: larger than {cap} bytes when decompressed")
        data = member.unused_data
    if not decoded and data:
        raise Unusable(f"{url}: said to be gzip, and is not")
    return bytes(decoded)


def _connection_failure(url: str, error: aiohttp.ClientError) -> PageFailed:
    match error:
        case aiohttp.ClientConnectorDNSError():
            return Retryable(f"{url}: the name does not resolve: check it, or the network")
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return Unusable(f"{url}: no secure connection: {error}")
        case aiohttp.ClientConnectorError():
            return Retryable(f"{url}: cannot connect: {error.strerror or error}: check the address, or try again later")
        case _:
            return Retryable(f"{url}: the connection failed: {str(error) or type(error).__name__}: try again later")
