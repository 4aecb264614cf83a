"""Records the parts that the options request while a page is read, and returns it as a `Capture`."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from contextlib import suppress
from typing import Any, Self

from playwright.async_api import CDPSession
from playwright.async_api import ConsoleMessage as Message
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.capture.network_log import NetworkLog
from sightread.render.capture.records import LIMITS, Capture, CaptureOptions, ConsoleMessage
from sightread.render.text.characters import well_formed
from sightread.render.visit.devtools_session import Attached

_HTML = f"""(() => {{
const get = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get.call(document);
const doctype = get(Document.prototype, "doctype");
const html = get(Document.prototype, "documentElement");
const outer = Object.getOwnPropertyDescriptor(Element.prototype, "outerHTML").get.call(html);
return ((doctype ? `${{new XMLSerializer().serializeToString(doctype)}}\\n` : "") + outer).slice(0, {LIMITS.html + 1}).toWellFormed();
}})()"""


DETACH_SECONDS = 0.5
"""Within which the browser ends the session of a page; one that waits for a server ends it with the answer, past every deadline."""


class Recorder:
    """Records one page in a tab, from before it is opened until it has been collected; an async context manager."""

    def __init__(self, tab: Tab, attached: Attached, options: CaptureOptions, secret_headers: tuple[str, ...] = ()) -> None:
        self._tab = tab
        self._attached = attached
        self._options = options
        self._secret_headers = secret_headers
        self._session: CDPSession | None = None
        self._log: NetworkLog | None = None
        self._messages: list[ConsoleMessage] = []
        self._dropped = 0

    async def __aenter__(self) -> Self:
        """Listen to the events of the requested parts."""
        if self._options.har or self._options.response:
            self._session = await self._tab.context.new_cdp_session(self._tab)
            self._log = NetworkLog(self._session, self._secret_headers, keep_secrets=self._options.secrets)
            await self._log.begin()
        if self._options.console:
            self._tab.on("console", self._on_message)
            self._tab.on("pageerror", self._on_error)
        return self

    async def finish(self, url: str, title: str) -> Capture | None:
        """Return what was recorded of the page that the tab shows; None if nothing was requested."""
        options = self._options
        if options == CaptureOptions():
            return None
        notes: list[str] = []
        html = await self._html() if options.html else ""
        if len(html) > LIMITS.html:
            html = html[: LIMITS.html]
            notes.append(f"the HTML is cut after {LIMITS.html} characters")
        pdf = await self._pdf() if options.pdf else b""
        if len(pdf) > LIMITS.pdf:
            pdf = b""
            notes.append(f"the PDF is left out: it has more than {LIMITS.pdf} bytes")
        status, headers, har = await self._network(url, title, notes)
        if self._dropped:
            notes.append(f"{self._dropped} messages beyond {LIMITS.messages} are left out")
        return Capture(html, status, headers, har, tuple(self._messages), pdf, "; ".join(notes))

    async def __aexit__(self, *_: object) -> None:
        """Stop listening."""
        if self._options.console:
            self._tab.remove_listener("console", self._on_message)
            self._tab.remove_listener("pageerror", self._on_error)
        if self._session:
            with suppress(PlaywrightError, TimeoutError):  # the tab is gone, or will be: it still waits for an answer
                async with asyncio.timeout(DETACH_SECONDS):
                    await self._session.detach()

    async def _network(self, url: str, title: str, notes: list[str]) -> tuple[int, tuple[tuple[str, str], ...], bytes]:
        log = self._log
        if log is None:
            return 0, (), b""
        status, headers = log.document(url) if self._options.response else (0, ())
        if not self._options.har:
            return status, headers, b""
        if self._options.har_bodies:
            await log.read_bodies()
        if log.left_out:
            notes.append(f"{log.left_out} requests beyond {LIMITS.requests} are left out")
        if log.omitted_bodies:
            notes.append(f"{log.omitted_bodies} bodies are left out of the network log: too large, or no longer there")
        return status, headers, log.har(url, title)

    async def _html(self) -> str:
        parameters = {"expression": _HTML, "contextId": await self._attached.open_world(), "returnByValue": True}
        answer = await self._attached.session.send("Runtime.evaluate", parameters)
        return str(answer.get("result", {}).get("value", ""))

    async def _pdf(self) -> bytes:
        answer: dict[str, Any] = await self._attached.session.send("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
        return b64decode(answer["data"])

    def _on_message(self, message: Message) -> None:
        place = message.location
        self._add(ConsoleMessage(message.type, _cut(message.text), place.get("url", ""), int(place.get("lineNumber", -1)) + 1))

    def _on_error(self, error: PlaywrightError) -> None:
        self._add(ConsoleMessage("uncaught", _cut(str(error))))

    def _add(self, message: ConsoleMessage) -> None:
        if len(self._messages) < LIMITS.messages:
            self._messages.append(message)
        else:
            self._dropped += 1


def _cut(text: str) -> str:
    return well_formed(text if len(text) <= LIMITS.message else f"{text[: LIMITS.message]}…")
