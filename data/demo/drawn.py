"""The two binary files of the demo site, drawn byte by byte: a picture and a one-page PDF."""

from __future__ import annotations

import math
import struct
import zlib
from functools import cache

_WIDTH, _HEIGHT = 320, 160
_SCALE = 2  # the drawing is thought out on 640 x 320; half of it is drawn four times as fast
_Colour = tuple[int, int, int]


@cache
def dusk_png() -> bytes:
    """Draw the bay at dusk: sky, a low sun, two lines of hills and the water, as a PNG of 320 x 160."""
    rows = bytearray()
    for y in range(_HEIGHT):
        rows.append(0)  # every row is stored unfiltered
        for x in range(_WIDTH):
            rows += bytes(_colour(_SCALE * x, _SCALE * y))
    header = struct.pack(">IIBBBBB", _WIDTH, _HEIGHT, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def note_pdf(line: str) -> bytes:
    """Write a valid PDF of one page that shows one line of ASCII text."""
    stream = f"BT /F1 24 Tf 72 720 Td ({line}) Tj ET".encode("ascii")
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _colour(x: int, y: int) -> _Colour:
    far = 170 + 18 * math.sin(x / 70) + 8 * math.sin(x / 23)
    near = 205 + 24 * math.sin(x / 110 + 2) + 5 * math.sin(x / 17)
    if y > 235:
        return _mix((38, 62, 92), (232, 150, 96), max(0.0, 0.45 - abs(x - 420) / 260) * (0.6 + 0.4 * math.sin(y * 0.9)))
    if y > near:
        return (24, 36, 54)
    if y > far:
        return (58, 66, 98)
    if (x - 420) ** 2 + (y - 150) ** 2 < 34**2:
        return (255, 214, 140)
    return _mix((44, 58, 112), (244, 156, 104), y / 235)


def _mix(first: _Colour, second: _Colour, share: float) -> _Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue
