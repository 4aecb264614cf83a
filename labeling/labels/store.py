"""Labels on disk: one JSON file beside the corpus, with the digest of the pages that it belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import numpy as np

from sightread.labeling.clusterings.known_clusters import ClusterNumber, KnownClusters
from sightread.labeling.labels.labels import Cluster, CombinedEvidence, Confidence, PartDecision, SiteLabels, TemplateConfidence
from sightread.render.errors import BadRecord
from sightread.render.files import write_atomically
from sightread.render.labels import CONTENT, UNKNOWN

SCHEMA = 2

Label = Annotated[int, msgspec.Meta(ge=UNKNOWN, le=CONTENT)]


class _Version(msgspec.Struct):
    schema: int


class _StoredKnown(msgspec.Struct):
    known: KnownClusters
    parts: tuple[PartDecision, ...] = ()


class _StoredEvidence(msgspec.Struct):
    relevance: tuple[tuple[Label, ...], ...]
    weak: float
    prose: tuple[tuple[int, ...], ...] = ()


class _Stored(msgspec.Struct):
    schema: int
    corpus: str
    clusters: tuple[Cluster, ...]
    assignments: tuple[tuple[ClusterNumber, ...], ...]
    labels: tuple[tuple[Label, ...], ...]
    page_confidence: tuple[float, ...]
    templates: tuple[TemplateConfidence, ...]
    confidence: Confidence
    known: KnownClusters
    combined: _StoredEvidence | None = None
    parts: tuple[PartDecision, ...] = ()


Stored = TypeVar("Stored", _StoredKnown, _Stored)


def save_labels(path: Path, labels: SiteLabels, corpus: str) -> None:
    """Write the labels at once; `corpus` is the digest of the pages that they belong to. Raises `StorageFailed`."""
    stored = _Stored(
        schema=SCHEMA,
        corpus=corpus,
        clusters=labels.clusters,
        assignments=tuple(tuple(page.tolist()) for page in labels.assignments),
        labels=tuple(tuple(page.tolist()) for page in labels.labels),
        page_confidence=labels.page_confidence,
        templates=labels.templates,
        confidence=labels.confidence,
        known=labels.known,
        combined=_to_stored(labels.combined),
        parts=labels.parts,
    )
    write_atomically(path, msgspec.json.encode(stored) + b"\n")


def load_known(path: Path) -> KnownClusters | None:
    """Read only what assigns new pages to the clusters; None if there are no labels. Raises `BadRecord` for a damaged file."""
    if not path.is_file():
        return None
    return _read(path, _StoredKnown).known


def load_parts(path: Path) -> tuple[PartDecision, ...]:
    """Read only the decisions about parts of pages, of any corpus; none if there are no labels. Raises `BadRecord`."""
    return _read(path, _StoredKnown).parts if path.is_file() else ()


def load_labels(path: Path, corpus: str) -> SiteLabels | None:
    """Read the labels; None if there are none, or if they were made for other pages. Raises `BadRecord` for a damaged file."""
    if not path.is_file():
        return None
    stored = _read(path, _Stored)
    if stored.corpus != corpus:
        return None
    return SiteLabels(
        clusters=stored.clusters,
        assignments=tuple(np.array(page, np.int32) for page in stored.assignments),
        labels=tuple(np.array(page, np.int8) for page in stored.labels),
        page_confidence=stored.page_confidence,
        templates=stored.templates,
        confidence=stored.confidence,
        known=stored.known,
        combined=_from_stored(stored.combined),
        parts=stored.parts,
    )


def _to_stored(found: CombinedEvidence | None) -> _StoredEvidence | None:
    if found is None:
        return None
    return _StoredEvidence(tuple(tuple(page.tolist()) for page in found.relevance), found.weak, found.prose)


def _from_stored(stored: _StoredEvidence | None) -> CombinedEvidence | None:
    if stored is None:
        return None
    return CombinedEvidence(tuple(np.array(page, np.int8) for page in stored.relevance), stored.weak, stored.prose)


def _read(path: Path, kind: type[Stored]) -> Stored:
    data = path.read_bytes()
    try:
        schema = msgspec.json.decode(data, type=_Version).schema
        if schema != SCHEMA:
            raise BadRecord(f"{path}: schema version {schema}, this sightread reads {SCHEMA}; delete it and label the corpus again")
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: not a labels file: {error}; delete it and label the corpus again") from error
