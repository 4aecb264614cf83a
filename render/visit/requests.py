"""Requests of a page: access to its site (extra headers, cookies, user name and password), and requests that are blocked.

Access is bound to an origin (scheme, host and port) and goes nowhere else: not to third parties that a page of the site loads from, not to
a page that it redirects to, not to other ports. Cookies are the exception that RFC 6265 (section 8.5) makes for all cookies: they belong
to the host, not to its port; those of an https origin never travel by http. Playwright's own extra headers are sent with every request of
a page, to any host. So headers are added here request by request, through the debugging protocol: only requests to the origin are held up
for it, and what is added to one does not follow its redirects.

Blocked kinds of requests are refused when the browser would send the request, patterns before it looks at the request; nothing else is
held up. What frames of other origins request on their own is not covered. The egress boundary is independent of this.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import CDPSession
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.argument_checks import check_fields
from sightread.render.errors import Rejected
from sightread.render.network.address import check_url, origin_of
from sightread.render.network.http import TOKEN, is_sendable_login
from sightread.render.visit.capture import Blocking, ResourceKind

_OF_HTTPS = ("__host-", "__secure-", "__http-")
MOST_HEADER_CHARACTERS = 8_000
"""Characters of all headers, or of all cookies; most servers refuse a request's head of more."""

_VALUE = re.compile(r"[\x21-\x7e\x80-\xff]([\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?|")
"""A header's value (RFC 9110, section 5.5): no line breaks and no other control characters, no space at its ends."""
_COOKIE = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")
"""A cookie's value (RFC 6265, section 4.1.1)."""
_ELSEWHERE = {
    "cookie": "give it as a cookie",
    "user-agent": "give it as the user agent",
    "accept-language": "give it as the language",
}
_REFUSED = re.compile(
    r"(host|connection|content-length|accept-encoding|expect|keep-alive|te|trailer|transfer-encoding|upgrade|(proxy|sec)-.*)"
)
"""Headers about the transfer of a message, which only the browser may set."""


@dataclass(frozen=True, slots=True)
class Access:
    """Headers, cookies and credentials for one origin. Raises `Rejected` for values that cannot be sent; neither its errors nor its `repr`
    contain a value.
    """

    origin: str
    """Any address of the site's; its scheme, host and port count."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Names and values, sent with every request of a page to the origin."""
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Names and values, of the whole host alone."""
    user: str = field(default="", repr=False)
    """For HTTP authentication, sent when the origin requires it."""
    password: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_fields(self, secret=True)
        object.__setattr__(self, "origin", origin_of(check_url(self.origin).href))
        for number, (name, value) in enumerate(self.headers, 1):
            _check_header(number, name, value)
        for number, (name, value) in enumerate(self.cookies, 1):
            if not TOKEN.fullmatch(name):
                raise Rejected(f"cookie {number}: its name may hold letters, digits and !#$%&'*+-.^_`|~ alone")
            if name.lower().startswith(_OF_HTTPS) and not self.origin.startswith("https:"):
                raise Rejected(f"cookie {name}: browsers take a name of this beginning by https alone, and the page's address is http")
            if not _COOKIE.fullmatch(value):
                raise Rejected(f"cookie {name}: its value holds a space, a quote, a comma, a semicolon, a backslash or no ASCII: encode it")
        for what, pairs in (("headers", self.headers), ("cookies", self.cookies)):
            if sum(len(name) + len(value) for name, value in pairs) > MOST_HEADER_CHARACTERS:
                raise Rejected(f"the {what} have more than {MOST_HEADER_CHARACTERS} characters, which most servers refuse: send fewer")
        if not is_sendable_login(self.user, self.password):
            raise Rejected("user name or password hold a control character, or the user name a colon: neither can be sent")
        if self.password and not self.user:
            raise Rejected("a password without a user name: give both")


def _check_header(number: int, name: str, value: str) -> None:
    if not TOKEN.fullmatch(name):
        raise Rejected(f"header {number}: its name may hold letters, digits and !#$%&'*+-.^_`|~ alone (RFC 9110)")
    if name.lower() in _ELSEWHERE:
        raise Rejected(f"header {name}: {_ELSEWHERE[name.lower()]}")
    if _REFUSED.fullmatch(name.lower()):
        raise Rejected(f"header {name}: it belongs to the transfer, and the browser sets it: leave it out")
    if not _VALUE.fullmatch(value):
        raise Rejected(f"header {name}: its value holds a line break or another control character, or a space at an end (RFC 9110)")


async def grant(tab: Tab, access: Access) -> None:
    """Add the configured headers, cookies and credentials to the tab's requests to the origin, before the first page is opened."""
    session = await tab.context.new_cdp_session(tab)
    if access.cookies:
        secure = access.origin.startswith("https:")
        cookies = [
            {"name": name, "value": value, "url": f"{access.origin}/", "path": "/", "secure": secure, "sameSite": "Lax"}
            for name, value in access.cookies
        ]
        await session.send("Network.setCookies", {"cookies": cookies})
    if not access.headers and not access.user:
        return
    answered: set[str] = set()

    async def continue_request(paused: dict[str, Any]) -> None:
        request = paused["request"]
        answer: dict[str, Any] = {"requestId": paused["requestId"]}
        if request["url"].startswith(f"{access.origin}/") and access.headers:
            answer["headers"] = _with(request["headers"], access.headers)
        with suppress(PlaywrightError):  # the page went away meanwhile
            await session.send("Fetch.continueRequest", answer)

    async def answer(paused: dict[str, Any]) -> None:
        challenge, request = paused["authChallenge"], paused["requestId"]
        is_origin = challenge["origin"] == access.origin and challenge.get("source") != "Proxy" and request not in answered
        answered.add(request)  # a second challenge means that they were refused
        known = {"response": "ProvideCredentials", "username": access.user, "password": access.password}
        with suppress(PlaywrightError):
            response = known if is_origin else {"response": "CancelAuth"}
            await session.send("Fetch.continueWithAuth", {"requestId": request, "authChallengeResponse": response})

    session.on("Fetch.requestPaused", continue_request)
    session.on("Fetch.authRequired", answer)
    pattern = {"urlPattern": f"{access.origin}/*"}
    await session.send("Fetch.enable", {"patterns": [pattern], "handleAuthRequests": bool(access.user)})


def _with(headers: dict[str, str], added: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    replaced = {name.lower() for name, _ in added}
    kept = [(name, value) for name, value in headers.items() if name.lower() not in replaced]
    return [{"name": name, "value": value} for name, value in (*kept, *added)]


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
