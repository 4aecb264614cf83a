"""Boilerpipe's experiments on its own data (Kohlschütter, Fankhauser and Nejdl, WSDM 2010): `python -m benchmarks boilerpipe`.

Two classes and four, 10 folds by page, blocks counting by their words; the filters by token; the random writer. In two classes all but
label 0 is content, as in the paper; of the four, related content is boilerplate and comments are full text. Of the paper's figures only the
main ones are beside ours: its full tables were not at hand.
"""

from __future__ import annotations

from collections import Counter
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
from benchmarks.experiments.boilerpipe_tables.random_writer import fit_writer
from benchmarks.experiments.boilerpipe_tables.trials import BEST_TREE, methods, published, run_trials
from benchmarks.experiments.boilerpipe_tables.weighted_scores import weighted_scores
from benchmarks.metrics.means import bootstrap, short
from benchmarks.report import grid, publish
from sightread.classify.heuristics.boilerpipe.model import apply_rule, by_density, by_words, largest_content, main_content
from sightread.classify.heuristics.boilerpipe.shallow_features import Shallow, shallow_features, shallow_of
from sightread.classify.training.decision_trees import Blocks
from sightread.render.page.array_types import Bools, Floats

FOUR = np.array([0, 1, 2, 3, 0, 2], np.int8)
"""Of the labels 0 to 5: boilerplate, headline, full text, supplemental."""
CLASSES = ("boilerplate", "headline", "full text", "supplemental")
ARTICLE = (HEADLINE, FULL_TEXT, SUPPLEMENTAL)
"""Targets of the filters: comments and related content are outside the article."""
ARTICLE_FILTER = "Algorithm 2, Main Content"
PAPER = {
    (2, "Algorithm 1, as published"): 0.92,
    (2, "Algorithm 2, as published"): 0.92,
    (2, BEST_TREE): 0.95,
    (2, "linear SVM, all features"): 0.95,
    (4, BEST_TREE): 0.915,
}
"""F1 by number of classes and method, by words."""
PAPER_TOKENS = 0.959
"""Mean token F1 of a page with the filter Main Content."""


@dataclass(frozen=True)
class Pages:
    """The data set in our blocks, with their features."""

    found: list[Annotated]

    @cached_property
    def shallow(self) -> list[list[Shallow]]:
        """Inputs of the published trees."""
        return [[shallow_of(block) for block in page.blocks] for page in self.found]

    @cached_property
    def known(self) -> list[Bools]:
        """Which blocks of each page have a label."""
        return [page.labels != UNKNOWN for page in self.found]

    @cached_property
    def labels(self) -> NDArray[np.int8]:
        """The labels 0 to 5 of all blocks that have one."""
        return np.concatenate([page.labels[known] for page, known in zip(self.found, self.known, strict=True)])

    @cached_property
    def features(self) -> Floats:
        """All 67 features of these blocks; frequencies are counted over all pages, which needs no labels."""
        frequencies = Counter(block.text for page in self.found for block in page.blocks)
        rows = [shallow_features(page.blocks, frequencies)[known] for page, known in zip(self.found, self.known, strict=True)]
        return np.concatenate(rows)

    def blocks(self, classes: int) -> Blocks:
        """Return the labelled blocks for two classes or four, weighted by their words."""
        labels = (self.labels > 0).astype(np.int8) if classes == 2 else FOUR[self.labels]
        numbers = np.repeat(np.arange(len(self.found)), [int(known.sum()) for known in self.known])
        return Blocks(self.features, labels, self.features[:, 0], numbers)

    def by_page(self, scores: Floats) -> list[Bools]:
        """Return what scores of the labelled blocks keep, for all blocks of each page."""
        kept, parts = [], np.split(scores.argmax(axis=1) > 0, np.cumsum([int(known.sum()) for known in self.known])[:-1])
        for known, part in zip(self.known, parts, strict=True):
            flags = np.zeros(len(known), np.bool_)
            flags[known] = part
            kept.append(flags)
        return kept


