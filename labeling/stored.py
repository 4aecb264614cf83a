"""Labels on disk: one JSON file beside the corpus, which says for which pages it was made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from labeling.labels import CONTENT, NOISE, UNKNOWN, Cluster, Confidence, SiteLabels
from render.errors import BadRecord
from render.storage import write_atomically

SCHEMA = 1

Label = Annotated[int, msgspec.Meta(ge=UNKNOWN, le=CONTENT)]
ClusterNumber = Annotated[int, msgspec.Meta(ge=NOISE, le=np.iinfo(np.int32).max)]


class _Stored(msgspec.Struct):
    schema: int
    corpus: str
    clusters: tuple[Cluster, ...]
    assignments: tuple[tuple[ClusterNumber, ...], ...]
    labels: tuple[tuple[Label, ...], ...]
    page_confidence: tuple[float, ...]
    confidence: Confidence


def save_labels(path: Path, labels: SiteLabels, corpus: str) -> None:
    """Write the labels at once; `corpus` is the digest of the pages that they belong to. Raises `StorageFailed`."""
    stored = _Stored(
        schema=SCHEMA,
        corpus=corpus,
        clusters=labels.clusters,
        assignments=tuple(tuple(page.tolist()) for page in labels.assignments),
        labels=tuple(tuple(page.tolist()) for page in labels.labels),
        page_confidence=labels.page_confidence,
        confidence=labels.confidence,
    )
    write_atomically(path, msgspec.json.encode(stored) + b"\n")


def load_labels(path: Path, corpus: str) -> SiteLabels | None:
    """Read the labels; None where there are none, or where they were made for other pages. Raises `BadRecord` for a damaged file."""
    if not path.is_file():
        return None
    try:
        stored = msgspec.json.decode(path.read_bytes(), type=_Stored)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: not a labels file: {error}; delete it and label the corpus again") from error
    if stored.schema != SCHEMA:
        raise BadRecord(f"{path}: schema version {stored.schema}, this sightread reads {SCHEMA}; delete it and label the corpus again")
    if stored.corpus != corpus:
        return None
    return SiteLabels(
        clusters=stored.clusters,
        assignments=tuple(np.array(page, np.int32) for page in stored.assignments),
        labels=tuple(np.array(page, np.int8) for page in stored.labels),
        page_confidence=stored.page_confidence,
        confidence=stored.confidence,
    )
