"""Page file (`pages.jsonl.gz`): one gzip member per page, each with one line of JSON.

Any tool that reads gzip reads the file. The header of each member also names the member's length in an extra field (RFC 1952,
section 2.3.1.1, subfield `SR`), so that a page is found without decompressing those before it, damage to one page
leaves the others readable, and a tail torn by a kill is distinguished from damage: only there a member ends beyond the file.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import NamedTuple

from sightread.render.errors import BadRecord, Rejected

_HEADER = struct.Struct("<4sIBBH2sHI")  # magic, deflate, FEXTRA; time 0; no flags; unknown system; extra: length, name, length, value
_MAGIC = b"\x1f\x8b\x08\x04"
_EXTRA = (8, b"SR", 4)
_TRAILER = struct.Struct("<II")
_LEVEL = 6


class ByteRange(NamedTuple):
    """The byte range of a member in its file."""

    start: int
    end: int


class Index(NamedTuple):
    """The whole members of a file, and how many bytes of an unfinished one are after them."""

    spans: tuple[ByteRange, ...]
    torn: int


def pack_line(line: bytes) -> bytes:
    """Return a gzip member that holds the line and a newline; equal lines give equal bytes."""
    content = line + b"\n"
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = deflate.compress(content) + deflate.flush()
    length = _HEADER.size + len(body) + _TRAILER.size
    return _HEADER.pack(_MAGIC, 0, 0, 255, *_EXTRA, length) + body + _TRAILER.pack(zlib.crc32(content), len(content))


def index_members(path: Path) -> Index:
    """Find the members of the file; an absent file has none.

    Raises `BadRecord` if something else than a member starts, naming the page and the byte.
    """
    spans: list[ByteRange] = []
    try:
        if not path.exists():
            return Index((), 0)
        with path.open("rb") as file:
            size = path.stat().st_size
            start = 0
            while start < size:
                file.seek(start)
                head = file.read(_HEADER.size)
                if len(head) < _HEADER.size and (_MAGIC + bytes(4)).startswith(head[:8]):
                    break
                magic, _, _, _, *extra, length = _HEADER.unpack(head.ljust(_HEADER.size, b"\0"))
                if magic != _MAGIC or tuple(extra) != _EXTRA or length <= _HEADER.size + _TRAILER.size:
                    raise damaged(path, len(spans), start, "no page starts where one should")
                if start + length > size:
                    break
                spans.append(ByteRange(start, start + length))
                start += length
    except OSError as error:
        raise Rejected(f"{path}: cannot be read: {error.strerror or error}") from error
    return Index(tuple(spans), size - start)


def read_member(path: Path, row: int, span: ByteRange) -> bytes:
    """Return the line of page `row`, without its newline. Raises `BadRecord` if it is damaged."""
    try:
        with path.open("rb") as file:
            file.seek(span.start)
            member = file.read(span.end - span.start)
        content = zlib.decompress(member, 16 + zlib.MAX_WBITS)
    except OSError as error:
        raise Rejected(f"{path}: cannot be read: {error.strerror or error}") from error
    except zlib.error as error:
        raise damaged(path, row, span.start, str(error)) from error
    return content.removesuffix(b"\n")


def damaged(path: Path, row: int, start: int, what: str) -> BadRecord:
    """Return the error for a damaged page, with the way to keep all the pages before it."""
    return BadRecord(
        f"{path}, page {row + 1}: damaged: {what}: to keep the {row} before it, run `truncate -s {start} {path}` and crawl again: "
        "what was cut off is fetched anew"
    )
