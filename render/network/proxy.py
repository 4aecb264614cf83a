"""The egress proxy: carries all traffic of a browser context and of our HTTP client.

A forward proxy on loopback, at a port of its own for each context: all that comes in there belongs to that context, is counted for it, and
ends with it. It supports CONNECT, which browsers use for https and for WebSockets, and plain http requests with the whole URL in them; the
head is read, the connection is opened through the `Boundary`, and from there on bytes are passed on as they are. A tunnel must begin as TLS
or as an HTTP request: a connection that begins otherwise (STUN and TURN over TCP, of WebRTC) is closed.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, Self, cast

from sightread.render.errors import PageFailed, Private, SightreadError, Unusable
from sightread.render.network.address import shown
from sightread.render.network.egress import LIMITS as CONNECTION_LIMITS
from sightread.render.network.egress import Boundary

_CONNECT = re.compile(r"CONNECT (\[[0-9a-fA-F:.]+\]|[^\s:/@\[\]]+):(\d{1,5}) HTTP/1\.[01]")
_REQUEST = re.compile(r"([A-Z]+) http://((\[[0-9a-fA-F:.]+\]|[^\s:/?#@\[\]]+)(?::(\d{1,5}))?)([/?][^\s#]*)? (HTTP/1\.[01])", re.IGNORECASE)
_FIELD = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\x00]*?)[ \t]*")
_OWN = frozenset({"host", "proxy-connection", "proxy-authorization", "connection"})
"""Header fields that are between a client and its proxy, or that follow from the URL (RFC 9112, section 3.2.2)."""


class Request(NamedTuple):
    """The head of a request, as it was understood."""

    host: str
    port: int
    head: bytes
    """The head that is sent to the server; empty for CONNECT."""
    length: int
    """Bytes of the body that follow; -1 if all that follows belongs to this request: a tunnel, an upgrade, a body in chunks."""


def read_head(head: bytes) -> Request:
    """Parse a request's head, its empty line included. Raises `ValueError` if it is not a request to a proxy, or is ambiguous."""
    first, *lines = head.decode("latin-1")[:-4].split("\r\n")
    if tunnel := _CONNECT.fullmatch(first):
        return Request(tunnel[1].strip("[]").lower(), _port(tunnel[2]), b"", -1)
    request = _REQUEST.fullmatch(first)
    if request is None:
        raise ValueError("neither CONNECT nor a request for an http URL")
    fields = [_FIELD.fullmatch(line) for line in lines]
    if None in fields:
        raise ValueError("a header field that is none")
    named = [(field[1].lower(), field[2]) for field in fields if field]
    lengths = {value for name, value in named if name == "content-length"}
    chunked, upgrade = any(name == "transfer-encoding" for name, _ in named), any(name == "upgrade" for name, _ in named)
    if len(lengths) > 1 or (lengths and chunked) or not all(re.fullmatch("[0-9]{1,18}", length) for length in lengths):
        raise ValueError("no single length of the body")
    whole = chunked or upgrade
    path = request[5] or "/"
    kept = [line for line, (name, _) in zip(lines, named, strict=True) if name not in _OWN]
    connection = "Upgrade" if upgrade else "close" if chunked or request[6].endswith("0") else "keep-alive"
    own = [f"Host: {request[2]}", f"Connection: {connection}"]
    text = "\r\n".join([f"{request[1]} {path if path[0] == '/' else '/' + path} {request[6]}", *own, *kept, "", ""])
    length = -1 if whole else int(next(iter(lengths), 0))
    return Request(request[3].strip("[]").lower(), _port(request[4] or "80"), text.encode("latin-1"), length)


def _port(digits: str) -> int:
    if not 0 < int(digits) < 1 << 16:
        raise ValueError(f"no port: {digits}")
    return int(digits)


@dataclass(frozen=True, slots=True)
class ProxyLimits:
    """Limits of the proxy of one browser context."""

    head_bytes: int = 65_536
    """Of a request; Chromium sends 16 KiB of cookies at the most."""
    connections: int = 256
    """At once; Chromium opens 32 to a proxy, and 32 more for WebSockets."""
    failures_kept: int = 1000
    """Failed addresses that are remembered."""
    smallest_request_bytes: int = 72
    """In a tunnel, smaller messages keep the connection itself going: two window updates of HTTP/2 in TLS records."""


LIMITS = ProxyLimits()
PROXY_STATUS = ("Proxy-Status", "sightread")
"""The header of answers that are its own (RFC 9209)."""
OPENINGS = (b"\x16\x03", b"GET ")
"""How the bytes in a tunnel may begin: a TLS handshake (RFC 8446, 5.1), or the request of a WebSocket without TLS."""


