"""`AsyncClient`: the service as a library, with the verbs of `Reader`.

Requests are sent again when the service is busy; its errors are raised as those of `Reader`.
"""

from __future__ import annotations

import asyncio
import inspect
import random
import re
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from types import MappingProxyType, TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

import aiohttp
import msgspec

import sightread.render.errors
from sightread.render.errors import Rejected, Retryable, SightreadError
from sightread.render.network.address import host_of, join_url
from sightread.render.network.http import PRODUCT, encoded_url
from sightread.server.metrics import inject
from sightread.server.schema.answers import FINAL, ErrorAnswer, ExplainAnswer, ExtractAnswer, JobRecord, MapAnswer, Outcome, RenderAnswer
from sightread.server.schema.requests import (
    BatchRequest,
    CrawlRequest,
    ExplainRequest,
    ExtractRequest,
    JobRequest,
    LearnRequest,
    MapRequest,
    PageOptions,
    RenderRequest,
    WatchRequest,
    page_options,
)

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
LOCAL_SERVICE = "http://127.0.0.1:8412"
BUSY = (429, 503)
"""HTTP statuses of a request that may be sent again."""
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When a request is sent again: after Retry-After, else after a pause that doubles, with a random part so that callers spread."""

    tries: int = 5
    first_pause: float = 0.5
    """Seconds."""
    longest_pause: float = 30.0
    """Seconds; the service's Retry-After is cut to it too."""

    def pause(self, attempt: int, retry_after: str = "") -> float:
        """Return the seconds before the next try; `attempt` counts from 0."""
        if retry_after.isascii() and retry_after.isdigit():
            return min(float(retry_after), self.longest_pause) * random.uniform(1.0, 1.25)  # noqa: S311  (no secret)
        return min(self.first_pause * 2.0**attempt, self.longest_pause) * random.uniform(0.5, 1.0)  # noqa: S311


def service_url(text: str) -> str:
    """Return the base URL of a service, with a slash at its end. Raises `Rejected` for anything else."""
    url = join_url(text.rstrip("/") + "/", "") if isinstance(text, str) else ""
    if not host_of(url) or "?" in text or "#" in text:
        guess = f"http://{text}" if isinstance(text, str) and re.fullmatch(r"[\w.-]+(:\d+)?", text) else LOCAL_SERVICE
        raise Rejected(f"{text!r:.100} is not the URL of a service: give one such as {guess}")
    return url


class Transport:
    """Sends requests to one service; open until `close`."""

    def __init__(self, url: str, token: str, timeout: float, retry: RetryPolicy) -> None:
        self._base = service_url(url)
        self._retry = retry
        headers = {"User-Agent": PRODUCT} | ({"Authorization": f"Bearer {token}"} if token else {})
        limits = aiohttp.ClientTimeout(total=None, connect=10, sock_read=timeout)
        self._session = aiohttp.ClientSession(headers=headers, timeout=limits, cookie_jar=aiohttp.DummyCookieJar())

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()

    async def fetch(self, model: type[T], method: str, path: str, body: object = None, headers: Mapping[str, str] = _NO_HEADERS) -> T:
        """Return the answer, a record of the model. Raises the error that the service answers with, `Retryable` if there is no answer."""
        async with self.stream(method, path, body, headers) as answer:
            try:
                return msgspec.json.decode(await answer.read(), type=model)
            except (aiohttp.ClientError, TimeoutError) as error:
                raise Retryable(f"{self._base}: the answer is cut short: {error}: try again") from error

    @asynccontextmanager
    async def stream(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] = _NO_HEADERS
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """Yield the answer, whose body is still to come. Raises as `fetch`."""
        answer = await self._send(method, path, body, headers)
        try:
            yield answer
        finally:
            answer.release()

    async def _send(self, method: str, path: str, body: object, headers: Mapping[str, str]) -> aiohttp.ClientResponse:
        sent = dict(headers)
        inject(sent)
        data = None if body is None else msgspec.json.encode(body)
        if data is not None:
            sent["Content-Type"] = "application/json"
        failure: SightreadError | None = None
        for attempt in range(self._retry.tries):
            retry_after = ""
            try:
                answer = await self._session.request(
                    method, encoded_url(join_url(self._base, path)), data=data, headers=sent, allow_redirects=False
                )
                if answer.status < 400:
                    return answer
                failure = _error(answer.status, await answer.read())
                if answer.status not in BUSY:
                    raise failure
                retry_after = answer.headers.get("Retry-After", "")
            except (aiohttp.ClientError, TimeoutError) as error:
                failure = Retryable(f"{self._base}: no answer: {error or type(error).__name__}: is the service running?")
                failure.__cause__ = error
            if attempt + 1 < self._retry.tries:
                await asyncio.sleep(self._retry.pause(attempt, retry_after))
        assert failure is not None
        raise failure


