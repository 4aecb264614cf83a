"""Lists of URLs: grouped by registrable domain, so that a host has one owner."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from typing import Any

import msgspec
from publicsuffixlist import PublicSuffixList

from sightread.batch.inputs.files import open_lines
from sightread.batch.inputs.record import InputRecord, Partition

_HOST = re.compile(r"(?i)https?://(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)")


class ListedUrl(msgspec.Struct, frozen=True, array_like=True):
    """A line of a partition's file: the number of the URL in the whole input, and the URL."""

    number: int
    url: str


@cache
def _suffixes() -> Any:
    return PublicSuffixList()


def registrable_domain(url: str) -> str:
    """Return the domain that one owner registered, by the public suffix list; of an IP address or an unlisted host, the host itself."""
    found = _HOST.match(url)
    host = found[1].rstrip(".").lower() if found else ""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return _suffixes().privatesuffix(host) or host if host else ""
    return host


def bucket_of(url: str, buckets: int) -> int:
    """Return the bucket of a URL: a hash of its registrable domain."""
    digest = blake2b(registrable_domain(url).encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest) % buckets


def listed_urls(path: str) -> Iterator[str]:
    """Yield the URLs of a list: one per line; empty lines, and those that begin with #, are passed over."""
    with open_lines(path) as lines:
        for raw in lines:
            line = raw.decode("utf-8", "replace").strip().removeprefix("\ufeff")
            if line and not line.startswith("#"):
                yield line


def read_urls(partition: Partition, start: int) -> Iterator[InputRecord]:
    """Yield the URLs of a partition, from its own file in the output."""
    with open_lines(partition.file) as lines:
        for raw in lines:
            listed = msgspec.json.decode(raw, type=ListedUrl)
            if listed.number >= start:
                yield InputRecord(listed.number, listed.url)
