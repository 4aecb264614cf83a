"""Answers of the service: what its routes, its jobs and its client exchange, as records that JSON Schema describes.

Errors are in the words of the service: fields of a request in place of the fields and arguments of the Python API, and no path, host or
database of the server, which its log has.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Literal

import msgspec

from sightread.document.chunks import Chunk
from sightread.document.formats.json import DocumentRecord
from sightread.document.selection import Reason
from sightread.render.errors import BadRecord, SightreadError, StorageFailed
from sightread.render.page import Box, Size
from sightread.render.visit.capture import ConsoleMessage

UNSET = msgspec.UNSET
Unset = msgspec.UnsetType


class ErrorRecord(msgspec.Struct, frozen=True):
    """Why something failed: the name of a sightread error or of an HTTP status, and one line of what to do."""

    kind: str
    message: str


class ErrorAnswer(msgspec.Struct, frozen=True):
    """The answer to a request that failed."""

    error: ErrorRecord


class LinkRecord(msgspec.Struct, frozen=True):
    """A link of a page."""

    url: str
    text: str
    rel: str = ""


class ImageRecord(msgspec.Struct, frozen=True):
    """An image of a page."""

    url: str
    alt: str
    box: Box | None = None


class ScreenshotRecord(msgspec.Struct, frozen=True):
    """The whole page as WebP tiles, each below the one before; base64 in JSON."""

    tiles: tuple[bytes, ...]
    scale: float
    """Picture px per CSS px."""


class ResponseRecord(msgspec.Struct, frozen=True):
    """The HTTP answer that the page came with."""

    status: int
    headers: tuple[tuple[str, str], ...]


class PageRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The visited page; the fields after `warnings` only if they were requested."""

    url: str
    """The requested address; empty for HTML without one."""
    final_url: str
    """After redirects."""
    status: int
    """HTTP status; 0 for stored HTML."""
    titles: tuple[str, ...]
    language: str
    rendered_at: str
    viewport: Size | None
    document: Size | None
    unfinished: str
    """Why the page looks incomplete; empty if it does not."""
    truncated: bool
    age: float = 0.0
    """Seconds since the page was read, if the answer comes from the cache; else 0."""
    warnings: tuple[str, ...] = ()
    """Requested parts that could not be had, and why."""
    html: str | Unset = UNSET
    """As it was when the page was collected."""
    links: tuple[LinkRecord, ...] | Unset = UNSET
    images: tuple[ImageRecord, ...] | Unset = UNSET
    screenshot: ScreenshotRecord | Unset | None = UNSET
    response: ResponseRecord | Unset = UNSET
    network: msgspec.Raw | Unset = UNSET
    """A HAR 1.2 file."""
    console: tuple[ConsoleMessage, ...] | Unset = UNSET


class ChangeRecord(msgspec.Struct, frozen=True):
    """How a page differs from what the same caller received of it before."""

    status: Literal["new", "same", "changed"]
    previous: float = 0.0
    """When it was requested before, in seconds since 1970; 0 if it was not."""
    diff: str = ""
    """Of the Markdown, as lines of a unified diff; empty without a change, and for very long pages."""


class ExtractAnswer(DocumentRecord, kw_only=True):
    """The document, as `Document.to_json` writes it, with the page that it was read from."""

    page: PageRecord
    html: str | Unset = UNSET
    tei: str | Unset = UNSET
    chunks: tuple[Chunk, ...] | Unset = UNSET
    change: ChangeRecord | Unset = UNSET


class RenderedBlock(msgspec.Struct, frozen=True):
    """A text block of a page."""

    text: str
    tag_path: str
    selector_path: str
    box: Box | None
    hidden: str
    heading: int


class RenderAnswer(msgspec.Struct):
    """A page as the browser shows it."""

    page: PageRecord
    blocks: tuple[RenderedBlock, ...]


class ExplainedBlock(msgspec.Struct, frozen=True):
    """The decision about one block."""

    row: int
    text: str
    tag_path: str
    box: Box | None
    probability: float
    kept: bool
    reason: Reason
    evidence: tuple[tuple[str, float], ...]
    """Features and their contributions, the greatest first; positive is evidence of content."""


class ExplainAnswer(msgspec.Struct):
    """The decisions about the blocks of a page, in document order."""

    page: PageRecord
    model: str
    version: str
    expected_f1: float
    level: float
    """Least probability of a block to keep."""
    note: str
    markdown: str
    blocks: tuple[ExplainedBlock, ...]


class MapLink(msgspec.Struct, frozen=True):
    """An address of a site, and why a crawl takes or leaves it."""

    url: str
    why: str
    title: str = ""
    """Of the start page its title, of other pages the text of a link to them on the start page; empty if there is none."""
    description: str = ""
    """Of the start page its description; other pages are not read."""


class MapAnswer(msgspec.Struct, frozen=True):
    """The addresses of a site."""

    within: str
    """The path that a crawl stays below."""
    links: tuple[MapLink, ...]
    spare: tuple[MapLink, ...]
    """Taken if some of the links turn out to be no articles."""
    refused: tuple[MapLink, ...]


class LearnedRecord(msgspec.Struct, frozen=True):
    """The result of learning a site."""

    site: str
    version: str
    version_in_use: str
    """Another one if the new version is not as good as the one that it would replace."""
    pages: int
    failures: int
    """Visits that gave no page."""
    trusted: bool
    distrust_reason: str = msgspec.field(name="doubt")
    """Why `auto` does not use the new version; empty if it does."""
    expected_f1: float
    advice: tuple[str, ...]


class PageChange(msgspec.Struct, frozen=True):
    """A change of a document of a watched site. A change is one of its text: another design or advertisement is none."""

    change: str
    """new, changed, moved or gone."""
    title: str
    markdown: str
    """The document as it is now; empty if it is gone or moved."""
    added: tuple[str, ...]
    """Lines of a changed document that it did not have before, the first of them; so are those that it `removed`."""
    removed: tuple[str, ...]
    detail: str
    """Why it is gone, or where it is now."""
    near_duplicate_of: str
    """The address of an earlier document with nearly the same text."""


class Outcome(msgspec.Struct, frozen=True):
    """One page of a batch or a crawl, as a line of NDJSON and a result of a job; or the one result of learning a site; or a change."""

    index: int
    """Its position in the request's `urls`; for a crawl the number of pages before it."""
    url: str
    result: ExtractAnswer | None = None
    error: ErrorRecord | None = None
    learned: LearnedRecord | None = None
    change: PageChange | None = None


JobState = Literal["queued", "running", "done", "failed", "cancelled"]
JobKind = Literal["batch", "crawl", "learn", "watch"]
FINAL: frozenset[JobState] = frozenset(("done", "failed", "cancelled"))


class JobRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A job; times in seconds since 1970, 0 if not yet."""

    id: str
    kind: JobKind
    target: str
    """The start URL, or the first URL of a batch."""
    state: JobState
    created: float
    started: float = 0.0
    finished: float = 0.0
    expires: float = 0.0
    """When job and results are deleted; 0 while it is not finished."""
    total: int = 0
    """Pages that are wanted."""
    done: int = 0
    """Pages that were read."""
    failed: int = 0
    """Pages that failed."""
    step: str = ""
    """The current step of the job."""
    error: ErrorRecord | None = None
    """Why the whole job failed."""
    attempts: int = 0
    """How often a process has begun or continued it."""
    due: float = 0.0
    """When the next round of a watch begins."""


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
    "Document.chunks()": "chunk_",
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
