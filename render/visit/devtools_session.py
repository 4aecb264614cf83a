"""DevTools session of a tab's main frame: runs our scripts in isolation from the page's."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import CDPSession
from playwright.async_api import Page as Tab

WORLD = "sightread"
"""The name of our script worlds: one per document, which nothing reaches that the page overrides."""
_COMMENT = re.compile(r"^\s*/\*.*?\*/\n|^\s+", re.MULTILINE | re.DOTALL)


def read_script(name: str) -> str:
    """Return a script of `render/visit/js`, without comments and indentation."""
    return _COMMENT.sub("", Path(__file__).with_name("js").joinpath(name).read_text(encoding="utf-8"))


_TIMERS = read_script("timers.js")


class Attached(NamedTuple):
    """A session of the process that shows a frame, and the frame's id there; a tab's main frame keeps its id as long as the tab lives."""

    session: CDPSession
    frame: str
    probe: str = ""
    """The name under which `timers.js` returns what a page has scheduled; empty if it does not run."""

    async def open_world(self) -> int:
        """Return our script world in the document that the frame shows now; it ends with the document."""
        world = await self.session.send("Page.createIsolatedWorld", {"frameId": self.frame, "worldName": WORLD})
        context: int = world["executionContextId"]
        return context


async def attach(tab: Tab) -> Attached:
    """Attach to the main frame of a tab; the session ends with the tab."""
    session = await tab.context.new_cdp_session(tab)
    await session.send("Page.enable")  # for listeners to events of its frames
    tree = await session.send("Page.getFrameTree")
    return Attached(session, tree["frameTree"]["frame"]["id"])


async def watch_timers(attached: Attached) -> Attached:
    """Record what the tab's pages schedule, from its next document on; its name is a secret of the tab."""
    probe = f"sightread-{secrets.token_hex(16)}"
    await attached.session.send("Page.addScriptToEvaluateOnNewDocument", {"source": f'({_TIMERS})("{probe}")'})
    return attached._replace(probe=probe)
