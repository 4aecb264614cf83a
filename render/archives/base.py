"""Archives of pages with their files, looked up by URL: folder, WARC, HAR or MHTML.

An archive is an index; bodies are read from the disk when they are requested, and nothing of it stays open in between.
`sightread.render.archives.open` detects the kind, `sightread.render.archives.replay` answers a tab's requests from one.
"""

from __future__ import annotations

import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Generic, NamedTuple, TypeVar

from fastwarc.stream_io import BrotliReader, ChunkedReader, GzipReader, WarcReader, ZstdReader

from sightread.render.errors import Rejected, Unusable
from sightread.render.network.address import STORED_URL, check_url, join_url, parse_url, shown
from sightread.render.network.http import MOST_REDIRECTS, REDIRECT_STATUSES, TOKEN, charset_of, status_failure, type_failure

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
    check_size(len(body), most)
    return body


def check_size(size: int, most: int = MOST_DECODED, times: int = 1) -> None:
    """Raise `Unusable` for a body of more than `most` bytes; `times` is how many times its size a body may take as it is stored."""
    if size > times * most:
        raise Unusable(f"a body of more than {most} bytes")


def _names(header: str) -> list[str]:
    return [name for part in header.split(",") if (name := part.strip().lower()) and name != "identity"]


def _decode(body: bytes, name: str, most: int) -> bytes:
    if name == "deflate":
        return _inflate(body, most)
    reader = _READERS.get(name)
    if reader is None:
        raise Unusable(f"a body in an unknown encoding, {name[:40]}")
    source, decoded, is_whole = reader(BytesIO(body)), bytearray(), True
    try:
        while len(decoded) <= most and (piece := source.read(_PIECE)):
            decoded += piece
    except OSError:
        is_whole = False
    return bytes(decoded) if decoded or is_whole else body


def _inflate(body: bytes, most: int) -> bytes:
    """Return a `deflate` body: with zlib's wrapping, by the standard, or without it, as some servers send it."""
    for window in (zlib.MAX_WBITS, -zlib.MAX_WBITS):
        with suppress(zlib.error):
            return zlib.decompressobj(window).decompress(body, most + 1)
    return body


NAMES_SHOWN = 3

_UNSENDABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]|[^\x00-\xff]")
_OF_THE_WIRE = frozenset(
    ("connection", "content-encoding", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade")
)
"""Headers about the transfer of the body; an archive's answers are whole and decoded."""

Headers = tuple[tuple[str, str], ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """An archive's response to a request."""

    status: int
    headers: Headers
    body: bytes
    """Decoded: without the transfer's and the content's encoding."""

    def header(self, name: str) -> str:
        """Return the first header of that name, in lower case; empty if there is none."""
        return next((value for known, value in self.headers if known.lower() == name), "")

    @property
    def charset(self) -> str:
        """The encoding that the Content-Type names; empty if it names none."""
        return charset_of(self.header("content-type"))

    def leads_to(self, url: str) -> str:
        """Return where a redirect at `url` leads, as an absolute URL; empty if it is none."""
        location = self.header("location")
        return join_url(url, location) if location and self.status in REDIRECT_STATUSES else ""


class ArchivedResponse(NamedTuple):
    """A page of an archive, its redirects followed."""

    url: str
    answer: Answer


class Archive(ABC):
    """Pages and their files, found by URL. Reading blocks: leave the event loop for it."""

    where: str
    """The file or folder, as messages name it."""
    note: str = ""
    """A warning about the archive: that it is cut short, and what that means; empty if it is whole."""

    @abstractmethod
    def pages(self) -> Sequence[str]:
        """Return the URLs of the HTML pages in it, in its order."""

    @abstractmethod
    def read(self, url: str) -> Answer | None:
        """Return the response to a request, as `find` does; its errors name no URL, or are `OSError` and `ValueError`."""

    def find(self, url: str) -> Answer | None:
        """Return the response to a browser's request for `url`; None if the archive holds nothing for it.

        Raises `Unusable` if what it holds is damaged, or more than `MOST_DECODED` bytes.
        """
        try:
            return self.read(url)
        except Unusable as error:
            raise Unusable(f"{shown(url)}: {error}") from error
        except (OSError, ValueError) as error:
            raise Unusable(f"{shown(url)}: its place in {self.where} cannot be read: {error}") from error


def choose_page(archive: Archive, url: str = "") -> str:
    """Return the URL to begin with: the one that was requested, else the archive's only page.

    Pages that have no address of the web are requested by their name in the archive. Raises `Rejected` if there is none, or several,
    naming some, or if `url` is no web address.
    """
    if url:
        return _by_name(archive, url) or check_url(url).href
    pages = archive.pages()
    if len(pages) == 1:
        return pages[0]
    if not pages:
        raise Rejected(f"{archive.where}: no HTML page in it{_because(archive)}")
    raise Rejected(f"{archive.where}: it holds {_some(pages)}: name one with --url")


def _by_name(archive: Archive, name: str) -> str:
    """Return the URL of the page of that name; empty if the archive's pages have addresses, or `name` is one."""
    if "://" in name:
        return ""
    url = join_url(STORED_URL, f"./{name}")
    return url if archive.find(url) or any(page.startswith(STORED_URL) for page in archive.pages()) else ""


def land(archive: Archive, url: str) -> ArchivedResponse:
    """Return the page at `url`, its redirects inside the archive followed.

    Raises `Rejected` if the archive does not hold `url`, `Unusable` if what it holds is no page: a redirect out of it or in a
    circle, an error status, no HTML.
    """
    requested = url
    for _ in range(MOST_REDIRECTS + 1):
        answer = archive.find(url)
        if answer is None and url == requested:
            raise Rejected(f"{archive.where}: {shown(url)} is not in it{_because(archive)}; it holds {_some(archive.pages())}")
        if answer is None:
            raise Unusable(f"{shown(requested)}: it leads to {shown(url)}, which is not in {archive.where}")
        target = answer.leads_to(url)
        if not target:
            _check_is_page(archive, url, answer)
            return ArchivedResponse(url, answer)
        url = target
    raise Unusable(f"{shown(requested)}: it redirects more than {MOST_REDIRECTS} times in {archive.where}")


def is_html(kind: str) -> bool:
    """Return whether a Content-Type is that of a page."""
    return bool(kind) and type_failure("", kind) is None


def sendable(headers: Iterable[tuple[str, str]]) -> Headers:
    """Return the headers for a browser, without those of the transfer encoding and invalid ones."""
    return tuple(
        (name, value.strip())
        for name, value in headers
        if TOKEN.fullmatch(name) and name.lower() not in _OF_THE_WIRE and not _UNSENDABLE.search(value)
    )


def _check_is_page(archive: Archive, url: str, answer: Answer) -> None:
    if status_failure(url, answer.status):
        raise Unusable(f"{shown(url)}: {archive.where} holds the answer with HTTP status {answer.status}")
    if failure := type_failure(shown(url), answer.header("content-type")):
        raise failure


def _because(archive: Archive) -> str:
    return f" ({archive.note})" if archive.note else ""


def _some(pages: Sequence[str]) -> str:
    if not pages:
        return "no HTML page"
    names = ", ".join(shown(page) for page in pages[:NAMES_SHOWN])
    return f"{len(pages)} HTML page{'s' if len(pages) > 1 else ''}: {names}{', …' if len(pages) > NAMES_SHOWN else ''}"


_STAMP = re.compile(r"(?<=[?&])[^=&?]+=(?:\d{10}|\d{13}|0\.\d{8,})(?:&|$)")
"""A parameter that is a time in seconds or milliseconds, or a random fraction: what scripts add so that no cache answers (jQuery's `_`)."""


def request_key(url: str) -> str:
    """Return the URL as a browser requests it: the WHATWG's serialisation, without the fragment; empty for other addresses."""
    parsed = parse_url(url)
    if parsed is None or parsed.protocol not in ("http:", "https:"):
        return ""
    parsed.hash = ""
    return str(parsed.href).removesuffix("#")


class Matches(Generic[T]):
    """Entries by URL. Of several for one URL the one with the best status stays, and of those the first, which the page had."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[int, T]] = {}
        self._stampless: dict[str, T] | None = None

    def add(self, url: str, status: int, entry: T) -> str:
        """Take an entry in, unless a better one is there; return the URL's key, empty if it is no web address."""
        key = request_key(url)
        if key and (key not in self._entries or _rank(status) < self._entries[key][0]):
            self._entries[key] = (_rank(status), entry)
            self._stampless = None
        return key

    def drop(self, url: str) -> None:
        """Take an entry out."""
        self._entries.pop(request_key(url), None)

    def find(self, url: str) -> T | None:
        """Return the entry for a URL: exactly it, else with the other of http and https, else but for a cache-buster in the query.

        Browsers turn http into https by themselves (HSTS, `upgrade-insecure-requests`, images on https pages), and archives are
        replayed without the headers that once made them do so. Query parameters are in no other way made light of: `?id=1` is not `?id=2`.
        """
        key = request_key(url)
        for candidate in (key, key.replace("https:", "http:", 1) if key.startswith("https:") else key.replace("http:", "https:", 1)):
            if candidate in self._entries:
                return self._entries[candidate][1]
        if "?" not in key:
            return None
        if self._stampless is None:  # of several, the first of them stays
            found = reversed(self._entries.items())
            self._stampless = {without_stamp(known): entry for known, (_, entry) in found if "?" in known}
        return self._stampless.get(without_stamp(key))


def _rank(status: int) -> int:
    """Return 0 for a success, and more for a less useful answer."""
    return 0 if 200 <= status < 300 else 1 if 300 <= status < 400 else 2


def without_stamp(key: str) -> str:
    """Return the key with neither scheme nor stamps."""
    return _STAMP.sub("", key.partition(":")[2]).rstrip("?&")
