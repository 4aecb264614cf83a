"""Stored clusters of a site: assign the blocks of new pages without clustering again.

By DBSCAN's figures a new block belongs to the cluster of a core point within eps, the nearest if there are several. Two signatures are
never that near (`dbscan.LEAST_DIFFERENCE`), and with one sample every point is a core point: what is left is to look the block's signature
up, and the nearest width seen with it. The same rule serves the clusters of any other algorithm.

The clusterings of a site's blocks by their look, behind one interface.

A clustering gives equal blocks equal clusters, knows nothing of the order of the blocks but for the numbers that it gives, and depends on
no chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import Annotated, NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.labeling.dbscan import EPS, NOISE, dbscan, merge_blocks
from sightread.labeling.evidence import SiteTable
from sightread.labeling.hdbscan import hdbscan
from sightread.labeling.looks import SignatureTable
from sightread.render.page.array_types import Bools, Floats, Rows


class Clustering(Protocol):
    """A function that clusters a table of signatures."""

    def __call__(self, table: SignatureTable, /) -> NDArray[np.int32]:
        """Return the cluster of each block, counted from 0 without gaps; -1 is noise."""
        ...


CLUSTERINGS: Mapping[str, Clustering] = MappingProxyType({"dbscan": dbscan, "hdbscan": hdbscan})
"""By name. DBSCAN is the paper's and the default; HDBSCAN needs no radius."""


ClusterNumber = Annotated[int, msgspec.Meta(ge=NOISE, le=np.iinfo(np.int32).max)]
Width = Annotated[float, msgspec.Meta(ge=0)]
LookDigest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}\Z")]


class Interval(NamedTuple):
    """Widths in CSS px, both ends included, and their cluster; -1 is noise."""

    low: Width
    high: Width
    cluster: ClusterNumber


@dataclass(frozen=True, slots=True)
class KnownLook:
    """A signature that was seen, and its widths."""

    digest: LookDigest
    """Of tag path and style: only equality matters, and styles are long."""
    widths: tuple[Interval, ...]
    """Ascending and apart from one another."""

    def __post_init__(self) -> None:
        if any(low > high for low, high, _ in self.widths) or any(one.high >= other.low for one, other in pairwise(self.widths)):
            raise ValueError(f"widths of {self.digest}: intervals must ascend without overlaps")


@dataclass(frozen=True, slots=True)
class KnownClusters:
    """A stored clustering: enough to assign any block to one of the clusters."""

    reach: Width
    """CSS px: a block further from every known width of its look belongs to none of the clusters."""
    looks: tuple[KnownLook, ...]
    pages: tuple[tuple[ClusterNumber, ...], ...] = ()
    """The clusters of each page, equal ones once; none if an earlier version stored them."""

    def __post_init__(self) -> None:
        if len({look.digest for look in self.looks}) < len(self.looks):
            raise ValueError("looks: one of them is there twice")


def remember(table: SignatureTable, clusters: NDArray[np.int32]) -> KnownClusters:
    """Return the stored form of the clusters, given one per block of the table; equal blocks are in equal clusters.

    Neighbouring widths of one cluster become one interval if no width between them is out of reach, which changes no assignment. A
    signature that is noise at every width is left out: it is assigned like one never seen.
    """
    points = merge_blocks(table)
    cluster = clusters[points.first]
    reach = EPS * points.deviation
    begins = np.ones(len(cluster), np.bool_)
    begins[1:] = (np.diff(points.signature) != 0) | (np.diff(cluster) != 0) | ((np.diff(points.width) > 2 * reach) & (cluster[1:] >= 0))
    low = np.flatnonzero(begins)
    high = np.append(low[1:], len(cluster))[: len(low)] - 1
    widths: list[list[Interval]] = [[] for _ in table.signatures]
    rows = zip(points.signature[low], points.width[low], points.width[high], cluster[low], strict=True)
    for signature, least, most, number in rows:
        widths[signature].append(Interval(float(least), float(most), int(number)))
    looks = zip(table.signatures, widths, strict=True)
    return KnownClusters(
        reach,
        tuple(KnownLook(signature.digest(), tuple(of_look)) for signature, of_look in looks if any(w.cluster >= 0 for w in of_look)),
        _clusters_of_pages(table.page, clusters),
    )


def _clusters_of_pages(page: NDArray[np.int32], clusters: NDArray[np.int32]) -> tuple[tuple[int, ...], ...]:
    pages, found = np.unique(np.stack([page, clusters])[:, clusters >= 0], axis=1)
    of_pages = np.split(found, np.flatnonzero(np.diff(pages)) + 1)
    return tuple(sorted({tuple(of_page.tolist()) for of_page in of_pages if of_page.size}))


