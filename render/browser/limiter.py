"""Concurrency limits that callers share fairly; that on open pages is lower while memory is short or the machine is overloaded."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar

from sightread.render.browser.resources import cores, free_memory, load

PAGE_MEMORY = 256 * 2**20
"""Bytes that must be free for one more page (docs/experiments/browser-pool.md, "Memory")."""
OVERLOADED_PROCESSES = 8.0
"""Processes per core above which a second page per core only delays all of them."""
LOOK_AGAIN = 0.5
"""Seconds between two looks at a limit that may rise by itself: other programs may have released memory."""
WORKS_FOR: ContextVar[str] = ContextVar("works_for", default="")
"""The caller for whom a task works, and the tasks that it starts."""


def free_tabs(tabs: int, opened: int, free: int | None, crowd: float) -> int:
    """Return how many pages may be open at once: of `tabs`, with `opened` now, `free` bytes of memory and `crowd` processes per core.

    One page may always be open, so that work continues. Unknown memory (None) is no bound.
    """
    bound = tabs if crowd < OVERLOADED_PROCESSES else min(tabs, cores())
    if free is not None:
        bound = min(bound, opened + free // PAGE_MEMORY)
    return max(1, bound)


class Turns:
    """Limits how much is under way at once: the next is always of the caller with the least under way, who of equals waits the longest.

    A caller who has nothing under way may begin beyond the limit, while `reserve` allows: what others have begun may take minutes.
    """

    def __init__(self, bound: Callable[[int], float], reserve: int = 0) -> None:
        """`bound` returns the limit, given how much is under way now."""
        self._bound = bound
        self._reserve = reserve
        self._under_way: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._looks_again = False
        self._left = asyncio.Event()

    @property
    def opened(self) -> int:
        """How much is under way."""
        return self._under_way.total()

    @property
    def waiting(self) -> int:
        """How much waits for its turn."""
        return sum(map(len, self._waiting.values()))

    @asynccontextmanager
    async def turn(self, caller: str | None = None) -> AsyncIterator[None]:
        """Wait for a turn of a caller, by default of `WORKS_FOR`, and hold it for the block. Raises the error of `refuse`."""
        caller = WORKS_FOR.get() if caller is None else caller
        begins: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(caller, deque()).append(begins)
        try:
            self._begin()
            await begins
            yield
        finally:
            if caller in self._waiting and begins in self._waiting[caller]:
                self._take(caller, begins)
            elif begins.done() and not begins.cancelled() and begins.exception() is None:
                self._under_way -= Counter((caller,))  # also forgets a caller with nothing left
            self._begin()
            self._left.set()

    def refuse(self, error: Exception) -> None:
        """Raise an error from all that wait for their turn."""
        for caller, queue in list(self._waiting.items()):
            for begins in list(queue):
                self._take(caller, begins)
                if not begins.done():
                    begins.set_exception(error)

    async def emptied(self) -> None:
        """Wait until nothing is under way and nothing waits."""
        while self.opened or self.waiting:
            self._left.clear()
            await self._left.wait()

    def _begin(self) -> None:
        """Begin what has its turn."""
        while self._waiting:
            caller = min(self._waiting, key=self._under_way.__getitem__)
            reserve = 0 if self._under_way[caller] else self._reserve
            if self.opened >= self._bound(self.opened) + reserve:
                if not self._looks_again:
                    self._looks_again = True
                    asyncio.get_running_loop().call_later(LOOK_AGAIN, self._look_again)
                return
            begins = self._waiting[caller][0]
            self._take(caller, begins)
            if not begins.done():
                self._under_way[caller] += 1
                begins.set_result(None)

    def _look_again(self) -> None:
        self._looks_again = False
        self._begin()

    def _take(self, caller: str, begins: asyncio.Future[None]) -> None:
        """Take one out of its queue, and let other callers go before the rest of it."""
        queue = self._waiting.pop(caller)
        queue.remove(begins)
        if queue:
            self._waiting[caller] = queue


class PageLimiter(Turns):
    """Limits the number of pages that are open at once, with one more per four tabs for callers who have none open."""

    def __init__(self, tabs: int, bound: Callable[[int, int], int] | None = None) -> None:
        """`bound` maps the requested tabs and the number open now to how many may be open at once, by default the machine's limit."""
        limit = bound or (lambda tabs, opened: free_tabs(tabs, opened, free_memory(), load()))
        super().__init__(lambda opened: limit(tabs, opened), reserve=max(1, tabs // 4))

    @property
    def bound(self) -> int:
        """How many pages may be open at once now."""
        return int(self._bound(self.opened))
