"""Waits until the DOM and the layout of a page are stable.

A page without scripts pays nothing here, one whose scripts ended before its load event an idle callback, and one that still fills itself is
waited for until it has been quiet for a short while. The limits are judgement, and `python -m benchmarks waiting` measures their cost.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from playwright.async_api import CDPSession
from playwright.async_api import Page as Tab
from playwright.async_api import TimeoutError as PlaywrightTimeout

from render.errors import Unusable
from render.visit.devtools_session import Attached

LOAD_PATIENCE = 3.0
"""Seconds to wait for images and fonts, which move boxes, after the document itself is there. What is slower is mostly advertising.
A script that holds the rest of the document back is given up after as long."""
STALL = 3.0
"""Seconds without a new byte after which a document that has text is taken to have ended there."""
LOOK = 1.0
"""Seconds between two looks at a document that is still being read."""
IDLE = 50
"""ms to wait for the browser to have nothing to do; if idle it responds within a frame."""
START = 20
"""ms for what the page has asked for just now to leave the browser: what has not cannot be seen to be pending."""
QUIET = 150
"""ms without a change after which a page that did change is taken as it is."""
FONTS = 500
"""ms for fonts that still load after the load event."""
PROMISE = 2500
"""ms for a page that shows nothing yet, or little beside a spinner or an empty root."""
CAP = 4000
"""ms after the load event, whatever the page still does."""

_COMMENT = re.compile(r"^\s*/\*.*?\*/\n|^\s+", re.MULTILINE | re.DOTALL)
_FILES = ("settle.js", "collect_dom.js", "lazy.js")
_SCRIPT, _DOM, _LAZY = (_COMMENT.sub("", Path(__file__).with_name("js").joinpath(name).read_text(encoding="utf-8")) for name in _FILES)


_PROGRESS = """(options, make) => {
const dom = make.dom();
return JSON.stringify({
  loading: document.readyState === "loading",
  ended: (performance.getEntriesByType("navigation")[0]?.responseEnd ?? 0) > 0,
  size: dom.selectAll(document, "*").length + (dom.documentElement(document)?.textContent.length ?? 0),
  shows: Boolean(dom.bodyOf(document)?.innerText?.trim()),
});
}"""


class _Progress(msgspec.Struct):
    """How far a document is."""

    loading: bool
    ended: bool
    """Whether all of its bytes are there: what it waits for is a script."""
    size: int
    shows: bool
    """Whether it shows any text."""


class _State(msgspec.Struct):
    """The state of a page after waiting."""

    moved: bool
    """Whether it still changed at the end."""
    waits: bool
    """Whether something below the fold waits to be scrolled to."""


@dataclass(frozen=True, slots=True)
class IsolatedWorld:
    """An isolated world: a script context of our own in the tab's document, not affected by what the page overrides. It ends with the
    document.
    """

    session: CDPSession
    context: int
    url: str

    async def evaluate(self, script: str, options: dict[str, Any]) -> str:
        """Run a script, which takes options and the makers of its parts, and return the JSON that it resolves to.

        Raises `Unusable` if it fails. Playwright's error passes where the document went away meanwhile.
        """
        expression = f"({script})({msgspec.json.encode(options).decode()}, {{dom: ({_DOM}), lazy: ({_LAZY})}})"
        wanted = {"expression": expression, "contextId": self.context, "awaitPromise": True, "returnByValue": True}
        answer = await self.session.send("Runtime.evaluate", wanted)
        payload = answer.get("result", {}).get("value")
        if not isinstance(payload, str):
            complaint = answer.get("exceptionDetails", {}).get("exception", {}).get("description") or "no answer came"
            raise Unusable(f"{self.url}: the page cannot be watched: {complaint.partition(chr(10))[0]}")
        return payload


async def open_world(tab: Tab, attached: Attached) -> IsolatedWorld:
    """Open such a world in the document that the tab shows now."""
    return IsolatedWorld(attached.session, await attached.open_world(), tab.url)


async def wait_for_document(tab: Tab, attached: Attached, cut: Callable[[], None], ends: float) -> bool:
    """Wait until the tab's document is there, and for a while for its images and fonts; return whether it is whole.

    A document that shows text and still arrives at `ends` (of `perf_counter`), or of which no more arrives, is returned as not whole.
    `cut` is called to end the connections that wait for an answer if the rest of the document waits for a script.
    """
    started = grown = perf_counter()
    size = -1
    with suppress(PlaywrightTimeout):  # as a rule all of it is there soon, and one question is enough
        await tab.wait_for_load_state("load", timeout=LOOK * 1000)
        return True
    while True:
        try:
            await tab.wait_for_load_state("domcontentloaded", timeout=LOOK * 1000)
            break
        except PlaywrightTimeout:  # Playwright loses the event where a redirect to a download comes before it: look at the document
            answer = await (await open_world(tab, attached)).evaluate(_PROGRESS, {})
        now = perf_counter()
        progress = msgspec.json.decode(answer, type=_Progress)
        if not progress.loading:
            break
        if progress.size != size:
            size, grown = progress.size, now
        if progress.shows and now > ends:
            return False
        if progress.ended and now - started > LOAD_PATIENCE:
            cut()
        elif not progress.ended and progress.shows and now - grown > STALL:
            return False
    with suppress(PlaywrightTimeout):
        await tab.wait_for_load_state("load", timeout=(LOAD_PATIENCE - LOOK) * 1000)
    return True


async def settle(world: IsolatedWorld, has_pending_request: Callable[[], bool], hold: int = 0) -> bool:
    """Wait until the page stays as it is, for `hold` ms at least and within caps; return whether it waits to be scrolled.

    `has_pending_request` returns whether a request to its site is still unanswered. An answer that came meanwhile may not be on the page
    yet: the page is checked once more.
    """
    started = perf_counter()
    pending = has_pending_request()
    while True:
        spent = int((perf_counter() - started) * 1000)
        times = {"idle": IDLE, "start": START, "hold": hold, "quiet": QUIET, "fonts": FONTS, "promise": PROMISE - spent, "cap": CAP - spent}
        state = msgspec.json.decode(await world.evaluate(_SCRIPT, times), type=_State)
        pending_before, pending = pending, has_pending_request()
        if (perf_counter() - started) * 1000 > CAP - QUIET or not (pending or pending_before):
            return state.waits
        hold = QUIET
