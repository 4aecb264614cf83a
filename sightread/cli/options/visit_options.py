"""Command line options of a visit: late content, actions, blocked requests, and files about a page besides its content."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from sightread.cli.options.argument_types import delay
from sightread.cli.options.options import CaptureFiles, WaitOptions
from sightread.render.errors import Rejected, quoted
from sightread.render.files import write_atomically

if TYPE_CHECKING:
    from sightread.render.capture.records import Blocking, Capture
    from sightread.render.visit.actions import Action

VERBS = ("click", "type", "press", "scroll", "wait")
RESOURCE_KINDS = "image, media, font, stylesheet, script, fetch, frame, ping or other"


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


def waiting_fields(options: WaitOptions, url: str) -> dict[str, Any]:
    """Return the fields of `RenderOptions` for the group. Raises `Rejected`, also if they are given for stored HTML (an empty `url`)."""
    given = {"wait_for": options.wait_for, "min_wait": options.min_wait, "actions": tuple(map(read_action, options.action))}
    if not url and any(given.values()):
        raise Rejected("--wait-for, --min-wait and --action are for pages that are opened by their URL: leave them out")
    return given


def read_action(text: str) -> Action:
    """Parse one action, a verb and what it is done to. Raises `Rejected`."""
    from sightread.render.visit.actions import Click, Press, ScrollTo, TypeText, WaitFor  # noqa: PLC0415  (a command's help needs no browser)

    verb, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    match verb:
        case "click" if rest:
            return Click(rest)
        case "type":
            parts = _split(rest)
            if len(parts) != 2:
                raise Rejected(
                    f"--action {quoted(text)}: give a selector and a text, in quotes if they hold spaces: type #search 'two words'"
                )
            return TypeText(*parts)
        case "press" if rest:
            return Press(rest)
        case "scroll":
            return ScrollTo(int(rest) if rest.isdecimal() else rest or "bottom")
        case "wait" if rest:
            return WaitFor(float(rest) if rest.replace(".", "", 1).isdecimal() else rest)
    raise Rejected(f"--action {quoted(text)}: give one of {', '.join(VERBS)}, and what it is done to, such as 'click #more'")


def _split(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quotation mark without its partner
        return []


def add_blocking(parser: argparse.ArgumentParser) -> None:
    """Add `--block` to a command that opens pages."""
    parser.add_argument(
        "--block",
        action="append",
        default=[],
        metavar="WHAT",
        help=f"requests that a page may not make, repeatable: {RESOURCE_KINDS}; or an address, with * for any characters",
    )


def add_capture(parser: argparse.ArgumentParser) -> None:
    """Add the option group of files about a page to a command that opens one."""
    group = parser.add_argument_group("capture", "files to write besides the content; secrets are redacted in them")
    group.add_argument("--save-html", type=Path, metavar="FILE", help="write the HTML as it is when the page is read")
    group.add_argument("--save-har", type=Path, metavar="FILE", help="write the network log, with bodies, to be read again offline")
    group.add_argument(
        "--save-console", type=Path, metavar="FILE", help="write the messages of the page's scripts, one JSON object per line"
    )
    group.add_argument("--save-pdf", type=Path, metavar="FILE", help="write the page as it would be printed")


def blocking(what: tuple[str, ...]) -> Blocking:
    """Return the requests that the option names. Raises `Rejected`."""
    from sightread.render.capture.records import Blocking, ResourceKind  # noqa: PLC0415  (a command's help needs no browser)

    known: dict[str, ResourceKind] = {kind: kind for kind in get_args(ResourceKind)}
    patterns = tuple(name for name in what if name not in known)
    for name in patterns:
        if not any(sign in name for sign in "*./"):
            raise Rejected(f"--block {name}: give {RESOURCE_KINDS}, or an address such as '*://*.example.com/*'")
    return Blocking(tuple(known[name] for name in what if name in known), patterns)


def capture_fields(files: CaptureFiles, *, is_live: bool) -> dict[str, Any]:
    """Return the fields of `RenderOptions` for the files. Raises `Rejected` if the page is stored, and has no network log."""
    from sightread.render.capture.records import CaptureOptions  # noqa: PLC0415

    if not files:
        return {}
    if not is_live:
        raise Rejected("--save-html, --save-har, --save-console and --save-pdf are for pages that are opened by their URL: leave them out")
    har, console = files.save_har is not None, files.save_console is not None
    capture = CaptureOptions(files.save_html is not None, har=har, har_bodies=har, console=console, pdf=files.save_pdf is not None)
    return {"capture": capture}


def save_capture(files: CaptureFiles, capture: Capture) -> None:
    """Write the files. Raises `StorageFailed`."""
    import msgspec  # noqa: PLC0415

    console = b"".join(msgspec.json.encode(message) + b"\n" for message in capture.console)
    contents = {
        files.save_html: capture.html.encode(),
        files.save_har: capture.har,
        files.save_console: console,
        files.save_pdf: capture.pdf,
    }
    for path, content in contents.items():
        if path:
            write_atomically(path, content)
