"""WARC files (ISO 28500), gzipped or not: indexed by offset in one pass, then read record by record.

The pass and the records are fastwarc's: its parser is written in Rust, so that a hostile file meets no memory bug; it indexes 1 GB of
packed records in 6 s of CPU time, and brings the brotli and zstd that bodies of the web are in. The index takes 350 bytes per record.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from sightread.render.archives.base import MOST_DECODED, Answer, Archive, Headers, Matches, check_size, decode_body, is_html, sendable
from sightread.render.errors import Rejected, Unusable

TIMES_ENCODED = 2
"""Times the cap that is read of a body before it is decoded: more is more than the cap in every encoding."""


def parse_http(record: WarcRecord) -> None:
    """Read the HTTP head of a record that has one, also where bare line feeds end its lines, as some servers send."""
    if (record.headers.get("Content-Type") or "").strip().lower().startswith("application/http"):
        record.is_http = True
        with suppress(OSError):  # no HTTP in it: no answer
            record.parse_http(quirks_mode=True)


def status_of(record: WarcRecord) -> int:
    """Return the HTTP status, 200 for a resource, 304 for a revisit without headers; 0 for a record that is no response."""
    status = record.http_headers.status_code if record.is_http_parsed else None
    if status is None and record.record_type != WarcRecordType.response:
        return 200 if record.record_type == WarcRecordType.resource else 304
    return status if status and 200 <= status < 600 else 0


def kind_of(record: WarcRecord) -> str:
    """Return the Content-Type of the answer; empty if it declares none."""
    if record.is_http_parsed:
        return record.http_headers.get("Content-Type") or ""
    return record.headers.get("Content-Type") or "" if record.record_type == WarcRecordType.resource else ""


def headers_of(record: WarcRecord) -> Headers:
    """Return the headers of the answer; of a resource its type alone."""
    if record.is_http_parsed:
        return record.http_headers.to_tuples()
    kind = kind_of(record)
    return (("Content-Type", kind),) if kind else ()


def encoded_body(record: WarcRecord) -> bytes:
    """Return the body as it was sent. Raises `Unusable` if it is too large."""
    body: bytes = record.reader.read(TIMES_ENCODED * MOST_DECODED + 1)
    check_size(len(body), times=TIMES_ENCODED)
    return body


def decoded(body: bytes, headers: Headers) -> bytes:
    """Return a body without the encodings that its headers name. Raises `Unusable` if it is too large, or in an unknown encoding."""
    named = {name.lower(): value for name, value in headers}
    return decode_body(body, named.get("transfer-encoding", ""), named.get("content-encoding", ""))


def plain_uri(value: str | None) -> str:
    """Return a URI without the angle brackets that WARC 1.0 puts around some."""
    return (value or "").strip().strip("<>")


LONGEST_GAP = 1 << 18
"""Compressed bytes that may be between two records: a longer stretch without a record, such as a
gigabyte of empty lines, is not searched to its end."""
MOST_EXPANDED = 50
"""Times the size of the file that its records may take, if that is more than `ALWAYS_EXPANDED`; crawls of the web take 4 to 8 times."""
ALWAYS_EXPANDED = 1 << 30
"""Bytes that the records of any file may take: two seconds to index."""

_GZIP = b"\x1f\x8b"
_PIECE = 1 << 16


class Records:
    """The records of a file, once, in their order; after them, how it ended.

    Raises `Rejected` if the file cannot be read, or none of its records alone.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.whole = 0
        """How many there are, those not whole left out."""
        self.last_is_whole = True
        self.fault = ""
        """"damaged" or "cut short"; empty if the file is neither."""

    def __iter__(self) -> Iterator[WarcRecord]:
        last = 0, 0
        try:
            with self._path.open("rb") as file:
                for record in _Supervised(file, str(self._path)):
                    last = record.stream_pos, record.content_length  # of which the HTTP head is no part once it was read
                    self.whole += 1
                    yield record
                if self.whole:
                    self._look_at_end(file, *last)
        except OSError as error:
            if error.errno:  # the disk's fault, not the file's
                raise Rejected(f"{self._path}: cannot be read: {error.strerror}") from error
            self.fault = "damaged"

    def _look_at_end(self, file: BinaryIO, place: int, length: int) -> None:
        """Check whether the last record is whole and nothing follows it; a download that broke off ends in a record or in the head of
        one.
        """
        file.seek(place)
        end = member_end(file) if _is_packed(file) else _plain_end(file, length)
        if end is None:
            self.last_is_whole = False
            self.whole -= 1
            self.fault = "cut short"
        else:
            file.seek(end)
            if file.read(_PIECE).strip(b"\r\n\0 "):
                self.fault = "cut short"


