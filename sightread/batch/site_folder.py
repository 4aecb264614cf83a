"""The folder of the documents of a whole site: the `Store` of its crawl (`sightread.crawler.answers`)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sightread.batch.outcome import INDEX, IndexLine, PageWriter
from sightread.crawler.answers import Change
from sightread.document.document import Document
from sightread.render.errors import SightreadError

STATE = "site.sqlite"
"""The state of a crawl, in the folder of its documents."""


class SiteFolder(PageWriter):
    """The folder, open for writing; a context manager, as `PageWriter`."""

    syncs = False

    def add(self, change: Change, result: Document | SightreadError | None) -> str:
        """Store what became of a page, and return the name of its document. Raises `StorageFailed`."""
        if isinstance(result, Document):
            known = IndexLine(change.url, self.settings, change=change.change, near_duplicate_of=change.near, similarity=change.similarity)
            article = self.write(change.url, result, file=change.document, known=known).article
            return article.file if article else ""
        if result and not change.change:
            self.write_error(change.url, result)
        else:
            self.append(IndexLine(change.url, self.settings, change=change.change, detail=change.reason))
        return change.document

    def end(self) -> str:
        """Return how far the files are written, once that is on the disk."""
        self.sync()
        return " ".join(map(str, self.sizes))

    def cut_back(self, end: str) -> None:
        """Cut the files back to where they were at the last commit."""
        self.cut(map(int, end.split()) if end else (0, 0))

    def lines_since(self, end: str) -> Iterator[IndexLine]:
        """Yield the lines of the index that were written since an end."""
        with (self._path / INDEX).open("rb") as file:
            file.seek(int(end.split()[0]))
            yield from (msgspec.json.decode(line, type=IndexLine) for line in file)
