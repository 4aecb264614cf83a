"""Folders of WARC files, each with an index beside it in pywb's format CDXJ: sorted lines of a URL's key (SURT), a time, and JSON."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from mmap import ACCESS_READ, mmap
from pathlib import Path
from string import punctuation
from urllib.parse import quote, unquote_to_bytes

import ada_url
import msgspec
from fastwarc.warc import WarcRecordType

from sightread.render.archives.base import Answer, Archive, request_key, without_stamp
from sightread.render.archives.warc import Records, kind_of, parse_http, plain_uri, read_answer, status_of
from sightread.render.errors import Rejected
from sightread.render.files import reading_errors, write_atomically

FAILED = 400
"""Least status of a failure."""
MOST_SIMILAR = 1000
"""Addresses with other queries with which one is compared that is not found."""
_INDEXED = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.revisit
_REVISIT = "warc/revisit"
_SAFE = punctuation.replace("#", "").replace("%", "")


Entry = dict[str, str]
"""An answer in a WARC file: the JSON of a line, with url, mime, status, digest, length, offset and filename."""


def surt(url: str) -> str:
    """Return the key of a web address: the host from right to left, path and sorted query, in lower case (the Internet Archive's SURT)."""
    parsed = ada_url.URL(url)
    host = re.sub(r"^www\d*\.", "", parsed.hostname)
    name = host.strip("[]") if host.startswith("[") else ",".join(reversed(host.split(".")))
    path, query = (quote(unquote_to_bytes(part), _SAFE).lower() for part in (parsed.pathname, parsed.search[1:]))
    path, query = re.sub("//+", "/", path).rstrip("/") or "/", "&".join(sorted(query.split("&")))
    return f"{name}{':' if parsed.port else ''}{parsed.port}){path}{'?' if query else ''}{query}"


def write_indexes(folder: Path) -> list[Path]:
    """Write the indexes of WARC files that have none, or changed since, and return all. Raises `Rejected` for a file that is no WARC."""
    indexes: list[Path] = []
    for path in sorted([*folder.glob("*.warc.gz"), *folder.glob("*.warc")]):
        indexes.append(index := path.with_name(f"{path.name.removesuffix('.gz').removesuffix('.warc')}.cdxj"))
        with reading_errors(path):
            is_known = index.exists() and index.stat().st_mtime_ns >= path.stat().st_mtime_ns
        if not is_known:
            write_atomically(index, b"".join(sorted(_lines_of(path))))
    return indexes


def _lines_of(path: Path) -> Iterator[bytes]:
    records, places, found = Records(path), list[int](), list[tuple[int, str, Entry]]()
    for record in records:
        url = request_key(plain_uri(record.headers.get("WARC-Target-URI")))
        if url and record.record_type & _INDEXED:
            parse_http(record)
            time = re.sub("[^0-9]", "", record.headers.get("WARC-Date") or "")[:14]
            mime = _REVISIT if record.record_type == WarcRecordType.revisit else kind_of(record).partition(";")[0].strip().lower()
            entry = {"url": url, "mime": mime, "status": str(status_of(record))}
            entry["digest"] = record.headers.get("WARC-Payload-Digest") or ""
            found.append((len(places), f"{surt(url)} {time} ", entry))
        places.append(record.stream_pos)
    ends = [*places[1:], path.stat().st_size]
    for number, key, entry in found:
        if number + 1 < len(places) or records.last_is_whole:
            entry |= {"length": str(ends[number] - places[number]), "offset": str(places[number]), "filename": path.name}
            yield key.encode() + msgspec.json.encode(entry) + b"\n"


class WarcFolder(Archive):
    """The answers in all WARC files of a folder, found by their indexes."""

    def __init__(self, folder: Path) -> None:
        """Open the folder; indexes that are missing are written. Raises `Rejected` if it has no WARC files."""
        self.where, self._folder, self._indexes = str(folder), folder, write_indexes(folder)
        if not self._indexes:
            raise Rejected(f"{folder}: no WARC files in it: give the folder that --warc wrote")

    def pages(self) -> Sequence[str]:
        """Return no pages: they are read by URL."""
        return ()

    def read(self, url: str) -> Answer | None:
        """Return what was answered to `url` in the end."""
        return self.answer_after(url, sys.maxsize)

    def answer_after(self, url: str, failures: int) -> Answer | None:
        """Return the answer to `url` after a number of failures: the next one, or without a further one the last answer of all."""
        found = self._find(request_key(url))
        failed = list(takewhile(lambda each: int(each["status"]) >= FAILED, found))
        chosen = failed[failures : failures + 1] or [each for each in found if int(each["status"]) < FAILED][-1:] or failed[-1:]
        return read_answer(self._folder / chosen[0]["filename"], int(chosen[0]["offset"])) if chosen else None

    def _find(self, url: str) -> list[Entry]:
        """Return the answers to a URL in their order: of exactly it, else with the other scheme or another cache-buster in the query."""
        key = surt(url) if url else ")"
        found = self._entries(f"{key} ") or self._entries(f"{key.partition('?')[0]}?")
        same = [each for each in found if each["url"] == url] or [
            each for each in found if without_stamp(each["url"]) == without_stamp(url)
        ]
        return sorted(same, key=lambda each: (each["filename"], int(each["offset"])))

    def _entries(self, prefix: str) -> list[Entry]:
        lines = islice((line for index in self._indexes for line in lines_with(index, prefix.encode())), MOST_SIMILAR)
        entries = (msgspec.json.decode(line.split(b" ", 2)[2], type=Entry) for line in lines)
        return [each for each in entries if each["mime"] != _REVISIT]


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
