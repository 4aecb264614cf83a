"""Boilerpipe's experiments on its own data (Kohlschütter, Fankhauser and Nejdl, WSDM 2010): `python -m benchmarks boilerpipe`.

Two classes and four, 10 folds by page, each block counting by its words and each counting once; the filters by token; the information of
each feature; the random writer. In two classes all but label 0 is content, as in the paper; of the four, related content is boilerplate and
comments are full text. Of the paper's figures only the main ones are beside ours: its full tables were not at hand.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.commands import Command, add_out
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.l3s import COMMENTS, FULL_TEXT, HEADLINE, SUPPLEMENTAL, UNKNOWN, Annotated, read_l3s
from benchmarks.experiments.boilerpipe_tables import report
from benchmarks.experiments.boilerpipe_tables.random_writer import draw_writers, fit_quality, fit_writer
from benchmarks.experiments.boilerpipe_tables.trials import methods, published, run_trials
from benchmarks.experiments.boilerpipe_tables.weighted_scores import judge, mean_interval
from classify.heuristics.boilerpipe.decision_trees import Blocks, Shape, grow_tree
from classify.heuristics.boilerpipe.filters import largest_content, main_content
from classify.heuristics.boilerpipe.model import apply_rule, by_density, by_words
from classify.heuristics.boilerpipe.shallow_features import ALL, Shallow, block_frequencies, shallow_features, shallow_of
from render.files import write_atomically

FOUR = np.array([0, 1, 2, 3, 0, 2], np.int8)
"""Of the labels 0 to 5: boilerplate, headline, full text, supplemental."""
ARTICLE = (HEADLINE, FULL_TEXT, SUPPLEMENTAL)
"""What the filters are to find: comments and related content stand outside the article."""
BINS = Shape(least=200, price=1e-3)
"""Of the tree over one feature whose leaves are the intervals between which its information is measured."""

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pages:
    """The data set in our blocks, with their features."""

    found: list[Annotated]

    @cached_property
    def shallow(self) -> list[list[Shallow]]:
        """What the published trees read."""
        return [[shallow_of(block) for block in page.blocks] for page in self.found]

    @cached_property
    def known(self) -> list[Flags]:
        """Which blocks of each page have a label."""
        return [page.labels != UNKNOWN for page in self.found]

    @cached_property
    def labels(self) -> NDArray[np.int8]:
        """The labels 0 to 5 of all blocks that have one."""
        return np.concatenate([page.labels[known] for page, known in zip(self.found, self.known, strict=True)])

    @cached_property
    def features(self) -> Floats:
        """All 67 features of these blocks; frequencies are counted over all pages, which needs no labels."""
        frequencies = block_frequencies(page.blocks for page in self.found)
        rows = [shallow_features(page.blocks, frequencies)[known] for page, known in zip(self.found, self.known, strict=True)]
        return np.concatenate(rows)

    def blocks(self, classes: int, by_words: bool) -> Blocks:
        """Return the labelled blocks for two classes or four, weighted by their words or each counting once."""
        labels = (self.labels > 0).astype(np.int8) if classes == 2 else FOUR[self.labels]
        words = self.features[:, 0]
        numbers = np.repeat(np.arange(len(self.found)), [int(known.sum()) for known in self.known])
        return Blocks(self.features, labels, words if by_words else np.ones(len(words)), numbers)

    def by_page(self, scores: Floats) -> list[Flags]:
        """Return what scores of the labelled blocks keep, for all blocks of each page."""
        kept, parts = [], np.split(scores.argmax(axis=1) > 0, np.cumsum([int(known.sum()) for known in self.known])[:-1])
        for known, part in zip(self.known, parts, strict=True):
            flags = np.zeros(len(known), np.bool_)
            flags[known] = part
            kept.append(flags)
        return kept


def run(data: Path | None, out: Path | None) -> int:
    """Print all tables, and write them with their pictures into the folder `out`. Return 1 where a figure is below what is asked."""
    pages = Pages(list(read_l3s(data_folder(data))))
    rows: list[report.Row] = []
    scores: dict[tuple[int, bool, str], Floats] = {}
    for weighting, classes in ((True, 2), (True, 4), (False, 2), (False, 4)):
        blocks = pages.blocks(classes, weighting)
        unlearned = published(pages.shallow, pages.known) if classes == 2 else ()
        for method, features, found in chain(unlearned, run_trials(blocks, classes, methods(classes))):
            scores[classes, weighting, method] = found
            rows.append(report.Row(classes, weighting, method, features, judge(blocks, found)))
            print(f"{classes} classes, {'by words' if weighting else 'each block once'}, {method}: F1 {rows[-1].scores.f1:.4f}", flush=True)
    held_out = scores[2, True, report.BEST_TREE]
    tokens = filter_rows(pages, held_out)
    gains = [information_gains(pages.blocks(2, weighting)) for weighting in (False, True)]
    lengths = np.array([block.words for of_page in pages.shallow for block in of_page if block.words >= 1])
    writers = [fit_writer(lengths, strata) for strata in (1, 2)]
    fits = [report.Fit(writer, *fit_quality(writer, lengths)) for writer in writers]
    labelled = pages.features[:, 0] >= 1
    agreed = writers[1].is_long(pages.features[labelled, 0]) == (pages.labels[labelled] > 0)
    results = report.Results(_agreement(pages.found), rows, tokens, gains, fits, float(agreed.mean()))
    text = report.markdown(results)
    print(text)
    if out is not None:
        write_atomically(out / "boilerpipe.md", text.encode())
        write_atomically(out / "boilerpipe.csv", report.as_csv(results).encode())
        write_atomically(out / "random-writer.svg", draw_writers(lengths, writers))
        write_atomically(out / "information-gain.svg", report.draw_gains(gains[0]))
    return int(bool(report.shortfalls(results)))


def filter_rows(pages: Pages, held_out: Floats) -> list[report.TokenRow]:
    """Return how much of each page's article, by token, is kept: the verdicts alone and after either filter."""
    verdicts = {
        "Algorithm 1": [apply_rule(by_density, shallow) for shallow in pages.shallow],
        "Algorithm 2": [apply_rule(by_words, shallow) for shallow in pages.shallow],
        report.BEST_TREE: pages.by_page(held_out),
    }
    rows = [_token_row("keep everything", pages, [np.ones(len(page.blocks), np.bool_) for page in pages.found])]
    for name, kept in verdicts.items():
        rows.append(_token_row(name, pages, kept))
        largest = [largest_content(shallow, flags) for shallow, flags in zip(pages.shallow, kept, strict=True)]
        rows.append(_token_row(f"{name}, Largest Content", pages, largest))
        article = [
            main_content([block.text for block in page.blocks], shallow, flags, page.titles)
            for page, shallow, flags in zip(pages.found, pages.shallow, kept, strict=True)
        ]
        rows.append(_token_row(f"{name}, Main Content", pages, article))
    return rows


