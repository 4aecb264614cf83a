"""WARC files (ISO 28500), gzipped or not: indexed by offset in one pass, then read record by record.

The pass and the records are fastwarc's: its parser is written in Rust, so that a hostile file meets no memory bug; it indexes 1 GB of
packed records in 6 s of CPU time, and brings the brotli and zstd that bodies of the web are in. The index takes 350 bytes per record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from render.archives.base import Answer, Archive, is_html, sendable
from render.archives.decoding import MOST_DECODED, decode_body
from render.archives.request_matching import Matches
from render.archives.warc_records import Records
from render.errors import Rejected, Unusable
from render.network.address import shown

MOST_ENCODED = 2 * MOST_DECODED
"""Bytes of a body read before it is decoded: more is more than the cap in every encoding."""
_KEPT = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.revisit


class _Original(NamedTuple):
    """What a revisit record repeats, by the names that it gives."""

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

    def find(self, url: str) -> Answer | None:
        """Return what was answered to `url`."""
        place = self._matches.find(url)
        if place is None:
            return None
        try:
            return self._answer(place)
        except Unusable as error:
            raise Unusable(f"{shown(url)}: {error}") from error
        except (OSError, ValueError) as error:
            raise Unusable(f"{shown(url)}: its record in {self.where} cannot be read: {error}") from error

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
        _parse_http(record)
        headers, place = record.headers, record.stream_pos
        status, kind = _status(record), _kind(record)
        if not status:
            return ""
        key = self._matches.add(_plain(headers.get("WARC-Target-URI")), status, place)
        if key and status == 200 and is_html(kind):
            self._pages[key] = None
        digest = headers.get("WARC-Payload-Digest") or ""
        if record.record_type == WarcRecordType.revisit:
            repeated = _plain(headers.get("WARC-Refers-To")), _plain(headers.get("WARC-Refers-To-Target-URI"))
            self._originals[place] = _Original(*repeated, digest)
        else:
            self._by_record.setdefault(_plain(record.record_id), place)
            if digest:
                self._by_digest.setdefault(digest, place)
        return key

    def _answer(self, place: int) -> Answer:
        original = self._originals.get(place)
        with self._read(place) as record:
            status, headers = _status(record), _headers(record)
            if original is None:
                return Answer(status, sendable(headers), _body(record, headers))
        source = self._source(original)
        if source is None:
            raise Unusable(f"{self.where} is a revisit record; its body is in another file")
        with self._read(source) as record:
            theirs = _headers(record)
            ours = headers if status != 304 and headers else theirs
            return Answer(_status(record) if status == 304 else status, sendable(ours), _body(record, theirs))

    def _source(self, original: _Original) -> int | None:
        """Return the offset of the record that a revisit repeats; None if this file does not hold it."""
        by_url = self._matches.find(original.url) if original.url else None
        found = self._by_record.get(original.record), by_url, self._by_digest.get(original.digest)
        return next((place for place in found if place is not None and place not in self._originals), None)

    @contextmanager
    def _read(self, place: int) -> Iterator[WarcRecord]:
        """Lend a record. Raises `OSError` if it is not there any more."""
        with self._path.open("rb") as file:
            file.seek(place)
            record = next(ArchiveIterator(file, parse_http=False), None)
            if record is None:
                raise OSError("the file was changed meanwhile")
            _parse_http(record)
            yield record


def _parse_http(record: WarcRecord) -> None:
    """Read the HTTP head of a record that has one, also where bare line feeds end its lines, as some servers send."""
    if (record.headers.get("Content-Type") or "").strip().lower().startswith("application/http"):
        record.is_http = True
        with suppress(OSError):  # no HTTP in it: no answer
            record.parse_http(quirks_mode=True)


def _status(record: WarcRecord) -> int:
    """Return the HTTP status, 200 for a resource, 304 for a revisit without headers; 0 for what is no answer."""
    status = record.http_headers.status_code if record.is_http_parsed else None
    if status is None and record.record_type != WarcRecordType.response:
        return 200 if record.record_type == WarcRecordType.resource else 304
    return status if status and 200 <= status < 600 else 0


def _kind(record: WarcRecord) -> str:
    if record.is_http_parsed:
        return record.http_headers.get("Content-Type") or ""
    return record.headers.get("Content-Type") or "" if record.record_type == WarcRecordType.resource else ""


def _headers(record: WarcRecord) -> tuple[tuple[str, str], ...]:
    if record.is_http_parsed:
        return record.http_headers.to_tuples()
    kind = _kind(record)
    return (("Content-Type", kind),) if kind else ()


def _body(record: WarcRecord, headers: tuple[tuple[str, str], ...]) -> bytes:
    body = record.reader.read(MOST_ENCODED + 1)
    if len(body) > MOST_ENCODED:
        raise Unusable(f"a body of more than {MOST_DECODED} bytes")
    named = {name.lower(): value for name, value in headers}
    return decode_body(body, named.get("transfer-encoding", ""), named.get("content-encoding", ""))


def _plain(value: str | None) -> str:
    """Return a URI without the angle brackets that WARC 1.0 puts around some."""
    return (value or "").strip().strip("<>")
