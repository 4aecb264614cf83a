"""Requests for the files of a site that are no pages, and the rules of its robots.txt."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from itertools import islice
from string import punctuation
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import quote

import aiohttp
from protego import Protego

from sightread.crawler.journal import RobotsRead
from sightread.crawler.rate_limit import default_delay
from sightread.crawler.urls import fits, is_loopback, normalize
from sightread.render.archives.base import MOST_DECODED, decode_body
from sightread.render.errors import PageFailed, Private, Retryable, Unusable, quoted
from sightread.render.network.address import check_url, join_url, origin_of
from sightread.render.network.egress import PUBLIC, Boundary, Egress
from sightread.render.network.exchange import RECEIVED, Exchange
from sightread.render.network.http import MOST_REDIRECTS, NO_HEADERS, PRODUCT, PROXY_STATUSES, REDIRECT_STATUSES, PageHeaders, encoded_url
from sightread.render.network.proxy import Proxy

TIMEOUT = aiohttp.ClientTimeout(total=20, connect=10)
"""Seconds for one answer and for one connection."""
_CHUNK = 65_536


class Fetched(NamedTuple):
    """An HTTP answer of any status; the body is decoded."""

    url: str
    status: int
    body: bytes
    content_type: str = ""
    retry_after: str = ""
    headers: PageHeaders = NO_HEADERS
    location: str = ""
    """Of a redirect: the normal URL that it leads to."""


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

    async def get(self, url: str, headers: Callable[[str], Mapping[str, str]] = lambda _: {}) -> Fetched:
        """Fetch a normal URL, past its redirects; a status of 4xx or 5xx is an answer like any other. `headers` are those of a request to
        an address, besides the usual ones.

        Raises `Retryable` if no answer came, `Unusable` for one beyond the caps or a redirect that leads nowhere, and `Private` for an
        address that only `Egress(local=True)` allows.
        """
        target = url
        for _ in range(MOST_REDIRECTS + 1):
            try:
                answer = await self.request(target, headers(target))
            except Private as error:
                if target == url:
                    raise
                raise Unusable(f"{url}: redirects to {error}") from error  # which is the fault of the site
            if not answer.location:
                return answer
            target = answer.location
        raise Unusable(f"{url}: more than {MOST_REDIRECTS} redirects")

    async def request(self, url: str, headers: Mapping[str, str]) -> Fetched:
        """Fetch a normal URL by one request; a redirect is an answer with a `location`. Raises what `get` raises."""
        if self._session is None:
            raise RuntimeError("the fetcher is not open: enter its `async with` block first")
        await self._boundary.admit(url)
        self._proxy.received = 0  # its limit is that of a page; each answer has a limit of its own
        began = time.time()
        try:
            async with self._session.get(encoded_url(url), headers=headers, allow_redirects=False, proxy=self._proxy.url) as answer:
                if answer.status in PROXY_STATUSES and (failure := self._failure(url)):
                    raise failure
                location = answer.headers.get("Location", "")
                if answer.status in REDIRECT_STATUSES and location:
                    if (onward := normalize(join_url(url, location))) is None:
                        raise Unusable(f"{url}: redirects to {quoted(location, 200)}, which is no web address")
                    _keep(url, answer, None, began)
                    return Fetched(url, answer.status, b"", location=onward)
                body = await self._body(answer, url, began)
                kind, wait = (answer.headers.get(name, "") for name in ("Content-Type", "Retry-After"))
                return Fetched(url, answer.status, body, kind, wait, PageHeaders.of(answer.headers))
        except TimeoutError as error:
            raise Retryable(f"{url}: no answer within {TIMEOUT.total:.0f} s: try again later") from error
        except aiohttp.ClientError as error:
            raise self._failure(url) or _connection_failure(url, error) from error

    def _failure(self, target: str) -> PageFailed | None:
        address = check_url(target)
        return self._proxy.failure(address.host, address.port, target)

    async def _body(self, answer: aiohttp.ClientResponse, url: str, began: float) -> bytes:
        encoding = answer.headers.get("Content-Encoding", "").strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise Unusable(f"{url}: content encoding {quoted(encoding, 40)}, which was not requested")
        body = bytearray()
        async for chunk in answer.content.iter_chunked(_CHUNK):
            body += chunk
            if len(body) > self._cap:
                _keep(url, answer, None, began)
                raise Unusable(f"{url}: larger than {self._cap} bytes")
        _keep(url, answer, bytes(body), began)
        return await asyncio.to_thread(decode, bytes(body), encoding, url, self._cap) if encoding.endswith("gzip") else bytes(body)


def _keep(url: str, answer: aiohttp.ClientResponse, body: bytes | None, began: float) -> None:
    if (received := RECEIVED.get()) is not None:
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.raw_headers)
        received.append(Exchange(url, began, tuple(answer.request_info.headers.items()), answer.status, answer.reason or "", headers, body))


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


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """How robots.txt is read and followed."""

    longest_file: int = 512_000
    """Characters; RFC 9309, section 2.5, requires at least 500 KiB."""
    longest_delay: float = 30.0
    """Seconds; with a longer Crawl-delay 25 pages would take hours."""
    wildcards: int = 1000
    """Rules with `*` with which an address is compared one by one, which takes 4 ms; of the others, those of which a literal part is in it.
    An address with parts of more of them is forbidden."""
    sitemaps: int = 100
    """Named sitemaps that are read of the file; a crawl fetches fewer."""


POLICY = RobotsPolicy()
_LINE = re.compile(
    r"\s*(user[- ]?agent|diss?all?ow|diasllow|disallaw|allow|crawl[- ]delay|request[- ]rate|visit[- ]time|sitemaps?|site-map)"
    r"(?:\s*:|\s|$)(.*)",
    re.IGNORECASE,
)
"""A line that is read, by the spellings that `Protego` knows."""
KEY = 4
"""Characters by which further rules are found."""
FORBIDDEN = "robots.txt forbids"
"""In the reason of every visit that robots.txt forbids."""


async def read_robots(fetcher: Fetcher, url: str) -> RobotsRead:
    """Fetch the robots.txt of the origin of `url`.

    A 4xx means that there is none, and everything is allowed (RFC 9309, section 2.3.1.3). Raises `Retryable` if it cannot be
    had (no connection, 5xx, and 429, which requests fewer requests): the whole site counts as forbidden until then (2.3.1.4).
    """
    address = f"{origin_of(url)}/robots.txt"
    try:
        answer = await fetcher.get(address)
    except Unusable as error:
        # Endless redirects and bodies are the site's fault and will stay: section 2.3.1.2 lets a crawler take them for a missing file.
        return RobotsRead(url, 0, f"# {error}")
    if answer.status >= 500 or answer.status == 429:
        raise Retryable(f"{address}: HTTP status {answer.status}: the whole site counts as forbidden until it can be read: try again later")
    text = answer.body.decode("utf-8-sig", errors="replace")[: POLICY.longest_file] if answer.status < 300 else ""
    return RobotsRead(url, answer.status, text)


def _bounded(text: str) -> tuple[str, dict[str, list[tuple[str, str]]]]:
    """Return a robots.txt as a hostile site may not write it, and its further rules that forbid: by the first characters of the longest
    literal part of each, that part and the pattern.

    Agents other than ours are one, named once per group: every rule would be stored for each of thousands. Of our rules with `*` beyond the
    limit, those that forbid are the further ones, and prevail; those that allow are left out.
    """
    further: dict[str, list[tuple[str, str]]] = {}
    lines: list[str] = []
    agents: set[str] = set()
    wildcards, is_followed = 0, False
    for line in text.splitlines():
        if (found := _LINE.match(line.partition("#")[0])) is None:
            continue
        field, value = found[1].lower(), found[2].strip()
        if field.startswith("user"):
            name = value.lower()
            name = name if name == "*" or name.replace("*", "") in PRODUCT.lower() else "another"
            if name not in agents:
                agents.add(name)
                lines.append(f"user-agent: {name}")
            continue
        if not field.startswith("site"):
            is_followed = bool(agents - {"another"}) or (is_followed and not agents)
            agents.clear()
            wildcards += "*" in value
            if "*" in value and wildcards > POLICY.wildcards:
                if is_followed and field.startswith("di"):
                    pattern = quote(value.removesuffix("$") if value.endswith("$") else f"{value}*", safe=punctuation)
                    literal = max(pattern.split("*"), key=len)
                    further.setdefault(literal[:KEY], []).append((literal, pattern))
                value = ""  # a line without a value ends a group as well
        lines.append(f"{field}: {value}")
    return "\n".join(lines), further


class Robots:
    """The rules of one robots.txt that apply to sightread."""

    def __init__(self, read: RobotsRead) -> None:
        text, self._further = _bounded(read.text)
        self._rules = Protego.parse(text)
        self._url = read.url

    def allows(self, url: str) -> bool:
        """Return whether the URL may be visited."""
        if not self._rules.can_fetch(url, PRODUCT):
            return False
        if not self._further:
            return True
        keys = {url[place : place + length] for place in range(len(url)) for length in range(KEY + 1)}
        likely = [pattern for key in keys & self._further.keys() for literal, pattern in self._further[key] if literal in url]
        return len(likely) <= POLICY.wildcards and not any(fits(pattern, url) for pattern in likely)

    def delay(self, requested: float | None = None) -> float:
        """Return the seconds between two request starts: as the caller requested, but no less than the site's Crawl-delay.

        If nothing was requested it is the policy's default, and 0 on this very machine.
        """
        if requested is None and is_loopback(self._url):
            return 0.0
        declared = float(self._rules.crawl_delay(PRODUCT) or 0.0)
        return max(default_delay(self._url) if requested is None else requested, min(declared, POLICY.longest_delay))

    def sitemaps(self) -> tuple[str, ...]:
        """Return the sitemaps that the file names, as normal URLs, else the usual place."""
        named = tuple(dict.fromkeys(url for url in map(normalize, islice(self._rules.sitemaps, POLICY.sitemaps)) if url))
        return named or (f"{origin_of(self._url)}/sitemap.xml",)
