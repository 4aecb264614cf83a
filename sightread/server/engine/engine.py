"""The engine: performs extract, render, explain, map and batch with one reader, by the request models, for every route and job."""

from __future__ import annotations

import asyncio
import hashlib
import math
import re
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import msgspec

from sightread.batch.outcome import as_completed
from sightread.crawler.crawl import CrawlOptions, plan
from sightread.models.model_choice import check_name
from sightread.reading import Reading
from sightread.reading.reader import Reader
from sightread.render.browser.browser import Rendered
from sightread.render.browser.limiter import Turns, cores
from sightread.render.errors import BrowserFailed, Rejected, Retryable, SightreadError, Unusable
from sightread.render.network.address import check_url
from sightread.render.page import Hidden
from sightread.render.page import Page as RenderedPage
from sightread.server.engine.build_answers import (
    answer_in_process,
    explain_answer,
    extract_answer,
    extract_answer_with_reading,
    is_cacheable,
    is_slow,
    map_answer,
    render_answer,
    render_options,
)
from sightread.server.metrics import span
from sightread.server.schema.answers import ErrorRecord, ExplainAnswer, ExtractAnswer, MapAnswer, Outcome, RenderAnswer, worded
from sightread.server.schema.requests import (
    HARMLESS_ACTIONS,
    BatchRequest,
    ExplainRequest,
    ExtractRequest,
    MapRequest,
    OnePage,
    PageOptions,
    RenderRequest,
    page_request,
)

_DIRECTIVE = re.compile(r'(?<![\w-])([\w-]++)\s*(?:=\s*(?:"([^"]*)"|([^\s,]*)))?\s*(?:,|$)')
LONGEST_DIRECTIVES = 1000
"""Characters of a Cache-Control header that is read; with a longer one the answer is not kept."""
_NOT_SHARED = frozenset(("no-store", "private", "no-cache"))


def lifetime(headers: Iterable[tuple[str, str]]) -> float:
    """Return for how many seconds the answer to a page's request may be shared (RFC 9111): 0 if it may not, infinite if it has no limit.

    A page that must be validated before each use (no-cache) is not kept: only a browser could do that.
    """
    limits: dict[str, float] = {}
    for name, value in headers:
        if name.lower() == "cache-control":
            if len(value) > LONGEST_DIRECTIVES:
                return 0.0
            for directive, quoted, plain in _DIRECTIVE.findall(value.lower()):
                if directive in _NOT_SHARED:
                    return 0.0
                if directive in ("max-age", "s-maxage"):
                    seconds = quoted or plain
                    limits[directive] = float(seconds) if seconds.isascii() and seconds.isdigit() else 0.0
        elif name.lower() == "vary" and "*" in value:
            return 0.0
    return limits.get("s-maxage", limits.get("max-age", math.inf))


@dataclass(frozen=True, slots=True)
class _Entry:
    stored: float
    lifetime: float
    body: bytes


class AnswerCache:
    """Encoded answers, at most the given number of bytes; those that were not used longest go first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._entries: OrderedDict[bytes, _Entry] = OrderedDict()
        self._bytes = 0
        self.hits = 0
        self.misses = 0

    def find(self, operation: str, request: OnePage) -> tuple[bytes, float] | None:
        """Return the answer to the same request and its age in seconds, if it is no older than the request allows."""
        key = _key(operation, request)
        entry = self._entries.get(key)
        age = time.monotonic() - entry.stored if entry else math.inf
        if entry is None or age > min(request.max_age, entry.lifetime):
            self.misses += 1
            return None
        self._entries.move_to_end(key)
        self.hits += 1
        return entry.body, age

    def store(self, operation: str, request: OnePage, body: bytes, headers: Iterable[tuple[str, str]]) -> None:
        """Keep an answer, if the page's headers allow it and it is not a large part of the cache by itself."""
        seconds = lifetime(headers)
        if not seconds or len(body) > self._most // 4:
            return
        key = _key(operation, request)
        self._drop(key)
        self._entries[key] = _Entry(time.monotonic(), seconds, body)
        self._bytes += len(body)
        while self._bytes > self._most:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: bytes) -> None:
        entry = self._entries.pop(key, None)
        self._bytes -= len(entry.body) if entry else 0


