"""The global model: a network over the blocks of a page, which reads sites that it never saw.

It reads features of each block by itself (`sightread.classify.features.blocks`), and two scores of hashed words, of its text and of the
names of its containers (`sightread.classify.features.hashed_words`). Blocks then exchange messages with those in the same containers,
with those of the same look, and with their neighbours (`sightread.classify.general.network`), so that each is judged as a part of its
page. Which blocks are kept is decided for the page as a whole: those with the best expected F1 together (Lewis 1995; Ye et al. 2012).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from sightread.classify.features import blocks, hashed_words
from sightread.classify.features.hashed_words import Lexicon
from sightread.classify.forecast import Calibration, unpack_calibration
from sightread.classify.general.dom_view import DomView, dom_view
from sightread.classify.general.network import Neighbours, Network, fit_network, neighbours, unpack_network
from sightread.classify.general.page_type import LazyChances, PageTypes
from sightread.classify.model import Explains, Prediction, Reasons, check_labels, sigmoid, weightiest_first
from sightread.classify.weights import Schedule, load_weights, save_weights
from sightread.render.errors import BadRecord
from sightread.render.labels import PageType
from sightread.render.page import Page, uncollected
from sightread.render.page.array_types import Features, Floats
from sightread.render.page.page_arrays import PageArrays

if TYPE_CHECKING:
    from sightread.classify.training.dataset import TrainingBlocks

LEXICONS = {"words": "log-odds of content by its first words", "names": "log-odds of content by the names of its containers"}
"""The two scores of hashed words, and their description."""
COLUMNS = (*blocks.NAMES, *LEXICONS)
"""The columns of the network, in order."""
FAMILIES = {
    "text": "length, links and marks of its text",
    "place": "its place on the page",
    "title": "the page's title and description",
    "tag": "tags of elements",
    "named": "usual names of containers",
    "winner": "the container that paragraphs vote for",
    "likely": "the same without unlikely containers",
    "words": "first words of texts",
    "names": "all names of containers",
}
"""Features that are explained together, by the beginning of their names."""
OF_FAMILIES = {family: [column for column, name in enumerate(COLUMNS) if name.partition(".")[0] == family] for family in FAMILIES}
"""The columns of each."""
TOGETHER = "all of this together"
"""The share of several families together, in the words of `explain`."""
POWER = 1.3
"""To which chances are raised before blocks are chosen by them: beside what is clear, what is uncertain is left out. On a fourth of WCXB
dev and on parts of five other sets word F1 is .8725 and .9293 with 1, .8738 and .9341 with 1.3, .8711 and .9335 with 1.6; powers by page
type (1 to 1.6) give .8747 and .9335."""
SLOPE = 0.8
"""Of the network's log-odds: its loss asks for whole pages, which makes it too sure. The calibration error on WCXB dev is .036 with .7,
.029 with .8 and .036 with 1, on built sites .048, .034 and .026; word F1 is the same."""
LEAST_ALIKE = 3
"""Blocks of one look, by tags and classes, that are decided together. On a fourth of WCXB dev word F1 rises from .8761 to .8776, on built
pages of other generators from .9628 to .9657."""
RECORD = 0.3
"""Share of the mean over its record in a block's log-odds. Of 4,084 records of built pages of other generators 195 are torn apart with 0
and 142 with .3; word F1 is .9534 and .9521 there, .8690 and .8700 on every second page of WCXB dev.
With .4 it fell with an earlier network."""
ROUNDING = 1e-6
"""In log-odds: far more than the error of a conversion to probabilities, whose last digit differs between processors and array lengths."""
NETWORK, FORECAST = "network.", "forecast."
"""Prefixes of their arrays' names in a file."""
FIT = Schedule(epochs=12, rate=2e-3)
"""How it is trained."""


