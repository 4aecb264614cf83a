"""Records the parts that the options request while a page is read, and returns them as a `Capture`."""

from __future__ import annotations

import asyncio
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self

import ada_url
import msgspec
from playwright.async_api import CDPSession
from playwright.async_api import ConsoleMessage as Message
from playwright.async_api import Error as PlaywrightError

from sightread.render.errors import PageFailed, Unusable
from sightread.render.network.address import parse_url
from sightread.render.network.exchange import RECEIVED, Exchange, RenderedHtml
from sightread.render.network.proxy import PROXY_STATUS
from sightread.render.static.charset import codec_of
from sightread.render.text.words import well_formed
from sightread.render.version import VERSION
from sightread.render.visit.capture import LIMITS, REDACTED, Capture, CaptureOptions, ConsoleMessage
from sightread.render.visit.navigation import Attached

SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie", "x-api-key", "x-auth-token", "x-csrf-token"})
"""Headers that give access to a site."""
DETACH_SECONDS = 0.5
"""Within which the browser ends the session of a page; one that waits for a server ends it with the answer, past every deadline."""

Headers = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Exchange:
    """One request and what became of it; a redirect begins another."""

    number: str
    """The browser's id of the request, which redirects share."""
    request: Mapping[str, Any]
    started: float
    """By the browser's clock, in seconds."""
    wall: float
    """Seconds since 1970."""
    kind: str
    response: Mapping[str, Any] = field(default_factory=dict)
    answered: float = 0.0
    ended: float = 0.0
    size: int = 0
    """Bytes on the wire."""
    failure: str = ""
    decoded: int = 0
    """Bytes without the content encoding."""
    body: dict[str, Any] = field(default_factory=dict)
    """Fields of the body in the log, if it was read."""


