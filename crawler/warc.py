"""WARC files of a crawl (ISO 28500): what was received is appended as its pages are committed; and the crawl replayed from them.

A record is a gzip member of its own. Of the headers of requests those that are safe are written, so that no credentials are, and of the
answers all but Set-Cookie.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from hashlib import sha1
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Self

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from sightread.crawler.fetch import Fetched, Fetcher
from sightread.crawler.journal import AppendFile
from sightread.crawler.urls import normalize
from sightread.render.archives.base import request_key
from sightread.render.archives.cdxj import WarcFolder, write_indexes
from sightread.render.errors import Retryable, StorageFailed
from sightread.render.files import storage_errors
from sightread.render.network.exchange import Exchange, Received, RenderedHtml
from sightread.render.network.http import NOT_MODIFIED, PRODUCT, PageHeaders

MOST_BYTES = 1 << 30
"""Of a file, after which the next is begun."""
MOST_REMEMBERED = 100_000
"""Files of pages that are not written again with the same bytes."""
REQUESTED = frozenset(("accept", "accept-encoding", "accept-language", "if-modified-since", "if-none-match", "referer", "user-agent"))
"""Headers of requests that are written."""
REVISIT = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"


class WarcWriter:
    """The files of one crawl in a folder, open for writing; a context manager, which writes their indexes at its end.

    Raises `Rejected` while another process writes them, and `StorageFailed`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._name, self._number = folder, "", 0
        self._open = ExitStack()
        self._file: AppendFile | None = None
        self._written: dict[str, bytes] = {}

    def __enter__(self) -> Self:
        with storage_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()
        if not isinstance(error, StorageFailed):
            write_indexes(self._folder)

    def begin(self, host: str, end: str) -> None:
        """Continue at an end that `end` returned, and remove what is behind it; without one begin with a new name."""
        default = f"{re.sub(r'[^A-Za-z0-9.]+', '-', host)}-{datetime.now(UTC):%Y%m%d%H%M%S} 1 0"
        self._name, number, size = (end or default).split()
        for path in self._folder.glob(f"{self._name}-*"):
            if path.name > self._path(int(number)).name:
                path.unlink()
        self._begin_file(int(number)).cut(int(size))

    def end(self) -> str:
        """Return how far the files are written."""
        return f"{self._name} {self._number} {self._path(self._number).stat().st_size}"

    def write(self, received: Received) -> None:
        """Write what was received of one page, in one piece."""
        if self._path(self._number).stat().st_size >= MOST_BYTES:
            self._begin_file(self._number + 1)
        assert self._file
        content = BytesIO()
        if not self._path(self._number).stat().st_size:
            named = f"software: {PRODUCT}\r\nformat: WARC File Format 1.1\r\nconformsTo: http://iipc.github.io/warc-specifications/\r\n"
            fields = {"WARC-Filename": self._path(self._number).name, "Content-Type": "application/warc-fields"}
            _write(content, WarcRecordType.warcinfo, named.encode(), fields)
        pages: dict[str, str] = {}
        for each in received:
            if isinstance(each, RenderedHtml):
                fields = {"WARC-Target-URI": each.url, "Content-Type": "text/html; charset=utf-8"}
                origin = pages.get(each.url.partition("#")[0], next(iter(pages.values()), ""))
                _write(content, WarcRecordType.conversion, each.html.encode(), fields | ({"WARC-Refers-To": origin} if origin else {}))
            elif not each.is_part or self._is_new(each):
                number = _write_exchange(content, each)
                if not each.is_part:
                    pages[each.url] = number
        self._file.append(content.getvalue())

    def _is_new(self, part: Exchange) -> bool:
        """Return whether a file of a page is not written with these bytes yet."""
        digest = sha1(part.body or b"", usedforsecurity=False).digest()
        if len(self._written) > MOST_REMEMBERED:
            self._written.clear()
        is_new = self._written.get(part.url) != digest
        self._written[part.url] = digest
        return is_new

    def _path(self, number: int) -> Path:
        return self._folder / f"{self._name}-{number:05}.warc.gz"

    def _begin_file(self, number: int) -> AppendFile:
        self._open.close()
        self._number, self._file = number, self._open.enter_context(AppendFile(self._path(number)))
        return self._file


