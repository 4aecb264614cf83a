"""HDBSCAN over the looks of a site: clusters of any density, without a radius.

Campello, Moulavi and Sander 2013, as the `hdbscan` package condenses it (McInnes, Healy and Astels 2017), over weighted points instead of
blocks. Its public interface takes one row per block and no weights, which a site of a million blocks does not allow; so its two functions
for the condensed tree are called directly. What is chosen here, and why; the figures are character F1 of the labels of the authors' seven
sites in trials, for which columns, weights, sizes and ways to pick clusters were exchanged. What came out is compared
with DBSCAN in docs/experiments/labeling.md.

- One-hot columns as they are, not standardised: standardised, a rare property weighs more than a common one, and with 30 % of the styles
  changed F1 falls to 0.87; as they are it stays at 0.998.
- The leaves of the hierarchy. Where looks repeat, excess of mass comes to the same, for equal blocks are infinitely dense; without
  weights, when each look counts once, it melts articles into other things (0.58 on the worst site).
- A block that is too rare for a cluster joins the nearest of its own signature, else the site's rare blocks of that signature are a
  cluster. Left as noise they would never be content: headlines and lists of few pages cost up to 0.1 of recall.
- A cluster repeats on half of the pages, but no more than eight times.

Mutual reachability over weighted points and its minimum spanning tree, in memory linear in the points.

The distance of two signatures is that of their one-hot columns as they are: the square root of how many paths and properties differ. One
difference counts as one standard deviation of the width. So all distances here are in CSS px.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.dbscan import NOISE, Points, merge_blocks, number_clusters, one_hot
from sightread.labeling.looks import WIDEST, Signature, SignatureTable


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
    """Return the nodes that the pairs connect, those that are connected together."""
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


MOST_POINTS = 1 << 15
"""Time grows with their square: ten seconds. A million blocks of a site with noise have as many."""
LEAST_SIZE, MOST_SIZE = 2, 8
"""Of a cluster, in blocks. Of constant sizes, 2 to 5 were worse with every second width changed (0.984 to 0.994 against 0.998), and 4 and
more on three pages; more than 8 changes nothing on these sites."""


def hdbscan(table: SignatureTable, min_cluster_size: int | None = None) -> NDArray[np.int32]:
    """Return a cluster number for each block of the table, counted from 0 by their first block; none is noise.

    `min_cluster_size` is in blocks, at least 2, and serves the core distances too, as the paper proposes; by default it follows from the
    number of pages. Widths count in whole px; smaller differences are invisible.
    """
    if not len(table.signature):
        return np.zeros(0, np.int32)
    size = min_cluster_size or int(np.clip(len(np.unique(table.page)) // 2, LEAST_SIZE, MOST_SIZE))
    points = _points(table)
    common = points.weight > (np.sort(points.weight)[-MOST_POINTS - 1] if len(points.weight) > MOST_POINTS else 0)
    dense = np.full(len(points.weight), NOISE, np.intp)
    dense[common] = _dense_clusters(*_only(points, common, table.signatures), size)
    cluster = _join_rare(points, dense)
    return number_clusters(cluster, points.first)[cluster][points.of_block].astype(np.int32)


def _points(table: SignatureTable) -> Points:
    """Return the points of the table, with widths rounded to whole px, or to 2, 4, 8 px and so on if there are too many."""
    step = 1.0
    while True:
        points = merge_blocks(replace(table, width=np.round(table.width / step) * step))
        if len(points.weight) <= MOST_POINTS or step > WIDEST:
            return points
        step *= 2


def _only(points: Points, kept: NDArray[np.bool_], signatures: Sequence[Signature]) -> tuple[Points, Sequence[Signature]]:
    """Return some of the points, and the signatures that they have."""
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