class NetworkLog:
    """Records the requests of a tab from `begin` on."""

    def __init__(self, session: CDPSession, secret_headers: Sequence[str] = (), *, keep_secrets: bool = False) -> None:
        """`secret_headers` are redacted besides the usual ones, unless secrets are kept."""
        self._session = session
        self._secret = frozenset() if keep_secrets else SECRET_HEADERS.union(name.lower() for name in secret_headers)
        self._exchanges: list[_Exchange] = []
        self._open: dict[str, list[_Exchange]] = {}
        self._extra: dict[tuple[str, str], list[Mapping[str, str]]] = {}
        self.left_out = 0
        """Requests beyond the limit."""
        self.omitted_bodies = 0

    async def begin(self) -> None:
        """Listen from now on."""
        for name, listener in (
            ("Network.requestWillBeSent", self._on_request),
            ("Network.requestWillBeSentExtraInfo", lambda event: self._on_headers(event, "sent")),
            ("Network.responseReceived", self._on_response),
            ("Network.responseReceivedExtraInfo", lambda event: self._on_headers(event, "received")),
            ("Network.dataReceived", self._on_data),
            ("Network.loadingFinished", self._on_end),
            ("Network.loadingFailed", self._on_failure),
        ):
            self._session.on(name, listener)
        await self._session.send("Network.enable", {"maxTotalBufferSize": LIMITS.bodies, "maxResourceBufferSize": LIMITS.body})

    def document(self, url: str) -> tuple[int, Headers]:
        """Return status and headers of the last answer to a request for a document at this address; 0 and none if there is none."""
        requested = url.partition("#")[0]
        for exchange in reversed(self._exchanges):
            if exchange.kind == "Document" and exchange.response and exchange.request["url"].partition("#")[0] == requested:
                return int(exchange.response["status"]), self._headers(exchange, "received")
        return 0, ()

    async def read_bodies(self) -> None:
        """Fetch the bodies of the answers from the browser, within limits; one that it no longer has is left out."""
        left = LIMITS.bodies
        for exchange in self._exchanges:
            response = exchange.response
            if not response or exchange.failure or response["status"] in (204, 304) or "redirectURL" in response:
                continue
            try:
                answer = await self._session.send("Network.getResponseBody", {"requestId": exchange.number})
            except PlaywrightError:
                self.omitted_bodies += 1
                continue
            body, is_base64 = answer["body"], answer["base64Encoded"]
            size = len(b64decode(body)) if is_base64 else len(body.encode("utf-8", "replace"))
            if size > min(left, LIMITS.body):
                self.omitted_bodies += 1
                continue
            left -= size
            exchange.body = {"size": size, "text": body if is_base64 else well_formed(body)} | ({"encoding": "base64"} if is_base64 else {})

    def exchanges(self, charset: str) -> Iterator[Exchange]:
        """Yield the GET requests that a server answered; `charset` is that of the document, which its files may have inherited."""
        for exchange in self._exchanges:
            request, response, headers = exchange.request, exchange.response, self._headers(exchange, "received")
            is_from_server = exchange.kind == "Document" or not response.get("fromDiskCache")
            is_received = response and is_from_server and (PROXY_STATUS[0].lower(), PROXY_STATUS[1]) not in headers
            if is_received and request["method"] == "GET" and request["url"].startswith(("http:", "https:")):
                sent, content = self._headers(exchange, "sent"), _content(exchange, charset)
                status, reason = int(response["status"]), response.get("statusText", "")
                yield Exchange(request["url"].partition("#")[0], exchange.wall, sent, status, reason, headers, content, is_decoded=True)

    def har(self, url: str, title: str) -> bytes:
        """Return the log as a HAR file of one page."""
        start = _iso(self._exchanges[0].wall) if self._exchanges else _iso(datetime.now(UTC).timestamp())
        page = {"startedDateTime": start, "id": "page_1", "title": title or url, "pageTimings": {}}
        log = {
            "version": "1.2",
            "creator": {"name": "sightread", "version": VERSION},
            "pages": [page],
            "entries": [self._entry(exchange) for exchange in self._exchanges],
        }
        return msgspec.json.encode({"log": log})

    def _on_request(self, event: dict[str, Any]) -> None:
        number = event["requestId"]
        hops = self._open.setdefault(number, [])
        if hops and "redirectResponse" in event:
            last = hops[-1]
            last.response = {**event["redirectResponse"], "redirectURL": event["request"]["url"]}
            last.answered = last.ended = event["timestamp"]
            last.size = int(event["redirectResponse"].get("encodedDataLength", 0))
        if len(self._exchanges) >= LIMITS.requests:
            self.left_out += 1
            return
        exchange = _Exchange(number, event["request"], event["timestamp"], event["wallTime"], event.get("type", "Other"))
        hops.append(exchange)
        self._exchanges.append(exchange)

    def _on_headers(self, event: dict[str, Any], side: str) -> None:
        if len(self._extra) < 2 * LIMITS.requests:
            self._extra.setdefault((event["requestId"], side), []).append(event["headers"])

    def _on_response(self, event: dict[str, Any]) -> None:
        if hops := self._open.get(event["requestId"]):
            hops[-1].response, hops[-1].answered, hops[-1].kind = event["response"], event["timestamp"], event["type"]

    def _on_data(self, event: dict[str, Any]) -> None:
        if hops := self._open.get(event["requestId"]):
            hops[-1].decoded += event["dataLength"]

    def _on_end(self, event: dict[str, Any]) -> None:
        if hops := self._open.get(event["requestId"]):
            hops[-1].ended, hops[-1].size = event["timestamp"], int(event["encodedDataLength"])

    def _on_failure(self, event: dict[str, Any]) -> None:
        if hops := self._open.get(event["requestId"]):
            is_blocked = event.get("blockedReason") == "inspector"
            hops[-1].ended, hops[-1].failure = event["timestamp"], "blocked by an option" if is_blocked else event["errorText"]

    def _headers(self, exchange: _Exchange, side: str) -> Headers:
        seen = self._extra.get((exchange.number, side), [])
        position = self._open[exchange.number].index(exchange)
        plain = exchange.request["headers"] if side == "sent" else exchange.response.get("headers", {})
        found: Mapping[str, str] = seen[position] if position < len(seen) else plain
        kept: list[tuple[str, str]] = []
        left = LIMITS.headers
        for name, values in found.items():
            for value in values.split("\n"):
                left -= len(name) + len(value)
                if left >= 0 and not name.startswith(":"):
                    kept.append((name.lower(), REDACTED if name.lower() in self._secret else value))
        return tuple(kept)

    def _entry(self, exchange: _Exchange) -> dict[str, Any]:
        ended = exchange.ended or exchange.answered or exchange.started
        answered = exchange.answered or ended
        wait, receive = (max(0.0, 1000 * seconds) for seconds in (answered - exchange.started, ended - answered))
        return {
            "pageref": "page_1",
            "startedDateTime": _iso(exchange.wall),
            "time": round(wait + receive, 3),
            "request": self._request(exchange),
            "response": self._response(exchange),
            "cache": {},
            "timings": {"send": 0, "wait": round(wait, 3), "receive": round(receive, 3)},
            "_resourceType": exchange.kind.lower(),
        }

    def _request(self, exchange: _Exchange) -> dict[str, Any]:
        request = exchange.request
        found = {
            "method": request["method"],
            "url": request["url"][: LIMITS.url],
            "httpVersion": exchange.response.get("protocol", ""),
            "cookies": [],
            "headers": _named(self._headers(exchange, "sent")),
            "queryString": _query(request["url"][: LIMITS.url]),
            "headersSize": -1,
            "bodySize": len(request.get("postData", "")),
        }
        if "postData" in request:
            text = REDACTED if self._secret else request["postData"][: LIMITS.body]
            found["postData"] = {"mimeType": request["headers"].get("Content-Type", ""), "text": text}
        return found

    def _response(self, exchange: _Exchange) -> dict[str, Any]:
        response = exchange.response
        found = {
            "status": response.get("status", 0),
            "statusText": response.get("statusText", ""),
            "httpVersion": response.get("protocol", ""),
            "cookies": [],
            "headers": _named(self._headers(exchange, "received")),
            "content": {"size": exchange.size, "mimeType": response.get("mimeType", "")} | exchange.body,
            "redirectURL": response.get("redirectURL", ""),
            "headersSize": -1,
            "bodySize": exchange.size,
        }
        return found | ({"_error": exchange.failure} if exchange.failure else {})


