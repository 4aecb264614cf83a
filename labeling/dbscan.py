"""DBSCAN as the paper runs it: one-hot path and properties, the width beside them, all columns standardised, eps 0.5, min_samples 1.

It is computed exactly, but not block by block: equal blocks are one weighted point, signatures are compared once, and widths are sorted.

The distinct looks of a site with their counts: clusterings compute on these instead of all blocks.

Blocks of one signature and width are one weighted point, and the squared distance of two points is that of their signatures plus that of
their widths. A million blocks have some ten thousand points and some thousand signatures.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.looks import Signature, SignatureTable
from sightread.render.page.page_arrays import LINK_WIDTH

NOISE = -1
"""The cluster of blocks like no other."""


@dataclass(frozen=True, slots=True)
class Points:
    """The distinct (signature, width) of a site, sorted by signature, then width."""

    signature: NDArray[np.intp]
    width: NDArray[np.float64]
    """CSS px."""
    weight: NDArray[np.int64]
    """How many blocks it represents."""
    first: NDArray[np.intp]
    """The first of them."""
    of_block: NDArray[np.intp]
    """The point of each block."""
    start: NDArray[np.intp]
    """Where each signature's points begin, and the end of the last; shape (signatures + 1,)."""
    deviation: float
    """Standard deviation of all blocks' widths in CSS px; 1 if they do not differ."""


def merge_blocks(table: SignatureTable) -> Points:
    """Return the points of the table's blocks."""
    order = np.lexsort((table.width, table.signature))
    signature, width = table.signature[order], table.width[order]
    new = np.ones(len(order), np.bool_)
    new[1:] = (signature[1:] != signature[:-1]) | (width[1:] != width[:-1])
    begin = np.flatnonzero(new)
    of_block = np.empty(len(order), np.intp)
    of_block[order] = np.cumsum(new) - 1
    return Points(
        signature=signature[begin].astype(np.intp),
        width=width[begin],
        weight=np.diff(begin, append=len(order)),
        first=order[begin],  # the sort is stable
        of_block=of_block,
        start=np.searchsorted(signature[begin], np.arange(len(table.signatures) + 1)),
        deviation=float(np.sort(table.width).std() or 1.0) if len(order) else 1.0,  # sorted: a sum's last digits depend on the order
    )


def number_clusters(component: NDArray[np.intp], first: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return a number for each component, from 0 in the order of their first blocks; `first` is the first block of each point."""
    earliest = np.full(int(component.max(initial=-1)) + 1, np.iinfo(np.intp).max)
    np.minimum.at(earliest, component, first)
    return np.argsort(np.argsort(earliest))


def one_hot(signatures: Sequence[Signature]) -> Any:
    """Return a sparse matrix of ones: a row for each signature, a column for each path and each property with its value.

    Columns are identified by a hash of 64 bits: ten million of them, which a hostile page may have, then fit in some hundred MiB.
    """
    from scipy import sparse  # noqa: PLC0415  (scipy takes a third of a second to import)

    hashes, ends = array("q"), array("q", [0])
    for signature in signatures:
        hashes.append(hash(signature.tag_path))
        hashes.extend(map(hash, signature.style.items()))
        ends.append(len(hashes))
    found, columns = np.unique(np.frombuffer(hashes, np.int64), return_inverse=True)
    return sparse.csr_array((np.ones(len(columns)), columns, np.frombuffer(ends, np.int64)), shape=(len(signatures), len(found)))


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
