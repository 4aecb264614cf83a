"""Actions on a page before it is read, and conditions that it is waited for: declarative records, in which no script of a caller runs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import perf_counter

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator
from playwright.async_api import Page as Tab
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sightread.render.argument_checks import check_fields, check_range
from sightread.render.errors import ConditionNotMet, Rejected, Unusable, quoted
from sightread.render.visit.navigation import Attached, read_script
from sightread.render.visit.options import Condition
from sightread.render.visit.settle import run_script

ACTION_SECONDS = 5.0
"""For the element of an action to appear and to be ready for it."""
MOST_CLICKS = 100
"""Of one action."""
LONGEST_CONDITION = 2000
"""Characters of a selector or a text."""
POLL_SECONDS = 0.1
"""Between two calls of a condition that is a function."""
TEXT = "text="
"""How a condition begins that is a text and no selector."""

_NO_SELECTOR = re.compile(r"while parsing (css )?selector|is not a valid selector|engine expects")
"""In Playwright's error for a selector that cannot be parsed."""
_CONDITION = read_script("condition.js")
_COUNT = '(options, make) => String(make.dom().selectAll(document, "*").length)'
_TO_TOP = 'async (options, make) => make.dom().scroller.scrollTo({ top: 0, behavior: "instant" }) ?? ""'


@dataclass(frozen=True, slots=True)
class Click:
    """Click the first element of a CSS selector, once it can be clicked."""

    selector: str
    repeated: bool = field(default=False, kw_only=True)
    """Whether it is clicked again and again, until it is not shown or enabled, or brings no further elements; a page may lack it."""

    def __post_init__(self) -> None:
        check_fields(self)
        _check_length("Click: selector", self.selector)


@dataclass(frozen=True, slots=True)
class TypeText:
    """Replace the content of a field by a text."""

    selector: str
    text: str

    def __post_init__(self) -> None:
        check_fields(self)
        _check_length("TypeText: selector", self.selector)


@dataclass(frozen=True, slots=True)
class Press:
    """Press a key, such as `Enter` or `Control+A`: in the first element of a selector, else where the focus is."""

    key: str
    selector: str = ""

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.key:
            raise Rejected("is empty: give a key, such as 'Enter'", "Press: key")
        if self.selector:
            _check_length("Press: selector", self.selector)


@dataclass(frozen=True, slots=True)
class ScrollTo:
    """Scroll to `top`, to `bottom`, to a number of CSS px from the top, or to the first element of a selector."""

    target: str | int = "bottom"

    def __post_init__(self) -> None:
        check_fields(self)
        if isinstance(self.target, str):
            _check_length("ScrollTo: target", self.target)


@dataclass(frozen=True, slots=True)
class WaitFor:
    """Wait a number of seconds, or until an element of a selector or a text (`text=…`) is shown."""

    until: float | str

    def __post_init__(self) -> None:
        check_fields(self)
        if isinstance(self.until, str):
            check_condition("WaitFor: until", self.until)
        else:
            check_range("WaitFor: until", self.until, 0, unit="seconds")


Action = Click | TypeText | Press | ScrollTo | WaitFor


def check_condition(name: str, condition: Condition | None) -> None:
    """Raise `Rejected` for an empty selector or text, or one that is too long."""
    if isinstance(condition, str):
        _check_length(name, condition.removeprefix(TEXT), f"a CSS selector, or {TEXT} and a text,", condition)


def _check_length(name: str, text: str, kind: str = "a CSS selector", shown: str = "") -> None:
    """Raise `Rejected` for an empty text, or one that is too long; whether a selector can be parsed is known in the page."""
    if not 0 < len(text.strip()) <= LONGEST_CONDITION:
        raise Rejected(f"is {quoted(shown or text)}: give {kind} of 1 to {LONGEST_CONDITION} characters", name)


def describe(action: Action) -> str:
    """Return an action as the command line writes it, such as `click #more`."""
    match action:
        case Click(selector):
            return f"click{'-all' if action.repeated else ''} {selector}"
        case TypeText(selector, _):
            return f"type {selector}"  # the text may be a password
        case Press(key, selector):
            return f"press {key} {selector}".rstrip()
        case ScrollTo(target):
            return f"scroll {target}"
        case WaitFor(until):
            return f"wait {until}"


