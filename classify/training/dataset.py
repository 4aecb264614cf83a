"""Training data: the blocks of many pages as arrays, and out-of-fold predictions of the first stage.

Scores of the lexicons on their own training blocks are biased. So second-stage inputs are out-of-fold predictions grouped by site, and so
are the SVM's decisions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from classify.domains import domain_folds
from classify.features.hashed_words import Bags, Lexicon, container_names, first_words, fit_lexicon
from classify.features.registry import BOXES, STYLES, VISUAL, dom_features, visual_features
from classify.general.binned_svm import Bins, Codes, Features, Floats, fit_weights
from classify.general.dom_view import dom_view
from classify.general.first_stage import WORD_COLUMNS, Linear, Scores
from classify.general.page_type import LEARNED, PageTypes, fit_page_types, page_words
from classify.training.augmentation import augment
from render.labels import BOILERPLATE, CONTENT, KINDS, UNKNOWN, Kind
from render.page import Page
from render.page_arrays import PageArrays

FOLDS = 5
"""Parts of the sites, each held out once."""
DIGITS = 3
"""Decimal places of a weight: a decision is the sum of 150, and blocks that differ by less than 0.05 are equally good guesses."""
MOST_BLOCKS = 400
"""Blocks per page that trees are grown from: all pages but some threads and listings have fewer, and memory is halved."""
LEFT_OUT: tuple[tuple[str, ...], ...] = ((), tuple(BOXES), tuple(STYLES), tuple(VISUAL))
"""Groups of columns of which one, drawn at random, is left out of an augmented page, so that one model reads pages with boxes and styles,
with either and with neither."""

Bools = NDArray[np.bool_]
Labels = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Example:
    """A page to be learned from, with one label per block (`render.labels`)."""

    page: Page
    labels: Labels
    kind: Kind | None = None
    """Its page type, if it is known."""
    weight: float = 1.0
    """How much it counts beside the others."""
    has_own_words: bool = True
    """Whether words are learned from its text; not from text that was put into a template, which may come from another data set."""


def without_browser(page: Page) -> Page:
    """Return the page without boxes and styles."""
    blocks = tuple(replace(block, style=None, box=None) for block in page.blocks)
    return replace(page, blocks=blocks, styles=(), body_style={}, document=None)


@dataclass(frozen=True, slots=True)
class Corpus:
    """All blocks of some pages, as `dom_view` divides them; arrays of shape (blocks,) unless another shape is given."""

    pages: tuple[Page, ...]
    lengths: Floats
    """Characters of each block."""
    features: Features
    """Shape (blocks, len(DOM))."""
    visual: Features
    """Shape (blocks, len(VISUAL)); NaN for pages without, and in the groups that are left out."""
    words: Bags
    names: Bags
    content: Bools
    known: Bools
    """Whether there is a label."""
    page: NDArray[np.intp]
    fold: NDArray[np.intp]
    """The fold of each page's domain, shape (pages,)."""
    weight: Floats
    """How much each page counts, shape (pages,)."""
    kinds: tuple[Kind | None, ...]
    """Page type of each page, where it is known."""
    has_own_words: Bools
    """Whether words are learned from each page, shape (pages,)."""
    original: Bools
    """Whether each page is as it was given, and not an augmented copy; shape (pages,)."""

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Corpus:
        """Return the blocks of pages, and those of one augmented copy per page."""
        fold = domain_folds([each.page for each in examples], FOLDS)
        views = [_viewed(each) for each in examples]
        pairs = enumerate(zip(views, _others(fold), strict=True))
        copies = [_altered(view, views[other], row) for row, (view, other) in pairs]
        drawn = [LEFT_OUT[int(np.random.default_rng(row).integers(len(LEFT_OUT)))] for row in range(len(copies))]
        every, left_out = [*views, *copies], [()] * len(views) + drawn
        arrays = [PageArrays(each.page) for each in every]
        labels = np.concatenate([each.labels for each in every])
        return cls(
            tuple(each.page for each in every),
            np.concatenate([page.length for page in arrays]),
            np.concatenate([dom_features(page) for page in arrays]),
            np.concatenate([_visual(page, names) for page, names in zip(arrays, left_out, strict=True)]),
            Bags.joined([first_words(page.page) for page in arrays]),
            Bags.joined([container_names(page.page) for page in arrays]),
            labels == CONTENT,
            labels != UNKNOWN,
            np.repeat(np.arange(len(every)), [page.count for page in arrays]),
            np.tile(fold, 2),
            np.tile([each.weight for each in examples], 2).astype(np.float64),
            tuple(each.kind for each in every),
            np.array([each.has_own_words for each in every], np.bool_),
            np.arange(len(every)) < len(views),
        )

    def part(self, pages: Bools) -> Corpus:
        """Return the corpus of some pages; shape of `pages`: (pages,)."""
        rows = pages[self.page]
        return Corpus(
            tuple(page for page, kept in zip(self.pages, pages, strict=True) if kept),
            self.lengths[rows],
            self.features[rows],
            self.visual[rows],
            self.words.of_rows(rows),
            self.names.of_rows(rows),
            self.content[rows],
            self.known[rows],
            (np.cumsum(pages) - 1)[self.page[rows]],
            self.fold[pages],
            self.weight[pages],
            tuple(kind for kind, kept in zip(self.kinds, pages, strict=True) if kept),
            self.has_own_words[pages],
            self.original[pages],
        )

    @property
    def plain(self) -> Bools:
        """Whether a block has a label and its page is as it is: words are learned from such alone."""
        return self.known & self.original[self.page]

    def arrays(self) -> Iterator[PageArrays]:
        """Yield the measures of each page, computed anew: those of all pages take gigabytes."""
        yield from map(PageArrays, self.pages)

    @property
    def importance(self) -> Floats:
        """How much a labelled block counts: the root of its length, a page as the root of the sum over its blocks, by weight."""
        roots = np.sqrt(self.lengths + 1) * self.known
        of_page = np.bincount(self.page, roots, len(self.pages))
        return roots / np.sqrt(np.maximum(of_page, 1.0))[self.page] * self.weight[self.page]

    def sample(self) -> tuple[NDArray[np.intp], Floats]:
        """Return rows of labelled blocks, at most `MOST_BLOCKS` per page, drawn at random, and their importance with that of the others."""
        order = np.random.default_rng(0).permutation(np.flatnonzero(self.known))
        order = order[np.argsort(self.page[order], kind="stable")]
        count = np.bincount(self.page[order], minlength=len(self.pages))
        place = np.arange(len(order)) - (np.cumsum(count) - count)[self.page[order]]
        rows = np.sort(order[place < MOST_BLOCKS])
        return rows, self.importance[rows] * np.maximum(count / MOST_BLOCKS, 1.0)[self.page[rows]]

    def held_out(self) -> Iterator[tuple[Bools, Bools]]:
        """Yield the blocks of each fold of sites, and the labelled ones of the others; no fold without which a class is missing."""
        for number in np.unique(self.fold):
            apart = self.fold[self.page] == number
            rest = self.known & ~apart
            if len(np.unique(self.content[rest])) == len((False, True)):
                yield apart, rest


