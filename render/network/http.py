"""HTTP beside the browser: our product token, redirects, what a failed navigation is, and sockets to listen at."""

from __future__ import annotations

import errno
import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple, Self

from yarl import URL

from sightread.render.errors import BrowserFailed, PageFailed, Retryable, Unequipped, Unusable
from sightread.render.version import VERSION

PRODUCT = f"sightread/{VERSION}"
"""The product token (RFC 9110, section 10.1.5) of every request: the crawler's whole user agent, and the end of the browser's."""
NOT_MODIFIED = 304
REDIRECT_STATUSES = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 10
"""Followed to reach one page or file; Chromium itself follows 20."""
PROXY_STATUSES = (403, 502)
"""Status codes by which the egress proxy reports that it did not connect; a server may send them too."""
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A header's name (RFC 9110, section 5.1)."""


class PageHeaders(NamedTuple):
    """Headers of a page's response that a crawl keeps, each empty if it is not known."""

    etag: str = ""
    last_modified: str = ""
    robots_tag: str = ""

    @classmethod
    def of(cls, headers: Mapping[str, str]) -> Self:
        """Take them from the headers of a response, by name in any letter case that the mapping finds."""
        return cls(*(headers.get(name, "")[:LONGEST_HEADER] for name in ("etag", "last-modified", "x-robots-tag")))

    @property
    def condition(self) -> dict[str, str]:
        """Headers of a request for the page that is answered with 304 if it is as it was (RFC 9110, section 13)."""
        given = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in given.items() if value}


NO_HEADERS = PageHeaders()
LONGEST_HEADER = 500
"""Characters of a header that are kept."""


def is_sendable_login(user: str, password: str) -> bool:
    """Return whether name and password can be sent: no control characters, and no colon in the name (RFC 7617, section 2)."""
    return not re.search(r"[\x00-\x1f\x7f]", user + password) and ":" not in user


def encoded_url(url: str) -> URL:
    """Return a URL in normal form for aiohttp, which takes no other type of URLs than yarl's; it is sent as written, not encoded again."""
    return URL(url, encoded=True)


HTML_TYPES = ("text/html", "application/xhtml+xml")
_CHARSET = re.compile(r""";\s*charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
RETRYABLE_STATUSES = (408, 425, 429)
"""Of the 4xx: too slow, too early, too often."""
GONE_STATUSES = (404, 410)
"""With which a server has no page at an address, whether a browser or a program requests it."""
WAITING_STATUSES = (429, 503)
"""With which a server may name the time of the next request."""

NETWORK_FAILURES: Mapping[str, tuple[type[PageFailed], str]] = {
    "NAME_NOT_RESOLVED": (Retryable, "the name does not resolve: check it, or the network"),
    "NAME_RESOLUTION_FAILED": (Retryable, "the name does not resolve: check it, or the network"),
    "CONNECTION_REFUSED": (Retryable, "connection refused: nothing listens there now"),
    "INTERNET_DISCONNECTED": (Retryable, "there is no network"),
    "TOO_MANY_REDIRECTS": (Unusable, "it redirects in circles"),
    "INVALID_URL": (Unusable, "not a valid address"),
    "UNSAFE_PORT": (Unusable, "the port is reserved for another protocol"),
    "UNKNOWN_URL_SCHEME": (Unusable, "it redirects to something that is no web page"),
    "UNSAFE_REDIRECT": (Unusable, "it redirects to something that is no web page"),
    "FAILED": (Retryable, "it leads on to something that cannot be opened: try again later"),
    "ABORTED": (Unusable, "it is a download, or has no content: only HTML pages can be read"),
}
"""The meaning of Chromium's net errors to the caller. Any other is retryable, save those of certificates."""


def status_failure(url: str, status: int, retry_after: str = "") -> PageFailed | None:
    """Return the error that an HTTP status means for the page at `url`, or None for a success; `retry_after` is the header of that name."""
    if status < 400:
        return None
    if status >= 500 or status in RETRYABLE_STATUSES:
        busy = Retryable(f"{url}: HTTP status {status}: try again later")
        busy.wait = _seconds_until(retry_after) if status in WAITING_STATUSES else 0.0
        return busy
    failure = Unusable(f"{url}: HTTP status {status}")
    failure.status = status
    return failure


def _seconds_until(retry_after: str) -> float:
    """Return the seconds that Retry-After names (RFC 9110, section 10.2.3), as a number or a date; 0 if it names none."""
    if re.fullmatch(r"\s*\d{1,9}\s*", retry_after, re.ASCII):
        return float(retry_after)
    try:
        return max(0.0, (parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):  # no date, or one without a time zone
        return 0.0


def type_failure(url: str, content_type: str) -> PageFailed | None:
    """Return the error for a response that is not HTML, by its Content-Type header; None for HTML or without a header."""
    kind = content_type.partition(";")[0].strip().lower()
    if not kind or kind in HTML_TYPES:
        return None
    failure = Unusable(f"{url}: its content is {kind}: only HTML pages can be read")
    failure.content_type = content_type
    return failure


def charset_of(content_type: str) -> str:
    """Return the encoding that a Content-Type header names; empty if it names none."""
    found = _CHARSET.search(content_type)
    return found[1] if found else ""


def navigation_failure(url: str, message: str) -> PageFailed:
    """Return the error for a navigation that the browser gave up, by its message."""
    found = re.search(r"net::ERR_(\w+)", message)
    if not found:
        first = first_line(message)
        if "Download is starting" in first:
            return NETWORK_FAILURES["ABORTED"][0](f"{url}: {NETWORK_FAILURES['ABORTED'][1]}")
        return BrowserFailed(f"{url}: the browser gave up: {first}")
    name = found[1]
    if name.startswith(("CERT_", "SSL_")):
        return Unusable(f"{url}: no secure connection: {name}")
    error, meaning = NETWORK_FAILURES.get(name, (Retryable, f"the connection failed: {name}"))
    return error(f"{url}: {meaning}")


def first_line(message: str) -> str:
    """Return the first line of an error of Playwright's, without the name of the call."""
    return re.sub(r"^\w+\.\w+: ", "", message.strip().partition("\n")[0])


BACKLOG = 128
"""Connections that wait to be accepted: while the browser starts, none is."""


@dataclass(frozen=True, slots=True)
class ListeningSockets:
    """Sockets that listen at one port of this machine, one per address of the host. Connections wait until an application is served."""

    sockets: tuple[socket.socket, ...]

    @classmethod
    def open(cls, host: str, port: int) -> ListeningSockets:
        """Listen; port 0 is any free port. Raises `Unequipped` if the port is taken, or the host is no address of this machine."""
        opened: list[socket.socket] = []
        try:
            for family, _, _, _, address in dict.fromkeys(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)):
                opened.append(socket.create_server(address, family=family, backlog=BACKLOG))
        except OSError as error:
            for each in opened:
                each.close()
            raise Unequipped(f"cannot listen on {host} port {port}: {_listen_problem(error)}") from error
        return cls(tuple(opened))

    def close(self) -> None:
        """Close this process's copy of the sockets; another process may still listen with its own."""
        for each in self.sockets:
            each.close()


def _listen_problem(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "another program listens there: end it, or choose another port with --port"
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return "this is no address of this machine: choose another one with --host"
    return f"{os.strerror(error.errno) if error.errno else error}: choose another port with --port"
