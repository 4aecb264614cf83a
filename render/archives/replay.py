"""Replays stored HTML and archives to a tab while its page is read."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Generic, TypeVar

import ada_url
from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.archives.base import Answer, Archive
from sightread.render.errors import Unusable
from sightread.render.network.http import MOST_REDIRECTS
from sightread.render.static.charset import DecodedHtml, decode_html

_STAMP = re.compile(r"(?<=[?&])[^=&?]+=(?:\d{10}|\d{13}|0\.\d{8,})(?:&|$)")
"""A parameter that is a time in seconds or milliseconds, or a random fraction: what scripts add so that no cache answers (jQuery's `_`)."""

T = TypeVar("T")


def request_key(url: str) -> str:
    """Return the URL as a browser requests it: the WHATWG's serialisation, without the fragment; empty for other addresses."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return ""
    if parsed.protocol not in ("http:", "https:"):
        return ""
    parsed.hash = ""
    return str(parsed.href).removesuffix("#")


class Matches(Generic[T]):
    """Entries by URL. Of several for one URL the one with the best status stays, and of those the first, which the page had."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[int, T]] = {}
        self._stampless: dict[str, T] | None = None

    def __len__(self) -> int:
        return len(self._entries)

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
        for candidate in (key, _other_scheme(key)):
            if candidate in self._entries:
                return self._entries[candidate][1]
        if "?" not in key:
            return None
        if self._stampless is None:
            self._stampless = dict(self._without_stamps())
        return self._stampless.get(_without_stamp(key))

    def _without_stamps(self) -> Iterator[tuple[str, T]]:
        for key, (_, entry) in reversed(self._entries.items()):  # the first of them stays
            if "?" in key:
                yield _without_stamp(key), entry


def _rank(status: int) -> int:
    """Return 0 for a success, and more for a less useful answer."""
    return 0 if 200 <= status < 300 else 1 if 300 <= status < 400 else 2


def _other_scheme(key: str) -> str:
    return "http" + key[5:] if key.startswith("https:") else "https" + key[4:]


def _without_stamp(key: str) -> str:
    """Return the key with neither scheme nor stamps."""
    return _STAMP.sub("", key.partition(":")[2]).rstrip("?&")


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
