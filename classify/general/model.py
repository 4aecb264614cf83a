"""The global model: boosted trees and a network over the features of blocks and the scores of a linear model.

Two stages (stacking, Wolpert 1992). The first, `sightread.classify.general.linear`, judges each block by itself; the second sees the
block's features, the first one's scores, their means over all structures that contain the block (`sightread.classify.features.context`),
and the page type (`sightread.classify.general.page_type`): what reads like a post is content of a thread and none of an article. There,
trees read a block at a time, and a network all blocks of the page together (`sightread.classify.general.network`); the mean of their
log-odds is surer than either. Which blocks are kept is decided for the page as a whole: those with the best expected F1 together (Lewis
1995; Ye et al. 2012).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.features.context import stacking_features, words_of
from sightread.classify.features.registry import WORDS, outline_features
from sightread.classify.forecast import Calibration, unpack_calibration
from sightread.classify.general.dom_view import dom_view
from sightread.classify.general.first_stage import WORD_COLUMNS, FirstStage, FirstStageScores
from sightread.classify.general.linear import pack, unpack
from sightread.classify.general.network import Network, fit_network, neighbours, unpack_network
from sightread.classify.general.page_type import PageTypes, page_words
from sightread.classify.general.trees import Trees, grow, unpack_trees
from sightread.classify.model import Explains, Prediction, Reasons, check_labels, sigmoid, weightiest_first
from sightread.classify.weights import Schedule, load_weights, save_weights
from sightread.render.errors import BadRecord
from sightread.render.labels import PAGE_TYPES, PageType
from sightread.render.page import Page
from sightread.render.page.array_types import Features, Floats
from sightread.render.page.page_arrays import PageArrays

if TYPE_CHECKING:
    from sightread.classify.training.dataset import TrainingBlocks

FIRST_STAGE_SLOPE = 2.2
"""Of the sigmoid that makes chances of the first model's decisions before they are averaged: the likeliest on WCXB dev."""
SCORES = {"first": "the linear model's score", "words": "its first words", "names": "the names of its containers"}
UNREAD = ("window ", "previous.", "next.", "second previous.", "second next.")
"""Features that the trees do not use: the first model's scores cover the context of a block. Without these nothing is lost."""
READ = tuple(place for place, name in enumerate(WORDS) if not name.startswith(UNREAD))
COLUMNS: dict[str, str] = {
    **{name: words for name, words in WORDS.items() if not name.startswith(UNREAD)},
    **WORD_COLUMNS,
    "first.decision": "the linear model's decision",
    **words_of(SCORES),
    **{f"type.{kind}": f"the chance that the page is of the type {kind}" for kind in PAGE_TYPES},
}
"""Description of each column of the trees, in order."""
NO_TYPES = np.full(len(PAGE_TYPES), np.nan)
"""Probabilities of a page's types if the model does not predict them."""
TREES, NETWORK, FORECAST = "trees.", "network.", "forecast."
"""Prefixes of their arrays' names in a file."""
TOGETHER = "what the network makes of it and of all other blocks together"
"""The network's share in the words of `explain`."""
POWER = (1.0, 1.6)
"""Power to which probabilities are raised before blocks are chosen by them, on a page that is certainly no article and on one that
certainly is: beside a clear article an uncertain teaser is no part of it. Of an earlier model with 1 and 1, 1.6, 2, word F1 on WCXB dev, by
domain, was .873, .872, .871 and the calibration error .045, .029, .022; on a part of six other sets with 1, 1.5, 2 .9157, .9172, .9179, on
the quarter of it with least content .783, .797, .810."""
ROUNDING = 1e-6
"""In log-odds: far more than the error of a conversion to probabilities, whose last digit differs between processors and array lengths."""


