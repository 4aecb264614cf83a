"""The egress boundary: an allow-list of addresses, applied by every component that opens a connection to a web page.

A name is resolved once; if any of its addresses is not public the name is refused, else exactly those addresses are dialled, for
a minute. So a name that answers differently the second time (DNS rebinding) gains nothing.

With an upstream proxy (`sightread.render.network.upstream`) it is that proxy which resolves and dials. Names are resolved here too, and
refused where they are private from here; one that only the proxy can resolve is left to it.
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import socket
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address

from aiohappyeyeballs import start_connection

from sightread.render.argument_checks import check_call, check_fields, check_range
from sightread.render.errors import OPENS_LOCAL, PageFailed, Private, Retryable, SightreadError, Unusable
from sightread.render.network.address import WebAddress, check_url, is_own, is_public, shown
from sightread.render.network.upstream import Upstream, tunnel

WEB_PORTS = (80, 443)


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
    infos = [(_family(address), socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port)) for address in addresses]
    return await start_connection(infos, happy_eyeballs_delay=LIMITS.address_head_start, interleave=1)


@check_call
@dataclass(frozen=True, slots=True)
class Egress:
    """The addresses that may be reached. `Egress(local=True)` also allows this machine, private networks, and all ports."""

    local: bool = False
    most_bytes: int = 200_000_000
    """Received for one page, all its parts together, as they are on the wire; its connections end beyond that. The heaviest pages
    in a hundred have 20 to 30 million."""
    resolve: Resolve = resolve
    dial: Dial = dial
    upstream: Upstream | None = None
    """The proxy through which everything is dialled; it may be at any address and port, for it was named on purpose."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_range("Egress: most_bytes", self.most_bytes, 1, unit="bytes")


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
        self._pins: OrderedDict[str, _Pin] = OrderedDict()

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
        if not self.egress.local and port not in WEB_PORTS:
            raise Private(f"port {port} is not one of the web's, {' and '.join(map(str, WEB_PORTS))}{OPENS_LOCAL}")
        addresses = (host,) if _is_literal(host) else await self._known(host, lookups)
        for address in addresses:
            if not self.egress.local and (not is_public(address) or is_own(address)):
                leads = "" if address == host else f"{host} leads to "
                what = "an address of this machine" if is_public(address) else "no public address"
                raise Private(f"{leads}{address}, which is {what}{OPENS_LOCAL}")
        return addresses

    async def _known(self, host: str, lookups: asyncio.Semaphore | None) -> Sequence[str]:
        """Return the addresses of a host, which may have none here if an upstream proxy resolves it."""
        if self.egress.upstream is None:
            return await self._resolved(host, lookups)
        if self.egress.local:  # the proxy resolves the name; these addresses are not used
            return ()
        with suppress(PageFailed):
            return await self._resolved(host, lookups)
        return ()

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
        self._pins.move_to_end(host)
        if len(self._pins) > LIMITS.names_kept:
            self._pins.popitem(last=False)
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


def _family(address: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in address else socket.AF_INET
