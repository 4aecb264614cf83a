"""DBSCAN as the paper runs it: one-hot path and properties, the width beside them, all columns standardised, eps 0.5, min_samples 1.

It is computed exactly, but not block by block: equal blocks are one weighted point, signatures are compared once, and widths are sorted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.clusterings.distinct_looks import Points, merge_blocks, number_clusters, one_hot
from sightread.labeling.evidence.signature import SignatureTable
from sightread.render.page.page_arrays import LINK_WIDTH

EPS = LINK_WIDTH
MIN_SAMPLES = 1
"""The paper's, section 3.2. A single block may be a cluster of its own."""
LEAST_DIFFERENCE = 2.0
"""Two signatures are at least this far apart: a column that holds for the share p of the blocks is divided by √(p(1 - p)), at most 1/2."""
CHUNK_BYTES = 1 << 26
"""Memory for the distances of some signatures to all."""


def dbscan(table: SignatureTable, eps: float = EPS, min_samples: int = MIN_SAMPLES) -> NDArray[np.int32]:
    """Return a cluster number for each block of the table, counted from 0 by their first core block; -1 is noise.

    `eps` is a distance in standard deviations. The partition is DBSCAN's over all blocks (Ester et al. 1996).
    """
    if not len(table.signature):
        return np.zeros(0, np.int32)
    points = merge_blocks(table)
    ranges = list(_neighbours(points, _near_signatures(table, eps), eps))
    total = np.concatenate([[0], np.cumsum(points.weight)])
    reach = np.zeros(len(points.weight), np.int64)
    for found in ranges:
        reach[found.points] += total[found.high] - total[found.low]
    return _components(reach >= min_samples, ranges, points.first)[points.of_block].astype(np.int32)


@dataclass(frozen=True, slots=True)
class Ranges:
    """Points and, for each, the run of points [low, high) of one signature that lie within the radius."""

    points: NDArray[np.intp]
    low: NDArray[np.intp]
    high: NDArray[np.intp]


def _near_signatures(table: SignatureTable, eps: float) -> Iterator[tuple[int, int, float]]:
    """Yield the ordered pairs of signatures no further apart than `eps`, each with itself included, and their squared distance."""
    if eps < LEAST_DIFFERENCE:
        yield from ((row, row, 0.0) for row in range(len(table.signatures)))
        return
    from scipy import sparse  # noqa: PLC0415  (scipy takes a third of a second to import)

    onehot = one_hot(table.signatures)
    share = (np.bincount(table.signature, minlength=len(table.signatures)) / len(table.signature)) @ onehot
    varied = share * (1 - share) > 0
    scaled: Any = onehot[:, varied] @ sparse.diags_array(1 / np.sqrt(share[varied] * (1 - share[varied])))
    norm = np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel()
    chunk = max(1, CHUNK_BYTES // (norm.itemsize * len(norm)))
    for begin in range(0, len(norm), chunk):
        part = slice(begin, begin + chunk)
        squared = norm[part, None] + norm[None, :] - 2 * (scaled[part] @ scaled.T).toarray()
        squared[np.arange(len(squared)), np.arange(begin, begin + len(squared))] = 0.0
        for one, other in zip(*np.nonzero(squared <= eps**2), strict=True):
            yield begin + int(one), int(other), max(float(squared[one, other]), 0.0)


def _neighbours(points: Points, near: Iterator[tuple[int, int, float]], eps: float) -> Iterator[Ranges]:
    widths = points.width / points.deviation
    for one, other, squared in near:
        radius = np.sqrt(eps**2 - squared)
        rows = np.arange(points.start[one], points.start[one + 1])
        width = widths[points.start[other] : points.start[other + 1]]
        low = np.searchsorted(width, widths[rows] - radius, "left") + points.start[other]
        high = np.searchsorted(width, widths[rows] + radius, "right") + points.start[other]
        yield Ranges(rows, low, high)


def _components(core: NDArray[np.bool_], ranges: list[Ranges], first: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the cluster of each point: connected core points, and border points with the earliest of the clusters within reach.

    `first` is the first block of each point: clusters are numbered, as a walk over the blocks would find them, by their first core block.
    """
    from scipy import sparse  # noqa: PLC0415

    before = np.concatenate([[0], np.cumsum(core)])  # core points before each point
    count = int(before[-1])
    starts, ends, runs = [], [], np.zeros(count + 1, np.intp)
    for found in ranges:
        low, high = before[found.low], before[found.high]
        linked = core[found.points] & (high > low)
        starts.append(before[found.points[linked]])
        ends.append(low[linked])
        np.add.at(runs, low[linked], 1)
        np.add.at(runs, high[linked] - 1, -1)
    inner = np.flatnonzero(np.cumsum(runs)[:-1] > 0)  # core points linked to the next one, since one point reaches both
    edges = np.concatenate([*starts, inner]), np.concatenate([*ends, inner + 1])
    graph = sparse.coo_array((np.ones(len(edges[0]), np.int8), edges), shape=(count, count))
    _, component = sparse.csgraph.connected_components(graph, directed=False)
    number = number_clusters(component, first[core])
    cluster = np.full(len(core), len(core), np.intp)
    cluster[core] = number[component]
    for found in ranges:
        outer = ~core[found.points] & (before[found.high] > before[found.low])
        for row, low, high in zip(found.points[outer], found.low[outer], found.high[outer], strict=True):
            cluster[row] = min(cluster[row], cluster[low:high][core[low:high]].min())
    return np.where(cluster < len(core), cluster, -1)