def _token_row(method: str, pages: Pages, kept: Sequence[Flags]) -> report.TokenRow:
    figures = []
    for wanted in (ARTICLE, (*ARTICLE, COMMENTS)):
        scores = []
        for page, flags, known in zip(pages.found, kept, pages.known, strict=True):
            tokens = np.array([float(len(block.text.split())) for block in page.blocks]) * known
            gold = np.isin(page.labels, wanted)
            either = float(tokens[flags].sum() + tokens[gold].sum())
            scores.append(2 * float(tokens[flags & gold].sum()) / either if either else 1.0)
        values = np.array(scores)
        figures.append((*mean_interval(values), float(np.median(values))))
    return report.TokenRow(method, *figures)


def information_gains(blocks: Blocks) -> dict[str, float]:
    """Return the information gain of each feature in bits (Figure 1), greatest first.

    A feature is cut into intervals by a tree of its own, which no label outside of it sees.
    """
    whole = _entropy(np.array([blocks.weights[blocks.labels == 0].sum(), blocks.weights[blocks.labels == 1].sum()]))
    gains = {}
    for column, name in enumerate(ALL):
        values = blocks.features[:, [column]]
        shares = grow_tree(Blocks(values, blocks.labels, blocks.weights, blocks.pages), 2, BINS).predict(values)[:, 1]
        _, interval = np.unique(shares, return_inverse=True)
        counts = np.stack([np.bincount(interval, blocks.weights * (blocks.labels == each)) for each in (0, 1)], axis=1)
        gains[name] = max(whole - float(counts.sum(axis=1) @ [_entropy(row) for row in counts]) / float(counts.sum()), 0.0)
    return dict(sorted(gains.items(), key=lambda gain: -gain[1]))


def _entropy(amounts: Floats) -> float:
    shares = amounts[amounts > 0] / amounts.sum()
    return float(-(shares * np.log2(shares)).sum())


def _agreement(found: Sequence[Annotated]) -> report.Cut:
    """Return how our blocks and the given ones cover each other, over all pages."""
    ours = [len(page.blocks) for page in found]
    labelled = [int((page.labels != UNKNOWN).sum()) for page in found]
    given, same, pure, characters, met = np.array([page.agreement for page in found]).sum(axis=0).tolist()
    return report.Cut(len(found), sum(ours), sum(labelled), given, same, pure, met / characters)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_out(parser, "write boilerpipe.md, boilerpipe.csv and its pictures there")


COMMAND = Command(
    "boilerpipe", "Boilerpipe's experiments on L3S-GN1, by block and by token", lambda options: run(options.data, options.out), _add_options
)
