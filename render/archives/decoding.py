"""Decodes HTTP bodies: chunked transfer, gzip, brotli, zstd and deflate, each up to a cap."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from io import BytesIO

from fastwarc.stream_io import BrotliReader, ChunkedReader, GzipReader, WarcReader, ZstdReader

from sightread.render.errors import Unusable

MOST_DECODED = 20_000_000
"""Decoded bytes of one body, of an archive or of an HTTP answer (attack 14 of the security notes)."""

_PIECE = 1 << 18
"""Bytes per read."""
_MOST_CODINGS = 4
"""Of one body; two are the most that is seen."""

_READERS: dict[str, Callable[[BytesIO], WarcReader]] = {
    "gzip": GzipReader,
    "x-gzip": GzipReader,
    "br": BrotliReader,
    "zstd": ZstdReader,
    "chunked": ChunkedReader,
}


def decode_body(body: bytes, transfer: str, content: str, most: int = MOST_DECODED) -> bytes:
    """Return a body without the encodings that its Transfer-Encoding and Content-Encoding headers name.

    What ends too early is decoded as far as it goes, as browsers do. What is not in the encoding that is named comes back as it is: many
    crawlers store bodies decoded under the headers of the encoded ones. Raises `Unusable` for more than `most` bytes, and for an encoding
    that is not known.
    """
    names = [*_names(content), *_names(transfer)]
    if len(names) > _MOST_CODINGS:
        raise Unusable(f"a body in {len(names)} encodings")
    for name in reversed(names):
        body = _decode(body, name, most)
    if len(body) > most:
        raise Unusable(f"a body of more than {most} bytes")
    return body


def _names(header: str) -> list[str]:
    return [name for part in header.split(",") if (name := part.strip().lower()) and name != "identity"]


def _decode(body: bytes, name: str, most: int) -> bytes:
    if name == "deflate":
        return _inflate(body, most)
    reader = _READERS.get(name)
    if reader is None:
        raise Unusable(f"a body in an unknown encoding, {name[:40]}")
    decoded, whole = _drain(reader(BytesIO(body)), most + 1)
    return decoded if decoded or whole else body


def _drain(reader: WarcReader, left: int) -> tuple[bytes, bool]:
    """Return what can be read, `left` bytes at most, and whether it ended well."""
    pieces: list[bytes] = []
    try:
        while left > 0 and (piece := reader.read(min(left, _PIECE))):
            pieces.append(piece)
            left -= len(piece)
    except OSError:
        return b"".join(pieces), False
    return b"".join(pieces), True


def _inflate(body: bytes, most: int) -> bytes:
    """Return a `deflate` body: with zlib's wrapping, by the standard, or without it, as some servers send it."""
    for window in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        try:
            decoded = zlib.decompressobj(window).decompress(body, most + 1)
        except zlib.error:
            continue
        return decoded
    return body
