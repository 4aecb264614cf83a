"""Command line options for late content: what a page is waited for, and what is done on it before it is read."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any

from render.errors import Rejected
from sightread.cli.argument_types import delay
from sightread.cli.options import Waiting

if TYPE_CHECKING:
    from render.visit.actions import Action

VERBS = ("click", "type", "press", "scroll", "wait")


def add_waiting(parser: argparse.ArgumentParser) -> None:
    """Add the option group of late content to a command that opens pages."""
    group = parser.add_argument_group("late content")
    group.add_argument("--wait-for", metavar="WHAT", help="wait until it is shown: a CSS selector, or text=SOME WORDS")
    group.add_argument("--min-wait", type=delay, default=0.0, metavar="S", help="seconds to wait at least after a page has loaded")
    group.add_argument(
        "--action",
        action="append",
        default=[],
        metavar="'VERB …'",
        help="done before a page is read, repeatable: 'click SELECTOR', 'type SELECTOR TEXT', 'press KEY', "
        "'scroll bottom' (or top, px, a selector), 'wait SECONDS' (or a selector, or text=…)",
    )


def waiting_fields(options: Waiting, url: str) -> dict[str, Any]:
    """Return the fields of `RenderOptions` for the group. Raises `Rejected`, also if they are given for stored HTML (an empty `url`)."""
    given = {"wait_for": options.wait_for, "min_wait": options.min_wait, "actions": tuple(map(read_action, options.action))}
    if not url and any(given.values()):
        raise Rejected("--wait-for, --min-wait and --action are for pages that are opened by their URL: leave them out")
    return given


def read_action(text: str) -> Action:
    """Parse one action, a verb and what it is done to. Raises `Rejected`."""
    from render.visit.actions import Click, Press, ScrollTo, TypeText, WaitFor  # noqa: PLC0415  (a command's help needs no browser)

    verb, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    match verb:
        case "click" if rest:
            return Click(rest)
        case "type":
            parts = _split(rest)
            if len(parts) != 2:
                raise Rejected(f"--action {text!r}: give a selector and a text, in quotes if they hold spaces: type #search 'two words'")
            return TypeText(*parts)
        case "press" if rest:
            return Press(rest)
        case "scroll":
            return ScrollTo(int(rest) if rest.isdecimal() else rest or "bottom")
        case "wait" if rest:
            return WaitFor(float(rest) if rest.replace(".", "", 1).isdecimal() else rest)
    raise Rejected(f"--action {text!r}: give one of {', '.join(VERBS)}, and what it is done to, such as 'click #more'")


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quotation mark without its partner
        return []
