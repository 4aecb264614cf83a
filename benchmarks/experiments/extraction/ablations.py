"""Ablation of feature groups of the linear model, on rendered pages: WCXB dev, 5 folds by domain, each group left out and alone.

Pages are read with boxes and styles, and the model learns from them so. All parameters, lexicons, level and slope too, are
learned inside each fold's training pages. No training page is augmented (`sightread.classify.training.dataset`), which gains nothing
on this set and would double the time; so the scores are beside each other and not beside those of `benchmarks.training.global_model`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.alignment.gold_labels import align_blocks
from benchmarks.commands import Command, add_out
from benchmarks.datasets import output_paths
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.wcxb_renders import read_rendered
from benchmarks.experiments.extraction.wcxb import read_wcxb
from benchmarks.metrics.means import bootstrap
from benchmarks.metrics.words import word_score
from benchmarks.report import grid, publish
from benchmarks.training.global_model import COVERED
from sightread.classify.evaluation import domain_folds
from sightread.classify.features.context import CONTAINERS, NEIGHBOURS, WINDOWS
from sightread.classify.features.hashed_words import Bags, container_names, first_words
from sightread.classify.features.main_text import ANCHORS
from sightread.classify.features.readability import WINNERS
from sightread.classify.features.registry import outline_features
from sightread.classify.general.first_stage import NAMES, Bins, Codes
from sightread.classify.general.linear import LEVEL_RISE
from sightread.classify.model import Decided, sigmoid
from sightread.classify.training.dataset import FOLDS, TrainingBlocks, out_of_fold_decisions, out_of_fold_scores, without_browser
from sightread.document.document import build_document
from sightread.render.page import Page
from sightread.render.page.array_types import Features, Floats
from sightread.render.page.page_arrays import PageArrays

OUTER = 5
"""Parts of the sites, each scored once."""
HELD_OUT = -1
"""The fold of pages that are scored by models of all other folds."""
ALL, BARE = "all", "without CSS"
VISUAL, TEXT, DOM, CONTEXT = GROUPS = ("visual", "text", "DOM", "context")

FAMILIES: dict[str, str] = {
    **dict.fromkeys(("box", "style", "same column"), VISUAL),
    **dict.fromkeys(("text", "description", "told"), TEXT),
    **dict.fromkeys((*CONTAINERS, "same look", "same style", "same classes", *ANCHORS, *WINNERS, "title", "names"), DOM),
    **dict.fromkeys((*(f"window {reach}" for reach in WINDOWS), *NEIGHBOURS, "page", "heading"), CONTEXT),
}
"""The group of each family of columns, by what is before the dot. Counts of the blocks of a look, a style or a main text describe the
document's structure, though a browser distinguishes looks better than tags alone: `BARE` measures that."""
STRAYS: dict[str, str] = {
    **{f"{name}.{measure}": VISUAL for name in CONTAINERS for measure in ("width", "height", "density", "place")},
    **{f"{name}.{measure}": VISUAL for name in ANCHORS for measure in ("across", "down", "width", "left")},
    **{f"{name}.{measure}": VISUAL for name in NEIGHBOURS for measure in ("size", "gap", "shift")},
    **dict.fromkeys(("heading.down", "heading.left", "page.height"), VISUAL),
    **dict.fromkeys(("title.like", "words.first"), TEXT),
    **dict.fromkeys(("page.depth", "page.deep", "words.names"), DOM),
}
"""Columns of another group than their family's: what is measured in px, what is read in words, and what is counted in the tree."""


def group_of(column: str) -> str:
    """Return the group of a column of `sightread.classify.general.first_stage.COLUMNS`."""
    return STRAYS.get(column) or FAMILIES[column.partition(".")[0]]


def variants() -> dict[str, NDArray[np.intp]]:
    """Return the columns that the model sees in each variant, by their places in `sightread.classify.general.first_stage.NAMES`."""
    group = np.array([group_of(name) for name in NAMES])
    parts = {ALL: group != ""}
    parts |= {f"without {name}": group != name for name in GROUPS}
    parts |= {f"{name} alone": group == name for name in GROUPS}
    return {name: np.flatnonzero(kept) for name, kept in parts.items()}


@dataclass(frozen=True, slots=True)
class Rendered:
    """The set's pages with their gold text."""

    pages: tuple[Page, ...]
    gold: tuple[str, ...]

    def bare(self) -> Rendered:
        """Return the pages as static HTML gives them. Blocks stay as they were cut, and what CSS hides stays away."""
        return replace(self, pages=tuple(without_browser(page) for page in self.pages))


class Part(NamedTuple):
    """A division into training pages and pages to score, with out-of-fold scores of the lexicons, grouped by site."""

    number: int
    training: TrainingBlocks
    first_stage: Floats
    """Shape (blocks, scores of the first stage)."""


def run(data: Path | None, renders: Path, out: Path | None) -> int:
    """Print the word F1 of every variant, and write it as ablations.md into the folder `out`."""
    rendered = _read(data_folder(data), renders)
    publish("ablations", [markdown(measure(rendered))], out)
    return 0


def measure(rendered: Rendered) -> dict[str, Floats]:
    """Return the word F1 of each page by variant, shape (pages,)."""
    training = _training_blocks(rendered)
    parts = [Part(number, divided, out_of_fold_scores(divided)) for number, divided in _divide(training, rendered.pages)]
    print(f"{len(training.content)} blocks of {len(parts)} folds measured, words learned", flush=True)
    scores = _score_variants(rendered, parts, training.features, variants())
    bare = rendered.bare()
    return scores | _score_variants(bare, parts, _features(bare.pages), {BARE: np.arange(len(NAMES))})


