"""Errors in the words of the service: fields of a request in place of the fields and arguments of the Python API."""

from __future__ import annotations

from render.errors import SightreadError

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


def worded(error: SightreadError) -> str:
    """Return the message of an error in one line."""
    return " ".join(error.worded(_field, ": this service reads the public web alone").split())


def _field(name: str) -> str:
    record, _, field = name.partition(": ")
    return f"{_PREFIXES[record]}{field}" if record in _PREFIXES else name
