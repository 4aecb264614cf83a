"""Pages of the data sets with a gold label per block, for models that are trained and judged by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.alignment.gold_labels import CONTENT_SHARE, match_gold
from benchmarks.datasets.folder import read_lines
from benchmarks.metrics.measures import word_score
from sightread.classify.evaluation import Score, block_score
from sightread.classify.model import Model, Probabilities
from sightread.render.labels import THRESHOLD
from sightread.render.page import Page
from sightread.render.page.array_types import Labels
from sightread.render.static.parse import read_html
from sightread.render.text.words import count_words

FOUND = 0.5
"""Least share of a gold text that its page's blocks must hold for the page to be learned from: else it is the gold text of another page."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A page as it is read without a browser, with what a person chose of it."""

    page: Page
    labels: Labels
    text: str
    """The gold text."""
    found: float
    """Share of it that the blocks hold."""
    kind: str
    """Page type, empty if the set has none."""
    split: str
    """The set's own split, empty if it has none."""


@dataclass(frozen=True, slots=True)
class Levels:
    """How well kept blocks agree with gold, content being the positive class."""

    blocks: Score
    """Over all blocks of all pages, each counting once."""
    words: Score
    """The same, each block counting as many words as it has."""
    tokens: float
    """F1 of the kept text's words against the gold text's, as multisets, mean over pages."""


def read_labelled(data: Path, name: str) -> Iterator[Labelled]:
    """Yield the pages of a set that have blocks. Raises `Rejected` if the set is not there."""
    for record in read_lines(data / name / "pages.jsonl.gz"):
        page = read_html(record["html"], record.get("url") or "")
        if not page.blocks:
            continue
        text = record["text"] or ""
        match = match_gold([block.text for block in page.blocks], text)
        split = record.get("split") or (record.get("extra") or {}).get("split") or ""
        labels = (match.shares >= CONTENT_SHARE).astype(np.int8)
        yield Labelled(page, labels, text, match.found, record.get("page_type") or "", split)


def to_learn(pages: Sequence[Labelled]) -> tuple[list[Page], list[Labels]]:
    """Return pages and labels of those that have their own gold text."""
    fit = [each for each in pages if each.found >= FOUND]
    return [each.page for each in fit], [each.labels for each in fit]


def predict_all(model: Model, pages: Sequence[Labelled]) -> list[Probabilities]:
    """Return the model's probabilities of every page."""
    return [model.predict(each.page).relative for each in pages]


def score_levels(pages: Sequence[Labelled], found: Sequence[Probabilities]) -> Levels:
    """Score probabilities against gold, at all levels."""
    kept = [probabilities >= THRESHOLD for probabilities in found]
    found_labels, truth = np.concatenate(kept), np.concatenate([each.labels for each in pages])
    weights = np.array([count_words(block.text) for each in pages for block in each.page.blocks])
    return Levels(block_score(found_labels, truth), block_score(found_labels, truth, weights), float(np.mean(page_tokens(pages, kept))))


def page_tokens(pages: Sequence[Labelled], kept: Sequence[NDArray[np.bool_]]) -> list[float]:
    """Return the F1 of each page's kept text by words."""
    return [
        word_score("\n".join(block.text for block, keep in zip(each.page.blocks, keeps, strict=True) if keep), each.text).f1
        for each, keeps in zip(pages, kept, strict=True)
    ]
