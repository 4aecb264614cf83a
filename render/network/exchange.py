"""Requests and their answers as they were received, to be archived."""

from contextvars import ContextVar
from typing import NamedTuple


class Exchange(NamedTuple):
    """A GET request and its answer."""

    url: str
    at: float
    """Seconds since 1970."""
    requested: tuple[tuple[str, str], ...]
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    """As the server sent them."""
    body: bytes | None
    """None if it is not known: too large, or not received."""
    is_decoded: bool = False
    """Whether the body is without its content encoding, as a browser has it."""


class RenderedHtml(NamedTuple):
    """The HTML of a page as it was when a browser had rendered it."""

    url: str
    html: str


Received = list[Exchange | RenderedHtml]
RECEIVED: ContextVar[Received | None] = ContextVar("RECEIVED", default=None)
"""Where a task, and those that it starts, add what they receive, also if they fail; None if that is not kept."""
