"""One pass over a WARC file: each record with its offset, and how the file ends."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from fastwarc.warc import ArchiveIterator, WarcRecord

from sightread.render.errors import Rejected

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