def may_open(first: bytes) -> bool | None:
    """Return whether a tunnel may begin with these bytes; None if there are too few to know."""
    if first.startswith(OPENINGS):
        return True
    return None if any(opening.startswith(first) for opening in OPENINGS) else False


class Proxy:
    """The proxy of one browser context or client; an async context manager. Its connections end with the block."""

    def __init__(self, boundary: Boundary) -> None:
        self._boundary = boundary
        self._server: asyncio.Server | None = None
        self.clients: set[_Client] = set()
        self._failures: dict[tuple[str, int], SightreadError] = {}
        self._lookups = asyncio.Semaphore(CONNECTION_LIMITS.lookups_of_page)
        self.received = 0
        """Bytes that came in."""
        self.on_flood: Callable[[str], None] = lambda reason: None
        """Called with the reason if more came in than is allowed; what had come by then may never be a whole page."""

    def begin(self) -> None:
        """Count bytes, failures and lookups for another page from now on."""
        self.received = 0
        self.on_flood = lambda reason: None
        self._failures.clear()
        self._lookups = asyncio.Semaphore(CONNECTION_LIMITS.lookups_of_page)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.get_running_loop().create_server(lambda: _Client(self), "127.0.0.1", 0, start_serving=False)
        try:
            await self._server.start_serving()
        except asyncio.CancelledError:  # __aexit__ is not called
            self._server.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is None:
            return
        self._server.close()
        openings = [opening for client in self.clients if (opening := client.end())]
        await asyncio.gather(*openings, return_exceptions=True)
        await asyncio.sleep(0)  # transports let go of their sockets in the loop's next round
        self._server = None

    @property
    def takes_connections(self) -> bool:
        """Whether a further connection may come in."""
        return self._server is not None and len(self.clients) < LIMITS.connections

    @property
    def url(self) -> str:
        """Where it listens. Raises `RuntimeError` outside its block."""
        if self._server is None:
            raise RuntimeError("the proxy is not open: enter its `async with` block first")
        return "http://{}:{}".format(*self._server.sockets[0].getsockname())

    def failure(self, host: str, port: int, url: str) -> PageFailed | None:
        """Return why the last connection to an address, requested by `url`, did not come about or was ended; None if nothing is known.

        A page that was admitted and leads to a private address is itself what is `Unusable`.
        """
        error = self._failures.get((host, port))
        if error is None:
            return None
        kind = type(error) if isinstance(error, PageFailed) else Unusable
        return kind(f"{shown(url)}: {'it leads on: ' if isinstance(error, Private) else ''}{error}")

    async def open(self, client: _Client, request: Request) -> asyncio.Transport | None:
        """Connect a client to where its request goes; if that fails, keep the reason and answer the client."""
        where = (request.host, request.port)
        try:
            if self.received > self._boundary.egress.most_bytes:
                raise Unusable(self._too_much)
            opened = await self._boundary.connect(*where, self._lookups)
        except SightreadError as error:
            if len(self._failures) < LIMITS.failures_kept:
                self._failures[where] = error
            client.answer("403 Forbidden" if isinstance(error, Private) else "502 Bad Gateway", str(error))
            return None
        self._failures.pop(where, None)
        try:
            upstream, _ = await asyncio.get_running_loop().create_connection(lambda: _Upstream(self, client, where), sock=opened)
        except BaseException:
            opened.close()
            raise
        return upstream

    def count_received(self, count: int, where: tuple[str, int]) -> bool:
        """Add to the bytes that came in; False if they are too many now."""
        self.received += count
        if self.received <= self._boundary.egress.most_bytes:
            return True
        self._failures[where] = Unusable(self._too_much)
        self.on_flood(self._too_much)
        return False

    @property
    def _too_much(self) -> str:
        return f"more than {self._boundary.egress.most_bytes} bytes for one page"

    def has_pending_request(self, host: str, seconds: float) -> bool:
        """Whether a request to the host's site that was sent in the last `seconds` is still unanswered."""
        since = asyncio.get_running_loop().time() - seconds
        site = host.rsplit(".", 2)[-2:]
        return any(client.unanswered_since > since and client.host.rsplit(".", 2)[-2:] == site for client in self.clients)

    def cut(self) -> None:
        """Close the connections to all servers with an unanswered request."""
        for client in list(self.clients):
            if client.unanswered_since:
                client.end()


