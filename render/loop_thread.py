"""`LoopThread`: an event loop in a thread of its own, for callers that are not asynchronous."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """An event loop in a thread, from its construction until `close`."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of a coroutine; an interruption of the caller cancels it."""
        working = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return working.result()
        except BaseException:
            working.cancel()
            raise

    def iterate(self, items: AsyncGenerator[T, None]) -> Generator[T, None, None]:
        """Yield the items of an async generator, none of which is None, and close it at the end."""

        async def following() -> T | None:
            return await anext(items, None)

        async def close() -> None:
            await items.aclose()

        try:
            while (item := self.run(following())) is not None:
                yield item
        finally:
            self.run(close())

    def close(self) -> None:
        """Stop the loop, and end the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
