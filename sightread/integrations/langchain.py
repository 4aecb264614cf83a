"""LangChain document loader.

from sightread.integrations.langchain import SightreadLoader
documents = SightreadLoader(["https://example.com/article"]).load()
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
    with suppress(ImportError):  # then only loading needs it, and raises a clear error
        from langchain_core.document_loaders import BaseLoader as Base


class SightreadLoader(Base):
    """Loads pages: http(s) URLs with a browser, HTML files without one; one document per page, or per chunk, in order.

    `model` is a name as on the command line; with `chunk_tokens` and `chunk_overlap` a page is in chunks, as in `Document.chunks`. Raises
    `Unequipped` without `langchain-core`, and while it loads what `Reader.extract` and `sightread.extract` raise.
    """

    def __init__(
        self, sources: Sequence[str | Path], model: str = "auto", chunk_tokens: int = 0, chunk_overlap: int = 0, **reader: Any
    ) -> None:
        self._made = framework("langchain_core.documents", "langchain-core").Document
        self.sources = tuple(sources)
        self.model = model
        self._chunking = Chunking(chunk_tokens, chunk_overlap)
        self._reader = reader

    def lazy_load(self) -> Iterator[Any]:
        """Yield the documents; if an event loop runs already, use `alazy_load`."""
        yield from each_of(self.alazy_load)

    async def alazy_load(self) -> AsyncGenerator[Any, None]:
        """Yield the documents."""
        async for text, known in read_each(self.sources, self.model, self._chunking, self._reader):
            yield self._made(page_content=text, metadata=known)
