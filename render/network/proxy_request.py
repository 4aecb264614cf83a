"""The head of a request to the proxy: its target, and the head that the server receives."""

from __future__ import annotations

import re
from typing import NamedTuple

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
