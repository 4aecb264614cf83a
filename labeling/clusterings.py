"""The clusterings of a site's blocks by their look: DBSCAN, the paper's, and HDBSCAN, which needs no radius.

A clustering gives equal blocks equal clusters, knows nothing of the order of the blocks but for the numbers that it gives, and depends on
no chance. Both compute on the distinct looks of a site with their counts instead of all blocks: blocks of one signature and width are one
weighted point, and a million blocks have some ten thousand points and some thousand signatures.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.looks import Signature, SignatureTable

NOISE = -1
"""The cluster of blocks like no other."""


class Clustering(Protocol):
    """A function that clusters a table of signatures."""

    def __call__(self, table: SignatureTable, /) -> NDArray[np.int32]:
        """Return the cluster of each block, counted from 0 without gaps by their first block; -1 is noise."""
        ...


@dataclass(frozen=True, slots=True)
class Points:
    """The distinct (signature, width) of a site, sorted by signature, then width."""

    signature: NDArray[np.intp]
    width: NDArray[np.float64]
    """CSS px."""
    weight: NDArray[np.int64]
    """How many blocks it represents."""
    first: NDArray[np.intp]
    of_block: NDArray[np.intp]
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


EPS = 0.5
"""The paper's radius, in standard deviations (section 3.2)."""


def dbscan(table: SignatureTable) -> NDArray[np.int32]:
    """Return DBSCAN's partition of all blocks as the paper runs it (Ester et al. 1996; Zhou and Mashuq 2013, section 3.2).

    The paper clusters one-hot columns of path and properties with the width beside them, all standardised, with eps 0.5 and min_samples 1.
    So every block is a core point, and a cluster is what neighbours within eps connect. Two signatures are never neighbours: a column that
    holds for the share p of the blocks is divided by √(p(1 - p)), at most 1/2, which puts them at least 2 apart. What is left is to part
    the sorted widths of each signature where a gap is larger than eps.
    """
    points = merge_blocks(table)
    begins = np.ones(len(points.width), np.bool_)
    begins[1:] = (np.diff(points.signature) != 0) | (np.diff(points.width) > EPS * points.deviation)
    component = np.cumsum(begins) - 1
    numbers: NDArray[np.intp] = number_clusters(component, points.first)[component]
    return numbers[points.of_block].astype(np.int32)


# HDBSCAN: clusters of any density, without a radius.


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