class GlobalModel(Explains):
    """Boosted trees, and a network, over the features of blocks and the linear model's scores around them.

    `fit` requires pages of many sites. A model may do without the network: fitting that needs PyTorch, reading with it does not.
    """

    name = "global"

    def __init__(self) -> None:
        self._first_stage: FirstStage | None = None
        self._trees: Trees | None = None
        self._network: Network | None = None
        self._types: PageTypes | None = None
        self.pages = 0
        """How many pages it was fitted on."""
        self.calibration: Calibration | None = None
        """By pages that it was not fitted on; None if there were none, and documents have no forecast."""

    def fit(
        self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]], kinds: Sequence[PageType] = (), schedule: Schedule | None = None
    ) -> Self:
        """Fit to the pages' labelled blocks, and to the pages' types if they are known; deterministic.

        Trees and network are fitted on out-of-fold scores of the linear models, grouped by site, as for new pages, and on one augmented
        copy of each page too. Without a schedule there is no network. Raises `Rejected` if a class is missing, `Unequipped` where
        a network is to be fitted and PyTorch is missing.
        """
        from sightread.classify.training.dataset import TrainingBlocks, learn  # noqa: PLC0415  (reading needs no training)

        check_labels(pages, labels)
        training = TrainingBlocks.of(pages, labels)
        return self.take(training, *learn(training), kinds, schedule)

    def take(
        self,
        training: TrainingBlocks,
        first_stage: FirstStage,
        scores: FirstStageScores,
        kinds: Sequence[PageType | None] = (),
        schedule: Schedule | None = None,
    ) -> Self:
        """Take the first stage fitted to training blocks, and fit the second stage to its out-of-fold scores; return the model."""
        from sightread.classify.training.dataset import learn_types  # noqa: PLC0415

        self._first_stage = first_stage
        self._types, types = (
            learn_types(training, sigmoid(FIRST_STAGE_SLOPE * scores.decision), kinds) if kinds else (None, [NO_TYPES] * len(training.fold))
        )
        ends = np.cumsum([outline.count for outline in training.outlines])
        table, known = np.empty((len(training.content), len(COLUMNS)), np.float32), training.known
        for outline, start, end, of_page in zip(training.outlines, [0, *ends[:-1]], ends, types, strict=True):
            table[start:end] = _table(
                outline, training.features[start:end], FirstStageScores(*(column[start:end] for column in scores)), of_page
            )
        if schedule is not None:  # before the trees: without PyTorch it fails at once
            self._network = fit_network(table, training.outlines, training.content, training.importance * known, schedule)
        self._trees = grow(table[known], training.content[known], training.importance[known])
        self.pages = len(np.unique(training.page[training.plain]))
        return self

    def predict(self, page: Page) -> Prediction:
        """Return the prediction of the page, with its page types if the model was fitted with them.

        The level is that of the blocks with the best expected F1 by characters. No page with text is without content.
        """
        if not page.blocks:
            return Prediction(np.zeros(0), needs_postprocessing=True)
        view = dom_view(page)
        outline, features, types = self._read(view.page)
        odds = self._decide(outline, features)
        return Prediction(
            sigmoid(odds)[view.row_of],
            float(sigmoid(cut(odds, outline.length + 1.0, _power(types)))),
            {} if self._types is None else dict(zip(PAGE_TYPES, types.tolist(), strict=True)),
            needs_postprocessing=True,
            calibration=self.calibration,
        )

    def explain_rows(self, page: Page, rows: Sequence[int]) -> list[Reasons]:
        """Return (what, contribution) of each block's features, the weightiest first; positive is evidence of content."""
        view = dom_view(page)
        outline, features, _ = self._read(view.page)
        trees = self._fitted()[1]
        together = None if self._network is None else self._network.decide(features, neighbours(outline))
        explained = []
        for row in view.row_of[list(rows)]:
            shares = trees.contributions(features[row])
            found = []
            if together is not None:
                shares = shares / 2
                odds = float(together[row])
                found.append((f"{TOGETHER}: {odds:.3g}", odds / 2))
            found += [
                (f"{words}: {'not there' if np.isnan(value) else f'{value:.3g}'}", float(share))
                for words, value, share in zip(COLUMNS.values(), features[row], shares, strict=True)
                if share
            ]
            explained.append(weightiest_first(found))
        return explained

    def save(self, path: Path) -> None:
        """Write the model as an npz file. Raises `StorageFailed`."""
        first_stage, trees = self._fitted()
        arrays, about = pack(first_stage)
        grown = {f"{TREES}{name}": array for name, array in trees.pack().items()}
        if self._network is not None:
            grown |= {f"{NETWORK}{name}": array for name, array in self._network.pack().items()}
        if self._types is not None:
            arrays |= {"types": self._types.weights.astype(np.float16), "type intercepts": self._types.intercept.astype(np.float32)}
        if self.calibration is not None:
            grown |= {f"{FORECAST}{name}": array for name, array in self.calibration.pack().items()}
        save_weights(path, self.name, arrays | grown, about | {"base": trees.base, "columns": list(COLUMNS), "pages": self.pages})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""
        arrays, about = load_weights(path, cls.name)
        try:
            arrays |= _renumbered(arrays, about["columns"])
        except (IndexError, KeyError, TypeError) as error:
            raise BadRecord(f"{path}: it reads other features than this sightread has; train the model again") from error
        model = cls()
        model._first_stage = unpack(path, arrays, about)
        try:
            model._trees = unpack_trees(_part(arrays, TREES), float(about["base"]), len(COLUMNS))
            if network := _part(arrays, NETWORK):
                model._network = unpack_network(network, len(COLUMNS))
            if "types" in arrays:
                model._types = PageTypes.of(arrays["types"], arrays["type intercepts"])
            if calibration := _part(arrays, FORECAST):
                model.calibration = unpack_calibration(calibration)
        except ValueError as error:
            raise BadRecord(f"{path}: {error}; train the model again") from error
        model.pages = int(about["pages"])
        return model

    def _fitted(self) -> tuple[FirstStage, Trees]:
        if self._first_stage is None or self._trees is None:
            raise RuntimeError("the model is not fitted: call fit, or load one")
        return self._first_stage, self._trees

    def _decide(self, outline: PageArrays, features: Features) -> Floats:
        """Return the log-odds of content of each block, shape (blocks,)."""
        odds = self._fitted()[1].decide(features)
        return odds if self._network is None else (odds + self._network.decide(features, neighbours(outline))) / 2

    def _read(self, page: Page) -> tuple[PageArrays, Features, Floats]:
        """Return a `dom_view` as arrays, the features of its blocks, and the probabilities of its page types."""
        outline = PageArrays(page)
        features = outline_features(outline)
        scores = self._fitted()[0].read(outline, features)
        types = NO_TYPES
        if self._types is not None:
            types = self._types.chances(page_words(outline, sigmoid(FIRST_STAGE_SLOPE * scores.decision)))
        return outline, _table(outline, features, scores, types), types


