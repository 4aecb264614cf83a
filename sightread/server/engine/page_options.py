"""From a request's page options to `RenderOptions`, and what an operator allows of them."""

from __future__ import annotations

from dataclasses import replace

from sightread.document.by_selector import check_selectors
from sightread.render.browser.browser import STORED, RenderOptions
from sightread.render.capture.records import Blocking, CaptureOptions
from sightread.render.errors import Rejected
from sightread.render.visit.actions import Action, Click, Press, ScrollTo, TypeText, WaitFor, check_condition
from sightread.render.visit.credentials import Access
from sightread.server.schema.requests import (
    HARMLESS_ACTIONS,
    ActionRequest,
    ClickAction,
    OnePage,
    PageOptions,
    PressAction,
    ScrollAction,
    TypeAction,
    WaitAction,
)


def render_options(request: PageOptions, url: str, *, is_stored: bool, actions: frozenset[str] = HARMLESS_ACTIONS) -> RenderOptions:
    """Return how to render a page. `actions` are the types of the actions that the operator allows. Raises `Rejected`."""
    for action in request.actions:
        if (kind := type(action).__struct_config__.tag) not in actions:
            raise Rejected(f"the operator of this service does not allow the action {kind}: use {' and '.join(sorted(actions))} alone")
    _check(request, is_stored=is_stored)
    outputs = frozenset(request.outputs)
    capture = CaptureOptions(
        html="page_html" in outputs,
        response="response" in outputs or bool(request.max_age),
        har="network" in outputs,
        console="console" in outputs,
    )
    options = RenderOptions(
        device=request.device.device(),
        access=_access(request, url),
        javascript=request.javascript and not is_stored,
        deadline=request.deadline,
        scroll=request.scroll,
        picture="screenshot" in outputs,
        wait_for=request.wait_for or None,
        min_wait=request.min_wait,
        actions=tuple(map(_action, request.actions)),
        capture=capture,
        block=Blocking(request.block),
    )
    return replace(options, collect=STORED.collect) if is_stored else options


def _check(request: PageOptions, *, is_stored: bool) -> None:
    """Raise `Rejected` for what `RenderOptions` would refuse, by the names that the request has for it."""
    check_selectors((*request.keep_selectors, *request.drop_selectors))
    for number, action in enumerate(request.actions):
        name = f"actions[{number}]"
        match action:
            case WaitAction(until=str() as until) if until:
                check_condition(f"{name}.until", until)
            case PressAction(key=""):
                raise Rejected(f"{name}.key is empty: give a key, such as Enter")
            case ClickAction(selector=selector) | TypeAction(selector=selector):
                check_condition(f"{name}.selector", selector)
            case _:
                pass
    if (request.wait_for or request.min_wait or request.actions) and (is_stored or not request.javascript):
        remedy = "leave them out of a request with html" if is_stored else "leave javascript out"
        raise Rejected(f"wait_for, min_wait and actions need the page's scripts, which do not run: {remedy}")


def is_cacheable(request: OnePage) -> bool:
    """Return whether the answer may be kept for other requests: it depends on the address and the options alone."""
    return not request.html and request.access is None and not request.actions


def _access(request: PageOptions, url: str) -> Access | None:
    if request.access is None:
        return None
    if not url:
        raise Rejected("access is for the site of a url, and none was sent: leave access out")
    return Access(url, headers=tuple(request.access.headers.items()), cookies=tuple(request.access.cookies.items()))


def _action(action: ActionRequest) -> Action:
    match action:
        case WaitAction(seconds=seconds, until=until):
            return WaitFor(until or seconds)
        case ScrollAction(to=target):
            return ScrollTo(target)
        case ClickAction(selector=selector):
            return Click(selector)
        case TypeAction(selector=selector, text=text):
            return TypeText(selector, text)
        case PressAction(key=key, selector=selector):
            return Press(key, selector)