def _content(exchange: _Exchange, charset: str) -> bytes | None:
    """Return the bytes of a body, if it was read.

    The browser has decoded text: its bytes are those of the first likely charset that gives as many, else of UTF-8 with a byte order mark.
    """
    text: str = exchange.body.get("text", "")
    if not text or "encoding" in exchange.body:
        return b64decode(text) or None
    codecs = ("utf-8", "utf-8-sig", codec_of(exchange.response.get("charset", "")), codec_of(charset))
    found = (content for codec in codecs if codec and len(content := text.encode(codec, "ignore")) == exchange.decoded)
    return next(found, text.encode("utf-8-sig"))


def _named(headers: Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _query(url: str) -> list[dict[str, str]]:
    parsed = parse_url(url)
    return [{"name": name, "value": value} for name, value in ada_url.URLSearchParams(parsed.search if parsed else "").items()]


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


_HTML = f"""(() => {{
const get = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get.call(document);
const doctype = get(Document.prototype, "doctype");
const html = get(Document.prototype, "documentElement");
const outer = Object.getOwnPropertyDescriptor(Element.prototype, "outerHTML").get.call(html);
return ((doctype ? `${{new XMLSerializer().serializeToString(doctype)}}\\n` : "") + outer).slice(0, {LIMITS.html + 1}).toWellFormed();
}})()"""


_PRINTING = {"printBackground": True, "preferCSSPageSize": True}


class Recorder:
    """Records one page in a tab, from before it is opened until it has been collected; an async context manager."""

    def __init__(self, attached: Attached, options: CaptureOptions, secret_headers: tuple[str, ...] = ()) -> None:
        self._attached = attached
        self._tab = attached.tab
        self._options = options
        self._secret_headers = secret_headers
        self._session: CDPSession | None = None
        self._log: NetworkLog | None = None
        self._received = RECEIVED.get()
        self._messages: list[ConsoleMessage] = []
        self._dropped = 0
        self._rendered: RenderedHtml | None = None

    async def __aenter__(self) -> Self:
        """Listen to the events of the requested parts."""
        if self._options.har or self._options.response or self._received is not None:
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
        if options == CaptureOptions() and self._received is None:
            return None
        notes: list[str] = []
        html = ""
        with suppress(Unusable):  # the page took its document apart
            html = str(await self._attached.evaluate(_HTML)) if options.html or self._received is not None else ""
        if len(html) > LIMITS.html:
            html = html[: LIMITS.html]
            notes.append(f"the HTML is cut after {LIMITS.html} characters")
        self._rendered = RenderedHtml(url, html)
        printed = await self._attached.session.send("Page.printToPDF", _PRINTING) if options.pdf else {"data": ""}
        pdf = b64decode(printed["data"])
        if len(pdf) > LIMITS.pdf:
            pdf = b""
            notes.append(f"the PDF is left out: it has more than {LIMITS.pdf} bytes")
        status, headers, har = await self._network(url, title, notes)
        if self._dropped:
            notes.append(f"{self._dropped} messages beyond {LIMITS.messages} are left out")
        return Capture(html if options.html else "", status, headers, har, tuple(self._messages), pdf, "; ".join(notes))

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Stop listening; keep what was received, that of a page that failed too."""
        if self._log and self._received is not None and (kind is None or issubclass(kind, PageFailed)):
            with suppress(PlaywrightError, Unusable):
                await self._log.read_bodies()
                self._received += self._log.exchanges(str(await self._attached.evaluate("document.characterSet")))
                self._received += [self._rendered] if self._rendered else []
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
