"""Gradient-boosted trees as numpy arrays: fitted by scikit-learn, stored as data.

Friedman (2001), with leaf values of Newton steps and binned splits as in LightGBM (Ke et al. 2017), which scikit-learn's
`HistGradientBoostingClassifier` follows. A value that is not there (NaN) goes the way that each split learned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from sightread.render.page.array_types import Features, Floats, Rows

MOST = np.finfo(np.float32).max
"""Thresholds end here, for some splits only test whether a value is present: theirs are infinite, and missing values are infinite too."""
LEVELS_BEFORE_CHECK = 4
"""Levels of each tree before rows that have arrived are looked for: almost none has until then."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How trees are grown."""

    trees: int = 120
    leaves: int = 31
    rate: float = 0.1
    bins: int = 63
    part: float = 0.25
    """Of the features, tried at each split."""
    least: int = 40
    """Rows of a leaf."""
    penalty: float = 1.0
    """Of the squared leaf values."""


class TreeArrays(TypedDict):
    """Trees as they are stored; a node's children are adjacent, and a leaf is its own first child."""

    feature: NDArray[np.intp]
    threshold: NDArray[np.float32]
    first: NDArray[np.intp]
    missing: NDArray[np.bool_]
    """Whether NaN goes to the first child."""
    value: NDArray[np.float32]
    roots: NDArray[np.intp]


STORED: dict[str, type[np.generic]] = {
    "feature": np.int16,
    "threshold": np.float32,
    "first": np.int32,
    "missing": np.bool_,
    "value": np.float32,
    "roots": np.int32,
}
"""The arrays of a file; they are widened as they are read, for numpy finds its way with whole words."""


