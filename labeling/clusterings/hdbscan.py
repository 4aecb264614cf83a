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
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.clusterings.dendrogram import single_linkage
from sightread.labeling.clusterings.distinct_looks import NOISE, Points, merge_blocks, number_clusters
from sightread.labeling.clusterings.reachability import spanning_tree
from sightread.labeling.evidence.signature import WIDEST, Signature, SignatureTable

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
