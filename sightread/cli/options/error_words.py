"""Errors in the words of the command line: options in place of the fields and arguments that they set."""

from __future__ import annotations

import re

from sightread.render.errors import SightreadError

_OPTIONS = {
    "Click": "--action",
    "TypeText": "--action",
    "Press": "--action",
    "ScrollTo": "--action",
    "WaitFor": "--action",
    "Upstream": "--proxy",
    "Blocking": "--block",
    "RenderOptions: actions": "--action",
    "Access: headers": "--header",
    "Access: cookies": "--cookie",
    "Access: user": "--credentials",
    "Access: password": "--credentials",
    "RateLimit: at_once": "--per-host",
}
"""Options by the record or the field that they set; any other has the field's name."""


def worded(error: SightreadError, *, has_local: bool = True) -> str:
    """Return the message of an error, for a command that has `--local` or not."""
    return error.worded(_option, "; --local opens it" if has_local else "")


def worded_note(message: str) -> str:
    """Return the message of a note, with options in place of the fields that it advises."""
    return re.sub(r"\((wait_for|min_wait)\)", lambda found: f"({_option(found[1])})", message)


def _option(name: str) -> str:
    record, _, field = name.rpartition(": ")
    return _OPTIONS.get(name) or _OPTIONS.get(record) or f"--{field.replace('_', '-')}"
