"""Tables 3 and 4 with features that carry over from site to site, and the text that they extract from sites never seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import LCSseq

from benchmarks.alignment.gold_labels import gold_labels, match_gold
from benchmarks.datasets.spider import SpiderPage
from benchmarks.experiments.paper_tables.learners import Decide, average_looks, fit_boosted, fit_svm
from benchmarks.experiments.paper_tables.name_svm import DIVISIONS, Cell, Fold, Table, divide, divide_hosts, names_cell
from benchmarks.metrics.words import word_score
from sightread.classify.evaluation import block_score
from sightread.classify.features.registry import outline_features
from sightread.labeling.published import page_clusters
from sightread.render.labels import BOILERPLATE, CONTENT
from sightread.render.page import Page
from sightread.render.page.array_types import Features, Floats, Labels
from sightread.render.page.page_arrays import PageArrays

LIVE = 0.5
"""Least part of its gold text that a page must hold: the others are error pages, or the wrong ones."""

Fit = Callable[[Features, Labels], Decide]
LEARNERS: dict[str, Fit] = {"linear SVM over relative features": fit_svm, "boosted trees over relative features": fit_boosted}
UNITS: dict[str, Callable[[Page, Floats], Floats]] = {
    "each block by itself": lambda page, decisions: decisions,
    "half by its look": lambda page, decisions: (decisions + average_looks(page, decisions)) / 2,
    "by its look": average_looks,
}
"""Unit of the decision: the paper labels whole looks, people do not."""


@dataclass(frozen=True, slots=True)
class Chaos:
    """The pages of many sites, with everything that the experiments ask of them."""

    pages: tuple[Page, ...]
    gold_text: tuple[str, ...]
    features: tuple[Features, ...]
    published: tuple[Labels, ...]
    """The paper's labels: on each page one cluster, the one closest to the gold text."""
    gold: tuple[Labels, ...]
    """The blocks that are aligned with the gold text; unknown on pages that are not live."""
    live: frozenset[int]


def label_page_by_gold(page: Page, gold_text: str) -> Labels:
    """Label one page of the paper's chaos set (section 4): clustered alone, content is the cluster that is closest to the gold text.

    Closest means the longest common subsequence of characters between the gold text and the cluster's text in page order. Of equals
    the first wins, so a page that holds nothing of its gold text still gets a cluster.
    """
    (cluster,) = page_clusters([page])
    texts = [
        "\n".join(block.text for block, own in zip(page.blocks, cluster, strict=True) if own == row)
        for row in range(int(cluster.max(initial=-1)) + 1)
    ]
    scores = [LCSseq.similarity(text, gold_text) for text in texts]
    return np.where(cluster == (int(np.argmax(scores)) if scores else -1), CONTENT, BOILERPLATE).astype(np.int8)


def read_chaos(found: Sequence[SpiderPage]) -> Chaos:
    """Compute features and both sets of labels."""
    live = {row for row, each in enumerate(found) if match_gold([block.text for block in each.page.blocks], each.gold_text).found >= LIVE}
    aligned = [gold_labels(each.page, each.gold_text) for each in found]
    return Chaos(
        pages=tuple(each.page for each in found),
        gold_text=tuple(each.gold_text for each in found),
        features=tuple(outline_features(PageArrays(each.page)) for each in found),
        published=tuple(label_page_by_gold(each.page, each.gold_text) for each in found),
        gold=tuple(labels if row in live else np.full_like(labels, -1) for row, labels in enumerate(aligned)),
        live=frozenset(live),
    )


def chaos_cells(chaos: Chaos, divisions: int = DIVISIONS) -> Iterator[Cell]:
    """Yield Tables 3 and 4, first as published, and the scores of the extracted text."""
    hosts = [divide_hosts(chaos.pages, seed) for seed in range(divisions)]
    mixed = [divide(chaos.pages, seed) for seed in range(divisions)]
    tables: tuple[tuple[Table, list[Fold]], ...] = (("T3", hosts), ("T4", mixed))
    for table, folds in tables:
        yield names_cell(chaos.pages, chaos.published, table, folds)
        for method, fit in LEARNERS.items():
            decisions = [hold_out_features(fit, chaos.features, chaos.published, fold) for fold in folds]
            yield from _block_cells(chaos, table, method, decisions)
    for method, fit in LEARNERS.items():
        yield from _text_cells(chaos, method, [hold_out_features(fit, chaos.features, chaos.gold, fold) for fold in hosts])
    kept = [
        [labels == 1 for labels in chaos.published],
        [gold_labels(*pair) == 1 for pair in zip(chaos.pages, chaos.gold_text, strict=True)],
    ]
    for name, of_pages in zip(("the paper's labels themselves", "the aligned labels themselves"), kept, strict=True):
        texts = [_token_f1(chaos, of_pages)]
        yield from _over_pages(texts, chaos.live, "text", name, "gold text")


def hold_out_features(fit: Fit, features: Sequence[Features], labels: Sequence[Labels], fold: Fold) -> list[Floats]:
    """Return the decision values of each page from the classifier that did not see it; blocks labelled -1 are not learned from."""
    decisions = [np.zeros(0)] * len(features)
    for number in np.unique(fold):
        trained = np.flatnonzero(fold != number).tolist()
        rows, truth = np.concatenate([features[row] for row in trained]), np.concatenate([labels[row] for row in trained])
        decide = fit(rows[truth >= 0], truth[truth >= 0])
        for row in np.flatnonzero(fold == number).tolist():
            if len(features[row]):
                decisions[row] = decide(features[row])
    return decisions


def _block_cells(chaos: Chaos, table: Table, method: str, runs: Sequence[Sequence[Floats]]) -> Iterator[Cell]:
    everything = range(len(chaos.pages))
    for unit, decide in UNITS.items():
        kept = [[decide(*pair) > 0 for pair in zip(chaos.pages, run, strict=True)] for run in runs]
        for which, rows in (("all pages", everything), ("live pages", sorted(chaos.live))):
            truth = np.concatenate([chaos.published[row] for row in rows])
            scores = tuple(block_score(np.concatenate([run[row] for row in rows]), truth).f1 for run in kept)
            yield Cell(table, which, f"{method}, {unit}", "published", scores)


def _text_cells(chaos: Chaos, method: str, runs: Sequence[Sequence[Floats]]) -> Iterator[Cell]:
    for unit, decide in UNITS.items():
        scores = [_token_f1(chaos, [decide(*pair) > 0 for pair in zip(chaos.pages, run, strict=True)]) for run in runs]
        yield from _over_pages(scores, chaos.live, "text", f"{method}, {unit}", "gold text")


def _over_pages(runs: Sequence[Floats], live: frozenset[int], table: Table, method: str, labels: str) -> Iterator[Cell]:
    yield Cell(table, "all pages", method, labels, tuple(float(run.mean()) for run in runs))
    yield Cell(table, "live pages", method, labels, tuple(float(run[sorted(live)].mean()) for run in runs))


def _token_f1(chaos: Chaos, kept: Sequence[np.typing.NDArray[np.bool_]]) -> Floats:
    """Return the F1 of each page's kept text against its gold text, in tokens."""
    texts = [
        " ".join(block.text for block, keep in zip(page.blocks, of_page, strict=True) if keep)
        for page, of_page in zip(chaos.pages, kept, strict=True)
    ]
    return np.array([word_score(text, gold).f1 for text, gold in zip(texts, chaos.gold_text, strict=True)])
