"""The paper's own classifier: a linear SVM over names (Zhou and Mashuq 2013, section 4), for its tables only.

A feature is the name of something a block has: a property with its value, a tag path, a selector. The models that are shipped are in
`classify`; this one keeps to what was published, with one departure: the cut of the decision values is where the training pages' F1 is
best. A cut at 0 is arbitrary if no cut separates the classes, as with the text's length alone, and the paper does not give its own.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.svm import LinearSVC

from sightread.render.page import Page
from sightread.render.page.array_types import Floats, Labels

Kind = Literal["length", "lengths", "path", "selectors", "style"]
KINDS: tuple[Kind, ...] = ("length", "path", "selectors", "style")
"""Inputs of the paper's classifier; `lengths` is ours: the length of the block beside those of its neighbours."""

C = 0.02
"""Regularisation: from 0.01 to 0.1 the tables are the same within 0.7; with 1 the names of single articles outweigh the rest."""
SHARED = 2
"""A name seen on fewer training pages is left out: the id of one article is no evidence about the next."""
LENGTH_UNIT = 1000.0
"""Characters; brings lengths to the scale of the other features, which are 1."""
MIDDLE = 64
"""Characters of a block that is neither long nor short: logarithms are 0 there, so that little is left to the SVM's penalised intercept."""

Names = dict[str, float]


def name_features(page: Page, kinds: Sequence[Kind] = KINDS) -> Iterator[Names]:
    """Yield one mapping of name to value for each block."""
    paths, selectors = page.tag_paths(), page.selector_paths()
    lengths = [0, *(len(block.text) for block in page.blocks), 0]
    for row, block in enumerate(page.blocks):
        names: Names = {}
        if "length" in kinds:
            names["length"] = len(block.text) / LENGTH_UNIT
        if "lengths" in kinds:
            names["quarter octaves"] = _quarter_octaves(lengths[row + 1])
            names["quarter octaves beside"] = _quarter_octaves((lengths[row] + lengths[row + 2]) / 2)
        if "path" in kinds:
            names[f"path {paths[block.element]}"] = 1.0
        if "selectors" in kinds:
            names.update(_selectors(page, block.element))
            names[f"selector {selectors[block.element]}"] = 1.0
        if "style" in kinds:
            names.update({f"{name}: {value}": 1.0 for name, value in page.style_of(block).items()})
            if block.box is not None:
                names[f"width: {block.box.width:.0f}px"] = 1.0
        yield names


def _selectors(page: Page, row: int) -> Names:
    """Return the simple selectors that match the element, and those that match an element around it."""
    names: Names = {}
    for level, ancestor in enumerate(page.ancestors(row)):
        element, where = page.elements[ancestor], "around " if level else ""
        identity = [f"{element.tag}#{element.id}"] if element.id else []
        names.update(dict.fromkeys((f"{where}{name}" for name in (element.tag, *identity)), 1.0))
        names.update(dict.fromkeys((f"{where}{element.tag}.{name}" for name in element.classes), 1.0))
    return names


def _quarter_octaves(length: float) -> float:
    return 4 * math.log2(max(length, 1.0) / MIDDLE)


class NameTable:
    """The names of all blocks of some pages, equal blocks merged."""

    def __init__(self, pages: Sequence[Page], kinds: Sequence[Kind] = KINDS) -> None:
        keys: dict[Hashable, int] = {}
        rows: list[Names] = []
        point, self._names = [], defaultdict[str, int](self._next_name)
        for page in pages:
            for names in name_features(page, kinds):
                key = frozenset(names.items())
                if key not in keys:
                    keys[key] = len(rows)
                    rows.append(names)
                point.append(keys[key])
        self.point: NDArray[np.intp] = np.array(point, np.intp)
        """Each block's row among the different ones."""
        self.page: NDArray[np.intp] = np.repeat(np.arange(len(pages)), [len(page.blocks) for page in pages])
        """Each block's page."""
        ends = np.cumsum([0, *map(len, rows)]).astype(np.int32)
        columns = np.array([self._names[name] for names in rows for name in names], np.int32)
        values = np.array([value for names in rows for value in names.values()])
        self.matrix: sparse.csr_matrix = sparse.csr_matrix((values, columns, ends), shape=(len(rows), len(self._names)))
        """The features of the different rows."""

    def _next_name(self) -> int:
        return len(self._names)

    def decide(self, labels: Labels, trained: NDArray[np.bool_]) -> Floats:
        """Fit to the labelled blocks `trained` and return by how much each block of the table is above the cut, shape (blocks,)."""
        used = trained & (labels >= 0)
        shared = self._shared(used)
        points, inverse = np.unique(np.column_stack([self.point[used], labels[used]]), axis=0, return_inverse=True)
        svm = LinearSVC(C=C, dual=False, random_state=0, max_iter=10_000)
        svm.fit(self.matrix[points[:, 0]][:, shared], points[:, 1], sample_weight=np.bincount(inverse))
        decision: Floats = svm.decision_function(self.matrix[:, shared])[self.point]
        return decision - best_cut(decision[used], labels[used] == 1)

    def _shared(self, used: NDArray[np.bool_]) -> NDArray[np.intp]:
        pairs = np.unique(np.column_stack([self.page[used], self.point[used]]), axis=0)
        of_pages = np.split(pairs[:, 1], np.flatnonzero(np.diff(pairs[:, 0])) + 1)
        seen = np.zeros(self.matrix.shape[1], np.intp)
        for rows in of_pages:
            seen[np.unique(self.matrix[rows].indices)] += 1
        return np.flatnonzero(seen >= min(SHARED, len(of_pages)))


def best_cut(decision: Floats, content: NDArray[np.bool_]) -> float:
    """Return the cut of the highest F1: what is above it is content. Half-way to the next value, so that it stays off the blocks."""
    values, scores = f1_by_cut(decision, content)
    best = int(scores.argmax())
    below = values[best + 1] if best + 1 < len(values) else values[best] - 2
    return float((values[best] + below) / 2)


def f1_by_cut(decision: Floats, content: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the different decision values, the highest first, and the F1 of keeping all blocks from there on up."""
    values, inverse, kept = np.unique(-decision, return_inverse=True, return_counts=True)
    right = np.cumsum(np.bincount(inverse, content))
    return -values, 2 * right / (np.cumsum(kept) + content.sum())


def ceiling(table: NameTable, labels: Labels) -> float:
    """Return the best F1 that any classifier can reach that sees only these features: equal blocks get equal answers."""
    known = labels >= 0
    point, content = table.point[known], labels[known] == 1
    share = np.bincount(point, content) / np.bincount(point).clip(min=1)
    return float(f1_by_cut(share[point], content)[1].max())
