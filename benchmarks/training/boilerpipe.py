"""Training the Boilerpipe tree that ships, beside the published trees: WCXB dev, static, 5 folds by domain, then all of it.

The published trees saw neither this data set nor the others; the trained one saw WCXB dev alone, and on it no page of the domain it reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.commands import Command, add_model_file
from benchmarks.datasets.blocks import Labelled, page_tokens, predict_all, read_labelled, to_learn
from benchmarks.datasets.folder import data_folder
from benchmarks.report import grid
from sightread.classify.evaluation import domain_folds
from sightread.classify.heuristics.boilerpipe import Boilerpipe, BoilerpipeArticle, BoilerpipeDensity, BoilerpipeLargest
from sightread.classify.heuristics.boilerpipe_tree import BoilerpipeTree
from sightread.classify.model import Model, Probabilities
from sightread.render.labels import THRESHOLD

FOLDS = 5
TRAINED = "wcxb-dev"
OTHERS = ("cleaneval", "cleanportaleval", "dragnet", "l3s-gn1", "readability", "scrapinghub")
"""Sets that the shipped model did not see."""
PUBLISHED = (Boilerpipe, BoilerpipeDensity, BoilerpipeLargest, BoilerpipeArticle)


def run(data: Path | None, out: Path | None) -> int:
    """Print the word F1 of all trees on sites not seen; write the model that is fitted to all pages to `out`.

    Return 1 if the trained tree is not the best of them on WCXB dev: then it does not ship.
    """
    folder = data_folder(data)
    pages = list(read_labelled(folder, TRAINED))
    models: list[Model] = [make() for make in PUBLISHED]
    results = {model.name: tokens(pages, predict_all(model, pages)) for model in models}
    results[BoilerpipeTree.name] = tokens(pages, hold_out(pages))
    kinds = sorted({each.kind for each in pages})
    rows = []
    for kind in (*kinds, "all"):
        inside = [row for row, each in enumerate(pages) if kind in (each.kind, "all")]
        rows.append([kind, str(len(inside)), *(f"{np.mean([f1s[row] for row in inside]):.3f}" for f1s in results.values())])
    print(f"{TRAINED}, word F1, 5 folds by domain\n{grid(('type', 'pages', *results), rows)}")
    model = BoilerpipeTree().fit(*to_learn(pages))
    print_others(folder, [*models, model])
    if out is not None:
        model.save(out)
        print(f"{out}: {out.stat().st_size / 1024:.0f} KiB")
    means = {name: float(np.mean(f1s)) for name, f1s in results.items()}
    return int(max(means, key=lambda name: means[name]) != BoilerpipeTree.name)


def hold_out(pages: Sequence[Labelled]) -> list[Probabilities]:
    """Return out-of-fold predictions for each page, grouped by domain."""
    fold = domain_folds([each.page for each in pages], FOLDS)
    found: dict[int, Probabilities] = {}
    for number in np.unique(fold):
        model = BoilerpipeTree().fit(*to_learn([pages[row] for row in np.flatnonzero(fold != number).tolist()]))
        found |= {row: model.predict(pages[row].page).relative for row in np.flatnonzero(fold == number).tolist()}
    return [found[row] for row in range(len(pages))]


def print_others(folder: Path, models: Sequence[Model]) -> None:
    """Print the word F1 of the models on all other sets that are there."""
    rows = []
    for name in OTHERS:
        if (folder / name).is_dir():
            pages = list(read_labelled(folder, name))
            means = [np.mean(tokens(pages, predict_all(model, pages))) for model in models]
            rows.append([name, str(len(pages)), *(f"{mean:.3f}" for mean in means)])
    print(f"\nother sets, word F1\n{grid(('set', 'pages', *(model.name for model in models)), rows)}")


def tokens(pages: Sequence[Labelled], found: Sequence[Probabilities]) -> list[float]:
    """Return the word F1 of the blocks that are kept of each page."""
    return page_tokens(pages, [probabilities >= THRESHOLD for probabilities in found])


COMMAND = Command(
    "train-boilerpipe",
    "train the Boilerpipe tree, beside the published ones",
    lambda options: run(options.data, options.out),
    add_model_file,
)
