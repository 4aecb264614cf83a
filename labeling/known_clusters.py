"""Stored clusters of a site: assign the blocks of new pages without clustering again, and compare new pages with those of the site.

By DBSCAN's figures a new block belongs to the cluster of a core point within eps, the nearest if there are several. Two signatures are
never that near (`sightread.labeling.clusterings.dbscan`): what is left is to look the block's signature up, and the nearest width seen with
it. The same rule serves the clusters of any other algorithm.

Drift detection: a page that its site was learned from is always like itself, so the usual share of known looks is measured on held-out
pages: each is compared with the looks of the others only. `python -m benchmarks drift` measures the false alarms and what is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import Annotated, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sightread.labeling.clusterings import EPS, NOISE, merge_blocks
from sightread.labeling.looks import SignatureTable, build_table, find_copies
from sightread.render.page import Page
from sightread.render.page.view import laid_out

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


# Drift.


@dataclass(frozen=True, slots=True)
class DriftLevels:
    """When a site has changed."""

    folds: int = 10
    least_pages: int = 5
    """Strange pages come in runs (a section with a layout of its own): with fewer pages no drift is reported."""
    most_chance: float = 0.01
    """A site has changed if its number of strange pages of the same template is less likely than this.

    On the authors' sites, learned by halves, neither 0.01 nor 0.001 gave a false alarm, and 0.001 missed a tenth of the changes in 5
    pages."""


DRIFT = DriftLevels()


class PageLooks(NamedTuple):
    """Comparison of a page's looks with the known ones."""

    seen: NDArray[np.bool_]
    """Whether the look of each block is known, shape (blocks,)."""
    known: float
    """Share of the page's text whose look is known, 0 to 1; 1 for a page that shows no text.

    Text means visible characters outside links, or all visible ones if there are no others."""
    kept: float
    """Share of the looks of a clustered page that this page has too, 0 to 1: of the one with the largest share.

    A page of a kind never seen has new looks, and those of header, navigation and footer; in a redesign the old ones are gone."""


def compare_looks(known: KnownClusters, page: Page) -> PageLooks:
    """Compare the looks of a page with the known ones."""
    cluster = assign(known, build_table([page]))
    present = {number for number, block in zip(cluster.tolist(), page.blocks, strict=True) if block.hidden != "display"}
    kept = max((len(present.intersection(of_page)) / max(1, len(of_page)) for of_page in known.pages), default=0.0)
    return PageLooks(cluster >= 0, _share(cluster >= 0, page), kept)


def known_share(known: KnownClusters, page: Page) -> float:
    """Return the share of the page's text whose look is known (`PageLooks.known`)."""
    return compare_looks(known, page).known


def held_out_shares(known: KnownClusters, pages: Sequence[Page]) -> NDArray[np.float64]:
    """Return for each of the very pages that were clustered `known_share` by the looks of the others, shape (pages,).

    Looks of pages without labels are not known (`sightread.labeling.label_site`), so that such a page has a low share.

    Ten folds; copies of a page share theirs. What is not laid out is left out, as it was when the clusters were made: having no width, it
    would change how far those of the others reach.
    """
    pages = [laid_out(page)[0] for page in pages]
    table = build_table(pages)
    cluster = assign(known, table)
    bounds = np.cumsum([len(page.blocks) for page in pages])[:-1]
    fold = np.unique(find_copies(pages).original, return_inverse=True)[1] % DRIFT.folds
    found = np.full(len(cluster), NOISE, np.int32)
    for number in np.unique(fold):
        inside = fold[table.page] == number
        others = _part(table, ~inside)
        if len(others.signature):
            found[inside] = assign(remember(others, cluster[~inside]), _part(table, inside))
    return np.array([_share(of_page, page) for of_page, page in zip(np.split(found >= 0, bounds), pages, strict=True)], np.float64)


def has_drifted(strange: int, pages: int, rate: float) -> bool:
    """Return whether `strange` of `pages` new pages are evidence that the site has changed: the majority, and more than chance explains."""
    return pages >= DRIFT.least_pages and 2 * strange > pages and exceeds_chance(strange, pages, rate)


def exceeds_chance(strange: int, pages: int, rate: float) -> bool:
    """Return whether `strange` of `pages` are more than chance explains if `rate` of them, 0 to 1, were strange before.

    It is the upper tail of the binomial distribution.
    """
    return sum(comb(pages, count) * rate**count * (1 - rate) ** (pages - count) for count in range(strange, pages + 1)) < DRIFT.most_chance


def _part(table: SignatureTable, rows: NDArray[np.bool_]) -> SignatureTable:
    return SignatureTable(table.signatures, table.signature[rows], table.width[rows], table.page[rows])


def _share(seen: NDArray[np.bool_], page: Page) -> float:
    visible = np.array([0 if block.hidden else len(block.text) for block in page.blocks], np.float64)
    outside = np.array([0 if block.hidden else max(0, len(block.text) - block.link_chars) for block in page.blocks], np.float64)
    text = outside if outside.any() else visible
    return float(text[seen].sum() / text.sum()) if text.any() else 1.0