class GlobalModel(Explains):
    """A network over the features of blocks and the scores of their words. `fit` requires pages of many sites, and PyTorch."""

    name = "global"

    def __init__(self) -> None:
        self._lexicons: dict[str, Lexicon] = {}
        self._network: Network | None = None
        self._types: PageTypes | None = None
        self.pages = 0
        """How many pages it was fitted on."""
        self.calibration: Calibration | None = None
        """By pages that it was not fitted on; None if there were none, and documents have no forecast."""

    def fit(
        self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]], kinds: Sequence[PageType] = (), schedule: Schedule = FIT
    ) -> Self:
        """Fit to the pages' labelled blocks, and to the pages' types if they are known; deterministic.

        The network is fitted on out-of-fold scores of the lexicons, grouped by site, as for new pages. Raises `Rejected` if a class is
        missing, `Unequipped` if PyTorch is.
        """
        from sightread.classify.training.dataset import TrainingBlocks  # noqa: PLC0415  (reading needs no training)

        check_labels(pages, labels)
        return self.take(TrainingBlocks.of(pages, labels), kinds, schedule)

    def take(self, training: TrainingBlocks, kinds: Sequence[PageType | None] = (), schedule: Schedule = FIT) -> Self:
        """Fit to training blocks; the type of a page may be unknown."""
        from sightread.classify.training.dataset import fit_lexicons, fit_types  # noqa: PLC0415

        self._lexicons, scores = fit_lexicons(training)
        self._types = fit_types(training, kinds) if any(kinds) else None
        features = np.column_stack([training.features, *(scores[name] for name in LEXICONS)]).astype(np.float32)
        importance = training.importance * training.known
        self._network = fit_network(features, [*OF_FAMILIES.values()], training.outlines, training.content, importance, schedule)
        self.pages = len(np.unique(training.page[training.plain]))
        return self

    @uncollected
    def predict(self, page: Page, unseen: Sequence[str] = ()) -> Prediction:
        """Return the prediction of the page, with its page types if the model was fitted with them.

        The level is that of the blocks with the best expected F1 by characters. No page with text is without content. Families of
        features in `unseen` are not known of any block: "title" and "words" then take no time.
        """
        if not page.blocks:
            return Prediction(np.zeros(0), needs_headline=True)
        view, outline, features, near = self._read(page, unseen)
        columns = [column for family in unseen for column in OF_FAMILIES[family]]
        odds = decide_together(SLOPE * self._fitted().decide(features, near, columns), outline)
        types = {} if self._types is None else LazyChances(self._types, page)
        level = float(sigmoid(cut(odds, outline.length + 1.0, POWER)))
        return Prediction(sigmoid(odds)[view.row_of], level, types, needs_headline=True, calibration=self.calibration)

    def explain_rows(self, page: Page, rows: Sequence[int]) -> list[Reasons]:
        """Return (what, contribution) of each family of features, the weightiest first; positive is evidence of content.

        A contribution is by how much the log-odds of the block fall if nothing of this family is known of any block of the page
        (occlusion, Zeiler and Fergus 2014); the last, `TOGETHER`, is the rest of the log-odds.
        """
        view, outline, features, near = self._read(page)
        network, views = self._fitted(), ((), *OF_FAMILIES.values())
        whole, *without = (decide_together(SLOPE * network.decide(features, near, unseen), outline) for unseen in views)
        explained = []
        for row in view.row_of[list(rows)]:
            found = [(what, float(whole[row] - odds[row])) for what, odds in zip(FAMILIES.values(), without, strict=True)]
            rest = float(whole[row]) - sum(share for _, share in found)
            explained.append(weightiest_first([*found, (TOGETHER, rest)]))
        return explained

    def save(self, path: Path) -> None:
        """Write the model as an npz file. Raises `StorageFailed`."""
        arrays = {f"{NETWORK}{name}": array for name, array in self._fitted().pack().items()}
        arrays |= {name: lexicon.weights.astype(np.float16) for name, lexicon in self._lexicons.items()}
        if self._types is not None:
            arrays |= {"types": self._types.weights.astype(np.float16), "type intercepts": self._types.intercept.astype(np.float32)}
        if self.calibration is not None:
            arrays |= {f"{FORECAST}{name}": array for name, array in self.calibration.pack().items()}
        intercepts = {name: lexicon.intercept for name, lexicon in self._lexicons.items()}
        save_weights(path, self.name, arrays, {"columns": list(COLUMNS), "intercepts": intercepts, "pages": self.pages})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""
        arrays, about = load_weights(path, cls.name)
        if about.get("columns") != list(COLUMNS):
            raise BadRecord(f"{path}: it reads other features than this sightread has; train the model again")
        model = cls()
        try:
            model._lexicons = {name: Lexicon.of(arrays[name], float(about["intercepts"][name])) for name in LEXICONS}
            model._network = unpack_network(_part(arrays, NETWORK), len(COLUMNS))
            if "types" in arrays:
                model._types = PageTypes.of(arrays["types"], arrays["type intercepts"])
            if calibration := _part(arrays, FORECAST):
                model.calibration = unpack_calibration(calibration)
        except KeyError as error:
            raise BadRecord(f"{path}: it has no {error.args[0]!r}; train the model again") from error
        except ValueError as error:
            raise BadRecord(f"{path}: {error}; train the model again") from error
        model.pages = int(about["pages"])
        return model

    def _fitted(self) -> Network:
        if self._network is None:
            raise RuntimeError("the model is not fitted: call fit, or load one")
        return self._network

    def _read(self, page: Page, unseen: Sequence[str] = ()) -> tuple[DomView, PageArrays, Features, Neighbours]:
        """Return the page's `dom_view`, that as arrays, and of its blocks the columns of `COLUMNS` and the neighbours."""
        self._fitted()
        view = dom_view(page)
        outline = PageArrays(view.page)
        words = np.zeros(outline.count)
        if "words" not in unseen:
            words = self._lexicons["words"].decide(hashed_words.first_words(outline))
        scores = words, self._lexicons["names"].decide_names(outline)
        features = np.vstack([blocks.block_features(outline, unseen).T, *scores], dtype=np.float32).T
        return view, outline, features, neighbours(outline)


def _part(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    """Return the arrays whose names begin so, under the rest of their names."""
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


def decide_together(odds: Floats, page: PageArrays) -> Floats:
    """Return the log-odds of the blocks with regard to those that they belong with.

    What is in one record of a list, such as a card, draws near to its mean, by length. Then blocks of a look that `LEAST_ALIKE` or more
    have, by tags and classes, have one mean: all titles of a list are kept, or none.
    """
    look, record, length = page.alike["classes"], page.records + 1, page.length + 1.0
    of_record = np.bincount(record, odds * length) / np.bincount(record, length).clip(min=1.0)
    odds = np.where(record > 0, odds + RECORD * (of_record[record] - odds), odds)
    count = np.bincount(look)
    return np.where(count[look] >= LEAST_ALIKE, (np.bincount(look, odds) / count.clip(min=1))[look], odds)


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
