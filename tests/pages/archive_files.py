"""Archives as other programs write them, made from the answers of a small site."""

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TypeVar

from sightread.render.archives.base import Archive
from sightread.render.archives.open import open_archive

T = TypeVar("T", bound=Archive)
_numbers = count(1)


def open_as(kind: type[T], path: Path, data: bytes) -> T:
    """Write an archive to the path, and open it as one of that kind."""
    path.write_bytes(data)
    archive = open_archive(path)
    assert isinstance(archive, kind)
    return archive


@dataclass(frozen=True)
class Sent:
    """One answer of a server."""

    url: str
    body: bytes = b""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def all_headers(self) -> dict[str, str]:
        return {"Content-Type": self.kind, **self.headers}


def http(sent: Sent) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.all_headers.items())
    return f"HTTP/1.1 {sent.status} Some\r\n{lines}\r\n".encode() + sent.body


def record(kind: str, url: str, block: bytes, content: str = "application/http; msgtype=response", **more: str) -> bytes:
    """One WARC record; `more` are further headers, with underscores for hyphens."""
    headers = {
        "WARC-Type": kind,
        "WARC-Record-ID": more.pop("record", f"<urn:uuid:00000000-0000-0000-0000-{next(_numbers):012}>"),
        "WARC-Date": "2026-01-02T03:04:05Z",
        "WARC-Target-URI": url,
        **{name.replace("_", "-"): value for name, value in more.items()},
        "Content-Type": content,
        "Content-Length": str(len(block)),
    }
    return ("WARC/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers.items()) + "\r\n").encode() + block + b"\r\n\r\n"


def response(sent: Sent, **more: str) -> bytes:
    return record("response", sent.url, http(sent), **more)


def warc(answers: Iterable[Sent], packed: bool = True) -> bytes:
    """A crawl with its warcinfo, and a request beside each answer; packed as crawlers do, one gzip member a record."""
    records = [record("warcinfo", "", b"software: test\r\n", "application/warc-fields")]
    for sent in answers:
        requested = f"GET / HTTP/1.1\r\nHost: {sent.url}\r\n\r\n".encode()
        records += [record("request", sent.url, requested, "application/http; msgtype=request"), response(sent)]
    return b"".join(gzip.compress(one) if packed else one for one in records)


def har(answers: Iterable[Sent], pages: Mapping[str, str] = {}) -> bytes:
    """A session: texts as texts, all else in base64; `pages` says which page each URL belongs to."""
    entries = []
    for sent in answers:
        is_text = sent.kind.startswith("text/")
        content = {"size": len(sent.body), "mimeType": sent.kind}
        content |= {"text": sent.body.decode()} if is_text else {"text": b64encode(sent.body).decode(), "encoding": "base64"}
        headers = [{"name": name, "value": value} for name, value in sent.all_headers.items()]
        answer = {"status": sent.status, "headers": headers, "content": content, "redirectURL": sent.headers.get("Location", "")}
        entries.append({"pageref": pages.get(sent.url, "page_1"), "request": {"method": "GET", "url": sent.url}, "response": answer})
    return json.dumps({"log": {"version": "1.2", "creator": {"name": "test"}, "pages": [{"id": "page_1"}], "entries": entries}}).encode()


@dataclass(frozen=True)
class Part:
    """One part of an MHTML file."""

    body: bytes
    kind: str = "text/html"
    location: str = ""
    name: str = ""
    encoding: str = "8bit"


def mhtml(parts: Iterable[Part], head: str = "From: <Saved>\r\nMIME-Version: 1.0\r\n", boundary: str = "----=_B--") -> bytes:
    pieces = [f'{head}Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="{boundary}"\r\n\r\n'.encode()]
    for part in parts:
        headers = {"Content-Type": part.kind, "Content-ID": f"<{part.name}>" if part.name else "", "Content-Location": part.location}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
        pieces.append(f"\r\n--{boundary}\r\n{lines}Content-Transfer-Encoding: {part.encoding}\r\n\r\n".encode() + part.body)
    return b"".join((*pieces, f"\r\n--{boundary}--\r\n".encode()))


def leaks(origin: str) -> str:
    """A page that tries every way out that HTML and scripts have."""
    socket = origin.replace("http", "ws")
    return f"""
      <link rel=preconnect href="{origin}"><link rel=dns-prefetch href="{origin}"><link rel=prefetch href="{origin}/prefetch">
      <link rel=preload as=script href="{origin}/preload"><link rel=stylesheet href="{origin}/style"><link rel=icon href="{origin}/icon">
      <style>body {{ background: url({origin}/background) }} @font-face {{ font-family: f; src: url({origin}/font) }}</style>
      <p style="font-family: f">Text<img src="{origin}/image"><iframe src="{origin}/frame"></iframe><video src="{origin}/video"></video>
      <object data="{origin}/object"></object><form id=form action="{origin}/form" method=post></form>
      <script src="{origin}/script"></script>
      <script>
        fetch("{origin}/fetch"); navigator.sendBeacon("{origin}/beacon"); new WebSocket("{socket}/socket");
        new EventSource("{origin}/events");
        new Worker(URL.createObjectURL(new Blob(['fetch("{origin}/worker"); new WebSocket("{socket}/worker-socket")'])));
        open("{origin}/popup"); form.submit();
      </script>
      <meta http-equiv=refresh content="0; url={origin}/refresh">"""
