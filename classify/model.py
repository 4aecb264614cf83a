"""The protocol of all models, and the file format that they share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.classify.forecast import Calibration
from sightread.render.errors import BadRecord, Rejected, quoted
from sightread.render.files import write_atomically
from sightread.render.labels import THRESHOLD, PageType
from sightread.render.page import Page
from sightread.render.page.array_types import Floats

SCHEMA = 1
Payload = TypeVar("Payload")
Probabilities = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The prediction of a model for a page; nothing is decided here (see `sightread.document.selection`)."""

    probabilities: Probabilities
    """Probability of content of each block, shape (blocks,), as calibrated as the model can make it."""
    level: float = THRESHOLD
    """Least probability of a block to keep: that of the choice with the best expected F1, if the model computes it."""
    page_types: Mapping[PageType, float] = field(default_factory=dict)
    """Probability of each page type; empty if the model does not classify pages."""
    needs_headline: bool = False
    """Whether the headline of what is kept is to be kept too, regardless of its probability. Published baselines are measured without."""
    calibration: Calibration | None = None
    """From which forecasts are computed; None if the model was not calibrated."""

    @property
    def relative(self) -> Probabilities:
        """The probabilities with their log-odds shifted so that the level is 0.5: for comparing models at one threshold."""
        if self.level == THRESHOLD:
            return self.probabilities
        return sigmoid(log_odds(self.probabilities) - log_odds(self.level))

    def least(self, threshold: float) -> float:
        """Return the least probability of a block to keep at another threshold of `relative`."""
        if threshold == THRESHOLD:
            return self.level  # not by way of the log-odds, whose rounding would drop a block exactly at the level
        return threshold if self.level == THRESHOLD else float(sigmoid(log_odds(threshold) + log_odds(self.level)))


class Learner(Protocol):
    """The part of a model that cross-validation needs."""

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Learn from pages and one label per block (1 content, 0 boilerplate, -1 unknown) and return the model. Deterministic."""

    def predict(self, page: Page) -> Prediction:
        """Return the prediction of the page, with one probability per block."""


class Model(Learner, Protocol):
    """Predicts the probability of content of every block of a page."""

    name: str

    def save(self, path: Path) -> None:
        """Write the model as data. Raises `StorageFailed`."""

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""


Reasons = tuple[tuple[str, float], ...]
"""Features of a block and their contributions, the weightiest first; positive is evidence of content."""


@runtime_checkable
class Explains(Protocol):
    """A model that can explain its predictions."""

    def explain_rows(self, page: Page, rows: Sequence[int]) -> Sequence[Reasons]:
        """Return the reasons for each of the blocks; what they share is computed once."""

    def explain(self, page: Page, row: int) -> Reasons:
        """Return the reasons for one block."""
        return self.explain_rows(page, (row,))[0]


def explain_blocks(model: Model, page: Page, rows: Sequence[int]) -> Sequence[Reasons]:
    """Return the reasons for each of the blocks; empty ones if the model cannot explain."""
    return model.explain_rows(page, rows) if isinstance(model, Explains) else [()] * len(rows)


def weightiest_first(found: Iterable[tuple[str, float]]) -> Reasons:
    """Return reasons in their order."""
    return tuple(sorted(found, key=lambda pair: -abs(pair[1])))


class _Envelope(msgspec.Struct):
    kind: str
    schema: int
    sha256: str
    payload: msgspec.Raw


def save_payload(path: Path, kind: str, payload: Any) -> None:
    """Write a model's payload as one JSON file with its kind, schema version and checksum. Raises `StorageFailed`."""
    raw = msgspec.json.encode(payload)
    envelope = _Envelope(kind, SCHEMA, hashlib.sha256(raw).hexdigest(), msgspec.Raw(raw))
    write_atomically(path, msgspec.json.encode(envelope) + b"\n")


def load_payload(path: Path, kind: str, shape: type[Payload]) -> Payload:
    """Return the payload of a model file. Raises `BadRecord` for a damaged, foreign or outdated one, and for another shape of payload."""
    try:
        return msgspec.json.decode(_checked(path, kind), type=shape)
    except msgspec.ValidationError as error:
        raise BadRecord(f"{path}: not a {kind} model: {error}; train it again") from error


def _checked(path: Path, kind: str) -> bytes:
    try:
        envelope = msgspec.json.decode(path.read_bytes(), type=_Envelope)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"{path}: not a model of sightread ({error}); models are JSON files, written by train") from error
    payload = bytes(envelope.payload)
    check_kind(path, kind, envelope.kind, envelope.schema)
    check_sum(path, envelope.sha256, hashlib.sha256(payload).hexdigest())
    return payload


def check_kind(path: Path, expected: str, kind: str, schema: int) -> None:
    """Raise `BadRecord` if a model's file is of another kind or schema version."""
    if kind != expected or schema != SCHEMA:
        found = f"a {quoted(kind)} model of schema {schema}, expected {quoted(expected)} of schema {SCHEMA}"
        raise BadRecord(f"{path}: {found}; train it again")


def check_sum(path: Path, written: str, found: str) -> None:
    """Raise `BadRecord` if the checksum of a model's file is another."""
    if written != found:
        raise BadRecord(f"{path}: the checksum does not match its contents; train the model again")


def check_labels(pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> None:
    """Raise `Rejected` if the labels do not fit the pages, or hold only one of the two classes."""
    if len(pages) != len(labels) or any(len(page.blocks) != len(of_page) for page, of_page in zip(pages, labels, strict=False)):
        raise Rejected(f"labels do not fit the pages: {len(labels)} arrays for {len(pages)} pages, one label per block is required")
    seen = {int(label) for of_page in labels for label in np.unique(of_page)} - {-1}
    if seen != {0, 1}:
        what = {frozenset(): "no labels", frozenset({0}): "no content", frozenset({1}): "no boilerplate"}[frozenset(seen)]
        raise Rejected(f"nothing to learn from: {what} among the labels of {len(pages)} pages; crawl more pages and label them again")


def sigmoid(z: Floats | float) -> Floats:
    """Return 1 / (1 + exp(-z)) without overflow."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(z, -500, 500))))


def log_odds(probability: Floats | float) -> Floats:
    """Return the log-odds of probabilities; infinite for 0 and 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(probability) - np.log1p(-np.asarray(probability, np.float64)))


class Published:
    """Base class: `fit` changes nothing, and a file contains only the model's kind."""

    name: str = ""

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Return the model as it is."""
        return self

    def save(self, path: Path) -> None:
        """Write the model's name. Raises `StorageFailed`."""
        save_payload(path, self.name, None)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file of this model's kind. Raises `BadRecord`."""
        load_payload(path, cls.name, type(None))
        return cls()
