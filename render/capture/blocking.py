"""Blocked requests of a page, by kind or by address.

Kinds are refused when the browser would send the request, patterns before it looks at the request; nothing else is held up. What
frames of other origins request on their own is not covered. The egress boundary is independent of this.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from sightread.render.capture.records import Blocking, ResourceKind

_TYPES: dict[ResourceKind, tuple[str, ...]] = {
    "image": ("Image",),
    "media": ("Media", "TextTrack"),
    "font": ("Font",),
    "stylesheet": ("Stylesheet",),
    "script": ("Script",),
    "fetch": ("XHR", "Fetch", "EventSource"),
    "frame": ("Document",),
    "ping": ("Ping", "CSPViolationReport"),
    "other": ("Manifest", "Other"),
}
"""The browser's types of requests by kind."""


async def block(session: CDPSession, main_frame: str, blocking: Blocking) -> None:
    """Block requests from now on; `session` is used for nothing else, and ends with the tab."""
    if blocking.patterns:
        await session.send("Network.enable")
        await session.send("Network.setBlockedURLs", {"urls": list(blocking.patterns)})
    if not blocking.kinds:
        return

    async def decide(paused: dict[str, Any]) -> None:
        number = {"requestId": paused["requestId"]}
        is_page = paused["resourceType"] == "Document" and paused["frameId"] == main_frame
        with suppress(PlaywrightError):  # the page went away meanwhile
            if is_page:
                await session.send("Fetch.continueRequest", number)
            else:
                await session.send("Fetch.failRequest", {**number, "errorReason": "BlockedByClient"})

    session.on("Fetch.requestPaused", decide)
    types = [name for kind in blocking.kinds for name in _TYPES[kind]]
    await session.send("Fetch.enable", {"patterns": [{"resourceType": name} for name in types]})
