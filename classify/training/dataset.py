"""Training data: the blocks of many pages as arrays, and out-of-fold predictions of the first stage.

Scores of the lexicons on their own training blocks are biased. So second-stage inputs are out-of-fold predictions grouped by site, and so
are the SVM's decisions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sightread.classify.evaluation.folds import domain_folds
from sightread.classify.features.hashed_words import Bags, Lexicon, container_names, first_words, fit_lexicon
from sightread.classify.features.registry import outline_features
from sightread.classify.general.binned_svm import Bins, Codes, fit_weights
from sightread.classify.general.first_stage import WORD_COLUMNS, FirstStage, FirstStageScores
from sightread.classify.general.page_type import LEARNED, PageTypes, fit_page_types, page_words
from sightread.classify.training.augmentation import augment
from sightread.render.labels import CONTENT, PAGE_TYPES, PageType
from sightread.render.page import Page
from sightread.render.page.array_types import Bools, Features, Floats
from sightread.render.page.page_arrays import PageArrays

FOLDS = 4
"""Parts of the sites, each held out once."""
WEIGHT_DIGITS = 3
"""Of a weight: a decision is the sum of 150, and blocks that differ by less than 0.05 are equally good guesses."""


def without_browser(page: Page) -> Page:
    """Return the page as static HTML would give it: no box, no style, no looks that differ by either."""
    if page.source == "static":
        return page
    blocks = tuple(replace(block, style=None, box=None) for block in page.blocks)
    return replace(page, blocks=blocks, styles=(), body_style={}, document=None)


@dataclass(frozen=True, slots=True)
class TrainingBlocks:
    """All blocks of some pages, arrays of shape (blocks,) and `features` of shape (blocks, len(WORDS))."""

    outlines: tuple[PageArrays, ...]
    features: Features
    words: Bags
    names: Bags
    content: Bools
    known: Bools
    """Whether there is a label."""
    page: NDArray[np.intp]
    fold: NDArray[np.intp]
    """The fold of each page's domain, shape (pages,)."""
    real: int
    """Number of original pages; those behind them are augmented copies."""
    natural: Bools
    """Whether people wrote a page's text, shape (pages,): of generated text neither words nor page types are learned, nor the level of
    the linear model."""

    @classmethod
    def of(cls, given: Sequence[Page], labels: Sequence[NDArray[np.int8]], generated: Sequence[bool] = ()) -> TrainingBlocks:
        """Return the blocks of pages, as static HTML gives them, with one label per block (-1: unknown), and those of one augmented copy
        per page. `generated` is whether the text of each page is generated; by default it is of none.
        """
        fold = domain_folds(given, FOLDS)
        further = [augment(given[row], labels[row], given[other], labels[other], row) for row, other in enumerate(_others(fold))]
        pages, labels = zip(*zip(given, labels, strict=True), *further, strict=True)
        outlines = tuple(PageArrays(without_browser(page)) for page in pages)
        counts = [outline.count for outline in outlines]
        labelled = np.concatenate(labels)
        return cls(
            outlines,
            np.concatenate([outline_features(outline) for outline in outlines]),
            Bags.joined([first_words(outline.page) for outline in outlines]),
            Bags.joined([container_names(outline.page) for outline in outlines]),
            labelled == CONTENT,
            labelled >= 0,
            np.repeat(np.arange(len(pages)), counts),
            np.tile(fold, 2),
            len(given),
            ~np.tile(np.array(generated or [False] * len(given), np.bool_), 2),
        )

    @property
    def plain(self) -> Bools:
        """Whether a block has a label and its page is as it is: names are learned from such alone."""
        return self.known & (self.page < self.real)

    @property
    def natural_blocks(self) -> Bools:
        """Whether a block is plain and people wrote the text of its page: words are learned from such alone."""
        return self.plain & self.natural[self.page]

    @property
    def lengths(self) -> Floats:
        """Characters of each block."""
        return np.concatenate([outline.length for outline in self.outlines])

    @property
    def importance(self) -> Floats:
        """How much a labelled block counts: the root of its length, and a page as the root of the sum of that over its blocks."""
        roots = np.sqrt(self.lengths + 1) * self.known
        of_page = np.bincount(self.page, roots)[self.page]
        return roots / np.sqrt(np.maximum(of_page, 1.0))

    def held_out(self) -> Iterator[tuple[Bools, Bools]]:
        """Yield the blocks of each fold of sites, and the labelled ones of the others; no fold without which a class is missing."""
        for number in np.unique(self.fold):
            held_out = self.fold[self.page] == number
            rest = self.known & ~held_out
            if len(np.unique(self.content[rest])) == len((False, True)):
                yield held_out, rest


