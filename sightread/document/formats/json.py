"""JSON output. Its schema is documented in docs/formats.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from sightread.document.formats import Also, Document, Format
from sightread.document.metadata.attributes import Attribute
from sightread.document.metadata.metadata import Metadata
from sightread.document.metadata.posts import Post
from sightread.document.notes import Level, NoteCode
from sightread.document.selection import HiddenText, LeftOut, Reason
from sightread.document.spans import Span
from sightread.document.tree.builder import BlockRole
from sightread.render.page import Box

SCHEMA = 1
"""Version of the JSON that `Document.to_json` writes."""


class BlockRecord(msgspec.Struct):
    """A block of the document: its role there, its probability, and its box; no box if no browser measured one."""

    kind: BlockRole
    text: str
    probability: float
    tag_path: str
    box: Box | None
    reason: Reason


class NoteRecord(msgspec.Struct):
    """A note."""

    code: NoteCode
    level: Level
    message: str


class ForecastRecord(msgspec.Struct):
    """A forecast of the document's word F1 (`sightread.classify.forecast.Forecast`)."""

    low: float
    high: float
    needs_review: bool


class DocumentRecord(msgspec.Struct, omit_defaults=False):
    """The JSON of a document, key by key; the last four are present only on request."""

    schema: int
    url: str
    model: str
    version: str
    expected_f1: float
    forecast: ForecastRecord | None
    reason: str
    note: str
    notes: Sequence[NoteRecord]
    metadata: Metadata
    text: str
    markdown: str
    blocks: Sequence[BlockRecord]
    hidden: Sequence[HiddenText]
    posts: Sequence[Post] | msgspec.UnsetType = msgspec.UNSET
    attributes: Sequence[Attribute] | msgspec.UnsetType = msgspec.UNSET
    left_out: Sequence[LeftOut] | msgspec.UnsetType = msgspec.UNSET
    spans: Sequence[Span] | msgspec.UnsetType = msgspec.UNSET


def build_record(document: Document, also: Iterable[Also] = ()) -> DocumentRecord:
    """Return what the JSON of the document contains."""
    requested, forecast = frozenset(also), document.forecast
    kinds, paths = document.structure.kinds, document.page.tag_paths()
    kept = zip(document.rows, document.blocks, document.probabilities, document.reasons, strict=True)
    return DocumentRecord(
        schema=SCHEMA,
        url=document.url,
        model=document.model,
        version=document.version,
        expected_f1=round(document.expected_f1, 4),
        forecast=forecast and ForecastRecord(forecast.low, forecast.high, forecast.needs_review),
        reason=document.reason,
        note=document.note,
        notes=[NoteRecord(note.code, note.level, note.message) for note in document.notes],
        metadata=document.metadata,
        text=document.text,
        markdown=document.markdown,
        blocks=[
            BlockRecord(kinds.get(row, "paragraph"), block.text, round(float(probability), 4), paths[block.element], block.box, reason)
            for row, block, probability, reason in kept
        ],
        hidden=document.hidden,
        posts=document.posts if "posts" in requested else msgspec.UNSET,
        attributes=document.attributes if "attributes" in requested else msgspec.UNSET,
        left_out=document.left_out if "left_out" in requested else msgspec.UNSET,
        spans=document.spans if "spans" in requested else msgspec.UNSET,
    )


FORMAT = Format(lambda document, options: document.to_json(*options.fields), "application/json", holds_metadata=True, takes_citations=True)
