"""robots.txt (RFC 9309): disallowed paths, crawl delay, sitemaps."""

from __future__ import annotations

from dataclasses import dataclass

from protego import Protego

from crawler.fetch import Fetched, Fetcher
from crawler.rate_limit import default_delay
from crawler.storage.journal import RobotsRead
from crawler.urls import is_loopback, normalize, origin_of
from render.errors import Retryable, Unusable
from render.network.version import PRODUCT


@dataclass(frozen=True, slots=True)
class RobotsPolicy:
    """How robots.txt is read and followed."""

    longest_file: int = 512_000
    """Characters; RFC 9309, section 2.5, requires at least 500 KiB."""
    longest_delay: float = 30.0
    """Seconds; with a longer Crawl-delay 25 pages would take hours."""


POLICY = RobotsPolicy()
FORBIDDEN = "robots.txt forbids"
"""In the reason of every visit that robots.txt forbids."""


async def read_robots(fetcher: Fetcher, url: str) -> RobotsRead:
    """Fetch the robots.txt of the origin of `url`.

    A 4xx means that there is none, and everything is allowed (RFC 9309, section 2.3.1.3). Raises `Retryable` if it cannot be
    had (no connection, 5xx, and 429, which requests fewer requests): the whole site counts as forbidden until then (2.3.1.4).
    """
    address = f"{origin_of(url)}/robots.txt"
    try:
        answer = await fetcher.get(address)
    except Unusable as error:
        # Endless redirects and bodies are the site's fault and will stay: section 2.3.1.2 lets a crawler take them for a missing file.
        return RobotsRead(url, 0, f"# {error}")
    if answer.status >= 500 or answer.status == 429:
        raise Retryable(f"{address}: HTTP status {answer.status}: the whole site counts as forbidden until it can be read: try again later")
    return RobotsRead(url, answer.status, _text(answer))


def _text(answer: Fetched) -> str:
    return answer.body.decode("utf-8-sig", errors="replace")[: POLICY.longest_file] if answer.status < 300 else ""


class Robots:
    """The rules of one robots.txt that apply to sightread."""

    def __init__(self, read: RobotsRead) -> None:
        self._rules = Protego.parse(read.text)
        self._url = read.url

    def allows(self, url: str) -> bool:
        """Return whether the URL may be visited."""
        return bool(self._rules.can_fetch(url, PRODUCT))

    def delay(self, requested: float | None = None) -> float:
        """Return the seconds between two request starts: as the caller requested, but no less than the site's Crawl-delay.

        If nothing was requested it is the policy's default, and 0 on this very machine.
        """
        if requested is None and is_loopback(self._url):
            return 0.0
        declared = float(self._rules.crawl_delay(PRODUCT) or 0.0)
        return max(default_delay(self._url) if requested is None else requested, min(declared, POLICY.longest_delay))

    def sitemaps(self) -> tuple[str, ...]:
        """Return the sitemaps that the file names, as normal URLs, else the usual place."""
        named = tuple(dict.fromkeys(url for url in map(normalize, self._rules.sitemaps) if url))
        return named or (f"{origin_of(self._url)}/sitemap.xml",)