class _Client(asyncio.Protocol):
    """A connection to the proxy: requests come in, and answers go back."""

    transport: asyncio.Transport

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self._waiting = bytearray()
        self._first: bytes | None = None
        """The first bytes in a tunnel, as long as there are too few to know what it is for; None if that is known."""
        self._remaining = 0
        """Bytes of the request's body that are still to come; -1 for all that will ever come."""
        self._where: tuple[str, int] | None = None
        self._upstream: asyncio.Transport | None = None
        self._opening: asyncio.Task[None] | None = None
        self.host = ""
        self.unanswered_since = 0.0
        """When the last question was sent that has not been answered, by the event loop's clock; 0 if there is none."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        if self._proxy.takes_connections:
            self._proxy.clients.add(self)
        else:
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._upstream and self._remaining < 0:
            self._pass(data)
            return
        self._waiting += data
        if not self._opening:
            self._advance()

    def _advance(self) -> None:
        """Pass on what belongs to the request under way, then read the head of the next."""
        while self._waiting and not self.transport.is_closing():
            if self._remaining:
                count = len(self._waiting) if self._remaining < 0 else min(self._remaining, len(self._waiting))
                self._pass(bytes(self._waiting[:count]))
                del self._waiting[:count]
                self._remaining -= count if self._remaining > 0 else 0
                continue
            end = self._waiting.find(b"\r\n\r\n") + 4
            if end < 4 and len(self._waiting) <= LIMITS.head_bytes:
                return
            try:
                request = read_head(bytes(self._waiting[:end])) if 4 <= end <= LIMITS.head_bytes else None
            except ValueError as error:
                self.answer("400 Bad Request", str(error))
                return
            if request is None:
                self.answer("431 Request Header Fields Too Large", f"a head of more than {LIMITS.head_bytes} bytes")
                return
            del self._waiting[:end]
            if self._upstream is None:
                self.transport.pause_reading()
                self.host, self.unanswered_since = request.host, asyncio.get_running_loop().time()
                self._opening = asyncio.ensure_future(self._open(request))
                return
            if not request.head or self._where != (request.host, request.port):
                self.transport.close()  # a connection leads to one server: the client sends the next request on another
                return
            self._begin(request)

    async def _open(self, request: Request) -> None:
        upstream = await self._proxy.open(self, request)
        self._opening = None
        if upstream is None:
            return
        self._upstream, self._where = upstream, (request.host, request.port)
        if not request.head:
            self._first = b""
            self.transport.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        self._begin(request)
        self.transport.resume_reading()
        self._advance()

    def _begin(self, request: Request) -> None:
        self._remaining = request.length
        self._send(request.head)

    def _pass(self, data: bytes) -> None:
        """Send what belongs to the request under way, as soon as it is known that a tunnel may begin so."""
        if self._first is not None:
            self._first += data
            allowed = may_open(self._first)
            if allowed is False:
                self.end()
            if not allowed:
                return
            data, self._first = self._first, None
        self._send(data)

    def _send(self, data: bytes) -> None:
        assert self._upstream is not None
        if len(data) >= LIMITS.smallest_request_bytes:
            self.unanswered_since = asyncio.get_running_loop().time()
        self._upstream.write(data)

    def answer(self, status: str, reason: str) -> None:
        """Answer the client with the reason why there is no connection, and close it."""
        body = f"{reason}\n".encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
        head += f"{PROXY_STATUS[0]}: {PROXY_STATUS[1]}\r\nConnection: close\r\n\r\n"
        self.transport.write(head.encode() + body)
        self.transport.close()

    def end(self) -> asyncio.Task[None] | None:
        """Close both sides at once; return what is still to be waited for."""
        opening = self._opening
        if opening:
            opening.cancel()
        if self._upstream:
            self._upstream.abort()
        self.transport.abort()
        return opening

    def pause_writing(self) -> None:
        if self._upstream:
            self._upstream.pause_reading()

    def resume_writing(self) -> None:
        if self._upstream:
            self._upstream.resume_reading()

    def connection_lost(self, _: Exception | None) -> None:
        self._proxy.clients.discard(self)
        if self._opening:
            self._opening.cancel()
        if self._upstream:
            self._upstream.close()


class _Upstream(asyncio.Protocol):
    """A connection to a server: what comes in goes to the client, no faster than the client takes it."""

    transport: asyncio.Transport

    def __init__(self, proxy: Proxy, client: _Client, where: tuple[str, int]) -> None:
        self._proxy = proxy
        self._client = client
        self._where = where

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._client.unanswered_since = 0.0
        if self._proxy.count_received(len(data), self._where):
            self._client.transport.write(data)
        else:
            self._client.end()

    def pause_writing(self) -> None:
        with suppress(RuntimeError):
            self._client.transport.pause_reading()

    def resume_writing(self) -> None:
        with suppress(RuntimeError):
            self._client.transport.resume_reading()

    def connection_lost(self, _: Exception | None) -> None:
        self._client.transport.close()
