"""The global model: boosted trees that read what the linear one says of a block and of everything around it.

Two stages (stacking, Wolpert 1992). The first, `classify.linear`, judges each block by itself; the second sees the block's features, the
first one's scores, and their means over whatever the block belongs to (`classify.echoes`). Which blocks are kept is decided for the page
as a whole: those that promise the best F1 together (Lewis 1995; Ye et al. 2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from classify.binned import Features, Floats
from classify.boosted import Trees, grow, unpack_trees
from classify.calibration import sigmoid
from classify.corpus import COLUMNS, Corpus, Linear, Scores, learn, without_browser
from classify.dom.weights import load_weights, save_weights
from classify.echoes import echoes, words_of
from classify.linear import pack, unpack
from classify.model import Needs, Probabilities, check_labels
from classify.outline import Outline
from classify.relative import outline_features
from render.errors import BadRecord
from render.page import Page

SLOPE = 2.2
"""Of the sigmoid that makes chances of the first model's decisions before they are averaged: the likeliest on WCXB dev."""
SCORES = {"first": "the linear model's score", "words": "what the first words say", "names": "what the names of containers say"}
WORDS: dict[str, str] = {**COLUMNS, "first.decision": "the linear model's decision", **words_of(SCORES)}
"""What each column says that the trees read, in their order."""
TREES = "trees."
"""What the names of their arrays begin with in a file."""
POWER = 1.2
"""To which chances are raised before blocks are chosen by them: more are doubted. Word F1 on WCXB dev, by domain: with 1 .8678, with 1.2
.8685, with 1.5 .8652; ROUGE-LSum over every sixth page of six other sets, which decided nothing: .896, .898, .902."""


class GlobalModel:
    """Boosted trees over the features of blocks and over what the linear model says around them; `fit` wants pages of many sites."""

    name = "global"
    needs = Needs.DOM

    def __init__(self) -> None:
        self._linear: Linear | None = None
        self._trees: Trees | None = None
        self.pages = 0
        """How many pages it was fitted on."""

    def fit(self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]]) -> Self:
        """Fit to the pages' labelled blocks; deterministic. Raises `Rejected` where a class is missing.

        The trees learn from what linear models say of sites that these did not learn from, as it will be with new pages.
        """
        check_labels(pages, labels)
        corpus = Corpus.of(pages, labels)
        return self.take(corpus, *learn(corpus))

    def take(self, corpus: Corpus, linear: Linear, scores: Scores) -> Self:
        """Take what was learned from a corpus, and grow trees on what was said of its sites; return the model."""
        self._linear = linear
        ends = np.cumsum([outline.count for outline in corpus.outlines])
        parts = [
            _table(outline, corpus.features[start:end], Scores(*(column[start:end] for column in scores)))
            for outline, start, end in zip(corpus.outlines, [0, *ends[:-1]], ends, strict=True)
        ]
        known = corpus.known
        self._trees = grow(np.concatenate(parts)[known], corpus.content[known], corpus.importance[known])
        self.pages = len(np.unique(corpus.page[known]))
        return self

    def predict(self, page: Page) -> Probabilities:
        """Return one probability of content a block, shape (blocks,), 0.5 and more for those to keep.

        Those are the blocks that together promise the best F1 by characters; where that is not what an even chance each would keep, all
        log-odds are shifted. No page with text is empty.
        """
        if not page.blocks:
            return np.zeros(0)
        outline, features = self._read(page)
        odds = self._fitted()[1].decide(features)
        return sigmoid(odds - cut(odds, outline.length + 1.0))

    def explain(self, page: Page, row: int) -> tuple[tuple[str, float], ...]:
        """Return (what, contribution) of one block's features, the weightiest first; positive speaks for content."""
        features = self._read(page)[1][row]
        found = [
            (f"{words}: {'not there' if np.isnan(value) else f'{value:.3g}'}", float(share))
            for words, value, share in zip(WORDS.values(), features, self._fitted()[1].contributions(features), strict=True)
            if share
        ]
        return tuple(sorted(found, key=lambda pair: -abs(pair[1])))

    def save(self, path: Path) -> None:
        """Write the model as an npz file. Raises `StorageFailed`."""
        linear, trees = self._fitted()
        arrays, about = pack(linear)
        grown = {f"{TREES}{name}": array for name, array in trees.pack().items()}
        save_weights(path, self.name, arrays | grown, about | {"base": trees.base, "columns": list(WORDS), "pages": self.pages})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""
        arrays, about = load_weights(path, cls.name)
        if about.get("columns") != list(WORDS):
            raise BadRecord(f"{path}: its trees read other features than this sightread has; train the model again")
        model = cls()
        model._linear = unpack(path, arrays, about)
        grown = {name.removeprefix(TREES): array for name, array in arrays.items() if name.startswith(TREES)}
        try:
            model._trees = unpack_trees(grown, float(about["base"]), len(WORDS))
        except ValueError as error:
            raise BadRecord(f"{path}: {error}; train the model again") from error
        model.pages = int(about["pages"])
        return model

    def _fitted(self) -> tuple[Linear, Trees]:
        if self._linear is None or self._trees is None:
            raise RuntimeError("the model is not fitted: call fit, or load one")
        return self._linear, self._trees

    def _read(self, page: Page) -> tuple[Outline, Features]:
        outline = Outline(without_browser(page))
        return outline, _table(outline, outline_features(outline), self._fitted()[0].read(outline))


def cut(odds: Floats, weight: Floats) -> float:
    """Return the log-odds from which on blocks are kept: those that promise the best F1, by weight.

    0 where that is what an even chance keeps; else midway between the least of the kept and the greatest of the others.
    """
    order = np.argsort(-odds, kind="stable")
    chance, whole = sigmoid(odds[order]) ** POWER, weight[order]
    promise = np.cumsum(chance * whole) / (np.cumsum(whole) + float(chance @ whole))
    last = int(promise.argmax())
    least = float(odds[order[last]])
    below = odds[odds < least]
    greatest = float(below.max()) if len(below) else -np.inf
    if greatest < 0 <= least:
        return 0.0
    return least if not np.isfinite(greatest) else (least + greatest) / 2


def _table(outline: Outline, features: Features, scores: Scores) -> Features:
    """Return the columns of `WORDS` for the blocks of a page, shape (blocks, len(WORDS))."""
    if not outline.count:
        return np.zeros((0, len(WORDS)), np.float32)
    chances = {"first": sigmoid(SLOPE * scores.decision), "words": sigmoid(scores.words), "names": sigmoid(scores.names)}
    columns = [*(values for values in (scores.words, scores.names, scores.decision)), *echoes(outline, chances).values()]
    return np.column_stack([features, *columns]).astype(np.float32)