def not_met(url: str, field: str, condition: Condition, seconds: float) -> ConditionNotMet:
    """Return the error of a page that was not shown as a field wanted it."""
    what = f" {quoted(condition)}" if isinstance(condition, str) else ""
    remedy = "check it, or give a longer deadline"
    return ConditionNotMet(f"{url}: {field}{what} was not met within {seconds:.0f} s: {remedy}", field)


async def perform(action: Action, attached: Attached, seconds: float, wait: Callable[[], Awaitable[object]]) -> str:
    """Do one action within that many seconds, and return the bound that ended it, if one did; `wait` waits for what a click brings.

    Raises `Unusable` if the page lacks its element, `ConditionNotMet` if what it waits for is not shown, `Rejected` for a bad selector.
    """
    url, limit = attached.tab.url, min(seconds, ACTION_SECONDS)
    match action:
        case WaitFor(until):
            if not isinstance(until, str):
                await asyncio.sleep(min(until, seconds))
            elif not await is_met(until, attached, seconds):
                raise not_met(url, "WaitFor: until", until, seconds)
        case _:
            ends = perf_counter() + seconds
            try:
                if isinstance(action, Click) and action.repeated:
                    return await _click_all(action, attached, ends - ACTION_SECONDS, wait)
                await _act(action, attached.tab, limit)
            except PlaywrightTimeout as error:
                raise Unusable(f"{url}: {describe(action)}: no element is ready for it within {limit:.0f} s") from error
            except PlaywrightError as error:
                if not _NO_SELECTOR.search(error.message):
                    raise
                field, selector = ("target", action.target) if isinstance(action, ScrollTo) else ("selector", action.selector)
                raise Rejected(f"is {quoted(selector)}, no CSS selector: correct it", f"{type(action).__name__}: {field}") from error
    return ""


async def _click_all(action: Click, attached: Attached, ends: float, wait: Callable[[], Awaitable[object]]) -> str:
    """Click an element for as long as that brings more, and return the bound that ended it, if one did."""
    button, began = _first(attached.tab, action.selector), perf_counter()
    for _ in range(MOST_CLICKS):
        if perf_counter() > ends:
            return f"{describe(action)} ended after {ends - began:.0f} s"
        before = int(await run_script(attached, _COUNT, {}))
        if not (await button.is_visible() and await button.is_enabled()):
            return ""
        try:
            await button.click(timeout=ACTION_SECONDS * 1000)
        except PlaywrightTimeout:
            return f"{describe(action)} ended at an element that is covered"
        await wait()
        if int(await run_script(attached, _COUNT, {})) <= before:
            return ""
    return f"{describe(action)} ended after {MOST_CLICKS} clicks"


async def is_met(condition: Condition, attached: Attached, seconds: float) -> bool:
    """Wait for a condition, and return whether it was met within the given number of seconds. Raises `Rejected` for a bad selector."""
    if not isinstance(condition, str):
        ends = perf_counter() + seconds
        while not await condition(attached.tab):
            if perf_counter() > ends:
                return False
            await asyncio.sleep(POLL_SECONDS)
        return True
    text = condition.removeprefix(TEXT) if condition.startswith(TEXT) else ""
    options = {"selector": "" if text else condition, "text": text, "time": max(0, int(seconds * 1000))}
    answer = await run_script(attached, _CONDITION, options)
    if answer == "null":
        raise Rejected(f"{quoted(condition)} is no CSS selector: correct it, or write text= before a text")
    return answer == "true"


async def scroll_to_top(attached: Attached) -> None:
    """Scroll back to where a page is collected from."""
    await run_script(attached, _TO_TOP, {})


async def _act(action: Click | TypeText | Press | ScrollTo, tab: Tab, seconds: float) -> None:
    match action:
        case Click(selector):
            await _first(tab, selector).click(timeout=seconds * 1000)
        case TypeText(selector, text):
            await _first(tab, selector).fill(text, timeout=seconds * 1000)
        case Press(key, selector):
            await (_first(tab, selector).press(key, timeout=seconds * 1000) if selector else tab.keyboard.press(key))
        case ScrollTo("top" | "bottom" | int() as place):
            top = "document.scrollingElement.scrollHeight" if place == "bottom" else str(0 if place == "top" else place)
            await tab.evaluate(f"scrollTo(0, {top})")
        case ScrollTo(target):
            await _first(tab, str(target)).scroll_into_view_if_needed(timeout=seconds * 1000)


def _first(tab: Tab, selector: str) -> Locator:
    return tab.locator(f"css={selector}").first
