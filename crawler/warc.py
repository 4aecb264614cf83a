"""WARC files of a crawl (ISO 28500): answers are appended as pages are committed; and the crawl replayed from them.

A record is a gzip member of its own. Of requests harmless headers alone are written, no credentials; of answers all but Set-Cookie.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Self

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

from sightread.crawler.fetch import Fetched, Fetcher
from sightread.crawler.journal import AppendFile
from sightread.crawler.urls import normalize
from sightread.render.archives.base import request_key
from sightread.render.archives.cdxj import FAILED, WarcFolder, write_indexes
from sightread.render.errors import Retryable
from sightread.render.files import storage_errors
from sightread.render.network.exchange import Exchange, Received
from sightread.render.network.http import NOT_MODIFIED, PRODUCT, PageHeaders

MOST_BYTES = 1 << 30
"""Of a file, after which the next is begun."""
REQUESTED = frozenset(("accept", "accept-encoding", "accept-language", "if-modified-since", "if-none-match", "referer", "user-agent"))
"""Headers of requests that are written."""
_INFO = f"software: {PRODUCT}\r\nformat: WARC File Format 1.1\r\n"
_UNMODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"


class WarcWriter(ExitStack):
    """The files of one crawl in a folder; a context manager, which writes their indexes at its end.

    Raises `Rejected` while another process writes them, and `StorageFailed`.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        with storage_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        self.callback(write_indexes, folder)
        self._folder = folder

    def begin(self, host: str, end: str) -> None:
        """Continue where `end` was returned, and remove what is behind it; without one begin with a new name."""
        default = f"{re.sub('[^A-Za-z0-9.]+', '-', host)}-{datetime.now(UTC):%Y%m%d%H%M%S} 1 0"
        self._name, number, size = (end or default).split()
        self._begin_file(int(number)).cut(int(size))
        for path in self._folder.glob(f"{self._name}-*"):
            if path.name > self._path.name:
                path.unlink()

    def _begin_file(self, number: int) -> AppendFile:
        self._number, self._path = number, self._folder / f"{self._name}-{number:05}.warc.gz"
        self._file = self.enter_context(AppendFile(self._path))
        return self._file

    def end(self) -> str:
        """Return how far the files are written."""
        return f"{self._name} {self._number} {self._path.stat().st_size}"

    def write(self, received: Received) -> None:
        """Write the answers to the requests of one page, in one piece, and its rendered HTML, which refers to the page's answer."""
        if self._path.stat().st_size >= MOST_BYTES:
            self._begin_file(self._number + 1)
        content = BytesIO()
        if not self._path.stat().st_size:
            fields = {"WARC-Filename": self._path.name, "Content-Type": "application/warc-fields"}
            _write(content, WarcRecordType.warcinfo, _INFO.encode(), fields)
        ids: dict[str, str] = {}
        for each in received:
            if isinstance(each, Exchange):
                ids[each.url] = _write_exchange(content, each)
            else:
                fields = {"WARC-Target-URI": each.url, "Content-Type": "text/html; charset=utf-8"}
                origin = ids.get(each.url.partition("#")[0]) or next(iter(ids.values()), "")
                _write(content, WarcRecordType.conversion, each.html.encode(), fields | ({"WARC-Refers-To": origin} if origin else {}))
        self._file.append(content.getvalue())


def _write_exchange(content: BytesIO, each: Exchange) -> str:
    """Write an answer and its request, and return the id of the answer.

    Headers of the transfer, which do not hold for the body as it is written, have names as at Common Crawl.
    """
    scheme, _, rest = request_key(each.url).partition("://")
    host, _, path = rest.partition("/")
    host = host.rpartition("@")[2]
    fields = {"WARC-Target-URI": f"{scheme}://{host}/{path}", "WARC-Date": f"{datetime.fromtimestamp(each.at, UTC):%Y-%m-%dT%H:%M:%SZ}"}
    changed = ("transfer-encoding", "content-length", "content-encoding" if each.is_decoded else "")
    headers = [(f"X-Crawl-{name}" if name.lower() in changed else name, value) for name, value in each.headers]
    headers = [(name, value) for name, value in headers if name.lower() != "set-cookie"]
    kind, about = WarcRecordType.response, dict(fields)
    if each.status == NOT_MODIFIED:
        kind, about = WarcRecordType.revisit, fields | {"WARC-Profile": _UNMODIFIED, "WARC-Refers-To-Target-URI": fields["WARC-Target-URI"]}
    elif each.body is None:
        about["WARC-Truncated"] = "unspecified"
    headers += [("Content-Length", str(len(each.body or b"")))] if kind == WarcRecordType.response else []
    number = _write(content, kind, _http(f"HTTP/1.1 {each.status} {each.reason}", headers, each.body or b""), about)
    sent = [("Host", host), *((name, value) for name, value in each.requested if name.lower() in REQUESTED)]
    _write(content, WarcRecordType.request, _http(f"GET /{path} HTTP/1.1", sent), fields | {"WARC-Concurrent-To": number})
    return number


def _http(first: str, headers: Iterable[tuple[str, str]], body: bytes = b"") -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"{first}\r\n{lines}\r\n".encode("latin-1", "replace") + body


def _write(content: BytesIO, kind: WarcRecordType, block: bytes, fields: Mapping[str, str]) -> str:
    record = WarcRecord()
    record.init_headers(record_type=kind)
    record.set_bytes_content(block)
    for name, value in fields.items():
        record.headers[name] = value
    if "Content-Type" not in fields:
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
        failures = 1_000 if url.endswith("/robots.txt") else self._failures.get(url, 0)
        answer = await asyncio.to_thread(self._archive.answer_after, url, failures)
        if answer is None:
            raise Retryable(f"{url}: it is not in {self._archive.where}, and a replay requests nothing")
        if answer.status >= FAILED:
            self._failures[url] = failures + 1
        received = {name.lower(): value for name, value in answer.headers}
        kind, location = received.get("content-type", ""), normalize(answer.leads_to(url)) or ""
        return Fetched(url, answer.status, answer.body, kind, headers=PageHeaders.of(received), location=location)
