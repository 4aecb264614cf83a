"""Records of a WARC file: by offset, in one pass; damage is passed over, and has a record of its own.

Each record of the file is one `InputRecord`. A page is an answer with a body of HTML; a revisit has the body of the record that it repeats,
if that is in the same file. The offset is that of the record's gzip member or zstd frame, so each must be compressed by itself
(ISO 28500, annex D).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from sightread.batch.inputs.files import InputRecord, Partition, local_copy
from sightread.render.archives.base import is_html
from sightread.render.archives.warc import (
    decoded,
    encoded_body,
    headers_of,
    kind_of,
    member_end,
    parse_http,
    plain_uri,
    record_at,
    status_of,
)
from sightread.render.errors import Rejected, Unusable
from sightread.render.network.http import charset_of

_ANSWERS = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.revisit | WarcRecordType.conversion
_MARKS = {b"\x1f\x8b": b"\x1f\x8b\x08", b"\x28\xb5": b"\x28\xb5\x2f\xfd"}
"""First bytes of a file, and those with which each of its records begins; else it is not compressed."""
_PLAIN = b"WARC/1."
_LENGTH = re.compile(r"[0-9]{1,18}")
_PIECE = 1 << 20
CUT = "cut short: the file ends in it, or is damaged there"


def read_warc(partition: Partition, start: int) -> Iterator[InputRecord]:
    """Yield the records of a partition from the offset `start` on. A remote file is copied to this machine first."""
    with local_copy(partition.file) as path, path.open("rb") as file:
        originals = _Originals(path)
        for record in scan(file, start):
            place = record if isinstance(record, int) else record.stream_pos
            if not partition.holds(place):
                return
            if isinstance(record, int):
                yield InputRecord(place, failed="damaged bytes in the file")
            else:
                yield InputRecord.guarded(place, partial(_read, record, originals))


def record_offsets(path: Path) -> Iterator[int]:
    """Yield the offset of each record, those of damage included. Raises `Rejected` if records are compressed several in one."""
    with path.open("rb") as file:
        for record in scan(file, 0):
            yield record if isinstance(record, int) else record.stream_pos


def scan(file: BinaryIO, start: int) -> Iterator[WarcRecord | int]:
    """Yield the records from an offset on, and for each stretch of damage its offset. A record is valid until the next is requested.

    Raises `Rejected` if records are compressed several in one.
    """
    file.seek(0)
    head = file.read(2)
    mark = _MARKS.get(head, _PLAIN)
    place = start
    while True:
        last = -1
        file.seek(place)
        try:
            for record in ArchiveIterator(file, parse_http=False):
                # fastwarc counts from where the file was when it began.
                if record.stream_pos == last and mark != _PLAIN:
                    raise Rejected(
                        f"its records are compressed several in one, so that none is found alone: unpack it first (offset {last})"
                    )
                last = record.stream_pos
                yield record
            end = place if last < 0 else _end_of_last(file, mark, last)
            if end is not None and not _is_blank(file, end):  # the head of a record, which is no record yet
                yield end
            return
        except OSError as error:
            if error.errno:  # the disk failed, not the file
                raise
            after = place + 1 if last < 0 else last + 1
        found = _next_record(file, mark, after)
        damage = place if last < 0 else _next_mark(file, mark, after)
        if damage is not None:
            yield last + 1 if damage == found else damage
        if found is None:
            return
        place = found


def _end_of_last(file: BinaryIO, mark: bytes, last: int) -> int | None:
    """Return where the last record ends, if the parser is silent about what follows it, as it is in gzip files."""
    if mark[:2] != b"\x1f\x8b":
        return None
    file.seek(last)
    return member_end(file)


def _is_blank(file: BinaryIO, place: int) -> bool:
    file.seek(place)
    return not file.read(_PIECE).strip(b"\r\n\0 ")


def _next_record(file: BinaryIO, mark: bytes, place: int) -> int | None:
    """Return the offset of the next record that can be read, from an offset on; None if there is none."""
    while (found := _next_mark(file, mark, place)) is not None:
        file.seek(found)
        try:
            record = next(iter(ArchiveIterator(file, parse_http=False)), None)
        except OSError:
            record = None
        if record is not None and record.stream_pos == found:
            return found
        place = found + 1
    return None


def _next_mark(file: BinaryIO, mark: bytes, place: int) -> int | None:
    file.seek(place)
    window = b""
    while piece := file.read(_PIECE):
        window += piece
        if (found := window.find(mark)) >= 0:
            return place + found
        keep = len(mark) - 1
        place += len(window) - keep
        window = window[-keep:]
    return None


def _read(record: WarcRecord, originals: _Originals) -> InputRecord:
    place, url = record.stream_pos, plain_uri(record.headers.get("WARC-Target-URI"))
    declared = (record.headers.get("Content-Length") or "").strip()
    if not _LENGTH.fullmatch(declared):
        return InputRecord(place, url, failed="the record declares no length")
    if record.content_length < int(declared):
        return InputRecord(place, url, failed=CUT)
    if not record.record_type & _ANSWERS:
        return InputRecord(place, url, other=(record.headers.get("WARC-Type") or "unknown").lower()[:40])
    if record.record_type == WarcRecordType.conversion:
        return InputRecord(place, url, skipped="conversion: text that another program made of a page")
    parse_http(record)
    status, kind = status_of(record), kind_of(record)
    if record.record_type == WarcRecordType.revisit:
        return originals.repeated(record, InputRecord(place, url), status)
    return _page(record, InputRecord(place, url), status, kind)


def _page(record: WarcRecord, known: InputRecord, status: int, kind: str) -> InputRecord:
    place, url = known.position, known.url
    if not status:
        return InputRecord(place, url, skipped="not-http: it holds no HTTP answer")
    if not 200 <= status < 300:
        return InputRecord(place, url, skipped=f"status: {status}")
    if kind and not is_html(kind):
        return InputRecord(place, url, skipped=f"not-html: {kind[:80]}")
    length = record.content_length
    try:
        headers = headers_of(record)
        sent = encoded_body(record)
        body = decoded(sent, headers)
    except (Unusable, OSError, ValueError) as error:
        return InputRecord(place, url, failed=f"its body cannot be read: {error}")
    if len(sent) < length:
        return InputRecord(place, url, failed=CUT)
    if not body.strip():
        return InputRecord(place, url, skipped="empty: the answer has no body")
    cut = (record.headers.get("WARC-Truncated") or "").strip()
    return InputRecord(place, url, body, charset=charset_of(kind), note=f"truncated by the crawler: {cut}" if cut else "")


class _Originals:
    """The records that revisits repeat, found by the names that they give; the file is indexed at the first revisit."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[str, int] | None = None

    def repeated(self, record: WarcRecord, known: InputRecord, status: int) -> InputRecord:
        """Return the page of a revisit: the body of its original."""
        names = [plain_uri(record.headers.get("WARC-Refers-To"))]
        uri, date = plain_uri(record.headers.get("WARC-Refers-To-Target-URI")), record.headers.get("WARC-Refers-To-Date") or ""
        names += [f"{uri} {date.strip()}" if uri else "", record.headers.get("WARC-Payload-Digest") or "", uri]
        if status != 304 and not 200 <= status < 300:
            return InputRecord(known.position, known.url, skipped=f"status: {status}")
        places = self._index()
        place = next((places[name] for name in names if name and name in places), None)
        if place is None:
            return InputRecord(known.position, known.url, skipped="revisit: the record that it repeats is not in this file")
        with self._path.open("rb") as file:
            try:
                original = record_at(file, place)
            except OSError:
                return InputRecord(known.position, known.url, failed="the record that it repeats cannot be read")
            return _page(original, known, status_of(original), kind_of(original))

    def _index(self) -> dict[str, int]:
        if self._places is None:
            self._places = {}
            with self._path.open("rb") as file:
                for record in scan(file, 0):
                    if isinstance(record, int) or not record.record_type & (WarcRecordType.response | WarcRecordType.resource):
                        continue
                    headers = record.headers
                    uri, date = plain_uri(headers.get("WARC-Target-URI")), (headers.get("WARC-Date") or "").strip()
                    for name in (plain_uri(record.record_id), f"{uri} {date}", headers.get("WARC-Payload-Digest") or "", uri):
                        if name:
                            self._places.setdefault(name, record.stream_pos)
        return self._places


def read_at(file: BinaryIO, number: int, offset: int) -> InputRecord:
    """Return the page of one record, given by its offset in an open file; its position is `number`."""
    try:
        record = record_at(file, offset)
    except OSError as error:
        return InputRecord(number, failed=f"no WARC record at offset {offset}: {error}")
    url = plain_uri(record.headers.get("WARC-Target-URI"))
    if not record.record_type & (WarcRecordType.response | WarcRecordType.resource):
        return InputRecord(number, url, skipped=f"{record.headers.get('WARC-Type') or 'unknown'}: the record holds no answer")
    return _page(record, InputRecord(number, url), status_of(record), kind_of(record))