def _error(status: int, body: bytes) -> SightreadError:
    """Return the error that an answer describes: of the class that it names, else of that which its status means."""
    try:
        found = msgspec.json.decode(body, type=ErrorAnswer).error
        kind, message = found.kind, found.message
    except (msgspec.DecodeError, UnicodeDecodeError):
        kind, message = "", f"HTTP status {status}, and no error of sightread: is this the address of a service?"
    named = getattr(sightread.render.errors, kind, None)
    if isinstance(named, type) and issubclass(named, SightreadError):
        return named(message)
    if status in BUSY:
        return Retryable(message)
    return Rejected(message) if status < 500 else SightreadError(message)


def _takes(model: Callable[P, R]) -> Callable[[Callable[[AsyncClient, R], T]], Callable[Concatenate[AsyncClient, P], T]]:
    """Return the decorator of a method with a record of arguments: callers give the fields of the record, which type the call."""
    signature = inspect.signature(model)
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)

    def decorate(method: Callable[[AsyncClient, R], T]) -> Callable[Concatenate[AsyncClient, P], T]:
        @wraps(method)
        def call(self: AsyncClient, /, *arguments: P.args, **named: P.kwargs) -> T:
            return method(self, model(*arguments, **named))

        call.__signature__ = signature.replace(parameters=(own, *signature.parameters.values()))  # type: ignore[attr-defined]
        return call

    return decorate


class _Html(PageOptions, frozen=True):
    """Arguments of `extract_html`, and its request."""

    html: str
    url: str = ""


class _Pages(PageOptions, frozen=True):
    """Arguments of `extract_many`."""

    urls: Iterable[str]


class _Batch(_Pages, frozen=True):
    """Arguments of `start_batch`."""

    key: str = ""


class _Crawl(CrawlRequest, frozen=True):
    """Arguments of `start_crawl`."""

    key: str = ""


class AsyncClient:
    """A client of a running service; an async context manager, outside of which it raises `Rejected`.

        async with sightread.AsyncClient("http://127.0.0.1:8412") as client:
            page = await client.extract("https://example.com/article")
            print(page.markdown)

    `token` is one of the service's; `timeout` the seconds without a byte after which an answer is given up. A request is sent again, as
    `retry` has it, if the service is busy (HTTP 429 and 503) or does not answer. Errors are those of `Reader`: `Rejected`, `Unusable`,
    `Retryable`. Raises `Rejected` if `url` is not the URL of a service.
    """

    def __init__(
        self,
        url: str = LOCAL_SERVICE,
        *,
        token: str = "",
        timeout: float = 180.0,
        retry: RetryPolicy = RetryPolicy(),
    ) -> None:
        service_url(url)
        self._settings = (url, token, timeout, retry)
        self._opened: Transport | None = None

    async def __aenter__(self) -> Self:
        self._opened = Transport(*self._settings)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            await opened.close()

    @property
    def _transport(self) -> Transport:
        if self._opened is None:
            raise Rejected("the client is not open: use it inside `async with`, as in `async with sightread.AsyncClient() as client:`")
        return self._opened

    @_takes(ExtractRequest)
    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        """Return the main content of the page at `url`."""
        return await self._post("extract", request, ExtractAnswer)

    @_takes(_Html)
    async def extract_html(self, request: _Html) -> ExtractAnswer:
        """Return the main content of stored HTML, which came from `url`."""
        return await self._post("extract", request, ExtractAnswer)

    @_takes(RenderRequest)
    async def render(self, request: RenderRequest) -> RenderAnswer:
        """Return the page at `url` as the browser shows it, with its blocks."""
        return await self._post("render", request, RenderAnswer)

    @_takes(ExplainRequest)
    async def explain(self, request: ExplainRequest) -> ExplainAnswer:
        """Return the decision about every block of a page, each with its reason and the `evidence` weightiest features."""
        return await self._post("explain", request, ExplainAnswer)

    @_takes(MapRequest)
    async def map(self, request: MapRequest) -> MapAnswer:
        """Return the addresses of a site that a crawl would take."""
        return await self._post("map", request, MapAnswer)

    @_takes(_Pages)
    async def extract_many(self, given: _Pages) -> AsyncGenerator[Outcome, None]:
        """Yield the outcome of each page in order of completion, while the service reads the others.

        Closing the generator ends the pages under way. Raises `Retryable` if the answer ends early.
        """
        request = BatchRequest(_urls_of("extract_many", given.urls), **page_options(given))
        count = 0
        async with self._transport.stream("POST", "api/v1/batch", request) as answer:
            async for line in _lines(answer):
                count += 1
                yield msgspec.json.decode(line, type=Outcome)
        if count < len(request.urls):
            raise Retryable(f"the answer ended after {count} of {len(request.urls)} pages: send the others again, or use a job")

    @_takes(_Batch)
    async def start_batch(self, given: _Batch) -> AsyncJob:
        """Start a job that reads pages, and continues when the service or the client is stopped meanwhile.

        `key` is the idempotency key: a second call with it returns the same job; a random one by default.
        """
        return await self._start(BatchRequest(_urls_of("start_batch", given.urls), **page_options(given)), given.key)

    @_takes(_Crawl)
    async def start_crawl(self, given: _Crawl) -> AsyncJob:
        """Start a job that crawls a site from `url`, and reads its pages; `delay` is the least number of seconds between two of them."""
        request = CrawlRequest(given.url, given.pages, given.scope, delay=given.delay, **page_options(given))
        return await self._start(request, given.key)

    @_takes(LearnRequest)
    async def start_learning(self, request: LearnRequest) -> AsyncJob:
        """Start a job that crawls and learns a site; `delay` as of `start_crawl`, `keep` and `drop` name parts of its pages."""
        return await self._start(request)

    @_takes(WatchRequest)
    async def start_watch(self, request: WatchRequest) -> AsyncJob:
        """Start a job that reads a site again and again; its results are what is new, changed, moved or gone."""
        return await self._start(request)

    async def job(self, id: str) -> AsyncJob:
        """Return a job by its id. Raises `Rejected` if there is none."""
        return AsyncJob(self._transport, await self._transport.fetch(JobRecord, "GET", f"api/v1/jobs/{id}"))

    async def jobs(self, limit: int = 100) -> list[AsyncJob]:
        """Return the caller's jobs, the newest first."""
        found = await self._transport.fetch(dict[str, list[JobRecord]], "GET", f"api/v1/jobs?limit={limit}")
        return [AsyncJob(self._transport, record) for record in found["jobs"]]

    async def _start(self, request: JobRequest, key: str = "") -> AsyncJob:
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return AsyncJob(self._transport, await self._transport.fetch(JobRecord, "POST", "api/v1/jobs", request, headers))

    async def _post(self, operation: str, request: object, model: type[T]) -> T:
        return await self._transport.fetch(model, "POST", f"api/v1/{operation}", request)


