"""WARC files (ISO 28500), gzipped or not: indexed by offset in one pass, then read record by record.

The pass and the records are fastwarc's: its parser is written in Rust, so that a hostile file meets no memory bug; it indexes 1 GB of
packed records in 6 s of CPU time, and brings the brotli and zstd that bodies of the web are in. The index takes 350 bytes per record.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from sightread.render.archives.base import Answer, Archive, is_html, sendable
from sightread.render.archives.request_matching import Matches
from sightread.render.archives.warc_http import body_of, headers_of, kind_of, parse_http, plain_uri, status_of
from sightread.render.archives.warc_records import Records
from sightread.render.errors import Rejected, Unusable
from sightread.render.network.address import shown

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
        with self._read(place) as record:
            status, headers = status_of(record), headers_of(record)
            if original is None:
                return Answer(status, sendable(headers), body_of(record, headers))
        source = self._source(original)
        if source is None:
            raise Unusable(f"{self.where} is a revisit record; its body is in another file")
        with self._read(source) as record:
            original_headers = headers_of(record)
            revised = headers if status != 304 and headers else original_headers
            return Answer(status_of(record) if status == 304 else status, sendable(revised), body_of(record, original_headers))

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
            parse_http(record)
            yield record
