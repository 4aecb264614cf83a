"""`Outcome`: the result of one page of many, or its error as a value; the loop that yields outcomes as they complete; and their folder.

<folder>/
    index.jsonl                    one line per page: URL, file, title, dates, model, expected F1, notes; or the error, from which a
                                   killed job continues
    example.com-news-ferry-3f2a9c1b.md
    pages.jsonl                    with the format jsonl: the JSON of all documents
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import msgspec

from sightread.crawler.journal import AppendFile
from sightread.crawler.rate_limit import LONGEST_WAIT, RATE_LIMIT, TRIES, HostQueue, RateLimit
from sightread.document.document import Document
from sightread.document.formats import DEFAULTS, Also, WriteOptions, known_format
from sightread.reading.extraction import front_matter
from sightread.render.errors import BadRecord, Retryable, SightreadError, Unequipped
from sightread.render.files import storage_errors, write_atomically

T = TypeVar("T")
S = TypeVar("S")


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
    An item whose server names a time to wait (`Retryable.wait`) is worked on again then, with all others of its host, three times in all.
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
    pending: dict[asyncio.Task[Outcome[T]], tuple[tuple[int, S], str]] = {}
    tries: Counter[int] = Counter()
    try:
        while True:
            while len(pending) < bound and (taken := queue.take(clock())) is not None:
                numbered, host = taken
                pending[asyncio.ensure_future(done(*numbered))] = numbered, host
            if not pending and queue.is_empty:
                return
            pause = queue.wait(clock()) if len(pending) < bound else None
            if not pending:
                await asyncio.sleep(pause or 0.0)
                continue
            ready, _ = await asyncio.wait(pending, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            ended = [pending.pop(task) for task in ready]
            for _, host in ended:
                queue.finish(host)
            found = await asyncio.gather(*ready, return_exceptions=True)  # no error is left to be reported as never retrieved
            for outcome, (numbered, host) in zip(found, ended, strict=True):
                if isinstance(outcome, BaseException):
                    raise outcome
                wait = outcome.error.wait if isinstance(outcome.error, Retryable) else 0.0
                tries[outcome.index] += 1
                if 0 < wait <= LONGEST_WAIT and tries[outcome.index] < TRIES:
                    queue.put_back(numbered, host, clock() + wait)
                    continue
                del tries[outcome.index]
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
    version: str = ""
    """The version of the site's model; empty for any other model."""
    expected_f1: float = 0.0
    """Expected F1 of the chosen text by characters, 0 to 1."""


class Article(DocumentFields, frozen=True):
    """An extracted page."""

    file: str
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


INDEX, LINES = "index.jsonl", "pages.jsonl"
LONGEST_NAME = 80
"""Characters of a file name made of a URL, without its digest and suffix."""
_SUFFIXES = {"markdown": "md", "text": "txt", "tei": "xml", "chunks": "jsonl"}


class PageError(msgspec.Struct, frozen=True):
    """Why a page has no document: the class name of the error, and its message."""

    kind: str
    message: str


class IndexLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the index."""

    source: str
    settings: str
    """Options that decide what the file holds: a page is read again if they differ."""
    article: Article | None = None
    error: PageError | None = None
    end: int = 0
    """Size of `pages.jsonl` after the page's line; 0 for a file of its own."""
    change: str = ""
    """Of a whole site: new, changed, moved or gone."""
    detail: str = ""
    """Why it is gone, or where it is now."""
    added: tuple[str, ...] = ()
    """Lines of a changed document that it did not have before, the first of them; so are those that it `removed`."""
    removed: tuple[str, ...] = ()
    near_duplicate_of: str = ""
    """Of a whole site: the address of an earlier document with nearly the same text."""
    similarity: float = 0.0
    """Of these two: the share of the runs of three words that both have."""


class _LineText(msgspec.Struct):
    """The fields of a line of `pages.jsonl` that a table has."""

    source: str
    markdown: str
    text: str


@dataclass(frozen=True, slots=True)
class PageFormat:
    """How documents are written."""

    name: str
    """A format of `sightread.document.formats`, or jsonl."""
    options: WriteOptions = DEFAULTS
    settings: str = ""