def markdown(scores: Mapping[str, Floats]) -> str:
    """Return the mean word F1 of each variant and of its difference from all columns, page by page, each with its 95 % interval."""
    rows = []
    for name, values in scores.items():
        columns = str(len(variants()[name])) if name != BARE else ""
        away = str(bootstrap(values - scores[ALL])) if name != ALL else ""
        rows.append([name, columns, str(bootstrap(values)), away])
    return grid(["features", "columns", "word F1", "difference"], rows)


def _read(data: Path, renders: Path) -> Rendered:
    found = list(read_wcxb(data))
    return Rendered(tuple(read_rendered(found, renders)), tuple(record["text"] for record in found))


def _training_blocks(rendered: Rendered) -> TrainingBlocks:
    """Return the blocks with their labels, without data augmentation."""
    pages = rendered.pages
    shares = [align_blocks([block.text for block in page.blocks], gold) for page, gold in zip(pages, rendered.gold, strict=True)]
    content = np.concatenate(shares) >= COVERED
    return TrainingBlocks(
        tuple(PageArrays(page) for page in pages),
        _features(pages),
        Bags.joined([first_words(page) for page in pages]),
        Bags.joined([container_names(page) for page in pages]),
        content,
        np.ones(len(content), np.bool_),
        np.repeat(np.arange(len(pages)), [len(page.blocks) for page in pages]),
        np.zeros(len(pages), np.intp),
        len(pages),
        np.ones(len(pages), np.bool_),
    )


def _divide(training: TrainingBlocks, pages: Sequence[Page]) -> Iterator[tuple[int, TrainingBlocks]]:
    """Yield each outer fold with the training blocks in which its blocks are not known, and the other pages are in inner folds."""
    outer = domain_folds(pages, OUTER)
    for number in np.unique(outer).tolist():
        inner = np.full(len(pages), HELD_OUT, np.intp)
        rest = np.flatnonzero(outer != number)
        inner[rest] = domain_folds([pages[row] for row in rest.tolist()], FOLDS)
        yield number, replace(training, known=inner[training.page] != HELD_OUT, fold=inner)


def _features(pages: Sequence[Page]) -> Features:
    return np.concatenate([outline_features(PageArrays(page)) for page in pages])


def _score_variants(
    rendered: Rendered, parts: Sequence[Part], features: Features, columns: Mapping[str, NDArray[np.intp]]
) -> dict[str, Floats]:
    """Return the word F1 of each page by variant, of models that are shown these columns; each page is scored in one part."""
    scores = {name: np.zeros(len(rendered.pages)) for name in columns}
    for part in parts:
        bins, codes = _codes(part, features)
        for name, shown in columns.items():
            clock = time.perf_counter()
            places = np.flatnonzero(np.isin(bins.columns, shown))
            decisions = out_of_fold_decisions(part.training, np.take(codes, places, axis=1), int(bins.starts[-1]))
            found = _score(rendered, part.training, _probabilities(part.training, decisions))
            scores[name][list(found)] = list(found.values())
            mean = np.mean(list(found.values()))
            print(f"fold {part.number}, {name}: {mean:.3f} on {len(found)} pages, {time.perf_counter() - clock:.0f} s", flush=True)
    return scores


def _codes(part: Part, features: Features) -> tuple[Bins, Codes]:
    table = np.column_stack([features, part.first_stage]).astype(np.float32)
    bins = Bins.of(table[part.training.known])
    return bins, bins.codes(table)


def _probabilities(training: TrainingBlocks, decisions: Floats) -> Floats:
    """Return the probabilities of all blocks, as `LinearModel` does; level and slope are the best of the training pages."""
    away, known = decisions - LEVEL_RISE * _greatest(training, decisions), training.known
    page = np.unique(training.page[known], return_inverse=True)[1]
    decided = Decided(away[known], training.content[known], training.lengths[known], page)
    level = decided.best_level()
    return sigmoid(decided.best_slope(level) * (away - np.minimum(level, _greatest(training, away))))


def _greatest(training: TrainingBlocks, values: Floats) -> Floats:
    """Return for each block the greatest value on its page."""
    greatest = np.full(len(training.fold), -np.inf)
    np.maximum.at(greatest, training.page, values)
    return greatest[training.page]


def _score(rendered: Rendered, training: TrainingBlocks, probabilities: Floats) -> dict[int, float]:
    """Return the word F1 of the document of each page that is apart, by its row."""
    bounds = np.searchsorted(training.page, np.arange(training.real + 1))
    scores = {}
    for row in np.flatnonzero(training.fold == HELD_OUT).tolist():
        document = build_document(rendered.pages[row], probabilities[bounds[row] : bounds[row + 1]])
        scores[row] = word_score(document.text, rendered.gold[row]).f1
    return scores


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--renders", type=output_paths.folder, required=True, metavar="FOLDER", help="keep the rendered pages there")
    add_out(parser, "write ablations.md there")


COMMAND = Command(
    "ablations",
    "what each group of features is worth on rendered pages, WCXB dev",
    lambda options: run(options.data, options.renders, options.out),
    _add_options,
)