class _Supervised:
    """A file in the hands of the parser, whose pass ends with an `OSError` if the file is damaged or expands beyond reason."""

    def __init__(self, file: BinaryIO, where: str) -> None:
        self._file = file
        self._where = where
        self._most = max(ALWAYS_EXPANDED, MOST_EXPANDED * os.fstat(file.fileno()).st_size)
        self._until = LONGEST_GAP
        self._is_packed = _is_packed(file)

    def __iter__(self) -> Iterator[WarcRecord]:
        expanded, last = 0, -1
        for record in ArchiveIterator(self, parse_http=False):
            expanded += record.content_length
            declared = record.headers.get("Content-Length") or ""
            if last < 0 and not record.content_length and declared.strip(" 0"):  # the parser knows the names as the standard writes them
                raise Rejected(f"{self._where}: its records have no Content-Length header, spelled like this: write the file again")
            if expanded > self._most or not declared:
                raise OSError("no record, or a bomb")
            if self._is_packed and (record.stream_pos == last or not self._begins_at(record.stream_pos)):
                raise Rejected(
                    f"{self._where}: its records are packed several in one, so that none is found alone: unpack it first (gunzip)"
                )
            last = record.stream_pos
            self._until = self._file.tell() + record.content_length + LONGEST_GAP
            yield record

    def _begins_at(self, place: int) -> bool:
        """Return whether a gzip member begins there, as the standard requires of each record (ISO 28500, annex D)."""
        return os.pread(self._file.fileno(), 2, place) == _GZIP

    def read(self, size: int = -1) -> bytes:
        """Pass on what the parser reads, for as long as it finds records."""
        if self._file.tell() > self._until:
            raise OSError("no record for too long")
        return self._file.read(size)

    def seek(self, offset: int, whence: int = 0) -> int:
        """Do as the file does."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Do as the file does."""
        return self._file.tell()

    def close(self) -> None:
        """Do nothing: the caller that opened the file closes it."""


def _is_packed(file: BinaryIO) -> bool:
    start = file.read(2)
    file.seek(-len(start), 1)
    return start == _GZIP


def _plain_end(file: BinaryIO, length: int) -> int | None:
    """Return where the record ends that begins here; None if the file ends before."""
    place = file.tell()
    head = file.read(_PIECE).find(b"\r\n\r\n")
    end = place + head + 4 + length
    return end if head >= 0 and end <= os.fstat(file.fileno()).st_size else None


def member_end(file: BinaryIO) -> int | None:
    """Return where the gzip member ends that begins here; None if the file ends before."""
    unpacking = zlib.decompressobj(31)
    try:
        while not unpacking.eof and (piece := unpacking.unconsumed_tail or file.read(_PIECE)):
            unpacking.decompress(piece, 1 << 20)
    except zlib.error:
        return None
    return file.tell() - len(unpacking.unused_data) if unpacking.eof else None


_KEPT = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.revisit


class _Original(NamedTuple):
    """The original of a revisit record, by the names in the record."""

    record: str
    url: str
    digest: str


