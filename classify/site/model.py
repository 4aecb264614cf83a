"""The site model: a linear SVM on the look of one site (Zhou and Mashuq 2013, section 4).

Departures: the decision values become probabilities by Platt's method on held-out pages, and features seen on a single page are left out,
because the id of one article is no evidence about the next.

Its features are sparse and named, one row per block, as the original paper gave them to its classifier: computed style, tag path,
selectors, sizes. A feature is a name and a value, and most values are 1.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation import page_folds
from sightread.classify.model import (
    Explains,
    Prediction,
    Reasons,
    check_labels,
    load_payload,
    save_payload,
    sigmoid,
    weightiest_first,
)
from sightread.render.errors import BadRecord
from sightread.render.page import Block, Page
from sightread.render.page.view import laid_out

if TYPE_CHECKING:
    from scipy import sparse


PATH = "path "
"""Prefix of the feature that holds the tag path."""

LOG_LENGTH = 8.0
"""Natural logarithm of the length of a very long block: brings lengths to the scale of the other features."""

TEXT = "text: "
"""Prefix of the feature that holds the beginning of the text: what is the same on several pages is known again."""
TEXT_CHARACTERS = 60

MOST_CACHED = 20_000
"""Blocks of a site whose features are kept in memory: about 100 MB."""

FeatureRow = dict[str, float]


class LaidOutPart:
    """The laid-out part of a page, its rows in the page, and one row of features per block of the part."""

    def __init__(self, page: Page, *, is_kept: bool = False) -> None:
        self.whole = page
        """The page; a cache of parts by the ids of pages is right as long as they are kept."""
        self.page, self.rows = laid_out(page)
        self._kept = list(block_features(self.page)) if is_kept else None

    @property
    def features(self) -> Iterable[FeatureRow]:
        """Of each block; computed each time unless they are kept, so that a large page takes no memory."""
        return block_features(self.page) if self._kept is None else self._kept


class FeatureCache:
    """Features of pages that several models are fitted to or predict; keys are ids of pages, which the parts keep."""

    def __init__(self) -> None:
        self.parts: dict[int, LaidOutPart] = {}
        """Parts with their features, some kilobytes per block."""
        self.matrices: dict[tuple[int, ...], tuple[dict[str, int], list[sparse.csr_matrix]]] = {}
        """Of pages that were trained on together: the columns of their shared features, and a matrix per page."""


def cache_for(pages: Sequence[Page]) -> FeatureCache | None:
    """Return a cache for pages of at most MOST_CACHED blocks, else None: their features are computed each time."""
    return FeatureCache() if sum(len(page.blocks) for page in pages) <= MOST_CACHED else None


def block_features(page: Page) -> Iterator[FeatureRow]:
    """Yield one mapping of feature name to value for each block of the page."""
    elements: dict[int, FeatureRow] = {}
    for block in page.blocks:
        if block.element not in elements:
            elements[block.element] = _element_features(page, block.element)
        yield elements[block.element] | _own_features(page, block)


def _own_features(page: Page, block: Block) -> FeatureRow:
    features: FeatureRow = {f"style {name}: {value}": 1.0 for name, value in page.style_of(block).items()}
    if block.box is not None:
        features[f"width {block.box.width:.0f}px"] = 1.0
    features["length"] = math.log1p(len(block.text)) / LOG_LENGTH
    features["link share"] = block.link_chars / max(len(block.text), 1)
    features[TEXT + " ".join(block.text[:TEXT_CHARACTERS].split())] = 1.0
    if block.hidden:
        features[f"hidden by {block.hidden}"] = 1.0
    return features


def _element_features(page: Page, element: int) -> FeatureRow:
    lineage = [page.elements[ancestor] for ancestor in page.ancestors(element)]
    row = {PATH + "/".join(ancestor.tag for ancestor in reversed(lineage)): 1.0}
    row |= {f"{level} up: <{ancestor.tag}>" if level else f"<{ancestor.tag}>": 1.0 for level, ancestor in enumerate(lineage[:4])}
    for level, ancestor in enumerate(lineage):
        where = "in " if level else ""
        row |= {f"{where}{ancestor.tag}.{name}": 1.0 for name in ancestor.classes}
        if ancestor.id:
            row[f"{where}{ancestor.tag}#{ancestor.id}"] = 1.0
    return row


C = 0.1
"""Regularisation. 0.01 to 0.1 were as accurate as 1 on the authors' sites, and 60 times faster."""
PLATT_FOLDS = 3
UNMEASURED_SLOPE = 6.0
"""Slope of the probabilities if no page could be held out to measure it: a block at the margin gets 0.998."""
CLASSES = 2
"""Classes: content and boilerplate."""
LEAST_PAGES_OF_FEATURE = 2
"""Training pages that show a feature, at least: the id of one article is no evidence about the next."""