@dataclass(frozen=True, slots=True)
class Trees:
    """An ensemble of binary trees whose leaf values add up to a log-odds."""

    arrays: TreeArrays
    base: float
    """Log-odds before the first tree."""

    def decide(self, features: Features) -> Floats:
        """Return the log-odds of content of each row, shape (rows,); `features` has shape (rows, features)."""
        trees, walk = self.arrays["roots"], _Walk(self.arrays, features)
        node, start = np.tile(trees, len(features)), np.repeat(walk.starts, len(trees))
        for _ in range(LEVELS_BEFORE_CHECK):
            node = walk.step(start, node)
        onward, below = np.arange(node.size), node
        while len(inner := np.flatnonzero(self.arrays["first"].take(below) != below)):
            onward, start = onward.take(inner), start.take(inner)
            below = walk.step(start, below.take(inner))
            node.put(onward, below)
        odds: Floats = self.arrays["value"][node].reshape(len(features), len(trees)).sum(axis=1, dtype=np.float64) + self.base
        return odds

    def contributions(self, row: Features) -> Floats:
        """Return what each feature of one row adds to the log-odds, shape (features,): along the way down each tree, by how much the mean
        value of the node changes at a split on it (Saabas 2014).
        """
        found, walk = np.zeros(len(row)), _Walk(self.arrays, row[None, :])
        node = self.arrays["roots"]
        while True:
            below = walk.step(np.zeros_like(node), node)
            if (below == node).all():
                return found
            np.add.at(found, self.arrays["feature"][node], self.arrays["value"][below] - self.arrays["value"][node])
            node = below

    def pack(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays as they are stored."""
        arrays = cast("dict[str, NDArray[np.generic]]", self.arrays)
        return {name: arrays[name].astype(kind) for name, kind in STORED.items()}


class _Walk:
    """Rows of features on their way down. A missing value is above every threshold, and again below, for splits that send it there."""

    def __init__(self, arrays: TreeArrays, features: Features) -> None:
        missing, known, width = np.isnan(features), features.clip(-MOST, MOST), features.shape[1]
        self._values = np.concatenate([np.where(missing, end, known) for end in (np.float32(np.inf), np.float32(-np.inf))], axis=1).ravel()
        self._column = arrays["feature"] + width * arrays["missing"]
        self._threshold = arrays["threshold"].clip(max=MOST)
        self._first = arrays["first"]
        self.starts = np.arange(0, self._values.size, 2 * width)
        """Of each row."""

    def step(self, start: Rows, node: Rows) -> Rows:
        """Return the children of each node, which follow from its start; a leaf is its own child."""
        values = self._values.take(self._column.take(node) + start)
        below: Rows = self._first.take(node) + (values > self._threshold.take(node))
        return below


def unpack_trees(arrays: Mapping[str, NDArray[np.generic]], base: float, columns: int) -> Trees:
    """Return the values that `pack` stored. Raises ValueError if the arrays make no trees over these columns: a walk down must end."""
    missing = [name for name in STORED if name not in arrays]
    if missing:
        raise ValueError(f"its trees have no {missing[0]!r}")
    wide = {name: arrays[name].astype(np.intp) if np.issubdtype(kind, np.integer) else arrays[name] for name, kind in STORED.items()}
    found = cast("TreeArrays", wide)
    nodes = len(found["feature"])
    own = np.arange(nodes)
    if any(len(array) != nodes for name, array in wide.items() if name != "roots") or len(found["roots"]) > nodes:
        raise ValueError("its trees are damaged")
    leaf = found["first"] == own
    ends = np.isposinf(found["threshold"][leaf]).all() and found["missing"][leaf].all()
    goes_on = (found["first"][~leaf] > own[~leaf]).all() and (found["first"][~leaf] + 1 < nodes).all()
    inside = all(((found[name] >= 0) & (found[name] < most)).all() for name, most in (("feature", columns), ("roots", nodes)))  # type: ignore[literal-required]
    if not (ends and goes_on and inside):
        raise ValueError("its trees are damaged")
    return Trees(found, base)


def grow(features: Features, content: NDArray[np.bool_], importance: Floats, growth: Growth = Growth()) -> Trees:
    """Fit trees to rows; deterministic. Columns without any value are left out. Raises ValueError if one class is missing."""
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415  (only training needs it, and it takes a second to import)
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # noqa: PLC0415

    known = np.flatnonzero(np.isfinite(features).any(axis=0))
    booster = HistGradientBoostingClassifier(
        learning_rate=growth.rate,
        max_iter=growth.trees,
        max_leaf_nodes=growth.leaves,
        max_bins=growth.bins,
        max_features=growth.part,
        min_samples_leaf=growth.least,
        l2_regularization=growth.penalty,
        early_stopping=False,
        random_state=0,
    )
    with threadpool_limits(1):  # two threads on busy cores wait for each other
        booster.fit(features[:, known], content, sample_weight=importance / importance.mean())
    nodes = [predictors[0].nodes for predictors in booster._predictors]
    return Trees(_packed(nodes, known), float(booster._baseline_prediction.item()))


def _packed(trees: list[NDArray[np.void]], known: NDArray[np.intp]) -> TreeArrays:
    """Return scikit-learn's trees with each one's nodes in breadth-first order, so that the children of a node are adjacent."""
    parts: dict[str, list[NDArray[np.generic]]] = {name: [] for name in ("feature", "threshold", "first", "missing", "value")}
    roots, start = [], 0
    for nodes in trees:
        order, first = [0], []
        for place in range(len(nodes)):
            node = nodes[order[place]]
            first.append(place if node["is_leaf"] else len(order))
            if not node["is_leaf"]:
                order += [int(node["left"]), int(node["right"])]
        laid = nodes[order]
        leaf = laid["is_leaf"].astype(np.bool_)
        parts["feature"].append(known[np.where(leaf, 0, laid["feature_idx"])].astype(np.intp))
        # In 32 bits as the features are; rounded down, so that what was at most the threshold, or above it, still is.
        parts["threshold"].append(np.where(leaf, np.inf, _rounded_down(laid["num_threshold"])).astype(np.float32))
        parts["first"].append(np.array(first, np.intp) + start)
        parts["missing"].append(leaf | laid["missing_go_to_left"].astype(np.bool_))
        parts["value"].append(laid["value"].astype(np.float32))
        roots.append(start)
        start += len(nodes)
    joined = {name: np.concatenate(arrays) for name, arrays in parts.items()}
    return cast("TreeArrays", joined | {"roots": np.array(roots, np.intp)})


def _rounded_down(values: Floats) -> NDArray[np.float32]:
    near = values.astype(np.float32)
    return np.where(near > values, np.nextafter(near, np.float32(-np.inf)), near).astype(np.float32)
