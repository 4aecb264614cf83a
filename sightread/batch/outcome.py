"""`Outcome`: the result of one page of many, or its error as a value; and the loop that yields outcomes as they complete."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from sightread.crawler.rate_limit import RATE_LIMIT, HostQueue, RateLimit
from sightread.document.document import Document
from sightread.reading.extraction import front_matter
from sightread.render.argument_checks import check_call
from sightread.render.errors import SightreadError, Unequipped

T = TypeVar("T")
S = TypeVar("S")


@check_call
@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """One page of many: its result, or the error with which it failed."""

    index: int
    """Its position among the pages that were given, from 0."""
    url: str
    """The URL that was given; empty for HTML without one."""
    result: T | None
    error: SightreadError | None
    """None if the page was read."""

    def unwrap(self) -> T:
        """Return the result. Raises the error."""
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result


def defect(url: str, error: Exception) -> SightreadError:
    """Return the error of a page for which sightread itself failed."""
    return SightreadError(f"{url or 'the document'}: a defect of sightread: {type(error).__name__}: {error}; please report it")


async def as_completed(
    items: Iterable[S], work: Callable[[S], Awaitable[T]], url_of: Callable[[S], str], bound: int, limit: RateLimit = RATE_LIMIT
) -> AsyncGenerator[Outcome[T], None]:
    """Yield the outcome of the work on each item, in order of completion, with at most `bound` items under way, and a limit per host.

    Items are taken from the iterable when there is room for them; those whose host is at its limit are held back, and others go first.
    Work under way is cancelled when the generator is closed. Raises `Unequipped`: without a browser no page can be read.
    """

    async def done(index: int, item: S) -> Outcome[T]:
        url = url_of(item)
        try:
            return Outcome(index, url, await work(item), None)
        except Unequipped:
            raise
        except SightreadError as error:
            return Outcome(index, url, None, error)
        except Exception as error:  # noqa: BLE001  (one page of many: recorded as its error, and the others are read)
            return Outcome(index, url, None, defect(url, error))

    clock = asyncio.get_running_loop().time
    queue = HostQueue(enumerate(items), lambda numbered: url_of(numbered[1]), limit)
    pending: dict[asyncio.Task[Outcome[T]], str] = {}
    try:
        while True:
            while len(pending) < bound and (taken := queue.take(clock())) is not None:
                numbered, host = taken
                pending[asyncio.ensure_future(done(*numbered))] = host
            if not pending and queue.is_empty:
                return
            pause = queue.wait(clock()) if len(pending) < bound else None
            if not pending:
                await asyncio.sleep(pause or 0.0)
                continue
            ready, _ = await asyncio.wait(pending, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            for task in ready:
                queue.finish(pending.pop(task))
            for outcome in await asyncio.gather(*ready, return_exceptions=True):  # no error is left to be reported as never retrieved
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)


class DocumentFields(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a document that every list of pages has; those that are not known are empty."""

    title: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    """`YYYY-MM-DD`; so is `modified`."""
    modified: str = ""
    language: str = ""
    page_type: str = ""
    model: str = ""
    """The model that chose the text."""
    version: str = ""
    """The version of the site's model; empty for any other model."""
    expected_f1: float = 0.0
    """Expected F1 of the chosen text by characters, 0 to 1."""


class Article(DocumentFields, frozen=True):
    """An extracted page."""

    file: str
    """Its file in the folder."""
    url: str
    notes: tuple[str, ...]
    """Codes of the document's notes."""
    note: str
    """Their messages."""


class ArticleText(Article, frozen=True):
    """An extracted page with its text: a line of `articles.jsonl`."""

    markdown: str
    text: str


def document_fields(document: Document) -> dict[str, Any]:
    """Return the values of `DocumentFields`."""
    own = {"model": document.model, "version": document.version, "expected_f1": round(document.expected_f1, 4)}
    declared = [name for name in DocumentFields.__struct_fields__ if name not in own]
    return own | {name: getattr(document.metadata, name) for name in declared}


def article_of(document: Document, file: str) -> Article:
    """Return the record of a document."""
    notes = tuple(note.code for note in document.notes)
    return Article(file=file, url=document.url, **document_fields(document), notes=notes, note=document.note)


def article_with_text(document: Document, file: str) -> ArticleText:
    """Return the record of a document with its Markdown and text."""
    return ArticleText(**msgspec.structs.asdict(article_of(document, file)), markdown=document.markdown, text=document.text)


def with_front_matter(document: Document, text: str) -> str:
    """Return the text, ending in a newline, below the metadata of its page, the model and its expected F1, as YAML."""
    text = front_matter(document, model=document.model, expected_f1=round(document.expected_f1, 4)) + text
    return text if text.endswith("\n") else text + "\n"
