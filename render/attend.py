"""What is done beside a tab while its page is read: popups closed, dialogs dismissed, stored HTML served."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.async_api import BrowserContext, Dialog
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

MOST_POPUPS = 20
"""Where the browser itself does not refuse them, as the headless shell does. A flood of them brings 46 in five seconds, a shop three."""


def keep_quiet(context: BrowserContext, tab: Tab, flooded: Callable[[], None]) -> None:
    """Close popups and dismiss dialogs as they come; call `flooded` at the popup that is one too many."""
    popups = 0

    async def close_popup(popup: Tab) -> None:
        nonlocal popups
        popups += 1
        if popups > MOST_POPUPS:
            flooded()
        with suppress(PlaywrightError):  # gone by itself
            await popup.close()

    async def dismiss(dialog: Dialog) -> None:
        with suppress(PlaywrightError):
            await dialog.dismiss()

    context.on("page", close_popup)
    tab.on("dialog", dismiss)


async def serve(tab: Tab, html: str | bytes) -> None:
    """Answer the first navigation of the tab with the HTML, and call off every later one, so that the document stays.

    Only navigations are intercepted, through the debugging protocol: the context is offline, which refuses the hundreds of other
    requests of a page for nothing, where interception would ask us about each.
    """
    body, kind = (html.encode(), "text/html; charset=utf-8") if isinstance(html, str) else (html, "text/html")
    answer = {"responseCode": 200, "responseHeaders": [{"name": "Content-Type", "value": kind}], "body": b64encode(body).decode()}
    served = False
    session = await tab.context.new_cdp_session(tab)

    async def decide(paused: dict[str, Any]) -> None:
        nonlocal served
        first, served = not served, True
        request = {"requestId": paused["requestId"]}
        with suppress(PlaywrightError):  # the page went away meanwhile
            if first:
                await session.send("Fetch.fulfillRequest", request | answer)
            else:  # for any other reason than this one an error page would take the document's place
                await session.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})

    session.on("Fetch.requestPaused", decide)
    await session.send("Fetch.enable", {"patterns": [{"resourceType": "Document"}]})