def _viewed(example: Example) -> Example:
    """Return the example with its page as `dom_view` divides it: a merged block is content if at least half of its characters are."""
    view = dom_view(example.page)
    if example.page.source == "static":
        return example
    length = np.array([len(block.text) for block in example.page.blocks], np.float64)
    chosen = (example.labels != UNKNOWN, example.labels == CONTENT)
    known, content = (np.bincount(view.row_of, length * each, len(view.page.blocks)) for each in chosen)
    labels = np.where(known == 0, UNKNOWN, np.where(2 * content >= known, CONTENT, BOILERPLATE)).astype(np.int8)
    return replace(example, page=view.page, labels=labels)


def _altered(example: Example, other: Example, seed: int) -> Example:
    """Return an augmented copy; blocks that are taken from another page have no boxes, so that a page with some has none at all."""
    page, labels = augment(example.page, example.labels, other.page, other.labels, seed)
    return replace(example, page=page if page.has_boxes else without_browser(page), labels=labels)


def _visual(page: PageArrays, left_out: Sequence[str]) -> Features:
    found = visual_features(page)
    found[:, [place for place, name in enumerate(VISUAL) if name in left_out]] = np.nan
    return found


def learn(corpus: Corpus) -> tuple[Linear, Scores]:
    """Fit to the labelled blocks; deterministic. Return too the out-of-fold scores of all blocks, grouped by site."""
    known, scores = corpus.known, out_of_fold_scores(corpus)
    features = np.column_stack([corpus.features, scores.astype(np.float32)])
    bins = Bins.of(features[known])
    codes, total = bins.codes(features), int(bins.starts[-1])
    decisions = out_of_fold_decisions(corpus, codes, total)
    weights, intercept = fit_weights(codes[known], total, corpus.content[known], corpus.importance[known])
    words, names = (_lexicon(corpus, bags, known & allowed) for bags, allowed in _word_sources(corpus))
    return Linear(bins, weights.round(DIGITS), round(intercept, DIGITS), words, names), Scores(decisions, *scores.T)


