"""First stage of the global model: a linear SVM over relative features and two scores of hashed words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sightread.classify.features.hashed_words import Lexicon, container_names, first_words
from sightread.classify.features.registry import WORDS
from sightread.classify.general.binned_svm import Bins, Codes
from sightread.render.page.array_types import Features, Floats
from sightread.render.page.page_arrays import PageArrays

WORD_COLUMNS = {"words.first": "its first words and the heading above it", "words.names": "the names of its containers"}
"""The lexicons' columns, behind the relative features."""
COLUMNS: dict[str, str] = {**WORDS, **WORD_COLUMNS}
NAMES = tuple(COLUMNS)


class FirstStageScores(NamedTuple):
    """Scores of blocks by the first model and its lexicons, each of shape (blocks,)."""

    decision: Floats
    words: Floats
    names: Floats


@dataclass(frozen=True, slots=True)
class FirstStage:
    """A linear SVM over the bins of features, and the lexicons that give two of them."""

    bins: Bins
    weights: Floats
    """One per bin, of all features."""
    intercept: float
    words: Lexicon
    names: Lexicon

    def codes(self, outline: PageArrays, features: Features) -> tuple[Codes, FirstStageScores]:
        """Return the bin of each value of each block, and the scores of the lexicons; the decision is still 0."""
        words, names = self.words.decide(first_words(outline.page)), self.names.decide(container_names(outline.page))
        table = np.column_stack([features, words, names]).astype(np.float32)
        return self.bins.codes(table), FirstStageScores(np.zeros(outline.count), words, names)

    def read(self, outline: PageArrays, features: Features) -> FirstStageScores:
        """Return the scores of the blocks of a page, given its relative features."""
        codes, scores = self.codes(outline, features)
        return scores._replace(decision=np.asarray(self.weights[codes].sum(axis=1) + self.intercept, np.float64))
