"""Replays stored HTML and archives to a tab while its page is read."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from contextlib import suppress
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.archives.base import Answer, Archive
from sightread.render.errors import Unusable
from sightread.render.network.http import MOST_REDIRECTS
from sightread.render.static.charset import DecodedHtml, decode_html

MOST_READ_AT_ONCE = 4
"""Files of an archive read at a time for one page: each may take `MOST_DECODED` bytes until the browser has it."""
MOST_SERVED = 200_000_000
"""Bytes of an archive given to one page, as many as the egress boundary lets a live one receive; requests beyond that are refused."""
_WITHOUT_SERVER = ("data:", "blob:", "about:")


class Serving:
    """Stored HTML that a tab is given for a page.

    Only navigations are intercepted, through the debugging protocol: the context is offline, which refuses the hundreds of other
    requests of a page for nothing, while interception would call us for each.
    """

    def __init__(self, session: CDPSession, html: DecodedHtml) -> None:
        headers = [{"name": "Content-Type", "value": html.content_type}]
        self._answer = {"responseCode": 200, "responseHeaders": headers, "body": b64encode(html.raw).decode()}
        self._session = session
        self._served = False

    async def begin(self) -> None:
        """Answer the first navigation with the HTML, and call off every later one, so that the document stays."""
        self._session.on("Fetch.requestPaused", self._decide)
        await self._session.send("Fetch.enable", {"patterns": [{"resourceType": "Document"}]})

    async def end(self) -> None:
        """Leave the tab to other pages."""
        self._session.remove_listener("Fetch.requestPaused", self._decide)
        await self._session.send("Fetch.disable")

    async def _decide(self, paused: dict[str, Any]) -> None:
        first, self._served = not self._served, True
        request = {"requestId": paused["requestId"]}
        with suppress(PlaywrightError):  # the page went away meanwhile
            if first:
                await self._session.send("Fetch.fulfillRequest", request | self._answer)
            else:  # for any other reason than this one an error page would take the document's place
                await self._session.send("Fetch.failRequest", {**request, "errorReason": "Aborted"})


async def serve_archive(tab: Tab, archive: Archive) -> None:
    """Answer every request of the tab and of its frames from the archive, and refuse those that it holds nothing for.

    Requests are paused before they reach the network, from which the context is cut off; requests that cannot be paused (WebSockets, those
    of workers) fail for that reason. A refused document leaves the previous one in its place: no error page is ever shown.
    """
    replay = _Replay(await tab.context.new_cdp_session(tab), archive)
    await replay.begin()


class _Replay:
    """An archive at work for one tab."""

    def __init__(self, session: CDPSession, archive: Archive) -> None:
        self._session = session
        self._archive = archive
        self._turn = asyncio.Semaphore(MOST_READ_AT_ONCE)
        self._hops: dict[str, int] = {}
        self._served = 0

    async def begin(self) -> None:
        """Pause every request from now on."""
        self._session.on("Fetch.requestPaused", self._decide)
        await self._session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    async def _decide(self, paused: dict[str, Any]) -> None:
        request: dict[str, Any] = paused["request"]
        number = {"requestId": paused["requestId"]}
        with suppress(PlaywrightError):  # the page went away meanwhile
            if request["url"].startswith(_WITHOUT_SERVER):
                await self._session.send("Fetch.continueRequest", number)
                return
            async with self._turn:
                answer = await self._answer(paused) if request["method"] in ("GET", "HEAD") else None
                if answer:
                    with suppress(PlaywrightError):  # a header that it does not take: refused below
                        await self._session.send("Fetch.fulfillRequest", number | _fulfilment(answer))
                        return
            await self._session.send("Fetch.failRequest", {**number, "errorReason": "Aborted"})

    async def _answer(self, paused: dict[str, Any]) -> Answer | None:
        """Return what the archive holds for a request; None beyond the caps on redirects and on bytes."""
        hops = self._hops.pop(paused.get("redirectedRequestId", ""), -1) + 1
        self._hops[paused["requestId"]] = hops
        if hops > MOST_REDIRECTS or self._served > MOST_SERVED:
            return None
        try:
            answer = await asyncio.to_thread(self._archive.find, paused["request"]["url"])
        except Unusable:  # one damaged file of a page is a missing one
            return None
        self._served += len(answer.body) if answer else 0
        return answer


def _fulfilment(answer: Answer) -> dict[str, Any]:
    headers = [{"name": name, "value": value} for name, value in answer.headers if name.lower() != "content-type"]
    if kind := answer.header("content-type"):
        is_html = kind.partition(";")[0].strip().lower() == "text/html"
        headers.append({"name": "Content-Type", "value": decode_html(answer.body, answer.charset).content_type if is_html else kind})
    return {"responseCode": answer.status, "responseHeaders": headers, "body": b64encode(answer.body).decode()}
