"""Errors in the words of the service: fields of a request in place of the fields and arguments of the Python API, and no path, host or
database of the server, which its log has.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

from sightread.render.errors import BadRecord, SightreadError, StorageFailed

LOG = logging.getLogger(__name__)

_PREFIXES = {
    "RenderOptions": "",
    "Device": "device.",
    "Access": "access.",
    "Click": "actions: ",
    "TypeText": "actions: ",
    "Press": "actions: ",
    "ScrollTo": "actions: ",
    "WaitFor": "actions: ",
}
"""Prefixes of the fields of a request, by the record that has the field."""

_OWN_FILE = re.compile(r"(/[^/:][^:]*): ")
"""The path at the beginning of the message of an error about a file: its name alone is sent."""
_PRIVATE = ": this service reads the public web alone"


def worded(error: BaseException | None) -> str:
    """Return the message of an error in one line; for faults of the server's own files who can mend them, and the log has the rest."""
    if isinstance(error, StorageFailed | BadRecord):
        LOG.warning("%s", " ".join(str(error).split()))
        what = "its storage failed" if isinstance(error, StorageFailed) else "one of its files is damaged, or of another version"
        return f"the service cannot do this: {what}; the operator finds the reason in the log"
    text = " ".join(error.worded(_field, _PRIVATE).split()) if isinstance(error, SightreadError) else ""
    if type(error) is SightreadError:  # a defect, whose message may hold anything
        LOG.warning("%s", text)
        return "the service cannot do this, by a defect of its own; the operator finds the reason in the log"
    if own := _OWN_FILE.match(text):
        LOG.warning("%s", text)
        text = text.replace(own[1], Path(own[1]).name)
    return text


def _field(name: str) -> str:
    record, _, field = name.partition(": ")
    return f"{_PREFIXES[record]}{field}" if record in _PREFIXES else name