def out_of_fold_scores(corpus: Corpus) -> Floats:
    """Return the out-of-fold scores of the lexicons, grouped by site, shape (blocks, len(WORD_COLUMNS)); 0 if none could be fitted."""
    scores = np.zeros((len(corpus.content), len(WORD_COLUMNS)))
    for apart, rest in corpus.held_out():
        for column, (bags, allowed) in enumerate(_word_sources(corpus)):
            scores[apart, column] = _lexicon(corpus, bags, rest & allowed).decide(bags.of_rows(apart))
    return scores


def out_of_fold_decisions(corpus: Corpus, codes: Codes, bins: int) -> Floats:
    """Return the out-of-fold decisions of the SVM, grouped by site, shape (blocks,); an empty bin has weight 0."""
    decisions, importance = np.zeros(len(codes)), corpus.importance
    for apart, rest in corpus.held_out():
        weights, intercept = fit_weights(codes[rest], bins, corpus.content[rest], importance[rest])
        decisions[apart] = weights[codes[apart]].sum(axis=1) + intercept
    return decisions


def _others(fold: NDArray[np.intp]) -> list[int]:
    """Return for each page one of its fold, at random, seldom itself: what is fitted without the one is fitted without the other."""
    chance = np.random.default_rng(0)
    rows = {number: np.flatnonzero(fold == number) for number in np.unique(fold).tolist()}
    return [int(chance.choice(rows[number])) for number in fold.tolist()]


def _word_sources(corpus: Corpus) -> tuple[tuple[Bags, Bools], tuple[Bags, Bools]]:
    """Return first words and names, each with the blocks that its lexicon may be fitted to."""
    return (corpus.words, corpus.has_own_words[corpus.page]), (corpus.names, np.ones(len(corpus.page), np.bool_))


def _lexicon(corpus: Corpus, bags: Bags, rows: Bools) -> Lexicon:
    """Return the lexicon fitted to the blocks of original pages."""
    rows = rows & corpus.plain
    return fit_lexicon(bags.of_rows(rows), corpus.content[rows], corpus.importance[rows])


def learn_types(corpus: Corpus, chance: Floats) -> tuple[PageTypes | None, Floats]:
    """Fit to the original pages of known types, read from all sources and from some; deterministic. None if no type is known.

    `chance` are out-of-fold probabilities of the blocks, shape (blocks,), grouped by site. Return too the out-of-fold probabilities of the
    page types, shape (pages, len(KINDS)), augmented pages included; NaN where nothing could be fitted.
    """
    parts = np.split(chance, np.cumsum([len(page.blocks) for page in corpus.pages])[:-1])
    of_pages = [[page_words(page, part, sources) for sources in LEARNED] for page, part in zip(corpus.arrays(), parts, strict=True)]
    words = list(zip(*of_pages, strict=True))
    has_type = np.array([kind is not None for kind in corpus.kinds]) & corpus.original

    def fitted(rows: list[int]) -> PageTypes:
        kinds = [kind for row in rows if (kind := corpus.kinds[row]) is not None]
        return fit_page_types([read[row] for read in words for row in rows], kinds * len(words))

    chances = np.full((len(corpus.fold), len(KINDS)), np.nan)
    for number in np.unique(corpus.fold):
        rest = np.flatnonzero((corpus.fold != number) & has_type).tolist()
        if rest:
            types, apart = fitted(rest), np.flatnonzero(corpus.fold == number).tolist()
            chances[apart] = [types.chances(words[0][row]) for row in apart]
    return fitted(np.flatnonzero(has_type).tolist()) if has_type.any() else None, chances
