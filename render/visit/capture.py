"""Records of captures and blocked requests: options of a page, and what its capture holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sightread.render.argument_checks import check_fields
from sightread.render.errors import Rejected, quoted

REDACTED = "[redacted]"
"""In place of a value that gives access to a site."""


@dataclass(frozen=True, slots=True)
class CaptureLimits:
    """How much of a page is kept; what is beyond is cut off or left out, and `Capture.note` names it."""

    html: int = 20_000_000
    """Characters."""
    requests: int = 5_000
    headers: int = 64_000
    """Characters of the headers of a request, and of those of its answer."""
    url: int = 4_000
    """Characters of an address in the network log; `data:` addresses are longer."""
    body: int = 5_000_000
    """Bytes of one body in the network log."""
    bodies: int = 50_000_000
    """Bytes of all bodies in the network log."""
    messages: int = 1_000
    message: int = 4_000
    """Characters."""
    pdf: int = 100_000_000
    """Bytes."""


LIMITS = CaptureLimits()


@dataclass(frozen=True, slots=True)
class CaptureOptions:
    """Options of the capture of a page. Raises `Rejected` for a field of another type."""

    html: bool = False
    """The HTML as it is when the page is collected."""
    source: bool = False
    """The HTML as it came from the server, before any script ran."""
    response: bool = False
    """Status and headers of the answer that the page came with."""
    har: bool = False
    """The network log as a HAR file."""
    har_bodies: bool = False
    """The bodies of answers in the network log too, so that the page can be read from it offline."""
    console: bool = False
    """Messages of the page's scripts, and their uncaught errors."""
    pdf: bool = False
    """The page as it would be printed."""
    secrets: bool = False
    """Keep the values of cookies, of Authorization and of the caller's own headers, and what forms sent; by default they are redacted."""

    def __post_init__(self) -> None:
        check_fields(self)
        if self.har_bodies and not self.har:
            raise Rejected("CaptureOptions: har_bodies is part of the network log: set har=True too")


ResourceKind = Literal["image", "media", "font", "stylesheet", "script", "fetch", "frame", "ping", "other"]
"""Kinds of requests: `fetch` is all that scripts request, `frame` the documents of frames."""


@dataclass(frozen=True, slots=True)
class Blocking:
    """Requests of a page that are not made. Raises `Rejected` for a field of another type, and for an empty pattern."""

    kinds: tuple[ResourceKind, ...] = ()
    patterns: tuple[str, ...] = ()
    """Addresses, with `*` for any characters: `*://*.tracker.example/*`."""

    def __post_init__(self) -> None:
        check_fields(self)
        for pattern in self.patterns:
            if not pattern.strip("* "):
                raise Rejected(f"Blocking: the pattern {quoted(pattern)} fits every address: name a part of those that are not wanted")

    def __bool__(self) -> bool:
        return bool(self.kinds or self.patterns)


@dataclass(frozen=True, slots=True)
class ConsoleMessage:
    """A message of the page's scripts."""

    level: str
    """`log`, `info`, `warning`, `error`, `debug` and others of the console; `uncaught` for an error that nothing caught."""
    text: str
    url: str = ""
    """Of the script."""
    line: int = 0
    """Counted from 1; 0 if it is not known."""


@dataclass(frozen=True, slots=True)
class Capture:
    """The capture of a page; fields that were not requested are empty."""

    html: str = field(default="", repr=False)
    status: int = 0
    """HTTP status of the answer that the page came with."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Names, in lower case, and values of its headers."""
    har: bytes = field(default=b"", repr=False)
    """The network log: a HAR 1.2 file."""
    console: tuple[ConsoleMessage, ...] = ()
    pdf: bytes = field(default=b"", repr=False)
    note: str = ""
    """Fields that were cut off or left out; empty if none was."""
    source: str = field(default="", repr=False)
    """Empty too if a script or `<meta>` led to the page: a reader without a browser does not come there."""

    def header(self, name: str) -> str:
        """Return the first header of that name; empty if there is none."""
        return next((value for known, value in self.headers if known == name.lower()), "")
