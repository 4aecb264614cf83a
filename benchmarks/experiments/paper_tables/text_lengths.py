"""Table 5, the length of a block's text as all that is known of it (Zhou and Mashuq 2013, section 6.1), in three ways.

As their code ran it: the number of characters that are not white space, scaled to mean 0 and variance 1 over the site, in an SVM with
class weights, cut at 0; the pages shuffled, their blocks in four equal runs, which cut pages in two; the mean of the folds' F1. That is one
random division, and their repository (github.com/ziyan/spider, `classifier/run.py`, `lib/processors.py`) fixes no seed for it.

One cut: the characters as shown, white space between included, cut where the training pages' F1 is best; folds of whole pages.

With its neighbours: the same number, its logarithm, and that of the mean length of the blocks before and after. Paragraphs are among
paragraphs; the paper's own premise is the longest contiguous text. Still only lengths, in one linear SVM for all sites.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.svm import SVC

from benchmarks.experiments.paper_tables.name_features import Kind, NameTable, f1_by_cut
from benchmarks.experiments.paper_tables.name_svm import FOLDS, Cell, divide, hold_out
from sightread.classify.evaluation import block_score
from sightread.render.page import Page
from sightread.render.page.array_types import Floats, Labels

DIVISIONS = 100
"""Ways to divide the pages, from seeds 0 to 99: one number per block moves the F1 by up to 4 points between two of them."""
AS_RUN = "text length, as their code ran it"
KINDS: dict[str, tuple[Kind, ...]] = {"text length": ("length",), "text lengths, with its neighbours'": ("length", "lengths")}


def length_cells(site: str, pages: Sequence[Page], labels: Sequence[Labels], whose: str, divisions: int = DIVISIONS) -> Iterator[Cell]:
    """Yield Table 5 of one site in three ways."""
    truth = np.concatenate(labels)
    folds = [divide(pages, seed) for seed in range(divisions)]
    for method, kinds in KINDS.items():
        names = NameTable(pages, kinds)
        runs = tuple(block_score(hold_out(names, truth, fold) > 0, truth).f1 for fold in folds)
        yield Cell("T5", site, method, whose, runs, best_cut_of_length(pages, truth) if kinds == ("length",) else None)
    yield Cell("T5", site, AS_RUN, whose, tuple(run_as_published(pages, truth, seed) for seed in range(divisions)))


def best_cut_of_length(pages: Sequence[Page], truth: Labels) -> float:
    """Return the F1 of the best single cut of the text's length, chosen with all labels known."""
    length = np.array([len(block.text) for page in pages for block in page.blocks], np.float64)
    known = truth >= 0
    return float(f1_by_cut(length[known], truth[known] == 1)[1].max())


def run_as_published(pages: Sequence[Page], truth: Labels, seed: int) -> float:
    """Return the mean F1 of the four folds of one random division, as the authors' code computes it; unknown blocks are left out."""
    length = np.array([len("".join(block.text.split())) for page in pages for block in page.blocks], np.float64)
    scaled = (length - length.mean()) / (length.std() or 1.0)
    order = _shuffle([len(page.blocks) for page in pages], seed)
    scores = []
    for tested in np.array_split(order[truth[order] >= 0], FOLDS):
        trained = truth >= 0
        trained[tested] = False
        decided = _decide(scaled, truth, trained)
        scores.append(block_score(decided[tested] > 0, truth[tested]).f1)
    return float(np.mean(scores))


def _shuffle(sizes: Sequence[int], seed: int) -> NDArray[np.intp]:
    """Return the rows of all blocks, the pages in random order and the blocks of each in random order."""
    random = np.random.default_rng(seed)
    ends = np.cumsum(sizes)
    rows = [random.permutation(np.arange(end - size, end)) for end, size in zip(ends, sizes, strict=True)]
    return np.concatenate([rows[page] for page in random.permutation(len(rows))]).astype(np.intp)


def _decide(scaled: Floats, truth: Labels, trained: NDArray[np.bool_]) -> Floats:
    """Fit their SVM (C 1, weights inverse to the classes' frequency, two in sum) and return all decision values.

    Equal blocks are one with a weight, which changes only the time.
    """
    points, inverse = np.unique(np.column_stack([scaled[trained], truth[trained]]), axis=0, return_inverse=True)
    frequency = np.bincount(truth[trained], minlength=2)
    if not frequency.all():
        return np.zeros(len(scaled))
    rare = 1 / frequency
    classes = dict(enumerate(2 * rare / rare.sum()))
    svm = SVC(kernel="linear", C=1.0, class_weight=classes)
    svm.fit(points[:, :1], points[:, 1].astype(np.int8), sample_weight=np.bincount(inverse))
    return np.asarray(svm.decision_function(scaled[:, None]), np.float64)
