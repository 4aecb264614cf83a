"""Maps the failure of a navigation to the error class that states whether a retry makes sense."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sightread.render.errors import BrowserFailed, PageFailed, Retryable, Unusable

HTML_TYPES = ("text/html", "application/xhtml+xml")
RETRYABLE_STATUSES = (408, 425, 429)
"""Of the 4xx: too slow, too early, too often."""

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


def status_failure(url: str, status: int) -> PageFailed | None:
    """Return the error that an HTTP status means for the page at `url`, or None for a success."""
    if status < 400:
        return None
    if status >= 500 or status in RETRYABLE_STATUSES:
        return Retryable(f"{url}: HTTP status {status}: try again later")
    return Unusable(f"{url}: HTTP status {status}")


def type_failure(url: str, content_type: str) -> PageFailed | None:
    """Return the error for a response that is not HTML, by its Content-Type header; None for HTML or without a header."""
    kind = content_type.partition(";")[0].strip().lower()
    if not kind or kind in HTML_TYPES:
        return None
    return Unusable(f"{url}: its content is {kind}: only HTML pages can be read")


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