def assign(known: KnownClusters, table: SignatureTable) -> NDArray[np.int32]:
    """Return the cluster of each block of a table, of any pages; -1 for a look or a width unlike all that were seen.

    What a block is assigned to depends on no other block. The very blocks that were clustered get their clusters back.
    """
    looks = {look.digest: look.widths for look in known.looks}
    order = np.argsort(table.signature, kind="stable")
    bounds = np.searchsorted(table.signature[order], np.arange(len(table.signatures) + 1))
    found = np.full(len(order), NOISE, np.int32)
    for row, signature in enumerate(table.signatures):
        widths = looks.get(signature.digest())
        if widths:
            members = order[bounds[row] : bounds[row + 1]]
            found[members] = _nearest(widths, table.width[members], known.reach)
    return found


def _nearest(widths: Sequence[Interval], width: NDArray[np.float64], reach: float) -> NDArray[np.int32]:
    """Return the cluster of the interval nearest to each width, the lower one of two; -1 if none is within reach."""
    low, high, cluster = (np.array(column) for column in zip(*widths, strict=True))
    above = np.searchsorted(low, width, "right")
    to_below = np.maximum(width - np.append(-np.inf, high)[above], 0.0)
    to_above = np.append(low, np.inf)[above] - width
    nearest = np.where(to_below <= to_above, above - 1, above)
    return np.where(np.minimum(to_below, to_above) <= reach, cluster[nearest], NOISE).astype(np.int32)


Groups = NDArray[np.int32] | Rows
"""Numbers of groups, one per block, from 0 on."""
EVEN_SHARE = 0.5
"""The share of content around a block without other text, and the place of a block on a page without content."""
AT_THE_EDGE = 0.01
"""Share of the content's characters on a page that may be before its first or after its last block inside the content."""


def means_of_groups(groups: Groups, weight: Floats, values: Floats) -> Floats:
    """Return for each block the weighted mean of the values of its group."""
    return np.asarray((np.bincount(groups, weight * values) / np.maximum(np.bincount(groups, weight), 1e-9))[groups])


def number_pairs(one: Groups, other: Groups) -> Rows:
    """Return a number for each distinct pair, from 0 on."""
    key = one.astype(np.int64) * (int(other.max(initial=0)) + 1) + other
    numbers: Rows = np.unique(key, return_inverse=True)[1]
    return numbers


def content_around(table: SiteTable, look: Rows, weight: Floats, share: Floats) -> Floats:
    """Return for each look the share of content in the text of other looks in the same parent element, averaged over its blocks."""
    parents, offset = [np.zeros(0, np.intp)], 0
    for page in table.pages:
        above = np.array([max(page.elements[block.element].parent, 0) for block in page.blocks], np.intp)
        parents.append(above + offset)
        offset += len(page.elements)
    below = np.concatenate(parents)
    text = table.length + 5.0
    own = number_pairs(below, look)
    content = np.bincount(below, text * share)[below] - np.bincount(own, text * share)[own]
    other = np.bincount(below, text)[below] - np.bincount(own, text)[own]
    of_block = np.where(other > 0.5, (content + EVEN_SHARE) / (other + 1), EVEN_SHARE)
    return means_of_groups(look, weight, of_block)


def outside_content(table: SiteTable, is_content: Bools) -> Floats:
    """Return which blocks are before the first or after the last content of their page, shape (blocks,); 0.5 on a page without content."""
    text = (table.length * is_content).astype(np.float64)
    outside = []
    for of_page in table.by_page(text):
        up_to = np.cumsum(of_page)
        whole = up_to[-1] if len(of_page) else 0.0
        least = np.minimum(up_to - of_page, whole - up_to)
        outside.append((least < AT_THE_EDGE * whole).astype(np.float64) if whole else np.full(len(of_page), EVEN_SHARE))
    return np.concatenate([np.zeros(0), *outside])


def leading_content(table: SiteTable, is_content: Bools) -> Bools:
    """Return which blocks are headings above content, shape (blocks,): the next shown text on their page that is no heading is content."""
    blocks = [block for page in table.pages for block in page.blocks]
    is_heading = np.array([block.heading > 0 for block in blocks], np.bool_)
    texts = np.flatnonzero(~is_heading & np.array([not block.hidden for block in blocks], np.bool_) & (table.length > 0))
    headings = np.flatnonzero(is_heading)
    following = np.searchsorted(texts, headings)
    found = np.zeros(len(blocks), np.bool_)
    has_one = following < len(texts)
    rows, below = headings[has_one], texts[following[has_one]]
    found[rows] = is_content[below] & (table.page[rows] == table.page[below])
    return found
