"""`python -m benchmarks complexity`: how complex the sets' pages are, and whether HTML alone predicts it.

Bevendorff et al. 2023, section 4: pages at or above a quantile of complexity are called complex, and a logistic regression over shares of
tags classifies 80 % of pages correctly. Here every page is judged by a model that saw no page of its fold; folds are dealt within each set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, matthews_corrcoef
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import COMPARISON, find_sets, read_samples
from benchmarks.metrics.features import FEATURES, write_pages
from benchmarks.report import grid
from benchmarks.runner.arguments import add_cache
from benchmarks.runner.results import PAGES, read_results
from benchmarks.runner.store import default_cache

QUANTILES = (0.25, 1 / 3, 0.5, 2 / 3, 0.75)
COMPLEX = 1 / 3
"""The quantile of complexity from which on a page is complex: the comparison's own."""
FOLDS = 5
SEED = 0

Classifier = Callable[[], Any]
CLASSIFIERS: dict[str, Classifier] = {
    "logistic regression (the paper's)": lambda: make_pipeline(StandardScaler(), LogisticRegression()),
    "boosted trees": lambda: HistGradientBoostingClassifier(random_state=SEED, max_iter=100, learning_rate=0.05),
}


def run(data: Path | None, cache: Path | None, sets: Sequence[str]) -> int:
    """Print the quartiles of each set and the classifiers' scores over all pages."""
    folder, kept = data_folder(data), cache or default_cache()
    names = find_sets(sets, folder) if sets else [name for name in find_sets((), folder) if name in COMPARISON]
    frames = {}
    for name in names:
        write_pages(kept, name, list(read_samples(name, folder)))
        frames[name] = read_results(kept, name, PAGES)
    pages = pd.concat(frames.values(), ignore_index=True)
    print(_quartiles({**frames, "all": pages}))
    print(f"\n{_classified(pages)}")
    return 0


def classify(pages: pd.DataFrame, make: Classifier, edge: float) -> NDArray[np.bool_]:
    """Return the out-of-fold predictions of complexity; shape (pages,)."""
    values, is_complex = pages[list(FEATURES)].to_numpy(np.float64), (pages["complexity"] >= edge).to_numpy()
    fold = folds_of(pages)
    predicted = np.zeros(len(pages), np.bool_)
    for number in range(FOLDS):
        is_held_out = fold == number
        predicted[is_held_out] = make().fit(values[~is_held_out], is_complex[~is_held_out]).predict(values[is_held_out])
    return predicted


def folds_of(pages: pd.DataFrame) -> NDArray[np.intp]:
    """Return a fold a page, dealt within each set in an order that is drawn."""
    order = np.random.default_rng(SEED).permutation(len(pages))
    dealt = pages.iloc[order].groupby("data").cumcount()
    return np.asarray(dealt.reindex(pages.index).to_numpy() % FOLDS, np.intp)


def _quartiles(frames: dict[str, pd.DataFrame]) -> str:
    edge = float(frames["all"]["complexity"].quantile(COMPLEX))
    rows = []
    for name, pages in frames.items():
        figures = [f"{value:.2f}" for value in pages["complexity"].quantile(QUANTILES)]
        rows.append([name, str(len(pages)), *figures, str(int((pages["complexity"] >= edge).sum()))])
    return grid(("set", "pages", *(f"{100 * quantile:.0f} %" for quantile in QUANTILES), "complex"), rows)


def _classified(pages: pd.DataFrame) -> str:
    edge = float(pages["complexity"].quantile(COMPLEX))
    is_complex = (pages["complexity"] >= edge).to_numpy()
    predictions = {"always complex": np.ones(len(pages), np.bool_)} | {
        name: classify(pages, make, edge) for name, make in CLASSIFIERS.items()
    }
    rows = [
        [
            name,
            f"{np.mean(predicted == is_complex):.3f}",
            f"{f1_score(is_complex, predicted):.3f}",
            f"{matthews_corrcoef(is_complex, predicted):.3f}",
        ]
        for name, predicted in predictions.items()
    ]
    return grid(("classifier", "accuracy", "F1", "MCC"), rows)


COMMAND = Command(
    "complexity",
    "complexity of the pages, and its prediction from HTML alone",
    lambda options: run(options.data, options.cache, options.sets),
    add_cache,
)
