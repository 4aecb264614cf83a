"""Clustering the blocks of a site by their look.

DBSCAN as the paper runs it: one-hot path and properties, the width beside them, all columns standardised, eps 0.5, min_samples 1. It is
computed exactly, but not block by block: blocks of one signature and width are one point whose weight is their number, and the squared
distance of two points is that of their signatures plus that of their widths. So signatures are compared once, and widths are sorted: a
million blocks take seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labeling.signature import SignatureTable

EPS = 0.5
MIN_SAMPLES = 1
"""The paper's, section 3.2. A single block may be a cluster of its own."""
CHUNK = 1024
"""Signatures compared at once against all: bounds the memory."""


@dataclass(frozen=True, slots=True)
class Points:
    """The distinct (signature, width) of a site, sorted by signature, then width."""

    signature: NDArray[np.intp]
    width: NDArray[np.float64]
    """In standard deviations of the blocks' widths."""
    weight: NDArray[np.float64]
    """How many blocks it stands for."""
    first: NDArray[np.intp]
    """The first of them."""
    of_block: NDArray[np.intp]
    """The point of each block."""
    start: NDArray[np.intp]
    """Where each signature's points begin, and the end of the last; shape (signatures + 1,)."""


def cluster_blocks(table: SignatureTable, eps: float = EPS, min_samples: int = MIN_SAMPLES) -> NDArray[np.int32]:
    """Return a cluster number for each block of the table, counted from 0 by their first core block; -1 is noise.

    `eps` is a distance in standard deviations. The partition is DBSCAN's over all blocks (Ester et al. 1996).
    """
    if not len(table.signature):
        return np.zeros(0, np.int32)
    points = _points(table)
    ranges = list(_neighbours(points, _near_signatures(table, eps), eps))
    total = np.concatenate([[0.0], np.cumsum(points.weight)])
    reach = np.zeros(len(points.weight))
    for found in ranges:
        reach[found.points] += total[found.high] - total[found.low]
    return _components(reach >= min_samples, ranges, points.first)[points.of_block].astype(np.int32)


def _points(table: SignatureTable) -> Points:
    deviation = table.width.std() or 1.0
    keys = np.column_stack([table.signature.astype(np.float64), table.width])
    found, first, of_block, weight = np.unique(keys, axis=0, return_index=True, return_inverse=True, return_counts=True)
    signature = found[:, 0].astype(np.intp)
    start = np.searchsorted(signature, np.arange(len(table.signatures) + 1))
    return Points(signature, found[:, 1] / deviation, weight.astype(np.float64), first, of_block, start)


@dataclass(frozen=True, slots=True)
class Ranges:
    """Points and, for each, the run of points [low, high) of one signature that lie within the radius."""

    points: NDArray[np.intp]
    low: NDArray[np.intp]
    high: NDArray[np.intp]


def _near_signatures(table: SignatureTable, eps: float) -> Iterator[tuple[int, int, float]]:
    """Yield the ordered pairs of signatures closer than `eps`, each with itself included, and their squared distance."""
    from scipy import sparse  # noqa: PLC0415  (scipy takes a third of a second to import)

    names: dict[tuple[str, str], int] = {}
    cells: list[tuple[int, int]] = []
    for row, signature in enumerate(table.signatures):
        keys = [("path", signature.tag_path), *signature.style.items()]
        cells.extend((row, names.setdefault(key, len(names))) for key in keys)
    rows, columns = np.array(cells).T
    onehot = sparse.csr_matrix((np.ones(len(cells)), (rows, columns)), shape=(len(table.signatures), len(names)))
    share = (np.bincount(table.signature, minlength=len(table.signatures)) / len(table.signature)) @ onehot
    varied = share * (1 - share) > 0
    scaled: Any = onehot[:, varied] @ sparse.diags_array(1 / np.sqrt(share[varied] * (1 - share[varied])))
    norm = np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel()
    for begin in range(0, len(norm), CHUNK):
        part = slice(begin, begin + CHUNK)
        squared = norm[part, None] + norm[None, :] - 2 * (scaled[part] @ scaled.T).toarray()
        squared[np.arange(len(squared)), np.arange(begin, begin + len(squared))] = 0.0
        for one, other in zip(*np.nonzero(squared <= eps**2), strict=True):
            yield begin + int(one), int(other), max(float(squared[one, other]), 0.0)


def _neighbours(points: Points, near: Iterator[tuple[int, int, float]], eps: float) -> Iterator[Ranges]:
    for one, other, squared in near:
        radius = np.sqrt(eps**2 - squared)
        rows = np.arange(points.start[one], points.start[one + 1])
        width = points.width[points.start[other] : points.start[other + 1]]
        low = np.searchsorted(width, points.width[rows] - radius, "left") + points.start[other]
        high = np.searchsorted(width, points.width[rows] + radius, "right") + points.start[other]
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
    rank = _ranks(component, first[core])
    cluster = np.full(len(core), len(core), np.intp)
    cluster[core] = rank[component]
    for found in ranges:
        for row, low, high in zip(found.points, found.low, found.high, strict=True):
            if not core[row] and before[high] > before[low]:
                cluster[row] = min(cluster[row], cluster[low:high][core[low:high]].min())
    return np.where(cluster < len(core), cluster, -1)


def _ranks(component: NDArray[np.intp], first: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the rank of each component by the first block of any of its points."""
    earliest = np.full(int(component.max(initial=-1)) + 1, np.iinfo(np.intp).max)
    np.minimum.at(earliest, component, first)
    return np.argsort(np.argsort(earliest))
