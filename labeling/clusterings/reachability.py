"""Mutual reachability over weighted points and its minimum spanning tree, in memory linear in the points.

The distance of two signatures is that of their one-hot columns as they are: the square root of how many paths and properties differ. One
difference counts as one standard deviation of the width. So all distances here are in CSS px.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.clusterings.distinct_looks import Points, one_hot
from sightread.labeling.evidence.signature import Signature

CACHE_BYTES = 1 << 27
"""Memory for the distances of signatures that were requested last."""

DistanceRow = Callable[[int], NDArray[np.float64]]
"""From one to all: squared distances."""


def spanning_tree(points: Points, signatures: Sequence[Signature], samples: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the tree's edges, shape (points - 1, 3) with one point, the other, and their distance; and the points' core distances.

    A point of weight w represents w blocks: its core distance is the least radius that holds `samples` blocks, its own included (Campello,
    Moulavi and Sander 2013, definition 1), and that of the furthest if there are too few. Prim's algorithm.
    """
    row = _rows(points, signatures)
    core = _core_distances(points, row, samples)
    count = len(core)
    edges = np.empty((count - 1, 3))
    floor, best, source = core.copy(), np.full(count, np.inf), np.zeros(count, np.intp)
    current = 0
    for step in range(count - 1):
        floor[current] = best[current] = np.inf  # it is in the tree: nothing reaches it any more
        reach = np.maximum(row(current), floor)
        np.maximum(reach, core[current], out=reach)
        nearer = reach < best
        source[nearer] = current
        np.copyto(best, reach, where=nearer)
        current = int(best.argmin())
        edges[step] = source[current], current, best[current]
    edges[:, 2] = np.sqrt(edges[:, 2])
    return edges, np.sqrt(core)


def _rows(points: Points, signatures: Sequence[Signature]) -> DistanceRow:
    distances = _signature_distances(signatures)
    points_of = np.diff(points.start)

    def row(point: int) -> NDArray[np.float64]:
        squared: NDArray[np.float64] = np.repeat(distances(int(points.signature[point])) * points.deviation**2, points_of)
        squared += (points.width - points.width[point]) ** 2
        return squared

    return row


def _signature_distances(signatures: Sequence[Signature]) -> DistanceRow:
    """Return what gives the squared distances of one signature to all: how many paths and properties differ."""
    columns = one_hot(signatures)
    total = columns.sum(axis=1)
    found_in = columns.sum(axis=0)
    shared = columns[:, (found_in > 1) & (found_in < len(signatures))]
    total -= columns[:, found_in == len(signatures)].sum(axis=1)

    @lru_cache(maxsize=max(1, CACHE_BYTES // (8 * len(signatures))))
    def distances(signature: int) -> NDArray[np.float64]:
        own = np.zeros(shared.shape[1])
        own[shared.indices[shared.indptr[signature] : shared.indptr[signature + 1]]] = 1.0
        squared: NDArray[np.float64] = total + total[signature] - 2 * (shared @ own)
        squared[signature] = 0.0
        return squared

    return distances


def _core_distances(points: Points, row: DistanceRow, needed: int) -> NDArray[np.float64]:
    """Return for each point the squared radius that holds `needed` blocks.

    Another signature is at least one standard deviation away: a point with enough of its own signature that near has to look no further.
    """
    core = _within_signature(points, needed) ** 2
    for point in np.flatnonzero(core > points.deviation**2):
        squared = row(int(point))
        near = np.argpartition(squared, needed)[: needed + 1] if needed < len(squared) else np.arange(len(squared))
        near = near[np.argsort(squared[near])]
        enough = np.searchsorted(np.cumsum(points.weight[near]), needed)
        core[point] = squared[near[min(int(enough), len(near) - 1)]]
    return core


def _within_signature(points: Points, needed: int) -> NDArray[np.float64]:
    """Return for each point the radius that holds `needed` blocks of its own signature; infinity if there are fewer."""
    count = len(points.weight)
    others = np.arange(count)[:, None] + np.arange(-needed, needed + 1)
    at = others.clip(0, count - 1)
    there = (others == at) & (points.signature[at] == points.signature[:, None])
    distance = np.where(there, np.abs(points.width[at] - points.width[:, None]), np.inf)
    order = np.argsort(distance, axis=1)
    held = np.cumsum(np.take_along_axis(np.where(there, points.weight[at], 0), order, axis=1), axis=1)
    enough = np.argmax(held >= needed, axis=1)
    radius = np.take_along_axis(distance, np.take_along_axis(order, enough[:, None], axis=1), axis=1)[:, 0]
    return np.where(held[:, -1] >= needed, radius, np.inf)
