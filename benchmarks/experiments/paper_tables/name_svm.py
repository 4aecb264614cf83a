"""The experiments of the paper's Tables 2 to 8 as it ran them (Zhou and Mashuq 2013, section 5): names, and a linear SVM.

Blocks of all held-out pages are scored together, once a division into folds, and the divisions are averaged: the paper reports 4 folds but
not their pages. Copies of a page share a fold. Blocks without a label are neither learned from nor scored. Table 5 is in
`benchmarks.experiments.paper_tables.text_lengths`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from benchmarks.experiments.paper_tables.name_features import KINDS, Kind, NameTable, ceiling
from sightread.classify.evaluation import block_score, page_folds
from sightread.render.page import Page
from sightread.render.page.array_types import Floats, Labels

FOLDS = 4
DIVISIONS = 5
"""Ways to divide the pages of a site into folds, from seeds 0 to 4."""

Table = Literal["T2", "T3", "T4", "T5", "T6", "T7", "T8", "text"]
SITE_TABLES: dict[Table, tuple[str, tuple[Kind, ...]]] = {
    "T2": ("all features", KINDS),
    "T6": ("tag path", ("path",)),
    "T7": ("CSS selectors", ("selectors",)),
    "T8": ("CSS visual properties", ("style",)),
}
Fold = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of a table: F1 of an experiment, 0 to 1."""

    table: Table
    subject: str
    """A site, or which pages of the chaos set."""
    method: str
    labels: str
    """Whose labels: `published` (the paper's way) or ours."""
    runs: tuple[float, ...]
    """One for each division into folds."""
    ceiling: float | None = None
    """Upper bound of classifiers that have these features only; for the text's length, the best of all cuts."""

    @property
    def f1(self) -> float:
        """Mean over the divisions."""
        return float(np.mean(self.runs))


def site_cells(site: str, pages: Sequence[Page], labels: Sequence[Labels], whose: str) -> Iterator[Cell]:
    """Yield Tables 2, 6, 7 and 8 of one site."""
    truth = np.concatenate(labels)
    divisions = [divide(pages, seed) for seed in range(DIVISIONS)]
    for table, (method, kinds) in SITE_TABLES.items():
        names = NameTable(pages, kinds)
        runs = tuple(block_score(hold_out(names, truth, fold) > 0, truth).f1 for fold in divisions)
        yield Cell(table, site, method, whose, runs, ceiling(names, truth))


def names_cell(pages: Sequence[Page], labels: Sequence[Labels], table: Table, folds: Sequence[Fold]) -> Cell:
    """Return Table 3 or 4 as the paper ran it: one SVM over the names of many sites."""
    truth, names = np.concatenate(labels), NameTable(pages)
    runs = tuple(block_score(hold_out(names, truth, fold) > 0, truth).f1 for fold in folds)
    return Cell(table, "all pages", "linear SVM over names", "published", runs)


def hold_out(names: NameTable, truth: Labels, fold: Fold) -> Floats:
    """Return the decision value of every block from the SVM that did not see its page."""
    decisions = np.zeros(len(truth))
    for number in np.unique(fold):
        tested = fold[names.page] == number
        decisions[tested] = names.decide(truth, ~tested)[tested]
    return decisions


def divide(pages: Sequence[Page], seed: int) -> Fold:
    """Return a fold a page: copies together, otherwise at random, as even as can be."""
    original = page_folds(pages, len(pages))
    return np.random.default_rng(seed).permutation(int(original.max()) + 1)[original] % FOLDS


def divide_hosts(pages: Sequence[Page], seed: int) -> Fold:
    """Return a fold a page such that no host is in two: hosts at random, each to the fold that has the fewest pages so far."""
    hosts = [urlsplit(page.url).hostname or page.url for page in pages]
    pages_of = Counter(hosts)
    order = sorted(pages_of)
    fold_of: dict[str, int] = {}
    held = np.zeros(FOLDS)
    for row in np.random.default_rng(seed).permutation(len(order)).tolist():
        fold_of[order[row]] = int(held.argmin())
        held[held.argmin()] += pages_of[order[row]]
    return np.array([fold_of[host] for host in hosts], np.intp)