def _renumbered(arrays: Mapping[str, NDArray[Any]], columns: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Return the numbers of the columns that a file's trees and network read, as they are here. Raises an error for unknown columns.

    A file may name further columns that nothing reads: older ones had features of boxes and styles, which no page has that the model sees.
    """
    places = {name: place for place, name in enumerate(COLUMNS)}
    here = np.array([places.get(name, -1) for name in columns], np.int32)
    found = {name: here[arrays[name]] for name in (f"{TREES}feature", f"{NETWORK}columns") if name in arrays}
    if any((rows < 0).any() for rows in found.values()):
        raise KeyError("a column")
    return found


def _part(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names begin so, under the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def cut(odds: Floats, weight: Floats, power: float) -> float:
    """Return the log-odds from which on blocks are kept: those with the best expected F1, by weight, if chances are raised to that power.

    0 if that is what an even chance keeps; else midway between the least of the kept and the greatest of the others, and `ROUNDING` below
    the least if no block is left out.
    """
    order = np.argsort(-odds, kind="stable")
    chance, whole = sigmoid(odds[order]) ** power, weight[order]
    promise = np.cumsum(chance * whole) / (np.cumsum(whole) + float(chance @ whole))
    last = int(promise.argmax())
    least = float(odds[order[last]])
    below = odds[odds < least]
    greatest = float(below.max()) if len(below) else -np.inf
    if greatest < 0 <= least:
        return 0.0
    return least - ROUNDING if not np.isfinite(greatest) else (least + greatest) / 2


def _power(types: Floats) -> float:
    """Return the power for a page of these chances."""
    article = types[PAGE_TYPES.index("article")]
    low, high = POWER
    return low + (high - low) * (0.5 if np.isnan(article) else float(article))


def _table(outline: PageArrays, features: Features, scores: FirstStageScores, types: Floats) -> Features:
    """Return the columns of `COLUMNS` for the blocks of a page, shape (blocks, len(COLUMNS))."""
    if not outline.count:
        return np.zeros((0, len(COLUMNS)), np.float32)
    chances = {"first": sigmoid(FIRST_STAGE_SLOPE * scores.decision), "words": sigmoid(scores.words), "names": sigmoid(scores.names)}
    columns = [scores.words, scores.names, scores.decision, *stacking_features(outline, chances).values()]
    columns += [np.full(outline.count, chance) for chance in types]
    return np.column_stack([features[:, READ], *columns]).astype(np.float32)
