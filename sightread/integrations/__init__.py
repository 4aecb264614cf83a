"""Integrations with other frameworks, and what they share: importing the framework, metadata as plain values, sources in order."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
from contextlib import AsyncExitStack, closing
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sightread.document.chunks import check_sizes
from sightread.document.document import Document
from sightread.reading.extraction import extract
from sightread.render.errors import Rejected, Unequipped
from sightread.render.loop_thread import LoopThread

if TYPE_CHECKING:
    from sightread.reading.reader import Reader

T = TypeVar("T")


def framework(module: str, package: str) -> Any:
    """Return a module of a framework. Raises `Unequipped` if it is not installed."""
    try:
        return import_module(module)
    except ImportError as error:
        raise Unequipped(f"{package} is not installed here: pip install {package}") from error


def known_of(document: Document) -> dict[str, Any]:
    """Return the known metadata, without empty fields; under `source` its URL, as frameworks expect."""
    known = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(document.metadata).items() if value}
    return {"source": document.url, **known, "expected_f1": round(document.expected_f1, 4)}


@dataclass(frozen=True, slots=True)
class Chunking:
    """Whether a page is one document of a framework, or one per chunk, and of what size; as in `Document.chunks`."""

    tokens: int
    """0 for whole pages."""
    overlap: int

    def __post_init__(self) -> None:
        """Raise `Rejected` for sizes that no chunk can have."""
        if self.tokens or self.overlap:
            check_sizes(self.tokens, self.overlap)

    def parts(self, document: Document, known: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield text and metadata; those of a chunk have its `headings`, `start`, `end` and `tokens` too."""
        if not self.tokens:
            yield document.markdown, known
            return
        for chunk in document.chunks(self.tokens, self.overlap):
            own = {"headings": list(chunk.headings), "start": chunk.start, "end": chunk.end, "tokens": chunk.tokens}
            yield chunk.text, known | own


def read_file(source: str | Path, model: str) -> Document:
    """Return the main content of an HTML file, read without a browser. Raises `Rejected` if it cannot be read."""
    try:
        return extract(Path(source).read_bytes(), None, model)
    except OSError as error:
        raise Rejected(f"{source}: not an http(s) URL, and as a file it cannot be read: {error.strerror}: check its name") from error


async def read_each(
    sources: Iterable[str | Path], model: str, chunking: Chunking, reader: Mapping[str, Any]
) -> AsyncGenerator[tuple[str, dict[str, Any]], None]:
    """Yield the Markdown of each source, in order, with its known metadata: whole or in chunks. A browser is opened at the first URL.

    Raises what `Reader.extract` and `sightread.extract` raise.
    """
    async with AsyncExitStack() as opened:
        open_reader: Reader | None = None
        for source in sources:
            if not (isinstance(source, str) and source.lower().startswith(("http://", "https://"))):
                document = read_file(source, model)
                for part in chunking.parts(document, known_of(document) | {"source": str(source)}):
                    yield part
                continue
            if open_reader is None:
                from sightread.reading.reader import Reader  # noqa: PLC0415  (files and Scrapy need no browser)

                open_reader = await opened.enter_async_context(Reader(model, **reader))
            document = await open_reader.extract(source)
            for part in chunking.parts(document, known_of(document)):
                yield part


def each_of(make: Callable[[], AsyncGenerator[T, None]]) -> Iterator[T]:
    """Yield the items of an asynchronous generator from an event loop of its own, closed with it."""
    with closing(LoopThread("sightread-sources")) as thread:
        yield from thread.iterate(make())
