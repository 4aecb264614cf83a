"""`Client`: the service as a library without `async`, on an event loop in a thread of its own. Its methods are those of `AsyncClient`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from sightread.client.async_client import LOCAL_SERVICE, AsyncClient, AsyncJob, RetryPolicy
from sightread.render.errors import Rejected
from sightread.render.loop_thread import LoopThread
from sightread.server.schema.answers import JobRecord

Inner = TypeVar("Inner")
"""The asynchronous object."""
P = ParamSpec("P")
T = TypeVar("T")


class _Waiting(Generic[Inner]):
    """An object whose methods are those of an asynchronous one, performed in a thread."""

    _inner: Inner

    @property
    @abstractmethod
    def _thread(self) -> LoopThread:
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
        self._opened: LoopThread | None = None

    def __enter__(self) -> Self:
        self._opened = LoopThread("sightread-client")
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
    def _thread(self) -> LoopThread:
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

    def __init__(self, thread: LoopThread, job: AsyncJob) -> None:
        self._loop = thread
        self._inner = job

    @property
    def _thread(self) -> LoopThread:
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
