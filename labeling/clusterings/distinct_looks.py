"""The distinct looks of a site with their counts: clusterings compute on these instead of all blocks.

Blocks of one signature and width are one weighted point, and the squared distance of two points is that of their signatures plus that of
their widths. A million blocks have some ten thousand points and some thousand signatures.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence.signature import Signature, SignatureTable

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
