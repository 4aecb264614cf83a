"""Waits until the DOM and the layout of a page are stable.

A page without scripts is not delayed, one whose scripts ended before its load event an idle callback, and one that still fills itself is
waited for until it has been quiet for a short while. The limits are judgement; their cost is in docs/experiments/rendering.md.

Lazy content: scrolls the page viewport by viewport if it shows signs of content that loads on scrolling.

If that is requested, a page is scrolled to its end instead, beyond the height that it had, and so are boxes in it that scroll.
Rows that a list takes away when they leave the view (virtual scrolling) are kept meanwhile and put back, so that the page is collected with
all of them, in order and each once. Steps, time, rows and characters are bounded; a bound that ended it is named in `Page.unfinished`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any, Literal, NamedTuple

import msgspec
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sightread.render.visit.navigation import Attached, read_script


@dataclass(frozen=True, slots=True)
class StepLimits:
    """How far a page is scrolled; times in ms."""

    steps: int = 40
    """Of a viewport each."""
    cap: int = 4000
    """For all steps."""
    pause: int = 50
    """After a step, for the browser to have nothing to do; two frames pass before."""
    timeout: int = 1000
    """Twice at the end of an endless page, for more to come."""
    rows: int = 10_000
    """Of lists, that come while it is scrolled; those of lists in lists count too."""
    characters: int = 10_000_000
    """In these rows."""


LAZY = StepLimits()
ENDLESS = StepLimits(steps=200, cap=15_000)

_STEP = 'async (options, make) => (await make.lazy(make.dom()).step(options)) ?? ""'
_STEP_TO_END = f"(options, make) => {{ const dom = make.dom(); return ({read_script('endless.js')})(dom, make.lazy(dom))(options); }}"
_PUT_BACK = '(options, make) => { for (const kept of globalThis.keptRows ?? []) kept.putBack(); return ""; }'


@dataclass(frozen=True, slots=True)
class WaitLimits:
    """How long a page is waited for, in ms; judgement, whose cost is in docs/experiments/rendering.md."""

    load: int = 3000
    """For images and fonts, which move boxes, after the document itself is there; slower ones are mostly advertising. A script that holds
    the rest of the document back is given up after as long."""
    stall: int = 3000
    """Without a new byte, after which a document that has text is taken to have ended."""
    look: int = 1000
    """Between two looks at a document that still arrives."""
    idle: int = 50
    """For the browser to have nothing to do; if idle it responds within a frame."""
    start: int = 20
    """For requests of the page to leave the browser: before that they cannot be seen to be pending."""
    quiet: int = 150
    """Without a change, after which a page that did change is taken as it is."""
    fonts: int = 500
    """For fonts that still load after the load event."""
    promise: int = 2500
    """For a page that shows nothing yet, or little beside a loading indicator or an empty root, and has scheduled nothing."""
    scheduled: int = 3500
    """For timers, idle callbacks and animations of a page with little text, or one that looks unfinished; later ones are not awaited."""
    answer: int = 2000
    """For an answer to a request; what takes longer is mostly a channel of events that stays open."""
    answer_if_incomplete: int = 4000
    """The same for a page with little text, or one that looks unfinished."""
    cap: int = 4000
    """After the load event, even if the page continues."""


LIMITS = WaitLimits()

Sign = Literal["", "empty", "root", "message", "indicator", "main", "placeholders"]
SIGNS: dict[Sign, str] = {
    "empty": "it shows no text",
    "root": "the element for its content is empty",
    "message": "its text is a loading message",
    "indicator": "it shows a loading indicator",
    "main": "its main element is empty",
    "placeholders": "it shows placeholders",
}

_SCRIPT, _DOM, _LAZY = map(read_script, ("settle.js", "collect/collect_dom.js", "lazy.js"))


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


class _State(msgspec.Struct):
    """The state of a page after waiting."""

    moved: bool
    """Whether it still changed at the end."""
    sign: Sign
    is_incomplete: bool = msgspec.field(name="isIncomplete")
    """Whether it has little text, or looks unfinished."""
    waits: bool
    """Whether something below the fold waits to be scrolled to."""


class Settled(NamedTuple):
    """The result of waiting for a page."""

    waits_for_scrolling: bool
    """Whether something below the fold waits to be scrolled to."""
    unfinished: str
    """Why it still looks unfinished; empty if it does not."""


async def run_script(attached: Attached, script: str, options: dict[str, Any]) -> str:
    """Run a script, which takes options and the makers of its parts, in an isolated world of the document that the tab shows now.

    Returns the JSON that it resolves to. Raises what `Attached.evaluate` raises.
    """
    return str(await attached.evaluate(f"({script})({msgspec.json.encode(options).decode()}, {{dom: ({_DOM}), lazy: ({_LAZY})}})"))


async def wait_for_document(attached: Attached, cut: Callable[[], None], ends: float) -> bool:
    """Wait until the tab's document is there, and for a while for its images and fonts; return whether it is whole.

    A document that shows text and still arrives at `ends` (of `perf_counter`), or of which no more arrives, is returned as not whole.
    `cut` is called to end the connections that wait for an answer if the rest of the document waits for a script.
    """
    started = grown = perf_counter()
    size = -1
    with suppress(PlaywrightTimeout):  # as a rule all of it is there soon, and one question is enough
        await attached.tab.wait_for_load_state("load", timeout=LIMITS.look)
        return True
    while True:
        try:
            await attached.tab.wait_for_load_state("domcontentloaded", timeout=LIMITS.look)
            break
        except PlaywrightTimeout:  # Playwright loses the event if a redirect to a download comes before it: look at the document
            answer = await run_script(attached, _PROGRESS, {})
        now = perf_counter()
        progress = msgspec.json.decode(answer, type=_Progress)
        if not progress.loading:
            break
        if progress.size != size:
            size, grown = progress.size, now
        if progress.shows and now > ends:
            return False
        if progress.ended and (now - started) * 1000 > LIMITS.load:
            cut()
        elif not progress.ended and progress.shows and (now - grown) * 1000 > LIMITS.stall:
            return False
    with suppress(PlaywrightTimeout):
        await attached.tab.wait_for_load_state("load", timeout=LIMITS.load - LIMITS.look)
    return True


async def settle(attached: Attached, has_pending_request: Callable[[float], bool], hold: int = 0) -> Settled:
    """Wait until the page stays as it is, for `hold` ms at least and within limits.

    `has_pending_request` returns whether a request to its site, sent within that many seconds, is still unanswered. An answer that came
    meanwhile may not be on the page yet: the page is checked once more.
    """
    started = perf_counter()
    pending = has_pending_request(LIMITS.answer / 1000)
    while True:
        spent = int((perf_counter() - started) * 1000)
        left = {name: getattr(LIMITS, name) - spent for name in ("promise", "scheduled", "cap")}
        fixed = {name: getattr(LIMITS, name) for name in ("idle", "start", "quiet", "fonts")}
        times = left | fixed | {"hold": hold}  # in ms from now
        state = msgspec.json.decode(await run_script(attached, _SCRIPT, times | {"probe": attached.probe}), type=_State)
        timeout = LIMITS.answer_if_incomplete if state.is_incomplete else LIMITS.answer
        pending_before, pending = pending, has_pending_request(timeout / 1000)
        spent = int((perf_counter() - started) * 1000)
        if spent > LIMITS.cap - LIMITS.quiet or not (pending or pending_before):
            break
        hold = LIMITS.quiet
    if state.sign:
        unfinished = SIGNS[state.sign]
    elif state.moved:
        unfinished = f"it was still changing {spent / 1000:.1f} s after its load event"
    else:
        unfinished = "requests to its site were unanswered" if pending and state.is_incomplete else ""
    return Settled(state.waits, unfinished)


async def step_through(attached: Attached, has_pending_request: Callable[[float], bool]) -> Settled:
    """Scroll through the page and back to its top, and wait until it is stable."""
    await run_script(attached, _STEP, asdict(LAZY))
    return await settle(attached, has_pending_request, hold=LIMITS.quiet)


async def step_to_end(attached: Attached, has_pending_request: Callable[[float], bool], seconds: float) -> Settled:
    """Scroll to the end of the page and back to its top, within that many seconds, put back the rows that it took away meanwhile, and wait
    until it is stable.
    """
    limits = replace(ENDLESS, cap=min(ENDLESS.cap, max(0, int(1000 * seconds))))
    bound = await run_script(attached, _STEP_TO_END, asdict(limits))
    settled = await settle(attached, has_pending_request, hold=LIMITS.quiet)
    await run_script(attached, _PUT_BACK, {})
    return settled._replace(unfinished=settled.unfinished or (bound and f"its end was not reached within {bound}"))
