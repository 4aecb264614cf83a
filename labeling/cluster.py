"""Clustering the blocks of a site by their look.

DBSCAN as the paper runs it (one-hot path and properties, scaled width, all columns standardised, eps 0.5, min_samples 1), on merged rows:
blocks of one signature and width are one point whose weight is their number. With weighted standardisation and weighted core points the
partition is exactly that of all the blocks, at a fraction of the cost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.cluster import DBSCAN

from labeling.signature import SignatureTable

EPS = 0.5
MIN_SAMPLES = 1
"""The paper's, section 3.2. A single block may be a cluster of its own."""


def cluster_blocks(table: SignatureTable, eps: float = EPS, min_samples: int = MIN_SAMPLES) -> NDArray[np.int32]:
    """Return a cluster number for each block of the table, counted from 0 in order of first appearance; -1 is noise.

    `eps` is a distance in standard deviations. Blocks alike in signature and width always share a cluster.
    """
    if not len(table.signature):
        return np.zeros(0, np.int32)
    points, point_of, weights = np.unique(
        np.column_stack([table.signature.astype(np.float64), table.width]), axis=0, return_inverse=True, return_counts=True
    )
    columns = _standardised(table, points, weights.astype(np.float64))
    found = DBSCAN(eps=eps, min_samples=min_samples, algorithm="brute").fit(columns, sample_weight=weights).labels_
    return _by_appearance(found[point_of])


def _standardised(table: SignatureTable, points: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the points' columns with zero mean and unit variance over the blocks (not over the points)."""
    names: dict[tuple[str, str], int] = {}
    cells: list[tuple[int, int]] = []
    for row, signature in enumerate(table.signatures):
        keys = [("path", signature.tag_path), *signature.style.items()]
        cells.extend((row, names.setdefault(key, len(names))) for key in keys)
    rows, columns = np.array(cells).T
    onehot = sparse.csr_matrix((np.ones(len(cells)), (rows, columns)), shape=(len(table.signatures), len(names)))
    dense = np.column_stack([onehot[points[:, 0].astype(np.intp)].toarray(), points[:, 1]])
    mean = np.average(dense, axis=0, weights=weights)
    deviation = np.sqrt(np.average((dense - mean) ** 2, axis=0, weights=weights))
    varied = deviation > 0
    return (dense[:, varied] - mean[varied]) / deviation[varied] if varied.any() else np.zeros((len(points), 1))


def _by_appearance(found: NDArray[np.intp]) -> NDArray[np.int32]:
    """Renumber the clusters in the order in which the blocks first show them."""
    numbers, first = np.unique(found[found >= 0], return_index=True)
    renumbered = np.full(int(found.max(initial=-1)) + 2, -1, np.int32)
    renumbered[numbers[np.argsort(first)]] = np.arange(len(numbers), dtype=np.int32)
    return renumbered[found]