class _Payload(msgspec.Struct, forbid_unknown_fields=True):
    names: list[str]
    weights: list[float]
    intercept: float
    slope: float
    offset: float
    groups: list[Literal["path", "selector", "size", "style", "text"]]
    """Of features, by name: all of them."""
    pages: int


class SiteModel(Explains):
    """A linear SVM over a site's styles, paths, selectors and sizes."""

    name = "site"

    def __init__(self, cache: FeatureCache | None = None) -> None:
        self._cache = cache
        self._weights: dict[str, float] = {}
        self._intercept = self._offset = 0.0
        self._slope = UNMEASURED_SLOPE
        self.pages = 0
        """How many pages it was fitted on."""

    @property
    def slope(self) -> float:
        """Log-odds of content per unit of the decision, which `explain` is in."""
        return self._slope

    def fit(
        self, pages: Sequence[Page], labels: Sequence[NDArray[np.int8]], importance: Sequence[NDArray[np.float64]] | None = None
    ) -> Self:
        """Fit to the pages' labelled blocks; deterministic. Raises `Rejected` if a class is missing.

        `importance` weighs the blocks, one number per block; each counts 1 if it is not given.
        """
        check_labels(pages, labels)
        shown = [self._read(page) for page in pages]
        labels = [of_page[list(part.rows)] for part, of_page in zip(shown, labels, strict=True)]
        check_labels([part.page for part in shown], labels)
        importance = importance or [np.ones(len(page.blocks)) for page in pages]
        weighed = [of_page[list(part.rows)] for part, of_page in zip(shown, importance, strict=True)]
        labelled = [each for each in zip(shown, labels, weighed, strict=True) if (each[1] >= 0).any()]
        names, matrices = self._matrices([part for part, _, _ in labelled])
        parts = [
            _Labelled(matrix[of_page >= 0], of_page[of_page >= 0], weights[of_page >= 0])
            for matrix, (_, of_page, weights) in zip(matrices, labelled, strict=True)
        ]
        weights, self._intercept = _fit_svm(parts)
        self._slope, self._offset = _fit_platt(parts, page_folds([part.page for part, _, _ in labelled], PLATT_FOLDS))
        self._weights = {name: float(weight) for name, weight in zip(names, weights, strict=True) if weight or name.startswith(PATH)}
        self.pages = len(labelled)
        return self

    def predict(self, page: Page) -> Prediction:
        """Return one probability of content per block, shape (blocks,); 0 for a block that is not laid out, which has no look."""
        shown = self._read(page)
        decisions = [self._intercept + sum(value for _, value in self._contributions(row)) for row in shown.features]
        probabilities = np.zeros(len(page.blocks))
        probabilities[list(shown.rows)] = sigmoid(self._slope * np.array(decisions, np.float64) + self._offset)
        return Prediction(probabilities, needs_headline=True)

    def unknown(self, page: Page) -> NDArray[np.bool_]:
        """Return which laid-out blocks have a tag path that almost no training page contains, shape (blocks,)."""
        paths = page.tag_paths()
        known = [block.hidden == "display" or PATH + paths[block.element] in self._weights for block in page.blocks]
        return ~np.array(known, np.bool_)

    def explain_rows(self, page: Page, rows: Sequence[int]) -> list[Reasons]:
        """Return (feature, weight times value) of each block, the weightiest first; positive is evidence of content."""
        blocks = [page.blocks[row] for row in rows]
        found = (_element_features(page, block.element) | _own_features(page, block) for block in blocks)
        return [weightiest_first(self._contributions(features)) for features in found]

    def _read(self, page: Page) -> LaidOutPart:
        if self._cache is None:
            return LaidOutPart(page)
        if id(page) not in self._cache.parts:
            self._cache.parts[id(page)] = LaidOutPart(page, is_kept=True)
        return self._cache.parts[id(page)]

    def _matrices(self, parts: Sequence[LaidOutPart]) -> tuple[dict[str, int], list[sparse.csr_matrix]]:
        known, key = {} if self._cache is None else self._cache.matrices, tuple(id(part.whole) for part in parts)
        if key not in known:
            names = _shared_names(part.features for part in parts)
            known[key] = names, [_matrix(part.features, names) for part in parts]
        return known[key]

    def _contributions(self, row: FeatureRow) -> list[tuple[str, float]]:
        return [(name, weight * value) for name, value in row.items() if (weight := self._weights.get(name))]

    def save(self, path: Path) -> None:
        """Write the model as JSON. Raises `StorageFailed`."""
        payload = _Payload(
            names=list(self._weights),
            weights=list(self._weights.values()),
            intercept=self._intercept,
            slope=self._slope,
            offset=self._offset,
            groups=["path", "selector", "size", "style", "text"],
            pages=self.pages,
        )
        save_payload(path, self.name, payload)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model that `save` wrote. Raises `BadRecord`."""
        payload = load_payload(path, cls.name, _Payload)
        if len(payload.names) != len(payload.weights):
            raise BadRecord(f"{path}: {len(payload.names)} features but {len(payload.weights)} weights; train the model again")
        model = cls()
        model._weights = dict(zip(payload.names, payload.weights, strict=True))
        model._intercept, model._slope, model._offset, model.pages = payload.intercept, payload.slope, payload.offset, payload.pages
        return model


def _shared_names(pages: Iterable[Iterable[FeatureRow]]) -> dict[str, int]:
    """Return a column for each feature that at least two pages show, or all features if there is one page."""
    seen: defaultdict[str, int] = defaultdict(int)
    count = 0
    for page in pages:
        count += 1
        for name in dict.fromkeys(name for row in page for name in row):
            seen[name] += 1
    shared = (name for name, on in seen.items() if on >= min(LEAST_PAGES_OF_FEATURE, count))
    return {name: column for column, name in enumerate(shared)}


def _matrix(features: Iterable[FeatureRow], names: dict[str, int]) -> sparse.csr_matrix:
    values: list[float] = []
    columns: list[int] = []
    ends = [0]
    for row in features:
        for name, value in row.items():
            if name in names:
                columns.append(names[name])
                values.append(value)
        ends.append(len(columns))
    from scipy import sparse  # noqa: PLC0415  (scipy and scikit-learn take a second to import, which only training needs)

    shape = (len(ends) - 1, len(names))
    return sparse.csr_matrix((np.array(values), np.array(columns, np.int32), np.array(ends, np.int32)), shape=shape)


class _Labelled(NamedTuple):
    """The labelled blocks of a page: features, class and importance of each."""

    rows: sparse.csr_matrix
    classes: NDArray[np.int8]
    importance: NDArray[np.float64]


def _fit_svm(parts: Sequence[_Labelled]) -> tuple[NDArray[np.float64], float]:
    from scipy import sparse  # noqa: PLC0415
    from sklearn.svm import LinearSVC  # noqa: PLC0415

    svm = LinearSVC(C=C, class_weight="balanced", dual=False, random_state=0, max_iter=10_000)
    importance = np.concatenate([part.importance for part in parts])
    svm.fit(sparse.vstack([part.rows for part in parts], format="csr"), np.concatenate([part.classes for part in parts]), importance)
    return svm.coef_[0], float(svm.intercept_[0])


def _fit_platt(parts: Sequence[_Labelled], fold: NDArray[np.intp]) -> tuple[float, float]:
    """Fit a sigmoid to the decision values of held-out pages (Platt 1999), with his targets short of 0 and 1."""
    decisions: list[NDArray[np.float64]] = []
    truths: list[NDArray[np.int8]] = []
    for held_out in np.unique(fold):
        inside = [part for part, of_part in zip(parts, fold, strict=True) if of_part != held_out]
        if not inside or len(np.unique(np.concatenate([part.classes for part in inside]))) < CLASSES:
            continue
        weights, intercept = _fit_svm(inside)
        for part in (parts[row] for row in np.flatnonzero(fold == held_out).tolist()):
            decisions.append(part.rows @ weights + intercept)
            truths.append(part.classes)
    if not truths or len(np.unique(np.concatenate(truths))) < CLASSES:
        return UNMEASURED_SLOPE, 0.0
    return _platt(np.concatenate(decisions), np.concatenate(truths))


def _platt(decision: NDArray[np.float64], truth: NDArray[np.int8]) -> tuple[float, float]:
    from scipy.optimize import minimize  # noqa: PLC0415

    positive, negative = int((truth == 1).sum()), int((truth == 0).sum())
    target = np.where(truth == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))

    def loss(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = parameters[0] * decision + parameters[1]
        error = sigmoid(z) - target
        value = np.logaddexp(0.0, z) - target * z
        return float(value.sum()), np.array([error @ decision, error.sum()])

    rising = ((0.0, None), (None, None))  # if pages contradict each other: no idea, rather than the opposite of the decision
    slope, offset = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B", bounds=rising).x
    return float(slope), float(offset)
