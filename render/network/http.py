"""Constants of HTTP, the limits that every reader of HTTP shares, and URLs for its client."""

from __future__ import annotations

import re

from yarl import URL

REDIRECT_STATUSES = (301, 302, 303, 307, 308)
MOST_REDIRECTS = 10
"""Followed to reach one page or file; Chromium itself follows 20."""
PROXY_STATUSES = (403, 502)
"""Status codes by which the egress proxy reports that it did not connect; a server may send them too."""
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""A header's name (RFC 9110, section 5.1)."""


def encoded_url(url: str) -> URL:
    """Return a URL in normal form for aiohttp, which takes no other type of URLs than yarl's; it is sent as written, not encoded again."""
    return URL(url, encoded=True)
