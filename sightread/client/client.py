"""`Client`: the service as a library without `async`, on an event loop in a thread of its own. Its methods are those of `AsyncClient`."""

from __future__ import annotations

import asyncio
import threading
from abc import abstractmethod
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterator
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from sightread.client.async_client import LOCAL_SERVICE, AsyncClient, AsyncJob, RetryPolicy
from sightread.render.errors import Rejected
from sightread.server.schema.answers import JobRecord

Inner = TypeVar("Inner")
"""The asynchronous object."""
P = ParamSpec("P")
T = TypeVar("T")


class _LoopThread:
    """An event loop in a thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sightread-client", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of a coroutine; an interrupt of the caller cancels it."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, items: AsyncGenerator[T, None]) -> Generator[T, None, None]:
        """Yield the items of an async generator, and close it at the end."""

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
        """Stop the loop."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class _Waiting(Generic[Inner]):
    """An object whose methods are those of an asynchronous one, performed in a thread."""

    _inner: Inner

    @property
    @abstractmethod
    def _thread(self) -> _LoopThread:
        """The thread in which its methods are performed."""


def _returning(
    method: Callable[Concatenate[Inner, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[_Waiting[Inner], P], T]:
    """Return the method that waits for the result of an asynchronous one."""

    @wraps(method)
    def call(self: _Waiting[Inner], /, *arguments: P.args, **named: P.kwargs) -> T:
        return self._thread.run(method(self._inner, *arguments, **named))

    return call


def _yielding(
    method: Callable[Concatenate[Inner, P], AsyncGenerator[T, None]],
) -> Callable[Concatenate[_Waiting[Inner], P], Iterator[T]]:
    """Return the method that yields the items of an asynchronous one."""

    @wraps(method)
    def call(self: _Waiting[Inner], /, *arguments: P.args, **named: P.kwargs) -> Iterator[T]:
        return self._thread.iterate(method(self._inner, *arguments, **named))

    return call


def _starting(
    method: Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, AsyncJob]],
) -> Callable[Concatenate[_Waiting[AsyncClient], P], Job]:
    """Return the method that waits for the job of an asynchronous one."""

    @wraps(method)
    def call(self: _Waiting[AsyncClient], /, *arguments: P.args, **named: P.kwargs) -> Job:
        return Job(self._thread, self._thread.run(method(self._inner, *arguments, **named)))

    return call


class Client(_Waiting[AsyncClient]):
    """A client of a running service; a context manager, outside of which it raises `Rejected`. Arguments as of `AsyncClient`.

    with sightread.Client("http://127.0.0.1:8412") as client:
        page = client.extract("https://example.com/article")
        print(page.markdown)
    """

    def __init__(
        self,
        url: str = LOCAL_SERVICE,
        *,
        token: str = "",
        timeout: float = 180.0,
        retry: RetryPolicy = RetryPolicy(),  # noqa: B008  (frozen)
    ) -> None:
        self._inner = AsyncClient(url, token=token, timeout=timeout, retry=retry)
        self._opened: _LoopThread | None = None

    def __enter__(self) -> Self:
        self._opened = _LoopThread()
        try:
            self._opened.run(self._inner.__aenter__())
        except BaseException:
            self._opened.close()
            self._opened = None
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.run(self._inner.__aexit__(kind, error, trace))
            opened.close()

    @property
    def _thread(self) -> _LoopThread:
        if self._opened is None:
            raise Rejected("the client is not open: use it inside `with`, as in `with sightread.Client() as client:`")
        return self._opened

    extract = _returning(AsyncClient.extract)
    extract_html = _returning(AsyncClient.extract_html)
    render = _returning(AsyncClient.render)
    explain = _returning(AsyncClient.explain)
    map = _returning(AsyncClient.map)
    extract_many = _yielding(AsyncClient.extract_many)
    start_batch = _starting(AsyncClient.start_batch)
    start_crawl = _starting(AsyncClient.start_crawl)
    start_learning = _starting(AsyncClient.start_learning)
    start_watch = _starting(AsyncClient.start_watch)
    job = _starting(AsyncClient.job)

    def jobs(self, limit: int = 100) -> list[Job]:
        """Return the caller's jobs, the newest first."""
        return [Job(self._thread, each) for each in self._thread.run(self._inner.jobs(limit))]


class Job(_Waiting[AsyncJob]):
    """A job of the service."""

    def __init__(self, thread: _LoopThread, job: AsyncJob) -> None:
        self._loop = thread
        self._inner = job

    @property
    def _thread(self) -> _LoopThread:
        return self._loop

    @property
    def id(self) -> str:
        """The id, for `Client.job`."""
        return self._inner.id

    @property
    def record(self) -> JobRecord:
        """The job as it was when it was last requested."""
        return self._inner.record

    refresh = _returning(AsyncJob.refresh)
    cancel = _returning(AsyncJob.cancel)
    events = _yielding(AsyncJob.events)
    wait = _returning(AsyncJob.wait)
    results = _yielding(AsyncJob.results)
