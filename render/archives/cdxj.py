"""Folders of WARC files: each with a CDXJ index beside it, in which a URL is found without reading the file.

A line of an index is the URL's key (SURT), a time, and JSON; lines are sorted (pywb's format of that name).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

import ada_url
import msgspec
from fastwarc.warc import WarcRecord, WarcRecordType

from sightread.render.archives.base import Answer, Archive, request_key, without_stamp
from sightread.render.archives.warc import Records, kind_of, parse_http, plain_uri, read_answer, status_of
from sightread.render.errors import Rejected
from sightread.render.files import reading_errors, write_atomically

_INDEXED = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.revisit
REVISIT = "warc/revisit"
FAILED = 400
"""Least status of a failure."""
MOST_SIMILAR = 1000
"""Addresses with another query with which one is compared that is not found."""


class Capture(msgspec.Struct, omit_defaults=True):
    """An answer in a WARC file: the JSON of a line."""

    url: str
    mime: str
    status: str
    digest: str
    length: str
    offset: str
    filename: str


class _Found(NamedTuple):
    """An answer, by its place."""

    url: str
    file: Path
    offset: int
    status: int


def surt(url: str) -> str:
    """Return the key of a web address: host from right to left, path and sorted query in lower case, as the Internet Archive's `surt`
    makes it, save that ids of sessions stay.
    """
    parsed = ada_url.URL(url)
    host = re.sub(r"^www\d*\.", "", parsed.hostname)
    name = host.strip("[]") if host.startswith("[") else ",".join(reversed(host.split(".")))
    path = re.sub("//+", "/", _plain(parsed.pathname)).rstrip("/") or "/"
    query = "&".join(sorted(_plain(parsed.search[1:]).split("&")))
    return f"{name}{':' if parsed.port else ''}{parsed.port}){path}{'?' if query else ''}{query}"


def _plain(text: str) -> str:
    """Return a part of an address in lower case, with those characters encoded that must be."""
    encoded = text.encode("utf-8", "surrogatepass")
    while (found := unquote_to_bytes(encoded)) != encoded:
        encoded = found
    return "".join(chr(byte) if 0x20 < byte < 0x7F and byte not in b"#%" else f"%{byte:02x}" for byte in encoded.lower())


def write_indexes(folder: Path) -> list[tuple[Path, Path]]:
    """Write the indexes of the WARC files of a folder that have none, or changed since; return all files, each with its index.

    Raises `Rejected` for a file that is no WARC, and `StorageFailed`.
    """
    found: list[tuple[Path, Path]] = []
    for path in sorted([*folder.glob("*.warc.gz"), *folder.glob("*.warc")]):
        index = path.with_name(f"{path.name.removesuffix('.gz').removesuffix('.warc')}.cdxj")
        with reading_errors(path):
            is_known = index.exists() and index.stat().st_mtime_ns >= path.stat().st_mtime_ns
        if not is_known:
            write_atomically(index, b"".join(sorted(_lines_of(path))))
        found.append((path, index))
    return found


def _lines_of(path: Path) -> Iterator[bytes]:
    records, capture, key = Records(path), None, ""
    for record in records:
        if capture:
            capture.length = str(record.stream_pos - int(capture.offset))
            yield f"{key} ".encode() + msgspec.json.encode(capture) + b"\n"
        capture, key = _capture(record, path.name)
    if capture and records.last_is_whole:
        capture.length = str(path.stat().st_size - int(capture.offset))
        yield f"{key} ".encode() + msgspec.json.encode(capture) + b"\n"


def _capture(record: WarcRecord, name: str) -> tuple[Capture | None, str]:
    """Return the line of a record, without its length, and its key with its time; None for a record that is not indexed."""
    if not record.record_type & _INDEXED or not (url := request_key(plain_uri(record.headers.get("WARC-Target-URI")))):
        return None, ""
    parse_http(record)
    digest, at = record.headers.get("WARC-Payload-Digest") or "", record.headers.get("WARC-Date") or ""
    is_revisit = record.record_type == WarcRecordType.revisit
    mime = REVISIT if is_revisit else kind_of(record).partition(";")[0].strip().lower()
    status = str(status_of(record))
    return Capture(url, mime, status, digest, "", str(record.stream_pos), name), f"{surt(url)} {re.sub('[^0-9]', '', at)[:14]}"


class WarcFolder(Archive):
    """The answers in all WARC files of a folder, found by their indexes."""

    def __init__(self, folder: Path) -> None:
        """Open the indexes; those that are missing are written. Raises `Rejected` if the folder has no WARC files."""
        self.where = str(folder)
        self._files = write_indexes(folder)
        if not self._files:
            raise Rejected(f"{folder}: no WARC files in it: give the folder that --warc wrote")

    def pages(self) -> Sequence[str]:
        """Return no pages: they are read by URL."""
        return ()

    def read(self, url: str) -> Answer | None:
        """Return what was answered to `url` in the end."""
        return self.answer_after(url, sys.maxsize)

    def answer_after(self, url: str, failures: int) -> Answer | None:
        """Return the answer to `url` after a number of failures: the next one, or without a further one the last answer of all."""
        found = self._find(url)
        failed = list(takewhile(lambda each: each.status >= FAILED, found))
        chosen = failed[failures : failures + 1] or [each for each in found if each.status < FAILED][-1:] or failed[-1:]
        return read_answer(chosen[0].file, chosen[0].offset) if chosen else None

    def _find(self, url: str) -> list[_Found]:
        """Return the answers to a URL in the order in which they came, as `Matches` finds them."""
        if not (requested := request_key(url)):
            return []
        key = surt(requested)
        same = list(self._captures(f"{key} "))
        found = [each for each in same if each.url == requested] or [each for each in same if _bare(each.url) == _bare(requested)]
        if not found and "?" in key:
            similar = islice(self._captures(key.partition("?")[0] + "?"), MOST_SIMILAR)
            found = [each for each in similar if without_stamp(each.url) == without_stamp(requested)]
        return sorted(found, key=lambda each: (each.file, each.offset))

    def _captures(self, prefix: str) -> Iterator[_Found]:
        """Yield the answers whose lines begin so, revisits left out."""
        for path, index in self._files:
            for line in lines_with(index, prefix.encode()):
                capture = msgspec.json.decode(line.split(b" ", 2)[2], type=Capture)
                if capture.mime != REVISIT:
                    yield _Found(capture.url, path, int(capture.offset), int(capture.status))


def _bare(url: str) -> str:
    return url.partition(":")[2]


def lines_with(index: Path, prefix: bytes) -> Iterator[bytes]:
    """Yield the lines of a sorted file that begin with a prefix, found by bisection."""
    if not index.stat().st_size:
        return
    with index.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as lines:
        low, high = 0, len(lines)
        while low < high:
            start = max(low, lines.rfind(b"\n", low, (low + high) // 2) + 1)
            end = lines.find(b"\n", start) + 1
            low, high = (end, high) if lines[start:end] < prefix else (low, start)
        while lines[low : low + len(prefix)] == prefix:
            end = lines.find(b"\n", low) + 1
            yield lines[low:end]
            low = end
