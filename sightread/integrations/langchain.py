"""LangChain document loader.

from sightread.integrations.langchain import SightreadLoader
documents = SightreadLoader(["https://example.com/article"]).load()
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightread.document.document import Document
from sightread.integrations.common import each_of, framework, is_url, known_of, read_file
from sightread.reader import Reader

if TYPE_CHECKING:
    Base = object
else:
    Base = object
    with suppress(ImportError):  # then only loading needs it, and raises a clear error
        from langchain_core.document_loaders import BaseLoader as Base


class SightreadLoader(Base):
    """Loads pages: http(s) URLs with a browser, HTML files without one; one document per page, in order.

    `model` is a name as on the command line. Raises `Unequipped` without `langchain-core`, and while it loads what `Reader.extract` and
    `sightread.extract` raise.
    """

    def __init__(self, sources: Sequence[str | Path], model: str = "auto", **reader: Any) -> None:
        self._made = framework("langchain_core.documents", "langchain-core").Document
        self.sources = tuple(sources)
        self.model = model
        self._reader = reader

    def lazy_load(self) -> Iterator[Any]:
        """Yield one document per page; if an event loop runs already, use `alazy_load`."""
        yield from each_of(self.alazy_load)

    async def alazy_load(self) -> AsyncGenerator[Any, None]:
        """Yield one document per page."""
        remaining = list(self.sources)
        while remaining and not is_url(remaining[0]):
            yield self._read(remaining.pop(0))
        if remaining:
            async with Reader(self.model, **self._reader) as reader:
                for source in remaining:
                    yield self._of(await reader.extract(str(source))) if is_url(source) else self._read(source)

    def _read(self, source: str | Path) -> Any:
        return self._of(read_file(source, self.model), source=str(source))

    def _of(self, document: Document, **also: str) -> Any:
        return self._made(page_content=document.markdown, metadata=known_of(document) | also)
