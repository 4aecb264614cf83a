"""Stability of labels: how far half of a site's pages would have given the same.

Halves are drawn in pairs that share no page (Shah and Samworth 2013, "Variable selection with error control"), by what the pages hold:
their order has no influence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from sightread.labeling.evidence.evidence import Evidence
from sightread.render.labels import CONTENT, UNKNOWN
from sightread.render.page import Page
from sightread.render.page.array_types import Labels

Relabel = Callable[[Sequence[int]], Labels]
"""The labels of all blocks of some of the pages, named by their rows, found as if the site had no others."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """How many parts of a site are labelled, and how large they are."""

    pairs: int = 6
    """Pairs of parts that share no page."""
    most_pages: int = 20
    """Pages of a part: half of the site's, but no more, so that a large site costs no more than a small one."""
    fewest_pages: int = 4
    """Different pages of a site from which on half of them are a useful part."""
    untried: float = 0.8
    """Stability of a site with fewer."""


RESAMPLING = Resampling()


def label_stability(evidence: Evidence, labels: Labels, relabel: Relabel) -> NDArray[np.float64]:
    """Return one number per page: the mean agreement (F1 of the content) of its labels with those found from half of the site's pages.

    A page that was in no half gets the mean of the others.
    """
    pages = np.unique(evidence.table.original)
    if len(pages) < RESAMPLING.fewest_pages:
        return np.full(len(evidence.table.pages), RESAMPLING.untried)
    of_page = np.split(labels, np.searchsorted(evidence.table.page, np.arange(1, len(evidence.table.pages))))
    total, count = np.zeros(len(evidence.table.pages)), np.zeros(len(evidence.table.pages))
    for half in _halves(evidence.table.pages, pages):
        found = np.split(relabel(half.tolist()), np.cumsum([len(of_page[page]) for page in half])[:-1])
        for page, again in zip(half, found, strict=True):
            if (of_page[page] != UNKNOWN).any():
                total[page] += _f1(again == CONTENT, of_page[page] == CONTENT)
                count[page] += 1
    mean = total.sum() / max(count.sum(), 1)
    stable = np.where(count > 0, total / count.clip(min=1), mean)
    return np.asarray(stable[evidence.table.original], np.float64)


def _halves(pages: Sequence[Page], rows: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Yield parts of the rows, ascending; the two of a pair share none."""
    rows = rows[np.argsort([_digest(pages[row]) for row in rows], kind="stable")]
    size = min(RESAMPLING.most_pages, len(rows) // 2)
    chance = np.random.default_rng(len(rows))
    for _ in range(RESAMPLING.pairs):
        drawn = chance.permutation(rows)
        yield from (np.sort(drawn[:size]), np.sort(drawn[size : 2 * size]))


def _digest(page: Page) -> str:
    return blake2b("\0".join(block.text for block in page.blocks).encode(errors="surrogatepass")).hexdigest()


def _f1(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> float:
    both = int((one & other).sum())
    return 2 * both / (int(one.sum()) + int(other.sum())) if one.any() or other.any() else 1.0
