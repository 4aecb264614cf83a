"""Opens stored pages: detects archives and HTML by content, not by file name; and folders of saved pages with their files.

A folder is a mirror (`host/path`, as wget and HTTrack make them), a folder of pages, or that of one page that a browser saved ("web page,
complete"). Nothing outside the folder is ever read: a request's path is split, each part is checked, and where links lead in the end is
compared with the folder. The browser itself is given no `file:` URL.
"""

from __future__ import annotations

import mimetypes
import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import ada_url

from sightread.render.archives.base import MOST_DECODED, Answer, Archive, check_size, is_html, request_key, sendable
from sightread.render.archives.har import Har
from sightread.render.archives.mhtml import Mhtml
from sightread.render.archives.warc import Warc
from sightread.render.errors import Rejected
from sightread.render.files import reading_errors
from sightread.render.network.address import STORED_URL, check_url, join_url, origin_of, percent_decode, percent_encode

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
            if not kind and path.is_file() and any(folder.is_dir() for folder in own_folders(path)):
                return SavedPage(path, check_url(url).href if url else "")
            if not kind:
                return _page(file, start, path)
    except (OSError, ValueError) as error:
        raise Rejected(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if not path.is_file():  # what comes through a pipe comes once
        raise Rejected(f"{path}: a {kind} file cannot be read through a pipe: write it to the disk first")
    return _READERS[kind](path)


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


MOST_FILES = 100_000
"""Files of a folder that are searched for pages; of a larger folder the caller names the page."""
SAVED_PREFIX = 4096
"""Bytes of a page in which a browser notes where it was saved from."""
PAGES = (".html", ".htm", ".xhtml")
OWN = ("_files", "-files", "_data", "-Dateien", "_fichiers", "_archivos", "_bestanden")
"""Endings of the folder of a saved page's files: Chromium and Firefox use the first, older browsers the others."""

_SAVED_FROM = re.compile(rb"<!-- saved from url=\(\d{1,6}\)(https?://[^\s<>\"]{1,2000}) -->")
_LABEL = "[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_HOST = re.compile(rf"(?:(?:{_LABEL}\.)+(?:[a-z]{{2,24}}|xn--[a-z0-9-]{{2,59}})|localhost|(?:\d{{1,3}}\.){{3}}\d{{1,3}})(?:[:+]\d{{1,5}})?")
"""The name of a mirror's folder; wget puts `:` or `+` before a port."""
_SUFFIXES = ("", ".html", ".htm", "/index.html", "/index.htm")
"""Endings that mirrors add to a URL's path to make a file's name."""
_TYPES = {
    **dict.fromkeys((".html", ".htm"), "text/html"),
    **dict.fromkeys((".js", ".mjs"), "text/javascript"),
    ".xhtml": "application/xhtml+xml",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".json": "application/json",
}
"""Types that browsers insist on, the same on every machine; they find out the others from the content."""


class Folder(Archive):
    """A folder of pages. Of a mirror, files are found by host and path; else by path below the folder's own URL."""

    def __init__(self, path: Path) -> None:
        """Look at the folder. Raises `Rejected` if it cannot be read."""
        self.where = str(path)
        self._root = path.resolve()
        self._hosts = frozenset(_hosts(self._root))
        name = self._root.name
        self._base = f"http://{name.replace('+', ':')}/" if _HOST.fullmatch(name.lower()) else STORED_URL

    def pages(self) -> Sequence[str]:
        """Return the URLs of the files that have names of pages; of `index.html` alone if the folder has one at its top.

        Raises `Rejected` if there are too many files to look at.
        """
        top = [self._root / name for name in ("index.html", "index.htm") if (self._root / name).is_file()]
        return [self._url(path) for path in top[:1] or self._walk()]

    def read(self, url: str) -> Answer | None:
        """Return the file that a mirror makes of `url`."""
        for parts, query in self._candidates(url):
            for name in _names("/".join(parts), query):
                if path := inside(self._root, name):
                    return _answer(path, _kind(path))
        return None

    def _candidates(self, url: str) -> Iterator[tuple[list[str], str]]:
        """Yield what the parts of the file's path may be, and the URL's query."""
        split = _split(url)
        if split is None:
            return
        host, parts, query = split
        for name in (host, host.replace(":", "+"), host.partition(":")[0]):
            if name in self._hosts:
                yield [name, *parts], query
        # A mirror's links to other hosts climb out of the page's own, which a browser takes as `/HOST/PATH` there.
        if (parts and parts[0] in self._hosts) or f"http://{host}/" == self._base:
            yield parts, query

    def _url(self, path: Path) -> str:
        name, *names = path.relative_to(self._root).parts
        if name in self._hosts:
            return join_url(f"http://{name.replace('+', ':')}/", percent_encode("/".join(names)))
        return join_url(self._base, percent_encode("/".join((name, *names))))

    def _walk(self) -> Iterator[Path]:
        seen = 0
        for folder, folders, files in os.walk(self._root):
            folders.sort()
            seen += len(files)
            if seen > MOST_FILES:
                raise Rejected(f"{self.where}: more than {MOST_FILES} files: name a page with --url")
            yield from (Path(folder, name) for name in sorted(files) if name.lower().endswith(PAGES))


class SavedPage(Archive):
    """A page that a browser saved, with the folder of its files.

    Files beside the page that are not in that folder are not its own: a page in a downloads folder must not read the other downloads.
    """

    def __init__(self, path: Path, url: str = "") -> None:
        """`url` is the page's address; by default the one that the browser recorded when it saved the page, else an address without a
        host.
        """
        self.where = str(path)
        self._path = path
        self._root = path.parent.resolve()
        self._url = request_key(url or _saved_from(path)) or join_url(STORED_URL, percent_encode(path.name))
        self._below = _split(join_url(self._url, "."))

    def pages(self) -> Sequence[str]:
        """Return the URL of the page."""
        return [self._url]

    def read(self, url: str) -> Answer | None:
        """Return the page, or a file of its own that its links lead to."""
        if request_key(url) == self._url:
            return _answer(self._path, "text/html")
        split = _split(url)
        if split is None or self._below is None:
            return None
        folder = self._below[1]
        if split[1][: len(folder)] != folder:
            return None
        path = inside(self._root, "/".join(split[1][len(folder) :]))
        if path is None or not any(path.is_relative_to(own.resolve()) for own in own_folders(self._path)):
            return None
        return self._of_its_origin(path, url) or _answer(path, _kind(path))

    def _of_its_origin(self, path: Path, url: str) -> Answer | None:
        """Return a redirect to a frame's own origin, under the same path: frames of other sites lie beside the page too."""
        source = _saved_from(path) if is_html(_kind(path)) else ""
        requested = ada_url.URL(url)
        if not source or origin_of(source) == requested.origin:
            return None
        return Answer(302, (("Location", join_url(source, requested.pathname)),), b"")


def own_folders(page: Path) -> tuple[Path, ...]:
    """Return where browsers put the files of a saved page."""
    return tuple(page.with_name(page.stem + suffix) for suffix in OWN)


def inside(root: Path, name: str) -> Path | None:
    """Return the file of that name below a resolved folder, links followed; None if there is none or it leads out of the folder."""
    if "\0" in name or any(part in (".", "..") for part in name.split("/")):
        return None
    try:
        path = (root / name.lstrip("/")).resolve(strict=True)
        return path if path.is_relative_to(root) and path.is_file() else None
    except (OSError, RuntimeError, ValueError):  # no such file, a circle of links, a name too long
        return None


def _answer(path: Path, kind: str) -> Answer:
    with path.open("rb") as file:
        body = file.read(MOST_DECODED + 1)
    check_size(len(body))
    # The headers of the answers are lost, and with them the permission to use fonts of other hosts.
    headers = [("Access-Control-Allow-Origin", "*"), *((("Content-Type", kind),) if kind else ())]
    return Answer(200, sendable(headers), body)


def _names(path: str, query: str) -> Iterator[str]:
    """Yield the names that mirrors give a URL's file: the query behind `?` or, for Windows, `@`; endings added."""
    requested = dict.fromkeys((query, percent_decode(query))) if query else {}
    for name in (*(path + mark + text for mark in "?@" for text in requested), path):
        yield from (name + suffix for suffix in _SUFFIXES)


def _split(url: str) -> tuple[str, list[str], str] | None:
    """Return host, decoded parts of the path, and query of a web address; None for any other."""
    key = request_key(url)
    if not key:
        return None
    parsed = ada_url.URL(key)
    parts = [percent_decode(part) for part in parsed.pathname.split("/") if part]
    return parsed.host, parts, parsed.search.removeprefix("?")


def _hosts(root: Path) -> Iterator[str]:
    with reading_errors(root):
        yield from (entry.name for entry in root.iterdir() if _HOST.fullmatch(entry.name.lower()) and entry.is_dir())


def _saved_from(path: Path) -> str:
    try:
        with path.open("rb") as file:
            found = _SAVED_FROM.search(file.read(SAVED_PREFIX))
    except OSError:
        return ""
    return request_key(found[1].decode("ascii", "ignore")) if found else ""


def _kind(path: Path) -> str:
    return _TYPES.get(path.suffix.lower()) or mimetypes.guess_type(path.name)[0] or ""
