"""Boilerpipe's learners on L3S-GN1, 10 folds by page: every block is judged by what was learned from the pages of other folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC

from sightread.classify.heuristics.boilerpipe.model import apply_rule, by_density, by_words
from sightread.classify.heuristics.boilerpipe.shallow_features import ALL, CONTEXT, FREQUENCIES, LOCAL, QUOTIENTS, Shallow
from sightread.classify.training.decision_trees import Blocks, grow_tree
from sightread.render.page.array_types import Floats

FOLDS = 10
SEED = 0
"""Of the one division of the pages into folds."""
PENALTY = 1e-4
"""Of the squared weights of the SVM against the mean loss: that of `sightread.classify.general.first_stage`, not tuned here."""
BEST_TREE = "tree, all features"

Scorer = Callable[[Blocks, Floats], Floats]
"""From training blocks and the features of others to one score a class, shape (rows, classes)."""


class Trial(NamedTuple):
    """The predictions of one method for all labelled blocks."""

    method: str
    features: int
    scores: Floats
    """Shape (rows, classes); the class with the highest score is predicted."""


@dataclass(frozen=True, slots=True)
class Method:
    """A learner and the columns that it reads."""

    name: str
    columns: tuple[str, ...]
    score: Scorer


def methods(classes: int) -> list[Method]:
    """Return the paper's rows, the least features first: those that learn."""
    around = [(name, f"previous {name}", f"next {name}") for name in ("link density", "words", "text density")]
    trees = {
        "tree, frequency, with neighbours": FREQUENCIES,
        "tree, link density, with neighbours": around[0],
        "tree, number of words, with neighbours": around[1],
        "tree, number of words and link density, with neighbours": (*around[1], *around[0]),
        "tree, text and link density, with neighbours": (*around[2], *around[0]),
        "tree, all local features": LOCAL,
        "tree, all local features and text density quotients": (*LOCAL, *QUOTIENTS[:2]),
        "tree, all local features, with neighbours": CONTEXT,
        BEST_TREE: ALL,
    }
    found = [Method(name, columns, partial(score_by_tree, classes=classes)) for name, columns in trees.items()]
    if classes > 2:
        return [method for method in found if len(method.columns) >= 6]
    rules = ("mean sentence length", "mean word length", "words", "link density", "text density")
    return [
        *(Method(f"1R, {name}", (name,), score_by_cut) for name in rules),
        *found,
        Method("linear SVM, all features", ALL, score_by_svm),
    ]


def divide(pages: int) -> NDArray[np.intp]:
    """Return the fold of each page."""
    fold = np.empty(pages, np.intp)
    fold[np.random.default_rng(SEED).permutation(pages)] = np.arange(pages) % FOLDS
    return fold


def run_trials(blocks: Blocks, classes: int, learners: Sequence[Method]) -> Iterator[Trial]:
    """Yield every learner's scores of the blocks, whose weights count in learning too."""
    fold = divide(int(blocks.pages.max()) + 1)[blocks.pages]
    for method in learners:
        columns = [ALL.index(name) for name in method.columns]
        chosen = Blocks(blocks.features[:, columns], blocks.labels, blocks.weights, blocks.pages)
        scores = np.zeros((len(blocks.labels), classes))
        for number in range(FOLDS):
            trained = (fold != number) & (blocks.weights > 0)
            scores[fold == number] = method.score(chosen.of(trained), chosen.features[fold == number])
        yield Trial(method.name, len(columns), scores)


def published(shallow: Sequence[Sequence[Shallow]], rows: Sequence[NDArray[np.bool_]]) -> Iterator[Trial]:
    """Yield keeping everything and the two published trees over whole pages; `rows` are the labelled blocks."""
    labelled = sum(int(of_page.sum()) for of_page in rows)
    yield Trial("keep everything", 0, _as_scores(np.ones(labelled)))
    for name, rule in (("Algorithm 1, as published", by_density), ("Algorithm 2, as published", by_words)):
        kept = [apply_rule(rule, of_page)[known] for of_page, known in zip(shallow, rows, strict=True)]
        yield Trial(name, 6, _as_scores(np.concatenate(kept).astype(np.float64)))


def score_by_tree(blocks: Blocks, features: Floats, classes: int) -> Floats:
    """Return the leaves' probabilities."""
    return grow_tree(blocks, classes).predict(features)


def score_by_svm(blocks: Blocks, features: Floats) -> Floats:
    """Return the decision values of a linear SVM over log(1 + x), and their opposites for the first class.

    Numbers of words run over four orders of magnitude. The loss is the squared hinge.
    """
    svm = LinearSVC(C=1 / PENALTY, dual=False, max_iter=10_000)
    model = make_pipeline(FunctionTransformer(np.log1p), StandardScaler(), svm)
    model.fit(blocks.features, blocks.labels, linearsvc__sample_weight=blocks.weights / blocks.weights.sum())
    decisions = model.decision_function(features)
    return np.column_stack([-decisions, decisions])


def score_by_cut(blocks: Blocks, features: Floats) -> Floats:
    """Return the decisions of the one cut of one feature that errs least (Holte's 1R with two intervals)."""
    cut, is_above = best_cut(blocks.features[:, 0], blocks.labels == 1, blocks.weights)
    return _as_scores(((features[:, 0] > cut) == is_above).astype(np.float64))


def best_cut(values: Floats, content: NDArray[np.bool_], weights: Floats) -> tuple[float, bool]:
    """Return the cut of the least error, and whether content is above it; of equal ones the lowest."""
    order = np.argsort(values, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(values[order])), len(values) - 1)
    below = np.cumsum(np.where(content, weights, -weights)[order])[ends]
    errors = np.column_stack([below, below[-1] - below])  # content above errs by what is content below; less a constant either way
    row, side = np.unravel_index(int(np.argmin(errors)), errors.shape)
    return float(values[order[ends[row]]]), bool(side == 0)


def _as_scores(kept: Floats) -> Floats:
    return np.column_stack([1 - kept, kept])
