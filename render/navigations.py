"""Where a tab goes: redirects by the server, by scripts and by `<meta>`, and the answer that it shows in the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from playwright.async_api import Frame, Request, Response
from playwright.async_api import Page as Tab

MOVES = 10
"""How often a page may move on by script or `<meta>`; two are seen in practice (consent, then language)."""


class Navigations:
    """Watches where the main frame of a tab goes, redirects by scripts and `<meta>` included."""

    def __init__(self, tab: Tab, give_up: Callable[[], None]) -> None:
        """`give_up` is called at the navigation that is one too many."""
        self._frame = tab.main_frame
        self._pending: Request | None = None
        self._give_up = give_up
        self.idle = asyncio.Event()
        """Set while no navigation is under way."""
        self.count = 0
        self.arrived: Response | None = None
        """The last answer to a navigation; one that turned into a download too."""
        self.shown: Response | None = None
        """The answer that the tab shows; None where it shows something that no server sent."""
        self.target = ""
        """Where the last navigation leads, redirects included."""
        self.failure = ""
        """Why the last navigation failed, in Chromium's words."""
        self.idle.set()
        tab.on("request", self._on_request)
        tab.on("response", self._on_response)
        tab.on("requestfailed", self._on_failure)
        tab.on("framenavigated", self._on_commit)

    def _on_request(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self._frame:
            self._pending = request
            self.target = request.url
            self.idle.clear()
            self.count += request.redirected_from is None
            if self.count > MOVES + 1:
                self._give_up()

    def _on_response(self, response: Response) -> None:
        if response.request == self._pending:
            self.arrived = response

    def _on_failure(self, request: Request) -> None:
        if request == self._pending:
            self.failure = request.failure or ""
            if "ERR_ABORTED" in self.failure:  # the tab stays where it is; after any other failure it goes to an error page
                self._pending = None
                self.idle.set()

    def _on_commit(self, frame: Frame) -> None:
        if frame == self._frame:
            if self._pending:
                self.shown = self.arrived if self.arrived and self.arrived.request == self._pending else None
            self._pending = None
            self.idle.set()
