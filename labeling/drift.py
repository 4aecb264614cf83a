"""Drift detection: whether a page looks like those that the clusters were made from, and whether a site has changed.

A page that its site was learned from is always like itself, so the usual share is measured on held-out pages: each is compared with the
looks of the others only. `python -m benchmarks drift` measures the false alarms and what is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.dbscan import NOISE
from sightread.labeling.known_clusters import KnownClusters, assign, remember
from sightread.labeling.looks import SignatureTable, build_table, find_copies
from sightread.render.page import Page
from sightread.render.page.view import laid_out


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
    fold = np.unique(find_copies(pages).original, return_inverse=True)[1] % DRIFT.folds
    found = np.full(len(cluster), NOISE, np.int32)
    for number in np.unique(fold):
        inside = fold[table.page] == number
        others = _part(table, ~inside)
        if len(others.signature):
            found[inside] = assign(remember(others, cluster[~inside]), _part(table, inside))
    return _shares(found, pages)


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


def _shares(cluster: NDArray[np.int32], pages: Sequence[Page]) -> NDArray[np.float64]:
    bounds = np.cumsum([len(page.blocks) for page in pages])[:-1]
    return np.array([_share(found >= 0, page) for found, page in zip(np.split(cluster, bounds), pages, strict=True)], np.float64)


def _share(seen: NDArray[np.bool_], page: Page) -> float:
    visible = np.array([0 if block.hidden else len(block.text) for block in page.blocks], np.float64)
    outside = np.array([0 if block.hidden else max(0, len(block.text) - block.link_chars) for block in page.blocks], np.float64)
    text = outside if outside.any() else visible
    return float(text[seen].sum() / text.sum()) if text.any() else 1.0
