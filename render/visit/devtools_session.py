"""DevTools session of a tab's main frame: runs our scripts in isolation from the page's."""

from __future__ import annotations

from typing import NamedTuple

from playwright.async_api import CDPSession
from playwright.async_api import Page as Tab

WORLD = "sightread"
"""The name of the script worlds of ours: in each document one, where nothing reaches that the page overrides."""


class Attached(NamedTuple):
    """A session of the process that shows a frame, and the frame's id there; a tab's main frame keeps its id as long as the tab lives."""

    session: CDPSession
    frame: str

    async def open_world(self) -> int:
        """Return the script world of ours in the document that the frame shows now; it ends with the document."""
        world = await self.session.send("Page.createIsolatedWorld", {"frameId": self.frame, "worldName": WORLD})
        context: int = world["executionContextId"]
        return context


async def attach(tab: Tab) -> Attached:
    """Attach to the main frame of a tab; the session ends with the tab."""
    session = await tab.context.new_cdp_session(tab)
    await session.send("Page.enable")  # for who listens to what its frames do
    tree = await session.send("Page.getFrameTree")
    return Attached(session, tree["frameTree"]["frame"]["id"])