class _Results(msgspec.Struct):
    results: list[Outcome]
    next: int | None
    job: JobRecord


class AsyncJob:
    """A job of the service."""

    def __init__(self, transport: Transport, record: JobRecord) -> None:
        self._transport = transport
        self.record = record
        """As it was when it was last requested."""

    @property
    def id(self) -> str:
        """The id, for `AsyncClient.job`."""
        return self.record.id

    async def refresh(self) -> JobRecord:
        """Return the job as it is now."""
        self.record = await self._transport.fetch(JobRecord, "GET", f"api/v1/jobs/{self.id}")
        return self.record

    async def cancel(self) -> JobRecord:
        """End the job; its results stay."""
        self.record = await self._transport.fetch(JobRecord, "DELETE", f"api/v1/jobs/{self.id}")
        return self.record

    async def events(self) -> AsyncGenerator[JobRecord, None]:
        """Yield the job whenever it changes, until it has ended."""
        while self.record.state not in FINAL:
            try:
                async with self._transport.stream("GET", f"api/v1/jobs/{self.id}/events") as answer:
                    async for line in _lines(answer):
                        if line.startswith(b"data: "):
                            self.record = msgspec.json.decode(line[6:], type=JobRecord)
                            yield self.record
            except Retryable:  # the service was stopped meanwhile; the next request waits for it, or raises
                await self.refresh()

    async def wait(self) -> JobRecord:
        """Wait for the end of the job, and return it: `state` is done, failed or cancelled."""
        async for _ in self.events():
            pass
        return self.record

    async def results(self, after: int = 0) -> AsyncGenerator[Outcome, None]:
        """Yield all results in the order in which they were stored, those of a running job as they come."""
        cursor: int | None = after
        while cursor is not None:
            found = await self._transport.fetch(_Results, "GET", f"api/v1/jobs/{self.id}/results?after={cursor}")
            self.record = found.job
            for outcome in found.results:
                yield outcome
            cursor = found.next
            if cursor is not None and not found.results:
                await self._changed()

    async def _changed(self) -> None:
        """Wait until the job has more results, or has ended."""
        before = self.record
        async for record in self.events():
            if (record.done, record.failed, record.state) != (before.done, before.failed, before.state):
                return


async def _lines(answer: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """Yield the lines of an answer, of any length, without their ends. Raises `Retryable` if it is cut short."""
    rest = b""
    try:
        async for piece in answer.content.iter_any():
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                yield line
    except (aiohttp.ClientError, TimeoutError) as error:
        raise Retryable(f"the answer is cut short: {error or type(error).__name__}: try again") from error
    if rest:
        yield rest


def _urls_of(method: str, urls: Iterable[str]) -> tuple[str, ...]:
    """Return the URLs. Raises `Rejected` for a single string, whose characters would be taken for URLs."""
    if isinstance(urls, str | bytes) or not isinstance(urls, Iterable):
        raise Rejected(f"Client.{method}: urls is {urls!r:.100}: give a list of URLs; extract reads one")
    return tuple(urls)
