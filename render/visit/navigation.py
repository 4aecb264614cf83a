"""Navigations of a tab: redirects by server, scripts and `<meta>`, and the response that is shown in the end.

Until the first document arrives every request is listened to, which are few. After that requests are a page's own, dozens and hundreds;
an event per request would take a third of all our CPU time. So from there on only the frames are watched, and the response's status and
type are read from the document.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from playwright.async_api import CDPSession, Frame, Request, Response
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.errors import Unusable
from sightread.render.network.address import origin_of
from sightread.render.network.http import MOST_REDIRECTS, NO_HEADERS, PageHeaders, charset_of, first_line
from sightread.render.static.charset import decode_html

WORLD = "sightread"
"""The name of our script worlds: one per document, which nothing reaches that the page overrides."""
_COMMENT = re.compile(r"^\s*/\*.*?\*/\n|^\s+", re.MULTILINE | re.DOTALL)


def read_script(name: str) -> str:
    """Return a script of `render/visit/js`, without comments and indentation."""
    return _COMMENT.sub("", Path(__file__).with_name("js").joinpath(name).read_text(encoding="utf-8"))


_TIMERS = read_script("timers.js")


class Attached(NamedTuple):
    """A frame of a tab, by a session of the process that shows it and its id there; a main frame keeps its id as long as the tab lives."""

    tab: Tab
    session: CDPSession
    frame: str
    probe: str = ""
    """The name under which `timers.js` returns what a page has scheduled; empty if it does not run."""

    async def open_world(self) -> int:
        """Return our script world in the document that the frame shows now; it ends with the document."""
        world = await self.session.send("Page.createIsolatedWorld", {"frameId": self.frame, "worldName": WORLD})
        context: int = world["executionContextId"]
        return context

    async def evaluate(self, expression: str, world: int = 0) -> Any:
        """Return the value of an expression in that world, or in one that is open; a promise is waited for.

        Raises `Unusable` if it fails. Playwright's error passes if the document went away meanwhile.
        """
        parameters = {"expression": expression, "contextId": world or await self.open_world(), "awaitPromise": True, "returnByValue": True}
        answer = await self.session.send("Runtime.evaluate", parameters)
        if "exceptionDetails" in answer or "value" not in answer.get("result", {}):
            details = answer.get("exceptionDetails", {})
            complaint = details.get("exception", {}).get("description") or details.get("text") or "nothing came back"
            raise Unusable(f"{self.tab.url}: the page cannot be read: {first_line(complaint)}")
        return answer["result"]["value"]


async def attach(tab: Tab) -> Attached:
    """Attach to the main frame of a tab; the session ends with the tab."""
    session = await tab.context.new_cdp_session(tab)
    await session.send("Page.enable")  # for listeners to events of its frames
    tree = await session.send("Page.getFrameTree")
    return Attached(tab, session, tree["frameTree"]["frame"]["id"])


async def watch_timers(attached: Attached) -> Attached:
    """Record what the tab's pages schedule, from its next document on; its name is a secret of the tab."""
    probe = f"sightread-{secrets.token_hex(16)}"
    await attached.session.send("Page.addScriptToEvaluateOnNewDocument", {"source": f'({_TIMERS})("{probe}")'})
    return attached._replace(probe=probe)


MOST_MOVES = 10
"""How often a page may move on by script or `<meta>`; two are seen in practice (consent, then language)."""
_RESPONSE = "JSON.stringify([performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0, document.contentType])"


class DocumentResponse(NamedTuple):
    """The response to a document request: its HTTP status, 0 if there was no server, its type, and its Retry-After, if that is known."""

    status: int
    content_type: str
    retry_after: str = ""
    headers: PageHeaders = NO_HEADERS


