"""Upstream proxy: an optional proxy that the egress proxy dials through.

Its protocol is HTTP (CONNECT, RFC 9110 section 9.3.6, for every port) or SOCKS 5 (RFC 1928, and RFC 1929 for name and password). It
resolves the names itself, and its owner is responsible for what it then reaches; addresses and names that are private as seen from here are
refused all the same, before it is contacted (`sightread.render.network.egress`).
"""

from __future__ import annotations

import asyncio
import re
import socket
from base64 import b64encode
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal, cast

import ada_url

from sightread.render.argument_checks import check_call, check_fields, check_range
from sightread.render.errors import Rejected, Retryable, Unusable
from sightread.render.network.address import percent_decode

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


@check_call
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
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"the upstream proxy {host}:{self.port}"


def read_upstream(url: str) -> Upstream:
    """Parse the address of a proxy, `http://user:password@host:port`; percent signs in name and password are decoded.

    Raises `Rejected`, without repeating it, if it is malformed.
    """
    try:
        parsed = ada_url.URL(url) if not re.search(r"[\x00-\x20\x7f\\]", url) else None
    except ValueError:
        parsed = None
    if parsed is None or not parsed.hostname or parsed.pathname not in ("", "/") or parsed.search or parsed.hash:
        raise Rejected(f"the address of the upstream proxy is not valid: {_EXPECTED}")
    kind = parsed.protocol.removesuffix(":")
    if kind not in ("http", "socks5"):
        raise Rejected(f"an upstream proxy by {kind} is not supported: {_EXPECTED}")
    user, password = percent_decode(parsed.username), percent_decode(parsed.password)
    if re.search(r"[\x00-\x1f\x7f:]", user) or re.search(r"[\x00-\x1f\x7f]", password) or (password and not user):
        raise Rejected(f"name or password of the upstream proxy cannot be sent: {_EXPECTED}")
    if max(len(user.encode()), len(password.encode())) > 255:
        raise Rejected("name or password of the upstream proxy have more than 255 bytes")
    port = int(parsed.port) if parsed.port else {"http": 80, "socks5": 1080}[kind]
    return Upstream(cast(Literal["http", "socks5"], kind), parsed.hostname.strip("[]"), port, user, password)


async def tunnel(opened: socket.socket, upstream: Upstream, host: str, port: int) -> None:
    """Make the proxy behind the socket connect to the host. Sets no deadline of its own.

    Raises `Retryable` if the proxy cannot do it now, and `Unusable` if it will not.
    """
    if upstream.kind == "http":
        await _connect(opened, upstream, f"[{host}]:{port}" if ":" in host else f"{host}:{port}")
    else:
        await _socks(opened, upstream, host, port)


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