def learn(training: TrainingBlocks) -> tuple[FirstStage, FirstStageScores]:
    """Fit to the labelled blocks; deterministic. Return too the out-of-fold scores of all blocks, grouped by site."""
    known, scores = training.known, out_of_fold_scores(training)
    features = np.column_stack([training.features, scores]).astype(np.float32)
    bins = Bins.of(features[known])
    codes, total = bins.codes(features), int(bins.starts[-1])
    decisions = out_of_fold_decisions(training, codes, total)
    weights, intercept = fit_weights(codes[known], total, training.content[known], training.importance[known])
    words, names = (_lexicon(training, bags, rows) for bags, rows in _vocabularies(training))
    return FirstStage(bins, weights.round(WEIGHT_DIGITS), round(intercept, WEIGHT_DIGITS), words, names), FirstStageScores(
        decisions, *scores.T
    )


def out_of_fold_scores(training: TrainingBlocks) -> Floats:
    """Return the out-of-fold scores of the lexicons, grouped by site, shape (blocks, len(WORD_COLUMNS)); 0 if none could be fitted."""
    scores = np.zeros((len(training.content), len(WORD_COLUMNS)))
    for held_out, rest in training.held_out():
        for column, (bags, rows) in enumerate(_vocabularies(training)):
            scores[held_out, column] = _lexicon(training, bags, rows & rest).decide(bags.of_rows(held_out))
    return scores


def _vocabularies(training: TrainingBlocks) -> tuple[tuple[Bags, Bools], tuple[Bags, Bools]]:
    """Return the first words and the names, each with the blocks that its lexicon is learned from."""
    return (training.words, training.natural_blocks), (training.names, training.plain)


def out_of_fold_decisions(training: TrainingBlocks, codes: Codes, bins: int) -> Floats:
    """Return the out-of-fold decisions of the SVM, grouped by site, shape (blocks,); an empty bin has weight 0."""
    decisions, importance = np.zeros(len(codes)), training.importance
    for held_out, rest in training.held_out():
        weights, intercept = fit_weights(codes[rest], bins, training.content[rest], importance[rest])
        decisions[held_out] = weights[codes[held_out]].sum(axis=1) + intercept
    return decisions


def _others(fold: NDArray[np.intp]) -> list[int]:
    """Return for each page one of its fold, by chance, seldom itself: what has not learned from the one has not from the other."""
    chance = np.random.default_rng(0)
    rows = {number: np.flatnonzero(fold == number) for number in np.unique(fold).tolist()}
    return [int(chance.choice(rows[number])) for number in fold.tolist()]


def _lexicon(training: TrainingBlocks, bags: Bags, rows: Bools) -> Lexicon:
    return fit_lexicon(bags.of_rows(rows), training.content[rows], training.importance[rows])


def learn_types(training: TrainingBlocks, chance: Floats, kinds: Sequence[PageType | None]) -> tuple[PageTypes, Floats]:
    """Fit to pages of known types, as they are, read from all sources and from some; deterministic. `kinds` has shape (training.real,),
    None for an unknown type.

    `chance` are out-of-fold probabilities of the blocks, shape (blocks,), grouped by site. Return too the out-of-fold probabilities of the
    page types, shape (pages, len(PAGE_TYPES)), augmented pages included.
    """
    parts = np.split(chance, np.cumsum([outline.count for outline in training.outlines])[:-1])
    words = [[page_words(outline, part, sources) for outline, part in zip(training.outlines, parts, strict=True)] for sources in LEARNED]
    chances = np.full((len(training.fold), len(PAGE_TYPES)), np.nan)
    typed = {row: kind for row, kind in enumerate(kinds) if kind is not None}

    def fit(rows: Sequence[int]) -> PageTypes:
        return fit_page_types([read[row] for read in words for row in rows], [typed[row] for _ in words for row in rows])

    for number in np.unique(training.fold):
        held_out = np.flatnonzero(training.fold == number).tolist()
        if rest := [row for row in typed if training.fold[row] != number]:
            types = fit(rest)
            chances[held_out] = [types.chances(words[0][row]) for row in held_out]
    return fit([*typed]), chances