def single_linkage(edges: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Return the hierarchy in scipy's form, shape (nodes - 1, 4): the two that are joined, their distance, and how many nodes that makes.

    `edges` has rows of one node, the other, and their distance. That form knows pairs only. If more than two are joined at one
    distance, as happens all the time among looks, those of at least `size` nodes come first: then none of them is taken for a part of
    another, and none that is less becomes one of them on the way.
    """
    count = len(edges) + 1
    ordered = edges[np.argsort(edges[:, 2], kind="stable")]
    levels = np.split(ordered, np.flatnonzero(np.diff(ordered[:, 2])) + 1)
    top = list(range(2 * count - 1))
    held = [1] * count
    joined = np.empty((count - 1, 4))
    for level in levels:
        pairs = [(_root(top, int(one)), _root(top, int(other))) for one, other, _ in level]
        for group in _groups(pairs):
            first, *others = sorted(group, key=lambda node: held[node] < size)
            for other in others:
                node = len(held)
                held.append(held[first] + held[other])
                joined[node - count] = first, other, level[0, 2], held[node]
                top[first] = top[other] = node
                first = node
    return joined


def _groups(pairs: Iterable[tuple[int, int]]) -> Iterable[list[int]]:
    leader: dict[int, int] = {}
    for one, other in pairs:
        leader.setdefault(one, one)
        leader.setdefault(other, other)
        leader[_root(leader, one)] = _root(leader, other)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for node in leader:
        groups[_root(leader, node)].append(node)
    return groups.values()


def _root(leader: dict[int, int] | list[int], node: int) -> int:
    while leader[node] != node:
        leader[node] = leader[leader[node]]
        node = leader[node]
    return node


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
    """Return for each point the squared radius that holds `needed` blocks."""
    core = np.empty(len(points.weight))
    for point in range(len(core)):
        squared = row(point)
        near = np.argpartition(squared, needed)[: needed + 1] if needed < len(squared) else np.arange(len(squared))
        near = near[np.argsort(squared[near])]
        enough = np.searchsorted(np.cumsum(points.weight[near]), needed)
        core[point] = squared[near[min(int(enough), len(near) - 1)]]
    return core


MOST_POINTS = 1 << 14
"""Time grows with their square. The rarest points of a site with more join a cluster of their signature."""
LEAST_SIZE, MOST_SIZE = 2, 8
"""Of a cluster, in blocks. Of constant sizes, 2 to 5 were worse with every second width changed (0.984 to 0.994 against 0.998), and 4 and
more on three pages; more than 8 changes nothing on these sites."""


def hdbscan(table: SignatureTable, min_cluster_size: int | None = None) -> NDArray[np.int32]:
    """Return a cluster number for each block of the table; none is noise.

    Campello, Moulavi and Sander 2013, as the `hdbscan` package condenses it (McInnes, Healy and Astels 2017), over weighted points instead
    of blocks. Its public interface takes one row per block and no weights, which a site of a million blocks does not allow; so its two
    functions for the condensed tree are called directly. The figures are character F1 of the labels of the authors' seven sites in trials;
    docs/experiments/labeling.md compares the result with DBSCAN.

    - One-hot columns as they are, not standardised: standardised, a rare property weighs more than a common one, and with 30 % of the
      styles changed F1 falls to 0.87; as they are it stays at 0.998.
    - The leaves of the hierarchy. Where looks repeat, excess of mass comes to the same, for equal blocks are infinitely dense; without
      weights, when each look counts once, it melts articles into other things (0.58 on the worst site).
    - A block that is too rare for a cluster joins the nearest of its own signature, else the site's rare blocks of that signature are a
      cluster. Left as noise they would never be content: headlines and lists of few pages cost up to 0.1 of recall.
    - A cluster repeats on half of the pages, but no more than eight times.

    `min_cluster_size` is in blocks, at least 2, and serves the core distances too, as the paper proposes. Widths count in whole px; smaller
    differences are invisible.
    """
    if not len(table.signature):
        return np.zeros(0, np.int32)
    size = min_cluster_size or int(np.clip(len(np.unique(table.page)) // 2, LEAST_SIZE, MOST_SIZE))
    points = merge_blocks(replace(table, width=np.round(table.width)))
    common = points.weight > (np.sort(points.weight)[-MOST_POINTS - 1] if len(points.weight) > MOST_POINTS else 0)
    dense = np.full(len(points.weight), NOISE, np.intp)
    dense[common] = _dense_clusters(*_only(points, common, table.signatures), size)
    cluster = _join_rare(points, dense)
    return number_clusters(cluster, points.first)[cluster][points.of_block].astype(np.int32)


def _only(points: Points, kept: NDArray[np.bool_], signatures: Sequence[Signature]) -> tuple[Points, Sequence[Signature]]:
    used, signature = np.unique(points.signature[kept], return_inverse=True)
    start = np.searchsorted(signature, np.arange(len(used) + 1))
    some = Points(signature, points.width[kept], points.weight[kept], points.first[kept], points.of_block, start, points.deviation)
    return some, [signatures[row] for row in used]


def _dense_clusters(points: Points, signatures: Sequence[Signature], size: int) -> NDArray[np.intp]:
    """Return the leaf of the hierarchy that each point is in, or noise.

    A point is in the tree as often as it has blocks, but no more than `size` times: leaves know of no more.
    """
    if len(points.weight) < 2 or points.weight.sum() < size:
        return np.full(len(points.weight), NOISE, np.intp)
    from hdbscan._hdbscan_tree import condense_tree, get_clusters  # noqa: PLC0415  (takes a second to import)

    edges, core = spanning_tree(points, signatures, size)
    copies = np.minimum(points.weight, size)
    first = np.cumsum(copies) - copies
    of_copy = np.repeat(np.arange(len(copies)), copies - 1)
    copy = np.setdiff1d(np.arange(copies.sum()), first)
    tree = np.concatenate(
        [np.column_stack([first[of_copy], copy, core[of_copy]]), np.column_stack([first[edges[:, :2].astype(np.intp)], edges[:, 2]])]
    )
    condensed = condense_tree(single_linkage(tree, size), size)
    stability = dict.fromkeys(np.unique(condensed["parent"]).tolist(), 0.0)  # leaves are chosen without
    leaf: NDArray[np.intp] = get_clusters(condensed, stability, "leaf")[0][first]
    return leaf


def _join_rare(points: Points, dense: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return a cluster for every point: of the noise, the nearest by width of its signature, the narrower of two, else one per
    signature.
    """
    count = len(dense)
    rows = np.arange(count)
    before = np.maximum.accumulate(np.where(dense == NOISE, 0, rows))
    after = np.minimum.accumulate(np.where(dense == NOISE, count - 1, rows)[::-1])[::-1]
    far = [
        np.where((dense[at] != NOISE) & (points.signature[at] == points.signature), np.abs(points.width[at] - points.width), np.inf)
        for at in (before, after)
    ]
    nearest = np.where(far[0] <= far[1], before, after)
    return np.where(np.isfinite(np.minimum(*far)), dense[nearest], dense.max() + 1 + points.signature)


CLUSTERINGS: Mapping[str, Clustering] = MappingProxyType({"dbscan": dbscan, "hdbscan": hdbscan})
"""By name. DBSCAN is the paper's and the default; HDBSCAN needs no radius."""
