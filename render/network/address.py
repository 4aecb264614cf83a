"""Web addresses by the WHATWG URL standard, and which IP addresses are public."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import quote

import ada_url

from sightread.render.errors import Rejected

SHOWN_CHARACTERS = 300
"""Characters of an address that an error repeats."""

STORED_URL = "http://stored.invalid/"
"""The address that stored pages without one of the web have in the browser; such names never resolve (RFC 2606). No result names it."""

_REFUSED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\\]")
"""Control characters and backslashes: browsers drop the first or read the second as slashes, and other parsers do neither."""
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_WIDE_DOTS = re.compile(r"[\u3002\uff0e\uff61]")
"""Dots of other scripts, which browsers read as dots and other parsers do not."""

_NOT_PUBLIC_V4 = tuple(
    map(
        IPv4Network,
        (
            # The IANA registry of special-purpose addresses (RFC 6890 and its updates).
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
            "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "168.63.129.16/32",  # a public number by which Azure's machines reach their host
        ),
    )
)  # fmt: skip
_UNICAST_V6 = IPv6Network("2000::/3")
"""Global unicast addresses (RFC 4291, section 2.4). Outside lie loopback, link-, site- and unique local, multicast, and
the forms that carry an IPv4 address: mapped, compatible, translated (64:ff9b::/96, 64:ff9b:1::/48)."""
_NOT_PUBLIC_V6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Within it: protocol assignments with Teredo, benchmarks and ORCHID (RFC 2928), documentation (RFC 3849, 9637), and 6to4 (RFC 3056)."""


class WebAddress(NamedTuple):
    """An http or https URL as a browser reads it; the host in lower case and ASCII, without brackets."""

    href: str
    host: str
    port: int


def parse_url(url: str) -> ada_url.URL | None:
    """Parse a URL by the WHATWG's rules; None if it is none."""
    try:
        return ada_url.URL(url)
    except ValueError:
        return None


def check_url(url: str) -> WebAddress:
    """Parse the address of a web page, by the WHATWG's rules.

    Raises `Rejected` for any other scheme, for user names and passwords, for backslashes and control characters, and for what has no host.
    """
    if _REFUSED.search(url):
        raise Rejected(f"{shown(url)}: holds a backslash or a control character: percent-encode it or take it out")
    parsed = parse_url(url)
    if parsed is None or parsed.protocol not in ("http:", "https:") or not parsed.hostname:
        raise Rejected(f"{shown(url)}: not an http or https address: give one, such as https://example.com/")
    if parsed.username or parsed.password or "@" in _authority(url):
        raise Rejected(f"{shown(_without_user(url))}: holds a user name or password: take it out")
    if _WIDE_DOTS.search(_authority(url)):
        raise Rejected(f"{shown(url)}: its host is written with dots that are none: write it with full stops")
    default = 443 if parsed.protocol == "https:" else 80
    return WebAddress(parsed.href, parsed.hostname.strip("[]"), int(parsed.port) if parsed.port else default)


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet; one with a zone (`fe80::1%eth0`) never is.

    Decided by our own lists, because `ipaddress.is_global` of Python 3.11 takes NAT64, 6to4, IPv4-compatible and site-local addresses and
    multicast for public ones. Raises `ValueError` for anything other than an address.
    """
    parsed = ip_address(address)
    if isinstance(parsed, IPv4Address):
        return not any(parsed in network for network in _NOT_PUBLIC_V4)
    assert isinstance(parsed, IPv6Address)
    return parsed.scope_id is None and parsed in _UNICAST_V6 and not any(parsed in network for network in _NOT_PUBLIC_V6)


def is_own(address: str) -> bool:
    """Return whether an IP address is one of this machine, public ones included: the system would reach it from the same address. No packet
    is sent.
    """
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect((address, 9))
        return bool(probe.getsockname()[0] == probe.getpeername()[0])
    return False


def origin_of(url: str) -> str:
    """Return the origin of an http(s) address: scheme, host, and the port if it is unusual. Raises `ValueError` for anything else."""
    origin: str = ada_url.URL(url).origin
    return origin


def host_of(url: str) -> str:
    """Return the host of an http(s) address, in lower case and ASCII, without brackets; empty for anything else."""
    parsed = parse_url(url)
    return str(parsed.hostname).strip("[]") if parsed and parsed.protocol in ("http:", "https:") else ""


def join_url(base: str, reference: str) -> str:
    """Return the absolute URL of a reference, by the WHATWG's rules; empty if there is none."""
    try:
        href: str = ada_url.URL(reference, base).href
    except ValueError:
        return ""
    return href


def percent_decode(text: str) -> str:
    """Return a text with its percent-encoded bytes decoded as UTF-8 (WHATWG URL, section 1.3); bytes that are none become U+FFFD."""
    return _ENCODED.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace"), text) if "%" in text else text


def percent_encode(text: str, kept: str = "/") -> str:
    """Return a text whose characters are percent-encoded in UTF-8, but for ASCII letters, digits, `-._~` and those `kept`."""
    return quote(text, kept, errors="replace")


def shown(url: str) -> str:
    """Return an address as one line of an error may repeat it: escaped, and cut if it is very long; of a stored page, its name."""
    escaped = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", lambda found: f"\\x{ord(found[0]):02x}", without_placeholder(url))
    return escaped if len(escaped) <= SHOWN_CHARACTERS else f"{escaped[:SHOWN_CHARACTERS]}…"


def without_placeholder(text: str) -> str:
    """Return a text in which stored pages that have no address are called by their name in the archive, or "the document"."""
    return re.sub(rf"{re.escape(STORED_URL)}(?=[:\s]|$)", "the document", text).replace(STORED_URL, "")


def _authority(url: str) -> str:
    return re.split(r"[/?#]", url.partition(":")[2].lstrip("/"), maxsplit=1)[0]


def _without_user(url: str) -> str:
    authority = _authority(url)
    return url.replace(authority, authority.rpartition("@")[2], 1)
