"""Command line options for what a browser knows of a page besides its content: files to write, and requests to block."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import msgspec

from render.errors import Rejected
from render.files import write_atomically
from sightread.cli.output import print_message

if TYPE_CHECKING:
    from render.capture.records import Blocking, Capture
    from sightread.cli.options import CaptureFiles

KINDS = "image, media, font, stylesheet, script, fetch, frame, ping or other"


def add_blocking(parser: argparse.ArgumentParser) -> None:
    """Add `--block` to a command that opens pages."""
    parser.add_argument(
        "--block",
        action="append",
        default=[],
        metavar="WHAT",
        help=f"requests that a page may not make, repeatable: {KINDS}; or an address, with * for any characters",
    )


def add_capture(parser: argparse.ArgumentParser) -> None:
    """Add the option group of files about a page to a command that opens one."""
    group = parser.add_argument_group("what the browser knows", "files to write besides the content; secrets are redacted in them")
    group.add_argument("--save-html", type=Path, metavar="FILE", help="the HTML as it is when the page is read")
    group.add_argument("--save-har", type=Path, metavar="FILE", help="the network log, with bodies, to be read again offline")
    group.add_argument("--save-console", type=Path, metavar="FILE", help="messages of the page's scripts, one JSON object per line")
    group.add_argument("--save-pdf", type=Path, metavar="FILE", help="the page as it would be printed")


def blocking(what: tuple[str, ...]) -> Blocking:
    """Return the requests that the option names. Raises `Rejected`."""
    from render.capture.records import Blocking, ResourceKind  # noqa: PLC0415  (a command's help needs no browser)

    known: dict[str, ResourceKind] = {kind: kind for kind in get_args(ResourceKind)}
    patterns = tuple(name for name in what if name not in known)
    for name in patterns:
        if not any(sign in name for sign in "*./"):
            raise Rejected(f"--block {name}: give {KINDS}, or an address such as '*://*.example.com/*'")
    return Blocking(tuple(known[name] for name in what if name in known), patterns)


def capture_fields(files: CaptureFiles, *, is_live: bool) -> dict[str, Any]:
    """Return the fields of `RenderOptions` for the files. Raises `Rejected` if the page is stored, and has no network log."""
    from render.capture.records import CaptureOptions  # noqa: PLC0415

    if not files:
        return {}
    if not is_live:
        raise Rejected("--save-html, --save-har, --save-console and --save-pdf are for pages that are opened by their URL: leave them out")
    har, console = files.save_har is not None, files.save_console is not None
    wanted = CaptureOptions(files.save_html is not None, har=har, har_bodies=har, console=console, pdf=files.save_pdf is not None)
    return {"capture": wanted}


def save_capture(files: CaptureFiles, capture: Capture | None) -> None:
    """Write the files. Raises `StorageFailed`."""
    if capture is None:
        return
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
    if capture.note:
        print_message(capture.note)
