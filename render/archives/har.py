"""HAR files (HTTP Archive 1.2), as exported by browsers and proxies.

One JSON document, so the file is read whole, once; bodies stay where they are in it and are decoded when they are requested. That takes
the size of the file and about 1 KB an entry.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Raw, field

from sightread.render.archives.base import Answer, Archive, Matches, check_size, is_html, sendable
from sightread.render.errors import Rejected, Unusable
from sightread.render.files import reading_errors

LARGEST_FILE = 1 << 29
"""Bytes of a file. Sessions of an hour take tens of megabytes; a file beyond this is no session but a crawl, for which there is WARC."""
TIMES_WRITTEN = 2
"""Times its size that a body may take in the file: base64 takes a third more than the body, JSON's escapes a little."""
EXPORT = 'export it again with its content ("Save all as HAR with content")'
_NONE = Raw(b"null")


class _Header(msgspec.Struct):
    name: str = ""
    value: str = ""


class _Content(msgspec.Struct):
    kind: str | None = field(default="", name="mimeType")
    text: Raw = _NONE
    encoding: str | None = ""


class _Request(msgspec.Struct):
    method: str
    url: str


class _Response(msgspec.Struct):
    status: int
    headers: list[_Header] = []
    content: _Content = field(default_factory=_Content)
    target: str | None = field(default="", name="redirectURL")


class _Entry(msgspec.Struct):
    request: _Request
    response: _Response
    page: str | None = field(default="", name="pageref")


class _Log(msgspec.Struct):
    entries: list[_Entry]


class _Document(msgspec.Struct):
    log: _Log


_decoder = msgspec.json.Decoder(_Document, strict=False)
_text_decoder = msgspec.json.Decoder(str | None)


class Har(Archive):
    """A HAR file, found by URL: the answers to its GET requests."""

    def __init__(self, path: Path) -> None:
        """Read the file. Raises `Rejected` if it is no HAR, or one without bodies."""
        self.where = str(path)
        self._matches: Matches[_Response] = Matches()
        self._pages: dict[str, None] = {}
        begun: set[str | None] = set()
        answers = bodies = 0
        for entry in self._entries(path):
            request, response = entry.request, entry.response
            if request.method.upper() != "GET" or not 200 <= response.status < 600:
                continue
            key = self._matches.add(request.url, response.status, response)
            answers += 1
            bodies += _has_body(response)
            # The first document of a page is the page; those after it are its frames.
            if key and response.status in (200, 304) and is_html(_kind(response)) and (not entry.page or entry.page not in begun):
                begun.add(entry.page)
                self._pages[key] = None
        if not answers:
            raise Rejected(f"{path}: no answer to a GET request in it: {EXPORT}")
        if not bodies:
            raise Rejected(f"{path}: it holds {answers} answers, but the body of none: {EXPORT}")

    def pages(self) -> Sequence[str]:
        """Return the URL of the first document of each page of the session."""
        return list(self._pages)

    def read(self, url: str) -> Answer | None:
        """Return what was answered to a GET request for `url`."""
        response = self._matches.find(url)
        if response is None:
            return None
        if not _has_body(response) and is_html(_kind(response)) and response.status == 200:
            raise Unusable(f"{self.where} holds the answer without its body: {EXPORT}")
        headers = [(header.name, header.value) for header in response.headers if header.name.lower() != "content-type"]
        if response.target and not any(name.lower() == "location" for name, _ in headers):
            headers.append(("Location", response.target))
        body, kind = _body(response)
        if kind:
            headers.append(("Content-Type", kind))
        # A body under 304 is the one that the browser had kept.
        return Answer(200 if response.status == 304 and body else response.status, sendable(headers), body)

    def _entries(self, path: Path) -> list[_Entry]:
        with reading_errors(path):
            if path.stat().st_size > LARGEST_FILE:
                raise Rejected(f"{path}: more than {LARGEST_FILE >> 20} MiB, too much for a HAR: save fewer pages in one")
            data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        try:
            return _decoder.decode(data).log.entries
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Rejected(f"{path}: JSON, but no whole HAR: {str(error).partition(chr(10))[0]}") from error


def _has_body(response: _Response) -> bool:
    text = response.content.text
    return len(text) > len(_NONE) or bytes(text) not in (b"null", b'""')


def _kind(response: _Response) -> str:
    declared = next((header.value for header in response.headers if header.name.lower() == "content-type"), "")
    return declared or response.content.kind or ""


def _body(response: _Response) -> tuple[bytes, str]:
    """Return the body, and its type: the program that wrote the file decoded the text, so it is UTF-8 now."""
    content, kind = response.content, _kind(response)
    is_base64 = (content.encoding or "").lower() == "base64"
    check_size(len(content.text), times=TIMES_WRITTEN)
    try:
        text = _text_decoder.decode(content.text) or ""
    except msgspec.DecodeError as error:
        raise ValueError(f"its body: {error}") from error
    body = b64decode(text) if is_base64 else text.encode("utf-8", "replace")
    check_size(len(body))
    if kind and not is_base64:
        kind = f"{kind.partition(';')[0].strip()}; charset=utf-8"
    return body, kind
