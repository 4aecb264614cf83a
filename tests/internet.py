"""An internet for tests: public names and addresses that lead to servers on this machine, and victims that nothing may reach."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from sightread.render.network.egress import Egress, dial, resolve

NAME = re.compile(r"site-(\d+)\.(?:example|localhost)")


def public_url(root: str, path: str = "/", domain: str = "example") -> str:
    """Return the public address of a site on this machine, `http://127.0.0.1:PORT` and more: port 80 of a name that holds the port.

    Below `localhost` a browser takes it for a secure origin; the boundary goes by what it resolves to, here as well.
    """
    parts = urlsplit(root)
    return f"http://site-{parts.port}.{domain}{path}"


UNKNOWN = "no host has this name: check its spelling"
UNREACHABLE = "the name does not resolve: check it, or the network"
DNS_FAILURES = {socket.EAI_NONAME: UNKNOWN, socket.EAI_AGAIN: UNREACHABLE}
"""Codes of `getaddrinfo` on Linux for a name that is denied and for one without an answer, and the messages of the boundary."""


def fail_names(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """Let the system's resolver fail with a code of `getaddrinfo` for names below .invalid, with and without a network."""
    resolved = socket.getaddrinfo

    def getaddrinfo(host: str, *arguments: object, **named: object) -> object:
        if str(host).endswith(".invalid"):
            raise socket.gaierror(code, "as the test requires")
        return resolved(host, *arguments, **named)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@dataclass(slots=True)
class Internet:
    """Resolves the names of `public_url` to public addresses and takes connections to these home; all other names are the system's."""

    resolved: list[str] = field(default_factory=list)
    dialled: list[tuple[str, int]] = field(default_factory=list)
    rebound: dict[str, Iterator[str]] = field(default_factory=dict)
    """Names with another address at each resolution."""

    def egress(self, *, local: bool = False, most_bytes: int = 200_000_000) -> Egress:
        return Egress(local, most_bytes, self.resolve, self.dial)

    async def resolve(self, host: str) -> Sequence[str]:
        self.resolved.append(host)
        if host in self.rebound:
            return (next(self.rebound[host]),)
        port = NAME.fullmatch(host)
        return (f"9.9.{int(port[1]) >> 8}.{int(port[1]) & 255}",) if port else await resolve(host)

    async def dial(self, addresses: Sequence[str], port: int) -> socket.socket:
        self.dialled += [(address, port) for address in addresses]
        if addresses[0].startswith("9.9."):
            high, low = addresses[0].split(".")[2:]
            return await dial(["127.0.0.1"], int(high) << 8 | int(low))
        return await dial(addresses, port)


@dataclass(frozen=True, slots=True)
class Victim:
    """A port of 127.0.0.1, TCP and UDP, that notes who comes."""

    port: int
    received: list[str]

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"


def endless(piece: bytes, pause: float = 0.0) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Return what answers a request with the same bytes again and again, with a pause in seconds after each time."""

    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/html"})
        await response.prepare(request)
        with suppress(ConnectionError):
            while True:
                await response.write(piece)
                await asyncio.sleep(pause)
        return response

    return answer


class _Datagrams(asyncio.DatagramProtocol):
    def __init__(self, received: list[str]) -> None:
        self._heard = received

    def datagram_received(self, data: bytes, _: tuple[str, int]) -> None:
        self._heard.append(f"UDP {data[:20]!r}")


@asynccontextmanager
async def victim() -> AsyncIterator[Victim]:
    """Listen; each connection is noted with the first line that it brings."""
    received: list[str] = []

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        row = len(received)
        received.append("TCP")
        try:
            received[row] = (await reader.readline()).decode("latin-1").strip() or "TCP"
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\nConnection: close\r\n\r\n<p>Secret")
        except ConnectionError:
            return
        finally:
            writer.close()

    async with await asyncio.start_server(connected, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        datagrams, _ = await asyncio.get_running_loop().create_datagram_endpoint(lambda: _Datagrams(received), ("127.0.0.1", port))
        try:
            yield Victim(port, received)
        finally:
            datagrams.close()
            await asyncio.sleep(0)
