"""Network log of a page: the browser's events about requests, written as a HAR 1.2 file (http://www.softwareishard.com/blog/har-12-spec/)."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import ada_url
import msgspec
from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError

from sightread.render.capture.records import LIMITS, REDACTED
from sightread.render.network.version import VERSION

SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie", "x-api-key", "x-auth-token", "x-csrf-token"})
"""Headers that give access to a site."""
_BLOCKED = {"inspector": "blocked by an option"}
_BUFFER = {"maxTotalBufferSize": LIMITS.bodies, "maxResourceBufferSize": LIMITS.body}

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
    response: Mapping[str, Any] | None = None
    answered: float = 0.0
    ended: float = 0.0
    size: int = 0
    """Bytes on the wire."""
    failure: str = ""
    sent: Mapping[str, str] = field(default_factory=dict)
    """All headers that were sent, those of the network stack too."""
    received: Mapping[str, str] = field(default_factory=dict)


class NetworkLog:
    """Records the requests of a tab from `begin` on."""

    def __init__(self, session: CDPSession, secret_headers: Sequence[str] = (), *, keep_secrets: bool = False) -> None:
        """`secret_headers` are redacted besides the usual ones, unless secrets are kept."""
        self._session = session
        self._secret = frozenset() if keep_secrets else SECRET_HEADERS.union(name.lower() for name in secret_headers)
        self._exchanges: list[_Exchange] = []
        self._open: dict[str, list[_Exchange]] = {}
        self._extra: dict[tuple[str, str], list[Mapping[str, str]]] = {}
        self._bodies: dict[int, tuple[bytes, bool]] = {}
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
            ("Network.loadingFinished", self._on_end),
            ("Network.loadingFailed", self._on_failure),
        ):
            self._session.on(name, listener)
        await self._session.send("Network.enable", _BUFFER)

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
        for row, exchange in enumerate(self._exchanges):
            if not exchange.response or exchange.failure or exchange.response["status"] in (204, 304) or "redirectURL" in exchange.response:
                continue
            try:
                answer = await self._session.send("Network.getResponseBody", {"requestId": exchange.number})
            except PlaywrightError:
                self.omitted_bodies += 1
                continue
            body = b64decode(answer["body"]) if answer["base64Encoded"] else answer["body"].encode("utf-8", "replace")
            if len(body) > min(left, LIMITS.body):
                self.omitted_bodies += 1
                continue
            left -= len(body)
            self._bodies[row] = body, answer["base64Encoded"]

    def har(self, url: str, title: str) -> bytes:
        """Return the log as a HAR file of one page."""
        start = _iso(self._exchanges[0].wall) if self._exchanges else _iso(datetime.now(UTC).timestamp())
        page = {"startedDateTime": start, "id": "page_1", "title": title or url, "pageTimings": {}}
        log = {
            "version": "1.2",
            "creator": {"name": "sightread", "version": VERSION},
            "pages": [page],
            "entries": [self._entry(row, exchange) for row, exchange in enumerate(self._exchanges)],
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

    def _on_end(self, event: dict[str, Any]) -> None:
        if hops := self._open.get(event["requestId"]):
            hops[-1].ended, hops[-1].size = event["timestamp"], int(event["encodedDataLength"])

    def _on_failure(self, event: dict[str, Any]) -> None:
        if hops := self._open.get(event["requestId"]):
            hops[-1].ended, hops[-1].failure = event["timestamp"], _BLOCKED.get(event.get("blockedReason", ""), event["errorText"])

    def _headers(self, exchange: _Exchange, side: str) -> Headers:
        """Return the headers of one side, secrets redacted, up to the limit."""
        seen = self._extra.get((exchange.number, side), [])
        position = self._open[exchange.number].index(exchange)
        plain = exchange.request["headers"] if side == "sent" else (exchange.response or {}).get("headers", {})
        found: Mapping[str, str] = seen[position] if position < len(seen) else plain
        kept: list[tuple[str, str]] = []
        left = LIMITS.headers
        for name, values in found.items():
            for value in values.split("\n"):
                left -= len(name) + len(value)
                if left >= 0 and not name.startswith(":"):
                    kept.append((name.lower(), REDACTED if name.lower() in self._secret else value))
        return tuple(kept)

    def _entry(self, row: int, exchange: _Exchange) -> dict[str, Any]:
        ended = exchange.ended or exchange.answered or exchange.started
        answered = exchange.answered or ended
        wait, receive = (max(0.0, 1000 * seconds) for seconds in (answered - exchange.started, ended - answered))
        return {
            "pageref": "page_1",
            "startedDateTime": _iso(exchange.wall),
            "time": round(wait + receive, 3),
            "request": self._request(exchange),
            "response": self._response(row, exchange),
            "cache": {},
            "timings": {"send": 0, "wait": round(wait, 3), "receive": round(receive, 3)},
            "_resourceType": exchange.kind.lower(),
        }

    def _request(self, exchange: _Exchange) -> dict[str, Any]:
        request = exchange.request
        found = {
            "method": request["method"],
            "url": request["url"][: LIMITS.url],
            "httpVersion": (exchange.response or {}).get("protocol", ""),
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

    def _response(self, row: int, exchange: _Exchange) -> dict[str, Any]:
        response = exchange.response or {}
        content: dict[str, Any] = {"size": exchange.size, "mimeType": response.get("mimeType", "")}
        if row in self._bodies:
            body, is_base64 = self._bodies[row]
            content["size"] = len(body)
            content |= {"text": _base64(body), "encoding": "base64"} if is_base64 else {"text": body.decode("utf-8", "replace")}
        found = {
            "status": response.get("status", 0),
            "statusText": response.get("statusText", ""),
            "httpVersion": response.get("protocol", ""),
            "cookies": [],
            "headers": _named(self._headers(exchange, "received")),
            "content": content,
            "redirectURL": response.get("redirectURL", ""),
            "headersSize": -1,
            "bodySize": exchange.size,
        }
        return found | ({"_error": exchange.failure} if exchange.failure else {})


def _named(headers: Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def _query(url: str) -> list[dict[str, str]]:
    try:
        search = ada_url.URL(url).search
    except ValueError:
        return []
    return [{"name": name, "value": value} for name, value in ada_url.URLSearchParams(search).items()]


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _base64(body: bytes) -> str:
    return b64encode(body).decode()
