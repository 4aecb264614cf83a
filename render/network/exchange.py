"""Requests and their answers as they were received, to be archived."""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A GET request and its answer."""

    url: str
    status: int
    reason: str
    headers: Headers
    """Of the answer, as the server sent them."""
    body: bytes | None
    """None if it is not known: too large, or not received."""
    requested: Headers
    """Headers of the request."""
    at: float = field(default_factory=time.time)
    """Seconds since 1970."""
    is_decoded: bool = False
    """Whether the body is without its content encoding, as a browser has it."""
    is_part: bool = False
    """Whether it is a file that a page loaded."""


class RenderedHtml(NamedTuple):
    """The HTML of a page as it was when a browser had rendered it."""

    url: str
    html: str


Received = list[Exchange | RenderedHtml]
RECEIVED: ContextVar[Received | None] = ContextVar("RECEIVED", default=None)
"""Where the task, and those that it starts, add what they receive, also if they fail; None if that is not kept."""