class Warc(Archive):
    """A WARC file, found by URL. Requests and metadata are passed over; a revisit has the body of what it repeats."""

    def __init__(self, path: Path) -> None:
        """Index the file. Raises `Rejected` if there is no record in it, or it cannot be read."""
        self.where = str(path)
        self._path = path
        self._matches: Matches[int] = Matches()
        self._originals: dict[int, _Original] = {}
        self._by_record: dict[str, int] = {}
        self._by_digest: dict[str, int] = {}
        self._pages: dict[str, None] = {}
        self._index()

    def pages(self) -> Sequence[str]:
        """Return the URLs that were answered with HTML and status 200; those of frames are among them."""
        return list(self._pages)

    def read(self, url: str) -> Answer | None:
        """Return what was answered to `url`."""
        place = self._matches.find(url)
        return None if place is None else self._answer(place)

    def _index(self) -> None:
        records = Records(self._path)
        last = "", 0
        for record in records:
            last = self._take(record), record.stream_pos
        key, place = last
        if not records.last_is_whole and self._matches.find(key) == place:
            self._matches.drop(key)
            self._pages.pop(key, None)
        if not records.whole:
            raise Rejected(f"{self.where}: no whole WARC record in it: download it again")
        if records.fault:
            many = "record" if records.whole == 1 else "records"
            self.note = f"it is {records.fault} after {records.whole} {many}, and what follows is left out"

    def _take(self, record: WarcRecord) -> str:
        """Note a record; return the key that it goes by, empty if it answers no web address."""
        if not record.record_type & _KEPT:
            return ""
        parse_http(record)
        headers, place = record.headers, record.stream_pos
        status, kind = status_of(record), kind_of(record)
        if not status:
            return ""
        key = self._matches.add(plain_uri(headers.get("WARC-Target-URI")), status, place)
        if key and status == 200 and is_html(kind):
            self._pages[key] = None
        digest = headers.get("WARC-Payload-Digest") or ""
        if record.record_type == WarcRecordType.revisit:
            repeated = plain_uri(headers.get("WARC-Refers-To")), plain_uri(headers.get("WARC-Refers-To-Target-URI"))
            self._originals[place] = _Original(*repeated, digest)
        else:
            self._by_record.setdefault(plain_uri(record.record_id), place)
            if digest:
                self._by_digest.setdefault(digest, place)
        return key

    def _answer(self, place: int) -> Answer:
        original = self._originals.get(place)
        if original is None:
            return read_answer(self._path, place)
        with self._path.open("rb") as file:
            record = record_at(file, place)
            status, headers = status_of(record), headers_of(record)
            source = self._source(original)
            if source is None:
                raise Unusable(f"{self.where} is a revisit record; its body is in another file")
            record = record_at(file, source)
            original_headers = headers_of(record)
            revised = headers if status != 304 and headers else original_headers
            return Answer(
                status_of(record) if status == 304 else status, sendable(revised), decoded(encoded_body(record), original_headers)
            )

    def _source(self, original: _Original) -> int | None:
        """Return the offset of the record that a revisit repeats; None if this file does not hold it."""
        by_url = self._matches.find(original.url) if original.url else None
        found = self._by_record.get(original.record), by_url, self._by_digest.get(original.digest)
        return next((place for place in found if place is not None and place not in self._originals), None)


def record_at(file: BinaryIO, place: int) -> WarcRecord:
    """Return the record at an offset of an open file, its HTTP head read. Raises `OSError` if there is none."""
    file.seek(place)
    record = next(iter(ArchiveIterator(file, parse_http=False)), None)
    if record is None:
        raise OSError("it ends before, or was changed meanwhile")
    parse_http(record)
    return record


def read_answer(path: Path, place: int) -> Answer:
    """Return the answer of the record at an offset. Raises `OSError`, and `Unusable` if its body is too large."""
    with path.open("rb") as file:
        record = record_at(file, place)
        headers = headers_of(record)
        return Answer(status_of(record), sendable(headers), decoded(encoded_body(record), headers))
