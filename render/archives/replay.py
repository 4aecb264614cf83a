"""Replays stored HTML and archives to a tab while its page is read."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from contextlib import suppress
from dataclasses import replace
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from sightread.render.archives.base import Answer, Archive
from sightread.render.errors import Unusable
from sightread.render.network.http import MOST_REDIRECTS
from sightread.render.static.charset import DecodedHtml, decode_html

MOST_READ_AT_ONCE = 4
"""Files of an archive read at a time for one page: each may take `MOST_DECODED` bytes until the browser has it."""
MOST_SERVED = 200_000_000
"""Bytes of an archive given to one page, as many as the egress boundary lets a live one receive; requests beyond that are refused."""
_WITHOUT_SERVER = ("data:", "blob:", "about:")


class Replay:
    """Answers a tab's requests from stored HTML or from an archive, and refuses those that it holds nothing for.

    Requests are paused before they reach the network, from which the context is cut off; requests that cannot be paused (WebSockets, those
    of workers) fail for that reason. A refused document leaves the previous one in its place: no error page is ever shown. For stored HTML
    only navigations are paused, of which the first is answered: that the context is offline refuses the hundreds of other requests of a
    page for nothing, while each pause would call us.
    """

    def __init__(self, session: CDPSession, stored: DecodedHtml | Archive) -> None:
        self._session = session
        self._archive = stored if isinstance(stored, Archive) else None
        self._document = None if isinstance(stored, Archive) else Answer(200, (("Content-Type", stored.content_type),), stored.raw)
        self._turn = asyncio.Semaphore(MOST_READ_AT_ONCE)
        self._hops: dict[str, int] = {}
        self._served = 0
        self.pending = 0

    async def begin(self) -> None:
        """Answer requests from now on."""
        self._session.on("Fetch.requestPaused", self._decide)
        await self._session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"} if self._archive else {"resourceType": "Document"}]})

    async def end(self) -> None:
        """Leave the tab to other pages."""
        self._session.remove_listener("Fetch.requestPaused", self._decide)
        await self._session.send("Fetch.disable")

    async def _decide(self, paused: dict[str, Any]) -> None:
        self.pending += 1
        try:
            await self._respond(paused)
        finally:
            self.pending -= 1

    async def _respond(self, paused: dict[str, Any]) -> None:
        number = {"requestId": paused["requestId"]}
        with suppress(PlaywrightError):  # the page went away meanwhile
            if self._archive and paused["request"]["url"].startswith(_WITHOUT_SERVER):
                await self._session.send("Fetch.continueRequest", number)
                return
            async with self._turn:
                if answer := await self._answer(self._archive, paused):
                    headers = [{"name": name, "value": value} for name, value in answer.headers]
                    fulfilment = {"responseCode": answer.status, "responseHeaders": headers, "body": b64encode(answer.body).decode()}
                    with suppress(PlaywrightError):  # a header that it does not take: refused below
                        await self._session.send("Fetch.fulfillRequest", number | fulfilment)
                        return
            await self._session.send("Fetch.failRequest", {**number, "errorReason": "Aborted"})

    async def _answer(self, archive: Archive | None, paused: dict[str, Any]) -> Answer | None:
        """Return the answer to a request; None beyond the caps on redirects and on bytes."""
        if archive is None:
            document, self._document = self._document, None
            return document
        hops = self._hops.pop(paused.get("redirectedRequestId", ""), -1) + 1
        self._hops[paused["requestId"]] = hops
        if paused["request"]["method"] not in ("GET", "HEAD") or hops > MOST_REDIRECTS or self._served > MOST_SERVED:
            return None
        try:
            answer = await asyncio.to_thread(archive.find, paused["request"]["url"])
        except Unusable:  # one damaged file of a page is a missing one
            return None
        self._served += len(answer.body) if answer else 0
        if answer is None or answer.header("content-type").partition(";")[0].strip().lower() != "text/html":
            return answer
        headers = [(name, value) for name, value in answer.headers if name.lower() != "content-type"]
        return replace(answer, headers=(*headers, ("Content-Type", decode_html(answer.body, answer.charset).content_type)))
