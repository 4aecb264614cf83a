"""MHTML files (RFC 2557): a page and its files as the parts of one mail message.

The file is scanned once, line by line, for where its parts begin and end; that is linear and flat, however parts are nested, where a
parser of whole messages recurses. Bodies are read when they are requested. The index takes about 1 KB per part.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import BinaryIO, NamedTuple

from sightread.render.archives.base import Answer, Archive, Matches, check_size, request_key, sendable
from sightread.render.errors import Rejected
from sightread.render.files import reading_errors
from sightread.render.network.address import STORED_URL, join_url, percent_decode, percent_encode


@dataclass(frozen=True, slots=True)
class MhtmlLimits:
    """Limits on a file, in bytes."""

    file: int = 1 << 28
    """A page with its films. It is scanned in two seconds, or in 25 if each of its lines has three bytes."""
    line: int = 1 << 16
    """A longer line, which parts in 8-bit encodings have, is read in pieces."""
    head: int = 1 << 16
    """Of a part's headers."""
    times_encoded: int = 3
    """Times its size that a body may take: quoted-printable takes no more."""
    parts: int = 20_000
    """Their number; the heaviest pages have 2,000 files."""


LIMITS = MhtmlLimits()

_MARKUP = ("text/html", "text/css", "application/xhtml+xml", "image/svg+xml")
"""Types of parts that name other parts."""
_CID = re.compile(rb"cid:([^\s\"'<>()\\]{1,300})", re.IGNORECASE)
_SHADOW = re.compile(rb"(<template\b[^<>]{0,300}?\s)shadowmode=", re.IGNORECASE)
"""How Chromium writes shadow trees down in MHTML; the HTML standard's name is `shadowrootmode`."""


@dataclass(slots=True)
class _Part:
    """One file of the page."""

    start: int
    kind: str
    charset: str
    encoding: str
    name: str
    """Its Content-ID, by which `cid:` URLs name it."""
    location: str
    end: int = 0
    url: str = ""
    """Where the browser finds it."""


class Mhtml(Archive):
    """An MHTML file, found by URL. Its one page is the part that the others belong to."""

    def __init__(self, path: Path) -> None:
        """Scan the file. Raises `Rejected` if it holds no part, or cannot be read."""
        self.where = str(path)
        self._path = path
        with reading_errors(path), path.open("rb") as file:
            if path.stat().st_size > LIMITS.file:
                raise Rejected(f"{path}: more than {LIMITS.file >> 20} MiB, too much for one page")
            scan = _Scan(file)
            self._parts = list(scan.parts())
        if not self._parts:
            raise Rejected(f"{path}: no part in it, so no whole MHTML file: save the page again")
        self.note = scan.note
        self._root = self._find_root(scan.start)
        self._matches: Matches[_Part] = Matches()
        self._by_name: dict[str, str] = {}
        self._give_urls()

    def pages(self) -> Sequence[str]:
        """Return the URL of the page."""
        return [self._root.url]

    def read(self, url: str) -> Answer | None:
        """Return the part at `url`, with the parts that it names by `cid:` named by their URLs."""
        part = self._matches.find(url)
        if part is None:
            return None
        body = self._body(part)
        if part.kind in _MARKUP:
            body = _CID.sub(self._renamed, _SHADOW.sub(rb"\1shadowrootmode=", body))
        kind = f"{part.kind}; charset={part.charset}" if part.charset else part.kind
        # The headers of the answers are lost, and with them the permission to use fonts of other hosts.
        return Answer(200, sendable((("Content-Type", kind), ("Access-Control-Allow-Origin", "*"))), body)

    def _find_root(self, start: str) -> _Part:
        named = [part for part in self._parts if start and part.name == start]
        markup = [part for part in self._parts if part.kind in ("text/html", "application/xhtml+xml")]
        root = next(iter(named or markup), None)
        if root is None:
            raise Rejected(f"{self.where}: no HTML page in it")
        return root

    def _give_urls(self) -> None:
        """Give every part a URL that a browser can request: its own, else one beside the document that it belongs to."""
        self._root.url = _web_url(self._root.location, STORED_URL) or STORED_URL
        document = self._root.url
        for number, part in enumerate([self._root, *(part for part in self._parts if part is not self._root)]):
            located = part.url or _web_url(part.location, self._root.url)
            is_page = part.kind in ("text/html", "application/xhtml+xml")
            if not located or (part.name and self._matches.find(located)):  # two frames may have had one URL, and differ
                base = located or (self._root.url if is_page else document)
                located = join_url(base, f"part-{number}.mhtml")
            part.url = located
            if is_page:
                document = located
            self._matches.add(located, 200, part)
            for name in filter(None, (part.name, part.location.removeprefix("cid:") if part.location.startswith("cid:") else "")):
                self._by_name.setdefault(name, located)

    def _renamed(self, found: re.Match[bytes]) -> bytes:
        name = found[1].decode("latin-1")
        url = self._by_name.get(name) or self._by_name.get(percent_decode(name))
        return url.encode() if url else found[0]

    def _body(self, part: _Part) -> bytes:
        check_size(part.end - part.start, times=LIMITS.times_encoded)
        with self._path.open("rb") as file:
            file.seek(part.start)
            body = _decode(file.read(part.end - part.start), part.encoding)
        check_size(len(body))
        return body


