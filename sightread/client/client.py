"""`Client`: the service as a library without `async`, on an event loop in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Generator, Iterable, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from sightread.client.async_client import WHOLE_SECTION, AsyncClient, AsyncJob
from sightread.client.options import PageKeywords
from sightread.client.transport import LOCAL_SERVICE, RetryPolicy
from sightread.render.argument_checks import check_call
from sightread.render.errors import Rejected
from sightread.render.labels import PartKind
from sightread.server.schema.answers import ExplainAnswer, ExtractAnswer, JobRecord, MapAnswer, Outcome, RenderAnswer
from sightread.server.schema.requests import ScopeRequest

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


@check_call
class Client:
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
        self._client = AsyncClient(url, token=token, timeout=timeout, retry=retry)
        self._opened: _LoopThread | None = None

    def __enter__(self) -> Self:
        self._opened = _LoopThread()
        try:
            self._opened.run(self._client.__aenter__())
        except BaseException:
            self._opened.close()
            self._opened = None
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.run(self._client.__aexit__(kind, error, trace))
            opened.close()

    @property
    def _thread(self) -> _LoopThread:
        if self._opened is None:
            raise Rejected("the client is not open: use it inside `with`, as in `with sightread.Client() as client:`")
        return self._opened

    def extract(self, url: str, **options: Unpack[PageKeywords]) -> ExtractAnswer:
        """Return the main content of the page at `url`."""
        return self._thread.run(self._client.extract(url, **options))

    def extract_html(self, html: str, url: str = "", **options: Unpack[PageKeywords]) -> ExtractAnswer:
        """Return the main content of stored HTML, which came from `url`."""
        return self._thread.run(self._client.extract_html(html, url, **options))

    def render(self, url: str, **options: Unpack[PageKeywords]) -> RenderAnswer:
        """Return the page at `url` as the browser shows it, with its blocks."""
        return self._thread.run(self._client.render(url, **options))

    def explain(self, url: str, html: str = "", evidence: int = 8, **options: Unpack[PageKeywords]) -> ExplainAnswer:
        """Return the decision about every block of a page, each with its reason and the `evidence` weightiest features."""
        return self._thread.run(self._client.explain(url, html, evidence, **options))

    def map(self, url: str, pages: int = 1000, scope: ScopeRequest = WHOLE_SECTION) -> MapAnswer:
        """Return the addresses of a site that a crawl would take."""
        return self._thread.run(self._client.map(url, pages, scope))

    def extract_many(self, urls: Iterable[str], **options: Unpack[PageKeywords]) -> Iterator[Outcome]:
        """Yield the outcome of each page in order of completion, while the service reads the others."""
        return self._thread.iterate(self._client.extract_many(urls, **options))

    def start_batch(self, urls: Iterable[str], key: str = "", **options: Unpack[PageKeywords]) -> Job:
        """Start a job that reads pages, and continues when the service or the client is stopped meanwhile."""
        return Job(self._thread, self._thread.run(self._client.start_batch(urls, key, **options)))

    def start_crawl(
        self,
        url: str,
        pages: int = 25,
        scope: ScopeRequest = WHOLE_SECTION,
        key: str = "",
        *,
        delay: float | None = None,
        **options: Unpack[PageKeywords],
    ) -> Job:
        """Start a job that crawls a site from `url`, and reads its pages; `delay` is the least number of seconds between two of them."""
        return Job(self._thread, self._thread.run(self._client.start_crawl(url, pages, scope, key, delay=delay, **options)))

    def start_learning(
        self,
        url: str,
        pages: int = 25,
        scope: ScopeRequest = WHOLE_SECTION,
        *,
        delay: float | None = None,
        keep: tuple[PartKind, ...] = (),
        drop: tuple[PartKind, ...] = (),
    ) -> Job:
        """Start a job that crawls and learns a site; `delay` as of `start_crawl`, `keep` and `drop` name parts of its pages."""
        return Job(self._thread, self._thread.run(self._client.start_learning(url, pages, scope, delay=delay, keep=keep, drop=drop)))

    def job(self, id: str) -> Job:
        """Return a job by its id. Raises `Rejected` if there is none."""
        return Job(self._thread, self._thread.run(self._client.job(id)))

    def jobs(self, limit: int = 100) -> list[Job]:
        """Return the caller's jobs, the newest first."""
        return [Job(self._thread, each) for each in self._thread.run(self._client.jobs(limit))]


class Job:
    """A job of the service."""

    def __init__(self, thread: _LoopThread, job: AsyncJob) -> None:
        self._thread = thread
        self._job = job

    @property
    def id(self) -> str:
        """The id, for `Client.job`."""
        return self._job.id

    @property
    def record(self) -> JobRecord:
        """The job as it was when it was last requested."""
        return self._job.record

    def refresh(self) -> JobRecord:
        """Return the job as it is now."""
        return self._thread.run(self._job.refresh())

    def cancel(self) -> JobRecord:
        """End the job; its results stay."""
        return self._thread.run(self._job.cancel())

    def events(self) -> Iterator[JobRecord]:
        """Yield the job whenever it changes, until it has ended."""
        return self._thread.iterate(self._job.events())

    def wait(self) -> JobRecord:
        """Wait for the end of the job, and return it."""
        return self._thread.run(self._job.wait())

    def results(self, after: int = 0) -> Iterator[Outcome]:
        """Yield all results in the order in which they were stored, those of a running job as they come."""
        return self._thread.iterate(self._job.results(after))
