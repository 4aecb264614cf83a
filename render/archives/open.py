"""Opens stored pages: detects archives and HTML by content, not by file name."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from sightread.render.archives.base import Archive
from sightread.render.archives.folder import Folder, open_saved
from sightread.render.archives.har import Har
from sightread.render.archives.mhtml import Mhtml
from sightread.render.archives.warc import Warc
from sightread.render.errors import Rejected

PREFIX = 1 << 16
"""Bytes of a file from which its kind is determined."""

LARGEST_PAGE = 200_000_000
"""Bytes of a page that is alone, as many as the egress boundary lets a live one receive."""

_READERS: dict[str, Callable[[Path], Archive]] = {"WARC": Warc, "HAR": Har, "MHTML": Mhtml}
_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", (b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"), b"PK\x03\x04"
_HAR = re.compile(rb'\A(?:\xef\xbb\xbf)?\s*\{\s*"log"\s*:')
_MESSAGE = re.compile(rb"\A(?:[!-9;-~]{1,76}:[^\n]*\n(?:[ \t][^\n]*\n)*){1,100}\r?\n")
_MULTIPART = re.compile(rb"^(?:Content-Type:\s*multipart/|Snapshot-Content-Location:|MIME-Version:)", re.IGNORECASE | re.MULTILINE)


def open_archive(path: Path, url: str = "") -> Archive:
    """Open a folder, a WARC, a HAR or an MHTML file, or a page that a browser saved with its files.

    `url` is the requested page, or that of a saved page. Blocks for as long as it takes to index the file, 6 s for 1 GB: leave the
    event loop for it. Raises `Rejected` for anything else.
    """
    opened = open_stored(path, url)
    if isinstance(opened, bytes):
        raise Rejected(f"{path}: no archive: give a folder, a WARC, HAR or MHTML file, or a page with its _files folder beside it")
    return opened


def open_stored(path: Path, url: str = "") -> Archive | bytes:
    """Open what a page was stored in, as `open_archive` does; a page that is alone comes back as its bytes."""
    try:
        if path.is_dir():
            return Folder(path)
        with path.open("rb") as file:
            start = file.read(PREFIX)
            kind = archive_kind(start, path.name)
            if not kind:
                return _saved(path, url) or _page(file, start, path)
    except (OSError, ValueError) as error:
        raise Rejected(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if not path.is_file():  # what comes through a pipe comes once
        raise Rejected(f"{path}: a {kind} file cannot be read through a pipe: write it to the disk first")
    return _READERS[kind](path)


def _saved(path: Path, url: str) -> Archive | None:
    return open_saved(path, url) if path.is_file() else None


def _page(file: BinaryIO, start: bytes, path: Path) -> bytes:
    html = start + file.read(LARGEST_PAGE + 1)
    if len(html) > LARGEST_PAGE:
        raise Rejected(f"{path}: larger than {LARGEST_PAGE} bytes, and not an archive: such pages are not read")
    return html


def archive_kind(start: bytes, name: str = "") -> str:
    """Return "WARC", "HAR" or "MHTML" for a file that begins so, empty for any other.

    Its name decides only if the content does not. Raises `Rejected` for kinds that are known and not read.
    """
    ending = name.lower()
    if start.startswith(_ZSTD) or ending.endswith((".warc.zst", ".zst")):
        raise Rejected(f"{name or 'the input'}: compressed with zstd: unpack it first (zstd -d)")
    if start.startswith(_ZIP):
        advice = "unpack it, and give a WARC of its archive folder" if ending.endswith(".wacz") else "unpack it, and give what is in it"
        raise Rejected(f"{name or 'the input'}: a ZIP file: {advice}")
    if start.startswith(_GZIP):
        inside = _unpacked(start)
        if not inside.startswith(b"WARC/"):
            raise Rejected(f"{name or 'the input'}: compressed with gzip, and no WARC: unpack it first (gunzip)")
        return "WARC"
    if start.startswith(b"WARC/"):
        return "WARC"
    if _HAR.match(start) or (ending.endswith(".har") and start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")):
        return "HAR"
    head = _MESSAGE.match(start)
    if head and _MULTIPART.search(head[0]):
        return "MHTML"
    for known in ("warc", "har", "mhtml"):
        if ending.endswith((f".{known}", f".{known}.gz", ".mht") if known == "mhtml" else (f".{known}", f".{known}.gz")):
            raise Rejected(f"{name}: it does not begin as a {known.upper()} file does: download or save it again")
    return ""


def _unpacked(start: bytes) -> bytes:
    try:
        return zlib.decompressobj(31).decompress(start, 64)
    except zlib.error:
        return b""
