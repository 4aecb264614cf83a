"""Comparison of models on the same pages, beside each other and a site's labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation import character_score
from sightread.classify.model import Model
from sightread.document.document import Document, build_document
from sightread.render.page import Page


@dataclass(frozen=True, slots=True)
class Compared:
    """The selections of one model on the pages; each figure is the mean over pages."""

    model: str
    blocks: float
    """Kept."""
    words: float
    precision: float
    """By characters, against the reference, 0 to 1; so are recall and F1."""
    recall: float
    f1: float
    milliseconds: float
    """CPU milliseconds to predict the blocks of a page."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All models on the same pages."""

    reference: str
    """The reference of the comparison: a model's name, or `labels`."""
    pages: int
    models: tuple[Compared, ...]
    kept: tuple[NDArray[np.bool_], ...]
    """The blocks that each model keeps, of shape (blocks,), page after page."""


def compare_models(pages: Sequence[Page], models: Mapping[str, Model], reference: str, truth: Sequence[NDArray[np.int8]]) -> Comparison:
    """Predict each page with each model, and compare the kept blocks with the reference: one label per block (1 content, -1 unknown)."""
    compared, kept = [], []
    for name, model in models.items():
        rows, chosen = [], []
        for page, labels in zip(pages, truth, strict=True):
            began = process_time()
            prediction = model.predict(page)
            spent = 1000 * (process_time() - began)
            document = build_document(page, prediction)
            keeps = np.zeros(len(page.blocks), np.bool_)
            keeps[list(document.rows)] = True
            score = character_score(keeps.astype(np.int8), labels, [block.text for block in page.blocks])
            rows.append((len(document.rows), len(document.text.split()), score.precision, score.recall, score.f1, spent))
            chosen.append(keeps)
        compared.append(Compared(name, *(float(mean) for mean in np.mean(rows, axis=0))))
        kept.append(np.concatenate(chosen))
    return Comparison(reference, len(pages), tuple(compared), tuple(kept))


def labels_of(document: Document) -> NDArray[np.int8]:
    """Return the blocks of a document as labels of its page."""
    labels = np.zeros(len(document.page.blocks), np.int8)
    labels[list(document.rows)] = 1
    return labels