def _write_exchange(content: BytesIO, each: Exchange) -> str:
    """Write the records of a request and its answer, and return the id of the latter."""
    scheme, _, rest = request_key(each.url).partition("://")
    authority, _, path = rest.partition("/")
    host = authority.rpartition("@")[2]
    about = {"WARC-Target-URI": f"{scheme}://{host}/{path}", "WARC-Date": f"{datetime.fromtimestamp(each.at, UTC):%Y-%m-%dT%H:%M:%S.%f}Z"}
    is_revisit = each.status == NOT_MODIFIED
    fields = {"WARC-Truncated": "unspecified"} if each.body is None else {}
    fields |= {"WARC-Profile": REVISIT, "WARC-Refers-To-Target-URI": about["WARC-Target-URI"]} if is_revisit else {}
    kind = WarcRecordType.revisit if is_revisit else WarcRecordType.response
    first = f"HTTP/1.1 {each.status} {each.reason}".rstrip()
    number = _write(content, kind, _http(first, _received_headers(each), each.body or b""), about | fields)
    sent = (("Host", host), *((name, value) for name, value in each.requested if name.lower() in REQUESTED))
    _write(content, WarcRecordType.request, _http(f"GET /{path} HTTP/1.1", sent), about | {"WARC-Concurrent-To": number})
    return number


def _received_headers(each: Exchange) -> Iterator[tuple[str, str]]:
    """Yield the headers of an answer; those of the transfer, which do not hold for the body, have other names, as at Common Crawl."""
    changed = {"transfer-encoding", "content-length"} | ({"content-encoding"} if each.is_decoded else set())
    for name, value in each.headers:
        if name.lower() != "set-cookie":
            yield (f"X-Crawl-{name}" if name.lower() in changed else name), value
    if each.status != NOT_MODIFIED:
        yield "Content-Length", str(len(each.body or b""))


def _http(first: str, headers: Iterable[tuple[str, str]], body: bytes = b"") -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"{first}\r\n{lines}\r\n".encode("latin-1", "replace") + body


def _write(content: BytesIO, kind: WarcRecordType, block: bytes, fields: Mapping[str, str]) -> str:
    """Write a record, and return its id."""
    record = WarcRecord()
    record.init_headers(record_type=kind)
    record.set_bytes_content(block)
    for name, value in fields.items():
        record.headers[name] = value
    if kind in (WarcRecordType.response, WarcRecordType.revisit, WarcRecordType.request):
        record.headers["Content-Type"] = f"application/http; msgtype={'request' if kind == WarcRecordType.request else 'response'}"
        record.is_http = True
        record.parse_http()
    with GzipWriter(content) as packed:
        record.write(packed, checksum_data=kind != WarcRecordType.revisit)
    return str(record.headers["WARC-Record-ID"])


class ReplayedFetcher(Fetcher):
    """Answers from the WARC files of a crawl, without a request: the failures of a URL one by one, then its last answer."""

    def __init__(self, archive: WarcFolder) -> None:
        super().__init__()
        self._archive = archive
        self._failures: dict[str, int] = {}

    async def __aenter__(self) -> Self:
        return self

    async def request(self, url: str, headers: Mapping[str, str]) -> Fetched:
        """Return the answer that the crawl received next from a normal URL. Raises `Retryable` if there is none."""
        failures = 0 if url.endswith("/robots.txt") else self._failures.get(url, 0)
        answer = await asyncio.to_thread(self._archive.answer_after, url, failures)
        if answer is None:
            raise Retryable(f"{url}: it is not in {self._archive.where}, and a replay requests nothing")
        if answer.status >= 400:
            self._failures[url] = failures + 1
        headers = {name.lower(): value for name, value in answer.headers}
        kind, location = headers.get("content-type", ""), normalize(answer.leads_to(url)) or ""
        return Fetched(url, answer.status, answer.body, kind, headers=PageHeaders.of(headers), location=location)