class Navigations:
    """Watches where the main frame of a tab goes, redirects by scripts and `<meta>` included."""

    def __init__(self, attached: Attached, give_up: Callable[[str], None]) -> None:
        """`give_up` is called with the reason at the navigation that is one too many."""
        tab = self._tab = attached.tab
        self._attached = attached
        self._give_up = give_up
        self._pending: Request | None = None
        self._redirects = 0
        self._is_moving = False
        self.idle = asyncio.Event()
        """Set while no navigation is under way."""
        self.count = 0
        self.arrived: DocumentResponse | None = None
        """The last answer before the first document; one that turned into a download too."""
        self._answer: Response | None = None
        """The last answer itself, for its body."""
        self.target = ""
        """Where the last navigation leads, redirects included."""
        self.failure = "net::ERR_FAILED"
        """Why the last navigation failed, in Chromium's words."""
        self.origins: set[str] = set()
        """Responses of all documents that came from a server, frames' included."""
        self.is_restless = False
        """Whether the page has announced a navigation, at once or after a while."""
        self.idle.set()
        self._requests: dict[Any, Callable[[Any], None]] = {
            "request": self._on_request,
            "response": self._on_response,
            "requestfailed": self._on_failure,
        }
        self._frames: dict[str, Callable[[dict[str, Any]], None]] = {
            "Page.frameScheduledNavigation": self._on_schedule,
            "Page.frameStartedNavigating": self._on_start,
            "Page.frameNavigated": self._on_arrival,
            "Page.frameStoppedLoading": self._on_stop,
        }
        for event, listener in self._requests.items():
            tab.on(event, listener)
        for name, listener in self._frames.items():
            attached.session.on(name, listener)
        tab.on("framenavigated", self._on_commit)

    def close(self) -> None:
        """Remove the listeners."""
        self._ignore_requests()
        for name, listener in self._frames.items():
            self._attached.session.remove_listener(name, listener)
        self._tab.remove_listener("framenavigated", self._on_commit)

    async def response(self) -> DocumentResponse:
        """Return the response for the document that the tab shows."""
        return msgspec.json.decode(await self._attached.evaluate(_RESPONSE), type=DocumentResponse)

    async def source(self) -> str:
        """Return the HTML with which the document came; empty if a script or `<meta>` led to it, or the browser has it no longer."""
        if self._answer is None or self.count > 1:
            return ""
        with suppress(PlaywrightError):
            body, charset = await self._answer.body(), charset_of(self._answer.headers.get("content-type", ""))
            return (await asyncio.to_thread(decode_html, body, charset)).text
        return ""

    def _ignore_requests(self) -> None:
        for event, listener in self._requests.items():
            self._tab.remove_listener(event, listener)
        self._requests = {}

    def _begin(self) -> None:
        self.idle.clear()
        self.count += 1
        if self.count > MOST_MOVES + 1:
            self._give_up("it moves on and on: only pages that stay can be read")

    # Until the first document is there.

    def _on_request(self, request: Request) -> None:
        if not request.is_navigation_request() or request.frame != self._tab.main_frame:
            return
        self._pending = request
        self.target = request.url
        if request.redirected_from is None:
            self._begin()
            return
        self._redirects += 1
        if self._redirects > MOST_REDIRECTS:
            self._give_up(f"it redirects more than {MOST_REDIRECTS} times: give the address that it leads to")

    def _on_response(self, response: Response) -> None:
        if response.request == self._pending:
            headers = response.headers
            kind, wait = (headers.get(name, "") for name in ("content-type", "retry-after"))
            self.arrived = DocumentResponse(response.status, kind, wait, PageHeaders.of(headers))
            self._answer = response

    def _on_failure(self, request: Request) -> None:
        if request == self._pending:
            self.failure = request.failure or ""
            if "ERR_ABORTED" in self.failure:  # the tab stays where it is; after any other failure it goes to an error page
                self._pending = None
                self.idle.set()

    def _on_commit(self, frame: Frame) -> None:
        if frame.url.startswith(("http:", "https:")):
            self.origins.add(origin_of(frame.url))
        if frame == self._tab.main_frame and self._requests:
            self._ignore_requests()
            self.idle.set()

    # From then on; before it, their content is known.

    def _on_schedule(self, event: dict[str, Any]) -> None:
        self.is_restless = True

    def _on_start(self, event: dict[str, Any]) -> None:
        if event["frameId"] == self._attached.frame and not self._requests and event["navigationType"] != "sameDocument":
            self._is_moving = True
            self.target = event["url"]
            self._begin()

    def _on_arrival(self, event: dict[str, Any]) -> None:
        self._end_move(event["frame"]["id"])

    def _on_stop(self, event: dict[str, Any]) -> None:
        self._end_move(event["frameId"])  # without a document: a download, or nothing came

    def _end_move(self, frame: str) -> None:
        if frame == self._attached.frame and self._is_moving:
            self._is_moving = False
            self.idle.set()
