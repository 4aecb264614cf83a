"""sightread extracts the main content of web pages from how they look in a browser.

import sightread

document = sightread.extract(html)                       # no browser
document = sightread.extract_file("article.html")        # no browser
async with sightread.Reader() as reader:                 # owns a browser
    document = await reader.extract("https://example.com/article")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sightread.batch.outcome import Outcome
    from sightread.batch.processes import extract_many
    from sightread.client.async_client import AsyncClient
    from sightread.client.client import Client
    from sightread.crawler.rate_limit import RateLimit
    from sightread.dataframe import to_dataframe
    from sightread.document.document import Document
    from sightread.document.notes import Note
    from sightread.reading import Reading
    from sightread.reading.archived import extract_file
    from sightread.reading.extraction import extract
    from sightread.reading.reader import Reader, Session
    from sightread.render.capture.records import Blocking, Capture, CaptureOptions
    from sightread.render.errors import (
        BadRecord,
        BrowserFailed,
        ConditionNotMet,
        NoBrowser,
        NotTrusted,
        PageFailed,
        Private,
        Rejected,
        Retryable,
        SightreadError,
        StorageFailed,
        TimedOut,
        Unequipped,
        UnknownModel,
        Unusable,
        Unwritable,
        Walled,
        WrongCall,
    )
    from sightread.render.network.egress import Egress
    from sightread.render.network.upstream import Upstream
    from sightread.render.page import Block, Page
    from sightread.render.visit.actions import Click, Press, ScrollTo, TypeText, WaitFor
    from sightread.render.visit.credentials import Access
    from sightread.render.visit.device import Device
    from sightread.render.visit.visit import RenderOptions

__all__ = [
    "Access",
    "AsyncClient",
    "BadRecord",
    "Block",
    "Blocking",
    "BrowserFailed",
    "Capture",
    "CaptureOptions",
    "Click",
    "Client",
    "ConditionNotMet",
    "Device",
    "Document",
    "Egress",
    "NoBrowser",
    "NotTrusted",
    "Note",
    "Outcome",
    "Page",
    "PageFailed",
    "Press",
    "Private",
    "RateLimit",
    "Reader",
    "Reading",
    "Rejected",
    "RenderOptions",
    "Retryable",
    "ScrollTo",
    "Session",
    "SightreadError",
    "StorageFailed",
    "TimedOut",
    "TypeText",
    "Unequipped",
    "UnknownModel",
    "Unusable",
    "Unwritable",
    "Upstream",
    "WaitFor",
    "Walled",
    "WrongCall",
    "extract",
    "extract_file",
    "extract_many",
    "to_dataframe",
]

_HOME = {
    "Access": "sightread.render.visit.credentials",
    **dict.fromkeys(("Click", "Press", "ScrollTo", "TypeText", "WaitFor"), "sightread.render.visit.actions"),
    "AsyncClient": "sightread.client.async_client",
    "Client": "sightread.client.client",
    "Device": "sightread.render.visit.device",
    "Document": "sightread.document.document",
    "Egress": "sightread.render.network.egress",
    "Block": "sightread.render.page",
    **dict.fromkeys(("Blocking", "Capture", "CaptureOptions"), "sightread.render.capture.records"),
    "Note": "sightread.document.notes",
    "Outcome": "sightread.batch.outcome",
    "Page": "sightread.render.page",
    "RateLimit": "sightread.crawler.rate_limit",
    "Reader": "sightread.reading.reader",
    "Reading": "sightread.reading",
    "RenderOptions": "sightread.render.visit.visit",
    "Session": "sightread.reading.reader",
    "Upstream": "sightread.render.network.upstream",
    "extract": "sightread.reading.extraction",
    "extract_file": "sightread.reading.archived",
    "extract_many": "sightread.batch.processes",
    "to_dataframe": "sightread.dataframe",
}


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that the command line's help does not import numpy."""
    if name not in __all__:
        raise AttributeError(f"module 'sightread' has no attribute {name!r}")
    value = getattr(import_module(_HOME.get(name, "sightread.render.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
