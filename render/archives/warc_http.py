"""The HTTP answer in a WARC record: its status, headers and body."""

from __future__ import annotations

from contextlib import suppress

from fastwarc.warc import WarcRecord, WarcRecordType

from sightread.render.archives.decoding import MOST_DECODED, decode_body
from sightread.render.errors import Unusable

MOST_ENCODED = 2 * MOST_DECODED
"""Bytes of a body read before it is decoded: more is more than the cap in every encoding."""


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


def headers_of(record: WarcRecord) -> tuple[tuple[str, str], ...]:
    """Return the headers of the answer; of a resource its type alone."""
    if record.is_http_parsed:
        return record.http_headers.to_tuples()
    kind = kind_of(record)
    return (("Content-Type", kind),) if kind else ()


def body_of(record: WarcRecord, headers: tuple[tuple[str, str], ...]) -> bytes:
    """Return the decoded body. Raises `Unusable` if it is too large, or in an unknown encoding."""
    return decoded(encoded_body(record), headers)


def encoded_body(record: WarcRecord) -> bytes:
    """Return the body as it was sent. Raises `Unusable` if it is too large."""
    body = record.reader.read(MOST_ENCODED + 1)
    if len(body) > MOST_ENCODED:
        raise Unusable(f"a body of more than {MOST_DECODED} bytes")
    return body


def decoded(body: bytes, headers: tuple[tuple[str, str], ...]) -> bytes:
    """Return a body without the encodings that its headers name. Raises `Unusable` if it is too large, or in an unknown encoding."""
    named = {name.lower(): value for name, value in headers}
    return decode_body(body, named.get("transfer-encoding", ""), named.get("content-encoding", ""))


def plain_uri(value: str | None) -> str:
    """Return a URI without the angle brackets that WARC 1.0 puts around some."""
    return (value or "").strip().strip("<>")
