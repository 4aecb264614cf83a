"""sightread extracts the main content of web pages from how they look in a browser.

import sightread

document = sightread.extract(html)                       # no browser
document = sightread.extract_file("article.html")        # no browser
document = sightread.read("https://example.com/article") # with a browser, synchronous
async with sightread.Reader() as reader:                 # owns a browser
    document = await reader.extract("https://example.com/article")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sightread.render.version import VERSION


# ruff: noqa: I001  (one import per module, though each name is imported as itself: type checkers take it for public then)
if TYPE_CHECKING:
    from sightread.batch.outcome import Outcome as Outcome
    from sightread.batch.processes import extract_many as extract_many
    from sightread.client.async_client import AsyncClient as AsyncClient
    from sightread.client.client import Client as Client
    from sightread.crawler.rate_limit import RateLimit as RateLimit
    from sightread.dataframe import to_dataframe as to_dataframe
    from sightread.document.chunks import Chunk as Chunk
    from sightread.document.document import Document as Document
    from sightread.document.notes import Note as Note
    from sightread.reading import Reading as Reading
    from sightread.reading.archived import extract_file as extract_file
    from sightread.reading.extraction import extract as extract
    from sightread.reading.plain_text import PlainText as PlainText, extract_text as extract_text
    from sightread.reading.reader import Reader as Reader, Session as Session
    from sightread.reading.synchronous import read as read
    from sightread.render.errors import (
        BadRecord as BadRecord,
        BrowserFailed as BrowserFailed,
        ConditionNotMet as ConditionNotMet,
        NoBrowser as NoBrowser,
        NotTrusted as NotTrusted,
        PageFailed as PageFailed,
        Private as Private,
        Rejected as Rejected,
        Retryable as Retryable,
        SightreadError as SightreadError,
        StorageFailed as StorageFailed,
        TimedOut as TimedOut,
        Unequipped as Unequipped,
        UnknownModel as UnknownModel,
        Unusable as Unusable,
        Unwritable as Unwritable,
        Walled as Walled,
        WrongCall as WrongCall,
    )
    from sightread.render.network.egress import Egress as Egress, Upstream as Upstream
    from sightread.render.page import Block as Block, Page as Page
    from sightread.render.visit.actions import (
        Click as Click,
        Press as Press,
        ScrollTo as ScrollTo,
        TypeText as TypeText,
        WaitFor as WaitFor,
    )
    from sightread.render.visit.capture import Blocking as Blocking, Capture as Capture, CaptureOptions as CaptureOptions
    from sightread.render.visit.device import Device as Device
    from sightread.render.visit.requests import Access as Access
    from sightread.render.visit.visit import RenderOptions as RenderOptions

__version__ = VERSION
_NAMES = {
    "sightread.batch.outcome": ("Outcome",),
    "sightread.batch.processes": ("extract_many",),
    "sightread.client.async_client": ("AsyncClient",),
    "sightread.client.client": ("Client",),
    "sightread.crawler.rate_limit": ("RateLimit",),
    "sightread.dataframe": ("to_dataframe",),
    "sightread.document.chunks": ("Chunk",),
    "sightread.document.document": ("Document",),
    "sightread.document.notes": ("Note",),
    "sightread.reading": ("Reading",),
    "sightread.reading.archived": ("extract_file",),
    "sightread.reading.extraction": ("extract",),
    "sightread.reading.plain_text": ("PlainText", "extract_text"),
    "sightread.reading.reader": ("Reader", "Session"),
    "sightread.reading.synchronous": ("read",),
    "sightread.render.errors": (
        *("SightreadError", "Rejected", "BadRecord", "Private", "UnknownModel", "WrongCall"),
        *("PageFailed", "Retryable", "TimedOut", "BrowserFailed", "ConditionNotMet", "Unusable", "Walled"),
        *("NotTrusted", "Unequipped", "NoBrowser", "StorageFailed", "Unwritable"),
    ),
    "sightread.render.network.egress": ("Egress", "Upstream"),
    "sightread.render.page": ("Block", "Page"),
    "sightread.render.visit.actions": ("Click", "Press", "ScrollTo", "TypeText", "WaitFor"),
    "sightread.render.visit.capture": ("Blocking", "Capture", "CaptureOptions"),
    "sightread.render.visit.device": ("Device",),
    "sightread.render.visit.requests": ("Access",),
    "sightread.render.visit.visit": ("RenderOptions",),
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names}
__all__ = sorted(_MODULES)


def __getattr__(name: str) -> object:
    """Import a public name on first use, so that the command line's help does not import numpy."""
    if name not in _MODULES:
        raise AttributeError(f"module 'sightread' has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
