"""Concurrency limit on open pages: first come, first served; lower while memory is short or the machine is overloaded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from render.browser.resources import cores, free_memory, load

PAGE_MEMORY = 256 * 2**20
"""Bytes that must be free for one more page (docs/experiments/browser-pool.md, "Memory")."""
OVERLOADED_PROCESSES = 8.0
"""Processes per core above which a second page per core only delays all of them."""
LOOK_AGAIN = 0.5
"""Seconds between two checks for free memory while a page waits for it: other programs may have released some."""


def free_tabs(tabs: int, opened: int, free: int | None, crowd: float) -> int:
    """Return how many pages may be open at once: of `tabs`, with `opened` now, `free` bytes of memory and `crowd` processes per core.

    One page may always be open, so that work continues. Unknown memory (None) is no bound.
    """
    bound = tabs if crowd < OVERLOADED_PROCESSES else min(tabs, cores())
    if free is not None:
        bound = min(bound, opened + free // PAGE_MEMORY)
    return max(1, bound)


class PageLimiter:
    """Limits the number of pages that are open at once; first come, first served."""

    def __init__(self, tabs: int, bound: Callable[[int, int], int] | None = None) -> None:
        """`bound` maps the requested tabs and the number open now to how many may be open at once, by default the machine's limit."""
        self._tabs = tabs
        self._bound = bound or (lambda tabs, opened: free_tabs(tabs, opened, free_memory(), load()))
        self._entry = asyncio.Lock()
        self._left = asyncio.Event()
        self.opened = 0
        self.waiting = 0

    @property
    def bound(self) -> int:
        """How many pages may be open at once now."""
        return self._bound(self._tabs, self.opened)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and hold it for the block."""
        self.waiting += 1
        try:
            async with self._entry:  # the lock is fair: the first to come is the next to enter
                while self.opened >= self.bound:
                    self._left.clear()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(LOOK_AGAIN):
                            await self._left.wait()
                self.opened += 1
        finally:
            self.waiting -= 1
            self._left.set()
        try:
            yield
        finally:
            self.opened -= 1
            self._left.set()

    async def emptied(self) -> None:
        """Wait until no page is open and none waits."""
        while self.opened or self.waiting:
            self._left.clear()
            await self._left.wait()