class PageWriter:
    """The folder, open for writing; a context manager. Raises `Rejected` while another process writes it, and `StorageFailed`."""

    syncs = True
    """Whether each line is on the disk before the next is written."""

    def __init__(self, path: Path, page_format: PageFormat) -> None:
        self._path = path
        self._format = page_format
        self._open = ExitStack()
        self._index = AppendFile(path / INDEX)
        self._pages = AppendFile(path / LINES)

    def __enter__(self) -> Self:
        with storage_errors(self._path):
            self._path.mkdir(parents=True, exist_ok=True)
        with ExitStack() as opening:
            opening.enter_context(self._index)
            if self._format.name == "jsonl":
                opening.enter_context(self._pages)
            self._open = opening.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()

    def write(self, source: str, document: Document, *, file: str = "", known: IndexLine | None = None) -> IndexLine:
        """Write a document to its file, or to one that is named after its source, and its line of the index. Raises `StorageFailed`.

        `known` is what the line has besides.
        """
        line = known or IndexLine(source, self.settings)
        added: tuple[str, ...] = ()
        removed: tuple[str, ...] = ()
        if self._format.name == "jsonl":
            self._pages.append(json_line(source, document, self._format.options.fields).encode(), sync=self.syncs)
            file, end = LINES, (self._path / LINES).stat().st_size
        else:
            file, end = file or f"{file_stem(source)}.{_SUFFIXES.get(self._format.name, self._format.name)}", 0
            content = formatted_file(document, self._format.name, self._format.options)
            if line.change == "changed" and self._format.name in ("markdown", "text"):
                added, removed = _changed_lines(self._path / file, content)
            write_atomically(self._path / file, content.encode())
        line = msgspec.structs.replace(line, article=article_of(document, file), end=end, added=added, removed=removed)
        self.append(line)
        return line

    def write_error(self, source: str, error: SightreadError) -> IndexLine:
        """Write the line of a page that failed to the index."""
        line = IndexLine(source, self.settings, error=PageError(type(error).__name__, str(error)))
        self.append(line)
        return line

    def append(self, line: IndexLine) -> None:
        """Append a line to the index."""
        self._index.append(msgspec.json.encode(line) + b"\n", sync=self.syncs)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the index and of `pages.jsonl`, 0 without the file."""
        paths = (self._path / INDEX, self._path / LINES)
        return tuple(path.stat().st_size if path.exists() else 0 for path in paths)

    def sync(self) -> None:
        """Return once all lines are on the disk."""
        for file in (self._index, self._pages) if self._format.name == "jsonl" else (self._index,):
            file.sync()

    def cut(self, sizes: Iterable[int]) -> None:
        """Cut the files back to sizes that they had."""
        files = (self._index, self._pages) if self._format.name == "jsonl" else (self._index,)
        for file, size in zip(files, sizes, strict=False):
            file.cut(size)

    @property
    def settings(self) -> str:
        """The options that decide what a file holds."""
        return f"{self._format.name} {self._format.settings}".strip()


class PageFolder(PageWriter):
    """The folder, with the pages that it holds."""

    def __init__(self, path: Path, page_format: PageFormat) -> None:
        super().__init__(path, page_format)
        self._lines: dict[str, IndexLine] = {}

    def __enter__(self) -> Self:
        super().__enter__()
        with ExitStack() as opening:
            opening.callback(self._open.close)
            self._read_index()
            if self._format.name == "jsonl":
                self._pages.cut(max((line.end for line in self._lines.values()), default=0))
            opening.pop_all()
        return self

    def holds(self, source: str) -> bool:
        """Return whether the page is there already, written with the same settings."""
        line = self._lines.get(source)
        if line is None or line.article is None or line.settings != self.settings:
            return False
        return (self._path / line.article.file).is_file()

    def add(self, source: str, outcome: Outcome[Document]) -> None:
        """Write the page's file, or its error, and then its line of the index. Raises `StorageFailed`."""
        if outcome.result is None:
            self._lines[source] = self.write_error(source, outcome.error or SightreadError(""))
        else:
            self._lines[source] = self.write(source, outcome.result)

    def articles(self) -> Iterator[ArticleText]:
        """Yield the pages of `pages.jsonl` with their text; the file of each is the URL or file as it was given."""
        texts = {}
        with (self._path / LINES).open("rb") as file:
            for content in file:
                found = msgspec.json.decode(content, type=_LineText)
                texts[found.source] = found
        for source, line in self._lines.items():
            if line.article and source in texts:
                own = {"file": source, "markdown": texts[source].markdown, "text": texts[source].text}
                yield ArticleText(**msgspec.structs.asdict(line.article) | own)

    def _read_index(self) -> None:
        content = (self._path / INDEX).read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        self._index.cut(len(whole))
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                found = msgspec.json.decode(line, type=IndexLine)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadRecord(f"{self._path / INDEX}, line {number}: {error}; delete the file, or choose another folder") from error
            self._lines[found.source] = found


def _changed_lines(path: Path, content: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first lines that the new content of a file adds, and those that it removes; none if the file is missing."""
    if not path.is_file():
        return (), ()
    texts = (text.split("\n---\n", 1)[-1] for text in (path.read_text("utf-8", "replace"), content))  # without the metadata
    before, after = (Counter(line[:LONGEST_LINE] for line in text.splitlines() if line.strip()) for text in texts)
    added, removed = (after - before).elements(), (before - after).elements()
    return tuple(islice(added, MOST_LINES)), tuple(islice(removed, MOST_LINES))


MOST_LINES, LONGEST_LINE = 20, 300
"""Of a changed document, in the index, and characters of one."""


def file_stem(source: str) -> str:
    """Return a file name without suffix that only this URL or path has: readable words of it, and a digest."""
    words = re.sub(r"[^\w.-]+", "-", source.partition("://")[2] or source).strip("-.")
    return f"{words[:LONGEST_NAME].rstrip('-.')}-{blake2b(source.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"


def json_line(source: str, document: Document, also: Iterable[Also] = ()) -> str:
    """Return the JSON of a document as a line, with the URL or file as it was given in `source` before its other fields."""
    return f'{{"source":{msgspec.json.encode(source).decode()},{document.to_json(*also)[1:]}\n'


def formatted_file(document: Document, name: str, options: WriteOptions = DEFAULTS) -> str:
    """Return the content of a document's file: Markdown and text have the metadata before them. Raises `KeyError` for an unknown format."""
    found = known_format(name)
    text = found.write(document, options)
    if not found.holds_metadata and found.media_type != "text/html":
        text = with_front_matter(document, text)
    return text if text.endswith("\n") or not text else text + "\n"
