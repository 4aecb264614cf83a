"""Rate limits: when a request may start, the delay before a retry, and the order of pages of many hosts."""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sightread.crawler.urls import is_loopback
from sightread.render.argument_checks import check_fields, check_range
from sightread.render.errors import Retryable
from sightread.render.network.address import host_of

TRIES = 3
"""The first one and two more."""
LONGEST_WAIT = 120.0
"""Seconds of a server's Retry-After that are waited for; a page whose server names a longer time has failed."""
DEFAULT_DELAY = 0.5
"""Seconds between the starts of two pages of a site that declares no delay."""
PAGES_AT_ONCE = 2
"""Pages of one host open at once, as in a crawl."""
LOOK_AHEAD = 1000
"""Pages held back while others start: the URLs of one host, listed one after another, do not delay the next host's."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RateLimit:
    """How fast the pages of one host are opened. Raises `Rejected` for a field out of its range."""

    at_once: int | None = None
    """Pages of one host that are open at once; None for two, and for any number on this machine (loopback)."""
    delay: float | None = None
    """Seconds between the starts of two pages of one host; None for half a second, and for none on this machine."""

    def __post_init__(self) -> None:
        check_fields(self)
        check_range("RateLimit: at_once", 1 if self.at_once is None else self.at_once, 1, unit="pages of one host")
        check_range("RateLimit: delay", 0 if self.delay is None else self.delay, 0, unit="seconds")


RATE_LIMIT = RateLimit()


def default_delay(url: str) -> float:
    """Return the seconds between the starts of two pages of the URL's host, unless another delay is given."""
    return 0.0 if is_loopback(url) else DEFAULT_DELAY


class Pace:
    """Lets one request start every `delay` seconds; those who wait go in the order in which they came."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self._turns = asyncio.Lock()
        self._free_at = 0.0

    async def turn(self) -> None:
        """Wait until the next request may start."""
        async with self.visit():
            pass

    @asynccontextmanager
    async def visit(self) -> AsyncIterator[Callable[[], None]]:
        """Wait until the next request may start, and with a delay keep others waiting until it has: until the returned function is called,
        or the block ends.
        """
        clock, has_started = asyncio.get_running_loop().time, False

        def start() -> None:
            nonlocal has_started
            self._free_at = clock() + self.delay
            if not has_started:
                has_started = True
                self._turns.release()

        await self._turns.acquire()
        try:
            await asyncio.sleep(max(0.0, self._free_at - clock()))
        except asyncio.CancelledError:
            self._turns.release()
            raise
        if not self.delay:
            start()
        try:
            yield start
        finally:
            start()


@dataclass(slots=True)
class _Host(Generic[T]):
    """The pages of one host: those held back, and how many are open."""

    at_once: float
    delay: float
    held: deque[T] = field(default_factory=deque)
    open: int = 0
    free_at: float = -math.inf
    """By the caller's clock: when the next page may start."""

    def is_free(self, now: float) -> bool:
        """Return whether a page may start."""
        return self.open < self.at_once and self.free_at <= now

    def is_idle(self, now: float) -> bool:
        """Return whether nothing depends on what is known of the host."""
        return not self.held and not self.open and self.free_at <= now

    def start(self, now: float) -> None:
        """Record the start of a page."""
        self.open += 1
        self.free_at = now + self.delay


class HostQueue(Generic[T]):
    """A queue of pages in which each host has a rate limit: a page is taken once its host may be visited.

    Pages are read from the iterable as they are needed; those whose host may not be visited yet are held back, at most `LOOK_AHEAD` of
    them, and go before others of their host. What is no URL has no limit. Times are seconds by a clock of the caller's.
    """

    def __init__(self, pages: Iterable[T], url_of: Callable[[T], str], limit: RateLimit = RATE_LIMIT) -> None:
        self._pages = iter(pages)
        self._url_of = url_of
        self._limit = limit
        self._hosts: dict[str, _Host[T]] = {}
        self._held = 0
        self._is_read = False

    @property
    def is_empty(self) -> bool:
        """Whether no further page will come."""
        return self._is_read and not self._held

    def take(self, now: float) -> tuple[T, str] | None:
        """Return a page that may start now, with the name of its host for `finish`; None if there is none."""
        for name, host in self._hosts.items():
            if host.held and host.is_free(now):
                self._held -= 1
                host.start(now)
                return host.held.popleft(), name
        while self._held < LOOK_AHEAD:
            try:
                page = next(self._pages)
            except StopIteration:
                self._is_read = True
                return None
            name, host = self._host(self._url_of(page), now)
            if host.is_free(now):
                host.start(now)
                return page, name
            host.held.append(page)
            self._held += 1
        return None

    def finish(self, name: str) -> None:
        """Record that a page of the host is no longer open."""
        self._hosts[name].open -= 1

    def put_back(self, page: T, name: str, until: float) -> None:
        """Hold a page back again, before the others of its host, none of which starts earlier."""
        host = self._hosts[name]
        host.held.appendleft(page)
        host.free_at = max(host.free_at, until)
        self._held += 1

    def wait(self, now: float) -> float | None:
        """Return the seconds until a page that is held back may start; None if none is, or if one must finish first."""
        waits = [host.free_at - now for host in self._hosts.values() if host.held and host.open < host.at_once]
        return max(0.0, min(waits)) if waits else None

    def _host(self, url: str, now: float) -> tuple[str, _Host[T]]:
        """Return the host of a URL, by its name; hosts without pages are forgotten from time to time."""
        name = host_of(url).rstrip(".")
        if name not in self._hosts:
            if len(self._hosts) > 2 * LOOK_AHEAD:
                self._hosts = {name: host for name, host in self._hosts.items() if not host.is_idle(now)}
            self._hosts[name] = self._new_host(url) if name else _Host(math.inf, 0.0)
        return name, self._hosts[name]

    def _new_host(self, url: str) -> _Host[T]:
        at_once = self._limit.at_once or (math.inf if is_loopback(url) else PAGES_AT_ONCE)
        return _Host(at_once, default_delay(url) if self._limit.delay is None else self._limit.delay)


async def with_retries(attempt: Callable[[], Awaitable[T]], backoff: float, on_wait: Callable[[float, str], None]) -> T:
    """Return what `attempt` returns; after a `Retryable` try again, in `backoff` seconds and then in twice as many, or in as many as its
    server named, `LONGEST_WAIT` at most.

    `on_wait` receives the seconds and the reason before each wait. Raises what the last try raised.
    """
    for tries in range(1, TRIES):
        try:
            return await attempt()
        except Retryable as error:
            if error.wait > LONGEST_WAIT:
                raise
            seconds = max(error.wait, backoff * 2 ** (tries - 1))
            on_wait(seconds, str(error))
            await asyncio.sleep(seconds)
    return await attempt()