def run(data: Path | None, out: Path | None) -> int:
    """Print all tables, and write boilerpipe.md into the folder `out`. Return 1 if an F1 is below the paper's."""
    pages = Pages(list(read_l3s(data_folder(data))))
    parts, shortfalls, best = [f"## L3S-GN1\n\n{_coverage(pages.found)}"], [], np.zeros(0)
    for classes in (2, 4):
        blocks, rows = pages.blocks(classes), []
        unlearned = published(pages.shallow, pages.known) if classes == 2 else ()
        for method, features, scores in chain(unlearned, run_trials(blocks, classes, methods(classes))):
            found, paper = weighted_scores(blocks, scores), PAPER.get((classes, method))
            figures = (found.precision, found.recall, found.mean_f1) if classes == 2 else found.by_class
            rows.append([method, str(features), str(found.f1), *map(short, figures), short(found.area), f"{paper or ''}"])
            print(f"{classes} classes, {method}: F1 {found.f1}", flush=True)
            if paper and found.f1.mean < paper:
                shortfalls.append(f"below the paper: {classes} classes, {method}: {found.f1.mean:.4f}, not {paper}")
            if (classes, method) == (2, BEST_TREE):
                best = scores
        heads = ("P", "R", "F1 of both") if classes == 2 else CLASSES
        parts.append(f"## {classes} classes, by words\n\n{grid(('method', 'features', 'F1', *heads, 'AUC', 'paper'), rows)}")
    tokens, mean = _filters(pages, best)
    if mean < PAPER_TOKENS:
        shortfalls.append(f"below the paper: {ARTICLE_FILTER}: {mean:.4f}, not {PAPER_TOKENS}")
    lengths = np.array([block.words for of_page in pages.shallow for block in of_page if block.words >= 1])
    fits = ", ".join(f"{strata} strata R² {fit_writer(lengths, strata).explained(lengths):.4f}" for strata in (1, 2))
    publish("boilerpipe", [*parts, f"## The article of a page, F1 by token\n\n{tokens}", f"The random writer: {fits}.", *shortfalls], out)
    return int(bool(shortfalls))


def _filters(pages: Pages, held_out: Floats) -> tuple[str, float]:
    """Return the table of how much of each page's article, by token, is kept, and the mean F1 of the paper's best filter."""
    decisions = {
        "Algorithm 1": [apply_rule(by_density, shallow) for shallow in pages.shallow],
        "Algorithm 2": [apply_rule(by_words, shallow) for shallow in pages.shallow],
        BEST_TREE: pages.by_page(held_out),
    }
    kept = {"keep everything": [np.ones(len(page.blocks), np.bool_) for page in pages.found]}
    for name, flags in decisions.items():
        kept[name] = flags
        kept[f"{name}, Largest Content"] = [largest_content(*pair) for pair in zip(pages.shallow, flags, strict=True)]
        kept[f"{name}, Main Content"] = [
            main_content([block.text for block in page.blocks], shallow, of_page, page.titles)
            for page, shallow, of_page in zip(pages.found, pages.shallow, flags, strict=True)
        ]
    rows, mean = [], 0.0
    for name, flags in kept.items():
        article, whole = (_token_f1(pages, flags, kinds) for kinds in (ARTICLE, (*ARTICLE, COMMENTS)))
        rows.append([name, *(cell for f1 in (article, whole) for cell in (str(bootstrap(f1)), short(float(np.median(f1)))))])
        mean = float(article.mean()) if name == ARTICLE_FILTER else mean
    return grid(("method", "article: mean", "median", "article and comments: mean", "median"), rows), mean


def _token_f1(pages: Pages, kept: Sequence[Bools], kinds: Sequence[int]) -> Floats:
    """Return the F1 of each page's kept tokens against those of blocks with one of the wanted labels."""
    scores = []
    for page, flags, known in zip(pages.found, kept, pages.known, strict=True):
        tokens = np.array([float(len(block.text.split())) for block in page.blocks]) * known
        gold = np.isin(page.labels, kinds)
        either = float(tokens[flags].sum() + tokens[gold].sum())
        scores.append(2 * float(tokens[flags & gold].sum()) / either if either else 1.0)
    return np.array(scores)


def _coverage(found: Sequence[Annotated]) -> str:
    """Return how our blocks and the given ones cover each other, over all pages."""
    own = sum(len(page.blocks) for page in found)
    labelled = sum(int((page.labels != UNKNOWN).sum()) for page in found)
    given, same, pure, characters, met = np.array([page.agreement for page in found]).sum(axis=0).tolist()
    return (
        f"{len(found)} pages; {own} blocks of ours, {labelled} of them labelled by the {given} given ones. {same} are the same block, "
        f"{pure} of those labelled have one label throughout; {100 * met / characters:.2f} % of the given letters were found."
    )


COMMAND = Command(
    "boilerpipe",
    "Boilerpipe's experiments on L3S-GN1, by block and by token",
    lambda options: run(options.data, options.out),
    lambda parser: add_out(parser, "write boilerpipe.md there"),
)