class _Boundary(NamedTuple):
    """A line between two parts, or behind the last."""

    end: int
    """Length of the part before it."""
    closes: bool


class _Scan:
    """One pass over a file, from its head to its last boundary."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._boundaries: set[bytes] = set()
        self._shortest = LIMITS.line
        self.start = ""
        """The Content-ID of the part that the others belong to; empty if the head names none."""
        self.note = ""

    def parts(self) -> Iterator[_Part]:
        """Yield the parts that hold something, in the order of the file."""
        head = self._head()
        self.start = _bare(str(head.get_param("start") or ""))
        part = self._begin(head)
        closed = part is not None
        for _ in range(LIMITS.parts):
            found = self._next_boundary()
            if part:
                part.end = max(part.start, found.end if found else self._file.tell())
                yield part
            if found is None:
                self.note = "" if closed else "it is cut short: its last part may lack its end, and what followed is missing"
                return
            closed = found.closes
            part = None if closed else self._begin(self._head())
        self.note = f"only its first {LIMITS.parts} parts are read"

    def _next_boundary(self) -> _Boundary | None:
        """Read up to the end of the next line that is a boundary; None if the file ends before."""
        before = b"\n"
        while line := self._file.readline(LIMITS.line):
            if len(line) >= self._shortest and line.startswith(b"--") and before.endswith(b"\n"):
                mark = line.rstrip()
                closes = mark not in self._boundaries
                if not closes or mark.removesuffix(b"--") in self._boundaries:
                    line_break = 2 if before.endswith(b"\r\n") else 1  # which belongs to the boundary
                    return _Boundary(self._file.tell() - len(line) - line_break, closes)
            before = line
        return None

    def _head(self) -> Message:
        """Read headers up to the empty line after them."""
        lines: list[bytes] = []
        size = 0
        while (line := self._file.readline(LIMITS.line)).strip() and size < LIMITS.head:
            lines.append(line)
            size += len(line)
        return BytesHeaderParser().parsebytes(b"".join(lines))

    def _begin(self, head: Message) -> _Part | None:
        """Return the part that begins here; None for one that only holds others."""
        kind = head.get_content_type()
        if kind.startswith("multipart/"):
            boundary = str(head.get_param("boundary") or "")
            if boundary:
                mark = b"--" + boundary.encode("latin-1", "replace").rstrip()
                self._boundaries.add(mark)
                self._shortest = min(self._shortest, len(mark))
            return None
        return _Part(
            start=self._file.tell(),
            kind=kind,
            charset=str(head.get_param("charset") or ""),
            encoding=_header(head, "Content-Transfer-Encoding").lower(),
            name=_bare(_header(head, "Content-ID")),
            location=re.sub(r"\r?\n[ \t]*", "", _header(head, "Content-Location")),
        )


def _header(head: Message, name: str) -> str:
    return str(head.get(name) or "").strip()


def _bare(name: str) -> str:
    return name.strip().strip("<>")


def _web_url(location: str, base: str) -> str:
    """Return a Content-Location as a web address, relative ones resolved; paths of a disk become paths of no host. Empty for others."""
    if location.lower().startswith("file:"):
        location = STORED_URL + percent_encode(percent_decode(location[5:].replace("\\", "/").lstrip("/")))
    return request_key(join_url(base, location)) if location else ""


def _decode(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding == "base64":
        kept = re.sub(rb"[^A-Za-z0-9+/]", b"", body)
        whole = len(kept) - len(kept) % 4 if len(kept) % 4 == 1 else len(kept)
        return binascii.a2b_base64(kept[:whole] + b"=" * (-whole % 4))
    return body
