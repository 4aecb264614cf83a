"""LlamaIndex reader.

from sightread.integrations.llamaindex import SightreadReader
documents = SightreadReader().load_data(["https://example.com/article"])
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightread.integrations import Chunking, each_of, framework, read_each

if TYPE_CHECKING:
    Base = object
else:
    Base = object
    with suppress(ImportError):  # then only reading needs it, and raises a clear error
        from llama_index.core.readers.base import BaseReader as Base


class SightreadReader(Base):
    """Reads pages: http(s) URLs with a browser, HTML files without one; one document per page, or per chunk, in order.

    `model` is a name as on the command line; with `chunk_tokens` and `chunk_overlap` a page is in chunks, as in `Document.chunks`; further
    arguments are those of `sightread.Reader`. Raises `Unequipped` without `llama-index-core`, and while it reads what `Reader.extract` and
    `sightread.extract` raise.
    """

    def __init__(self, model: str = "auto", chunk_tokens: int = 0, chunk_overlap: int = 0, **reader: Any) -> None:
        self._made = framework("llama_index.core", "llama-index-core").Document
        self.model = model
        self._chunking = Chunking(chunk_tokens, chunk_overlap)
        self._reader = reader

    def lazy_load_data(self, sources: Sequence[str | Path]) -> Iterator[Any]:
        """Yield the documents."""
        yield from each_of(lambda: self._each(sources))

    def load_data(self, sources: Sequence[str | Path]) -> list[Any]:
        """Return the documents."""
        return list(self.lazy_load_data(sources))

    async def aload_data(self, sources: Sequence[str | Path]) -> list[Any]:
        """Return the documents, if an event loop runs already."""
        return [document async for document in self._each(sources)]

    async def _each(self, sources: Sequence[str | Path]) -> AsyncGenerator[Any, None]:
        async for text, known in read_each(sources, self.model, self._chunking, self._reader):
            yield self._made(text=text, metadata=known)