def _key(operation: str, request: OnePage) -> bytes:
    same = msgspec.json.encode(msgspec.structs.replace(request, max_age=0.0))
    return hashlib.sha256(operation.encode() + b"\0" + same).digest()


T = TypeVar("T")
Options = TypeVar("Options", ExtractRequest, RenderRequest, ExplainRequest)
Answer = TypeVar("Answer", ExtractAnswer, RenderAnswer, ExplainAnswer)


@dataclass(frozen=True, slots=True)
class EnginePolicy:
    """Policy of the operator."""

    actions: frozenset[str] = HARMLESS_ACTIONS
    webhook_secret: str = field(default="", repr=False)
    """The key of the signatures of webhooks; empty for none."""
    learning: int = 2
    """Sites that jobs learn at once, each in a process of its own."""
    cache: int = 64 << 20
    """Bytes of the answers that are kept for requests with `max_age`."""
    store: str = ""
    """Folder or URL of an object store, into which learned sites are put; empty for none."""
    private: bool = False
    """Whether private networks may be read: not for a service, whose clients would have that access too."""


class Stopping(Exception):
    """The service stops: a page was not read for that reason alone, and a job continues with it later."""


class Engine:
    """Performs the operations of the service; the caller opens and closes the reader.

    A reader with access to private networks raises `ValueError`, unless the policy allows it.
    """

    def __init__(self, reader: Reader, policy: EnginePolicy = EnginePolicy()) -> None:
        if reader.egress.local and not policy.private:
            raise ValueError("a service reads the public web alone: give it a reader without Egress(local=True)")
        self.reader = reader
        self.policy = policy
        self.cache = AnswerCache(policy.cache)
        self.draining = False
        self.computing = Turns(lambda _: self.pages_ahead, reserve=1)
        """Turns of threads that process pages."""
        self._apart = Turns(lambda _: cores(), reserve=1)
        self.crawling = Turns(lambda _: 1, reserve=1)
        """Turns of crawls to compute, which holds the interpreter."""
        self.learning = Turns(lambda _: policy.learning, reserve=1)
        """Turns of processes that learn a site."""
        self.hidden: Counter[Hidden] = Counter()
        """Texts that no person sees, of the pages that were extracted, by how they are hidden."""

    async def drain(self) -> None:
        """Read no further pages, and wait for those that are open: each ends within its deadline."""
        self.draining = True
        await self.reader.drain()

    async def extract(self, request: ExtractRequest) -> ExtractAnswer:
        """Return the main content of one page. Raises `Rejected`, `Unusable`, `Retryable` or `Unequipped`."""
        answer = await self._cached("extract", request, ExtractAnswer, extract_answer)
        self.hidden.update(each.reason for each in answer.hidden)
        return answer

    async def extract_with_reading(self, request: ExtractRequest) -> tuple[ExtractAnswer, Reading]:
        """Return the main content of one page with its reading and its picture, never from the cache. Raises as `extract`."""
        name, rendered = await self._rendered(request, with_picture=True)
        return await self._answer(extract_answer_with_reading, request, name, rendered, rendered.ends)

    async def explain(self, request: ExplainRequest) -> ExplainAnswer:
        """Return the decision about every block of one page. Raises as `extract`."""
        return await self._cached("explain", request, ExplainAnswer, explain_answer)

    async def render(self, request: RenderRequest) -> RenderAnswer:
        """Return one page as the browser shows it. Raises as `extract`."""
        return await self._cached("render", request, RenderAnswer, render_answer)

    async def _cached(self, operation: str, request: Options, model: type[Answer], make: Callable[[Any, Options], Answer]) -> Answer:
        """Return an answer from the cache if the request allows its age, else a new one."""
        with span(operation, {"url.full": request.url.partition("?")[0]}):  # queries may hold secrets
            uses_cache = bool(request.max_age) and is_cacheable(request)
            if uses_cache and (found := self.cache.find(operation, request)):
                answer = await asyncio.to_thread(msgspec.json.decode, found[0], type=model)
                answer.page = msgspec.structs.replace(answer.page, age=round(found[1], 1))
                return answer
            name, rendered = await self._rendered(request)
            answer = await self._answer(make, request, "" if model is RenderAnswer else name, rendered, rendered.ends)
            if uses_cache:
                headers = rendered.capture.headers if rendered.capture else ()
                self.cache.store(operation, request, await asyncio.to_thread(msgspec.json.encode, answer), headers)
            return answer

    async def _answer(
        self, make: Callable[[Any, Options], T], request: Options, name: str, rendered: Rendered, ends: float = math.inf
    ) -> T:
        """Return what is made of a page: in a thread, of a slow one in a process that can be ended.

        `make` gets the reading by the model of the name; without a name, the rendered page.
        """
        if is_slow(rendered.page, request):
            async with self._apart.turn():
                ends = min(ends, asyncio.get_running_loop().time() + self.reader.processing)
                return await answer_in_process(make, request, rendered, name, self.reader.home, ends)
        url = rendered.page.url
        async with self.computing.turn():
            return await self.reader.process(url, lambda: make(self.reader.apply(rendered, name) if name else rendered, request), ends)

    async def map(self, request: MapRequest) -> MapAnswer:
        """Return the addresses that a crawl would take. Raises `Rejected`, and `PageFailed` if the start page cannot be read."""
        options = CrawlOptions(request.pages, scope=request.scope.scope(), egress=self.reader.egress, computing=self.crawling)
        pages: list[RenderedPage] = []

        async def render(url: str) -> Rendered:
            rendered = await self.reader.render(url)
            pages.append(rendered.page)
            return rendered

        found = await plan(request.url, render, options)
        return await asyncio.to_thread(map_answer, found, pages)

    async def batch(self, request: BatchRequest, done: Collection[int] = ()) -> AsyncGenerator[Outcome, None]:
        """Yield the outcome of each page, in order of completion, except those whose index is in `done`.

        Raises `Rejected` for wrong options, `Unequipped`, and `Stopping` when the service stops.
        """
        self.check(request)
        items = ((index, url) for index, url in enumerate(request.urls) if index not in done)

        async def read(item: tuple[int, str]) -> Outcome:
            return await self.outcome(item[0], page_request(request, item[1]))

        async with aclosing(as_completed(items, read, lambda item: item[1], self.pages_ahead)) as outcomes:
            async for each in outcomes:
                yield each.result or Outcome(each.index, each.url, error=error_record(each.error) if each.error else None)

    async def outcome(self, index: int, request: ExtractRequest, page: Rendered | None = None) -> Outcome:
        """Return one page of many: its answer, or its error as a value. `page` is the rendered page if it is there already.

        Raises `Unequipped`, and `Stopping` when the service stops.
        """
        try:
            return Outcome(index, request.url, result=await (self.finish(request, page) if page else self.extract(request)))
        except (Rejected, Unusable, Retryable) as error:
            if self.draining and isinstance(error, Retryable):
                raise Stopping from error
            return Outcome(index, request.url, error=error_record(error))

    async def finish(self, request: ExtractRequest, page: Rendered) -> ExtractAnswer:
        """Return the main content of a page that is rendered already."""
        answer = await self._answer(extract_answer, request, request.model or self.reader.model, page)
        self.hidden.update(each.reason for each in answer.hidden)
        return answer

    @property
    def pages_ahead(self) -> int:
        """Pages of one batch or crawl under way at once."""
        return self.reader.pages_ahead

    def check(self, request: PageOptions) -> None:
        """Raise `Rejected` for options that no page could be read with, before any page is."""
        if request.model:
            check_name(request.model)
        render_options(request, "https://site.example/", is_stored=False, actions=self.policy.actions)

    async def _rendered(self, request: OnePage, *, with_picture: bool = False) -> tuple[str, Rendered]:
        """Return the name of the model and the page; if a stored one is too slow, another try would be as slow."""
        if request.url or not request.html:
            check_url(request.url)
        options = render_options(request, request.url, is_stored=bool(request.html), actions=self.policy.actions)
        options = replace(options, picture=True) if with_picture else options
        name = await self.reader.check_model(request.model, request.url)
        if not request.html:
            return name, await self.reader.render(request.url, options=options, convert=not isinstance(request, RenderRequest))
        try:
            return name, await self.reader.render_html(request.html, request.url, options=options)
        except BrowserFailed:
            raise
        except Retryable as error:
            if self.draining:
                raise
            name = request.url or "the document"
            raise Unusable(f"{name}: not laid out within {options.deadline:g} s: send a smaller one") from error


def error_record(error: SightreadError) -> ErrorRecord:
    """Return an error as JSON has it."""
    return ErrorRecord(type(error).__name__, worded(error))
