"""The egress boundary: an allow-list of addresses, applied by every component that opens a connection to a web page.

A name is resolved once; if any of its addresses is not public the name is refused, else exactly those addresses are dialled, for
a minute. So a name that answers differently the second time (DNS rebinding) gains nothing.

With an upstream proxy, by HTTP (CONNECT for every port, RFC 9110, section 9.3.6) or SOCKS 5 (RFC 1928, and RFC 1929 for name and password),
it is that proxy which resolves and dials, and its owner is responsible for what it then reaches. Names are resolved here too, and addresses
and names that are private from here are refused before it is contacted; a name that only the proxy can resolve is left to it.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import socket
import sys
from base64 import b64encode
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Literal, cast

from aiohappyeyeballs import start_connection

from sightread.render.argument_checks import check_fields, check_range
from sightread.render.errors import OPENS_LOCAL, PageFailed, Private, Rejected, Retryable, SightreadError, Unusable, quoted
from sightread.render.network.address import WebAddress, check_url, is_own, is_public, parse_url, percent_decode, shown
from sightread.render.network.http import is_sendable_login

WEB_PORTS = (80, 443)
_HOST_NAME = re.compile(r"(?=.*[A-Za-z])[\w-]+(\.[\w-]+)*\.?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits on names and connections; times in seconds."""

    keep_addresses: float = 60.0
    """How long the addresses of a name are kept, as in Chromium's own cache of them."""
    names_kept: int = 4096
    """The oldest go first. A page's own are a few dozen."""
    resolve: float = 5.0
    """To resolve a name: the first try of the usual resolver. An answer that comes later is for the next request."""
    lookup: float = 60.0
    """Until a lookup counts as failed that has no answer: three servers, two tries each, and one with a search domain."""
    lookups_of_page: int = 8
    """Names of one page that are looked up at once. A lookup counts until it ends: nothing ends a call of the system's resolver."""
    quick_failure: float = 1.0
    """A failure that took longer is kept for as long as it took."""
    connect: float = 10.0
    """To connect, over all addresses of a name."""
    address_head_start: float = 0.25
    """Before the next address is tried beside it (RFC 8305, section 5)."""


LIMITS = ConnectionLimits()
UNKNOWN_NAME = (socket.EAI_NONAME,) if sys.platform == "linux" else ()
"""Codes of `getaddrinfo` for a name that a resolver denied (NXDOMAIN). Without a network or an answer Linux has EAI_AGAIN; other systems do
not distinguish the two."""

Resolve = Callable[[str], Awaitable[Sequence[str]]]
"""From a host to its IP addresses. Raises `OSError` if it has none."""
Dial = Callable[[Sequence[str], int], Awaitable[socket.socket]]
"""From addresses and a port to a connected socket that does not block. Raises `OSError`."""

_resolvers = ThreadPoolExecutor(512, "resolve")
"""A thread pool of its own, enough for sixty pages full of names that do not resolve. Threads are started when all others are busy."""


