"""The cache of answers: by operation, address and options, in memory, for requests that state how old an answer may be."""

from __future__ import annotations

import hashlib
import math
import re
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from sightread.server.schema.requests import OnePage

_DIRECTIVE = re.compile(r'(?<![\w-])([\w-]++)\s*(?:=\s*(?:"([^"]*)"|([^\s,]*)))?\s*(?:,|$)')
LONGEST_DIRECTIVES = 1000
"""Characters of a Cache-Control header that is read; with a longer one the answer is not kept."""
_NOT_SHARED = frozenset(("no-store", "private", "no-cache"))


def lifetime(headers: Iterable[tuple[str, str]]) -> float:
    """Return for how many seconds the answer to a page's request may be shared (RFC 9111): 0 if it may not, infinite if it has no limit.

    A page that must be validated before each use (no-cache) is not kept: only a browser could do that.
    """
    limits: dict[str, float] = {}
    for name, value in headers:
        if name.lower() == "cache-control":
            if len(value) > LONGEST_DIRECTIVES:
                return 0.0
            for directive, quoted, plain in _DIRECTIVE.findall(value.lower()):
                if directive in _NOT_SHARED:
                    return 0.0
                if directive in ("max-age", "s-maxage"):
                    seconds = quoted or plain
                    limits[directive] = float(seconds) if seconds.isascii() and seconds.isdigit() else 0.0
        elif name.lower() == "vary" and "*" in value:
            return 0.0
    return limits.get("s-maxage", limits.get("max-age", math.inf))


@dataclass(frozen=True, slots=True)
class _Entry:
    stored: float
    lifetime: float
    body: bytes


class AnswerCache:
    """Encoded answers, at most the given number of bytes; those that were not used longest go first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._entries: OrderedDict[bytes, _Entry] = OrderedDict()
        self._bytes = 0
        self.hits = 0
        self.misses = 0

    def find(self, operation: str, request: OnePage) -> tuple[bytes, float] | None:
        """Return the answer to the same request and its age in seconds, if it is no older than the request allows."""
        key = _key(operation, request)
        entry = self._entries.get(key)
        age = time.monotonic() - entry.stored if entry else math.inf
        if entry is None or age > min(request.max_age, entry.lifetime):
            self.misses += 1
            return None
        self._entries.move_to_end(key)
        self.hits += 1
        return entry.body, age

    def store(self, operation: str, request: OnePage, body: bytes, headers: Iterable[tuple[str, str]]) -> None:
        """Keep an answer, if the page's headers allow it and it is not a large part of the cache by itself."""
        seconds = lifetime(headers)
        if not seconds or len(body) > self._most // 4:
            return
        key = _key(operation, request)
        self._drop(key)
        self._entries[key] = _Entry(time.monotonic(), seconds, body)
        self._bytes += len(body)
        while self._bytes > self._most:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: bytes) -> None:
        entry = self._entries.pop(key, None)
        self._bytes -= len(entry.body) if entry else 0


def _key(operation: str, request: OnePage) -> bytes:
    same = msgspec.json.encode(msgspec.structs.replace(request, max_age=0.0))
    return hashlib.sha256(operation.encode() + b"\0" + same).digest()
