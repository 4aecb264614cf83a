"""Rate limit: when a request may start, and the delay before a retry."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from render.errors import Retryable

TRIES = 3
"""The first one and two more."""

T = TypeVar("T")


class Pace:
    """Lets one request start every `delay` seconds; those who wait go in the order in which they came."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self._turns = asyncio.Lock()
        self._free_at = 0.0

    async def turn(self) -> None:
        """Wait until the next request may start."""
        clock = asyncio.get_running_loop().time
        async with self._turns:
            await asyncio.sleep(max(0.0, self._free_at - clock()))
            self._free_at = clock() + self.delay


async def with_retries(attempt: Callable[[], Awaitable[T]], backoff: float, on_wait: Callable[[float, str], None]) -> T:
    """Return what `attempt` returns; after a `Retryable` try again, in `backoff` seconds and then in twice as many.

    `on_wait` receives the seconds and the reason before each wait. Raises what the last try raised.
    """
    for tries in range(1, TRIES):
        try:
            return await attempt()
        except Retryable as error:
            seconds = backoff * 2 ** (tries - 1)
            on_wait(seconds, str(error))
            await asyncio.sleep(seconds)
    return await attempt()