async def resolve(host: str) -> Sequence[str]:
    """Return all addresses of a host from the system's resolver, each once; `localhost` is never looked up (RFC 6761, section 6.3)."""
    if re.fullmatch(r"(.+\.)?localhost\.?", host):
        return "127.0.0.1", "::1"
    loop = asyncio.get_running_loop()
    try:
        answers = await loop.run_in_executor(_resolvers, lambda: socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
    except UnicodeError as error:  # a label that is empty or too long
        raise socket.gaierror(socket.EAI_NONAME, "not a name") from error
    return tuple(dict.fromkeys(str(address[0]) for *_, address in answers))


async def dial(addresses: Sequence[str], port: int) -> socket.socket:
    """Connect to the first of the addresses that answers."""
    kinds = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in addresses]
    places = [(address, port) for address in addresses]
    infos = [(kind, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", place) for kind, place in zip(kinds, places, strict=True)]
    return await start_connection(infos, happy_eyeballs_delay=LIMITS.address_head_start, interleave=1)


LONGEST_ANSWER = 16_384
"""Bytes of the head with which a proxy answers CONNECT; they are some hundred."""
SOCKS_REFUSALS = {
    1: "it failed",
    2: "its rules do not allow it",
    3: "it cannot reach that network",
    4: "it cannot reach that host, or does not find its name",
    5: "nothing listens there",
    6: "it took too long",
}
"""Replies of a SOCKS server (RFC 1928, section 6)."""

_EXPECTED = "give http://HOST:PORT or socks5://HOST:PORT, with USER:PASSWORD@ before the host if it requires them"


@dataclass(frozen=True, slots=True)
class Upstream:
    """Address and credentials of an upstream proxy; neither errors nor its `repr` contain the name and password."""

    kind: Literal["http", "socks5"]
    host: str
    port: int
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_fields(self, secret=True)
        check_range("Upstream: port", self.port, 1, 65535)

    def __str__(self) -> str:
        return f"the upstream proxy {_authority(self.host, self.port)}"


def read_upstream(url: str) -> Upstream:
    """Parse the address of a proxy, `http://user:password@host:port`; percent signs in name and password are decoded.

    Raises `Rejected`, without repeating it, if it is malformed.
    """
    parsed = None if re.search(r"[\x00-\x20\x7f\\]", url) else parse_url(url)
    if parsed is None or not parsed.hostname or parsed.pathname not in ("", "/") or parsed.search or parsed.hash:
        raise Rejected(f"the address of the upstream proxy is not valid: {_EXPECTED}")
    kind = parsed.protocol.removesuffix(":")
    if kind not in ("http", "socks5"):
        raise Rejected(f"an upstream proxy by {kind} is not supported: {_EXPECTED}")
    user, password = percent_decode(parsed.username), percent_decode(parsed.password)
    if not is_sendable_login(user, password) or (password and not user):
        raise Rejected(f"name or password of the upstream proxy cannot be sent: {_EXPECTED}")
    if max(len(user.encode()), len(password.encode())) > 255:
        raise Rejected("name or password of the upstream proxy have more than 255 bytes")
    port = int(parsed.port) if parsed.port else {"http": 80, "socks5": 1080}[kind]
    return Upstream(cast(Literal["http", "socks5"], kind), parsed.hostname.strip("[]"), port, user, password)


@dataclass(frozen=True, slots=True)
class Egress:
    """The addresses that may be reached. `Egress(local=True)` also allows this machine, private networks, and all ports.

    Raises `Rejected` for a field of another type or out of its range, and for a network that is neither one nor a host's name.
    """

    local: bool = False
    most_bytes: int = 200_000_000
    """Received for one page, all its parts together, as they are on the wire; its connections end beyond that. The heaviest pages
    in a hundred have 20 to 30 million."""
    resolve: Resolve = resolve
    dial: Dial = dial
    upstream: Upstream | None = None
    """The proxy through which everything is dialled; it may be at any address and port, for it was named on purpose."""
    networks: tuple[str, ...] = ()
    """Networks (`10.1.0.0/16`, `fd00::/8`) and host names (`wiki.corp`) that may be reached too, at all ports; addresses of this machine
    among them are not."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_range("Egress: most_bytes", self.most_bytes, 1, unit="bytes")
        for name in self.networks:
            if _network(name) is None and not _HOST_NAME.fullmatch(name):
                raise Rejected(f"Egress: networks: {quoted(name)} is neither a network, such as 10.1.0.0/16, nor a host name: correct it")

    def is_named(self, host: str, address: str) -> bool:
        """Return whether `networks` has the host, or its address; empty if a proxy resolves it. None of this machine is."""
        found = any(
            host.lower() == name.lower() if (network := _network(name)) is None else address and ip_address(address) in network
            for name in self.networks
        )
        return found and not (address and is_own(address))


def _network(name: str) -> IPv4Network | IPv6Network | None:
    """Return the network or single address of that name; None for a host's name."""
    with suppress(ValueError):
        return ip_network(name)
    return None


PUBLIC = Egress()
LOCAL = Egress(local=True)


class _Pin:
    """A lookup, and what it found."""

    def __init__(self, look_up: Awaitable[Sequence[str] | OSError]) -> None:
        self._clock = asyncio.get_running_loop().time
        self.begun = self._clock()
        self._until = math.inf
        """Until when the result is kept, by the event loop's clock."""
        self.task = asyncio.ensure_future(self._run(look_up))

    @property
    def is_kept(self) -> bool:
        """Whether it is under way, or its result is not too old."""
        return self._clock() <= self._until

    async def _run(self, look_up: Awaitable[Sequence[str] | OSError]) -> Sequence[str] | OSError:
        found = await look_up
        now, took = self._clock(), self._clock() - self.begun
        if found and not isinstance(found, OSError):
            self._until = self.begun + LIMITS.keep_addresses
        else:
            self._until = now + took if took > LIMITS.quick_failure else -math.inf
        return found


class Boundary:
    """An `Egress` at work, with the addresses that its names had."""

    def __init__(self, egress: Egress = PUBLIC) -> None:
        self.egress = egress
        self._pins: dict[str, _Pin] = {}

    async def admit(self, url: str) -> WebAddress:
        """Check the address of a page before anything is opened for it.

        Raises `Rejected` if it is not a web address, `Private` for one that only `Egress(local=True)` allows, `Unusable` if no host has
        the name, `Retryable` if it does not resolve now.
        """
        address = check_url(url)
        try:
            await self._addresses(address.host, address.port)
        except SightreadError as error:
            raise type(error)(f"{shown(url)}: {error}") from error
        return address

    async def connect(self, host: str, port: int, lookups: asyncio.Semaphore | None = None) -> socket.socket:
        """Return a socket that is connected to an admitted address of the host; `lookups` bounds those of one page.

        Raises `Private`, `Retryable` if it cannot be done now, and `Unusable` if no host has the name or an upstream proxy will not;
        their messages name no URL.
        """
        addresses = await self._addresses(host, port, lookups)
        upstream = self.egress.upstream
        by = f"{upstream}: " if upstream else ""
        try:
            async with asyncio.timeout(LIMITS.connect):
                return await (self._through(upstream, host, port) if upstream else self.egress.dial(addresses, port))
        except TimeoutError as error:
            raise Retryable(f"{by}no connection within {LIMITS.connect:g} s: try again later") from error
        except ConnectionRefusedError as error:
            raise Retryable(f"{by}connection refused: nothing listens there now") from error
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise Retryable(f"{by}cannot connect: {reason}: check the address, or try again later") from error

    async def _through(self, upstream: Upstream, host: str, port: int) -> socket.socket:
        try:
            addresses = (upstream.host,) if _is_literal(upstream.host) else await self._resolved(upstream.host)
        except PageFailed as error:
            raise Retryable(f"{upstream}: {error}") from error
        opened = await self.egress.dial(addresses, upstream.port)
        try:
            await tunnel(opened, upstream, host, port)
        except BaseException:
            opened.close()
            raise
        return opened

    async def _addresses(self, host: str, port: int, lookups: asyncio.Semaphore | None = None) -> Sequence[str]:
        egress, is_unusual = self.egress, port not in WEB_PORTS
        unusual = Private(f"port {port} is not one of the web's, {' and '.join(map(str, WEB_PORTS))}{OPENS_LOCAL}")
        if is_unusual and not (egress.local or egress.networks):
            raise unusual
        addresses: Sequence[str] = ()  # as of a name that an upstream proxy resolves
        if _is_literal(host):
            addresses = (host,)
        elif self.egress.upstream is None:
            addresses = await self._resolved(host, lookups)
        elif not self.egress.local:
            with suppress(PageFailed):
                addresses = await self._resolved(host, lookups)
        for address in addresses or ("",):
            if egress.local or egress.is_named(host, address):
                continue
            if is_unusual:
                raise unusual
            if address and (not is_public(address) or is_own(address)):
                leads = "" if address == host else f"{host} leads to "
                what = "an address of this machine" if is_public(address) else "no public address"
                raise Private(f"{leads}{address}, which is {what}{OPENS_LOCAL}")
        return addresses

    async def _resolved(self, host: str, lookups: asyncio.Semaphore | None = None) -> Sequence[str]:
        """Return the pinned addresses of a host. The first caller resolves it for all that wait for it."""
        try:
            pin = await self._pin(host, lookups)
            async with asyncio.timeout_at(pin.begun + LIMITS.resolve):
                found = await asyncio.shield(pin.task)
        except TimeoutError as error:
            found = error
        if isinstance(found, OSError) or not found:
            if isinstance(found, socket.gaierror) and found.errno in UNKNOWN_NAME:
                raise Unusable("no host has this name: check its spelling")
            raise Retryable("the name does not resolve: check it, or the network")
        return found

    async def _pin(self, host: str, lookups: asyncio.Semaphore | None) -> _Pin:
        """Return the lookup of a host, which is begun if none is kept. Raises `TimeoutError` if too many others of the page do not end."""
        pin = self._pins.get(host)
        if lookups is not None and not (pin and pin.is_kept):
            async with asyncio.timeout(LIMITS.resolve):
                await lookups.acquire()
            pin = self._pins.get(host)  # another request of the page may have begun it
            if pin and pin.is_kept:
                lookups.release()
        if pin and pin.is_kept:
            return pin
        pin = self._pins[host] = _Pin(self._look_up(host))
        if lookups is not None:
            pin.task.add_done_callback(lambda _: lookups.release())
        if len(self._pins) > LIMITS.names_kept:
            del self._pins[next(iter(self._pins))]
        return pin

    async def _look_up(self, host: str) -> Sequence[str] | OSError:
        """Resolve a host; an error is returned and not raised, since the first caller may have been cancelled."""
        try:
            async with asyncio.timeout(LIMITS.lookup):
                return await self.egress.resolve(host)
        except OSError as error:
            return error


def _is_literal(host: str) -> bool:
    with suppress(ValueError):
        ip_address(host)
        return True
    return False


async def tunnel(opened: socket.socket, upstream: Upstream, host: str, port: int) -> None:
    """Make the proxy behind the socket connect to the host. Sets no deadline of its own.

    Raises `Retryable` if the proxy cannot do it now, and `Unusable` if it will not.
    """
    if upstream.kind == "http":
        await _connect(opened, upstream, _authority(host, port))
    else:
        await _socks(opened, upstream, host, port)


def _authority(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def _connect(opened: socket.socket, upstream: Upstream, authority: str) -> None:
    head = f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n"
    if upstream.user:
        credentials = b64encode(f"{upstream.user}:{upstream.password}".encode()).decode()
        head += f"Proxy-Authorization: Basic {credentials}\r\n"
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(opened, f"{head}\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer and len(answer) <= LONGEST_ANSWER:
        more = await loop.sock_recv(opened, 4096)
        if not more:
            break
        answer += more
    status = re.match(rb"HTTP/1\.[01] (\d{3})(?: ([\x20-\x7e]*))?\r\n", answer)
    if status is None:
        raise Unusable(f"{upstream} does not answer as an HTTP proxy does: check its address")
    code, reason = int(status[1]), (status[2] or b"").decode()[:100]
    if code == 407:
        given = "others than it got" if upstream.user else "which it did not get"
        raise Unusable(f"{upstream} requires a name and password, {given} (407)")
    if code >= 500:
        raise Retryable(f"{upstream} cannot connect to {authority} ({code} {reason}): try again later")
    if not 200 <= code < 300:
        raise Unusable(f"{upstream} refuses to connect to {authority} ({code} {reason}): it must allow CONNECT to port 80 as well as 443")
    if not answer.endswith(b"\r\n\r\n"):  # in a tunnel to a web server the client sends first
        raise Unusable(f"{upstream} does not answer as an HTTP proxy does: it sent more than the head of its answer")


async def _socks(opened: socket.socket, upstream: Upstream, host: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    await loop.sock_sendall(opened, b"\x05\x02\x00\x02" if upstream.user else b"\x05\x01\x00")
    version, method = await _exactly(opened, upstream, 2)
    if version != 5:
        raise Unusable(f"{upstream} does not answer as a SOCKS 5 proxy does: check its address")
    if method == 2 and upstream.user:
        name, password = upstream.user.encode(), upstream.password.encode()
        await loop.sock_sendall(opened, bytes((1, len(name))) + name + bytes((len(password),)) + password)
        if (await _exactly(opened, upstream, 2))[1]:
            raise Unusable(f"{upstream} rejected the name and password")
    elif method:
        raise Unusable(f"{upstream} requires a name and password, or a method of authentication that is not supported")
    await loop.sock_sendall(opened, b"\x05\x01\x00" + _socks_host(host) + port.to_bytes(2, "big"))
    _, reply, _, kind = await _exactly(opened, upstream, 4)
    if reply:
        refused = Unusable if reply == 2 else Retryable
        raise refused(f"{upstream} does not connect to {host}:{port}: {SOCKS_REFUSALS.get(reply, f'reply {reply}')}")
    length = {1: 4, 4: 16}.get(kind) or (await _exactly(opened, upstream, 1))[0]
    await _exactly(opened, upstream, length + 2)  # the address it connected from


def _socks_host(host: str) -> bytes:
    try:
        address = ip_address(host)
    except ValueError:
        name = host.encode()
        if len(name) > 255:
            raise Unusable("a host name of more than 255 bytes cannot be requested") from None
        return bytes((3, len(name))) + name
    return (b"\x01" if address.version == 4 else b"\x04") + address.packed


async def _exactly(opened: socket.socket, upstream: Upstream, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = await asyncio.get_running_loop().sock_recv(opened, count - len(data))
        if not more:
            raise Unusable(f"{upstream} does not answer as a SOCKS 5 proxy does: it hung up")
        data += more
    return data
