"""URLs of a crawl: validation of start URLs, normalisation, equality of links, sites."""

from __future__ import annotations

import ipaddress
import re
from typing import NamedTuple

import ada_url

from sightread.render.errors import Rejected, quoted
from sightread.render.network.address import percent_decode

LONGEST_URL = 2000
"""Characters. Longer ones are traps and session dumps; servers and browsers commonly refuse them."""

_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|dclid|msclkid|yclid|mc_[ce]id|igshid|srsltid|_ga|_gl", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"[^/?#:]+:\d+(?=$|[/?#])")
_TEMPLATE = re.compile(r"\{\{|\$\{|#\{|<%|\{%")
_NO_HOST = re.compile(r"[a-z]+:/{0,1}(?!/)|[a-z]+:/{3}", re.IGNORECASE)
"""Addresses in which a browser takes the path's first segment for the host; on a page they are mistakes."""
_CONTROL = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029]")


class StartUrl(NamedTuple):
    """A start URL in normal form, and what was assumed about the text it came from (empty if nothing was)."""

    url: str
    assumed: str


def parse_start_url(text: str) -> StartUrl:
    """Check what a user typed as a start URL.

    A missing scheme is taken as https (http on loopback), recorded in `assumed`. Raises `Rejected` for any other scheme, for user names
    and passwords, for backslashes, spaces and control characters, and for what has no host.
    """
    text = text.strip()
    if not text:
        raise Rejected("the start URL is empty: give the address of a site, such as https://example.com")
    if _CONTROL.search(text) or "\\" in text:
        raise Rejected(f"start URL {quoted(text)}: holds a backslash, a space or a control character: percent-encode it or take it out")
    assumed = ""
    if not _SCHEME.match(text) or _HOST_AND_PORT.match(text):
        scheme = "http" if is_loopback(f"http://{text}") else "https"
        text, assumed = f"{scheme}://{text}", f"no scheme given: {scheme} assumed"
    if not text.lower().startswith(("http://", "https://")):
        raise Rejected(f"start URL {quoted(text)}: only http and https can be crawled")
    parsed = _parse(text)
    if parsed and (parsed.username or parsed.password):
        raise Rejected("the start URL holds a user name or password: take it out, it would end up in the corpus")
    url = normalize(text)
    if url is None:
        raise Rejected(f"start URL {quoted(text)}: no host in it, or longer than {LONGEST_URL} characters: check its spelling")
    return StartUrl(url, assumed)


def normalize(url: str) -> str | None:
    """Return the URL as it is visited, or None if it is not a page's address (another scheme, no host, malformed, too long).

    The fragment, the default port and tracking parameters go; scheme and host are lower case; everything else stays as the site wrote
    it. The order of the query stays too: some servers read it, and a rewritten address may not be the one that was linked. `url_key`,
    which only compares, ignores that order.
    """
    url = url.strip()
    if len(url) > 10 * LONGEST_URL or _CONTROL.search(url) or "\\" in url or _NO_HOST.match(url):
        return None
    parsed = _parse(url)
    if parsed is None or parsed.protocol not in ("http:", "https:") or parsed.username or parsed.password:
        return None
    query = "&".join(part for part in parsed.search[1:].split("&") if part and not _TRACKING.fullmatch(part.split("=")[0]))
    host = parsed.hostname.rstrip(".")
    port = f":{parsed.port}" if parsed.port else ""
    normal = f"{parsed.protocol}//{host}{port}{parsed.pathname}" + (f"?{query}" if query else "")
    return normal if host and len(normal) <= LONGEST_URL else None


def url_key(url: str) -> str:
    """Return what two addresses of one page have in common; `url` must be normal.

    Scheme and `www.` are ignored and the query is sorted by name (the values of a repeated name keep their order, which means
    something: `?step=1&step=2`). A trailing slash counts: if it makes no difference the site redirects, and the final URLs are equal.
    """
    address, _, query = url.partition("?")
    parts = sorted(query.split("&"), key=lambda part: percent_decode(part.split("=")[0].replace("+", " ")))
    return f"{site_of(url)}{path_of(address)}?{'&'.join(parts)}"


def site_of(url: str) -> str:
    """Return the site that a normal URL belongs to: its host without `www.`, and its port unless that is the scheme's own."""
    return url.split("/", 3)[2].removeprefix("www.")


def is_template(url: str) -> bool:
    """Return whether an address, percent-encoded or not, holds what a template engine was to replace: `{{id}}`, `${id}`, `<%= id %>`."""
    return _TEMPLATE.search(percent_decode(url)) is not None


def origin_of(url: str) -> str:
    """Return scheme, host and port of a normal URL, without a slash at the end."""
    return "/".join(url.split("/", 3)[:3])


def address_of(url: str) -> str:
    """Return path and query of a normal URL."""
    return "/" + url.split("/", 3)[3]


def path_of(url: str) -> str:
    """Return the path of a normal URL, from its first slash to its query."""
    return address_of(url).partition("?")[0]


def is_loopback(url: str) -> bool:
    """Return whether the URL names this machine: `localhost`, 127.0.0.0/8 or ::1."""
    parsed = _parse(url)
    host = parsed.hostname.strip("[]") if parsed else ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _parse(url: str) -> ada_url.URL | None:
    try:
        return ada_url.URL(url)
    except ValueError:
        return None
