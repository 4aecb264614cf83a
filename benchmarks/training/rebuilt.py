"""Training of other people's models that ship, on WCXB dev: `python -m benchmarks train-rebuilt semtext`, and the like.

First a fifth of the domains is held out and scored, beside the published trees of Boilerpipe, which saw neither this data set nor others;
then the model is fitted to all pages and written.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from benchmarks.commands import Command, add_model_file
from benchmarks.datasets.blocks import Labelled, predict_all, read_labelled, score_levels, to_learn
from benchmarks.datasets.folder import data_folder
from benchmarks.report import grid
from sightread.classify.evaluation import domain_folds
from sightread.classify.heuristics.boilerpipe import Boilerpipe, BoilerpipeArticle, BoilerpipeDensity, BoilerpipeLargest
from sightread.classify.heuristics.boilerpipe_tree import BoilerpipeTree
from sightread.classify.model import Model, Probabilities
from sightread.classify.neural.boilernet import BoilerNet
from sightread.classify.neural.semtext.model import SemText
from sightread.classify.neural.web2text.model import Web2Text
from sightread.classify.weights import trainer

FOLDS = 5
MODELS: Mapping[str, Callable[[], Model]] = MappingProxyType({kind.name: kind for kind in (BoilerpipeTree, SemText, BoilerNet, Web2Text)})
PUBLISHED = (Boilerpipe, BoilerpipeDensity, BoilerpipeLargest, BoilerpipeArticle)


class Clock:
    """Prints what was done, and what CPU time it took."""

    def __init__(self) -> None:
        self._at = time.process_time()

    def log(self, what: str) -> None:
        """Print it with the CPU seconds since the last line."""
        now = time.process_time()
        print(f"{now - self._at:6.0f} s  {what}", flush=True)
        self._at = now


def run(data: Path | None, name: str, out: Path | None) -> int:
    """Print the scores by page type on domains not seen; then fit to all pages and write the model to `out`, if it is given."""
    if name != BoilerpipeTree.name:
        trainer("torch_loop")  # raises at once if PyTorch is missing
    clock = Clock()
    pages = list(read_labelled(data_folder(data), "wcxb-dev"))
    clock.log(f"{len(pages)} pages read and labelled")
    is_held_out = domain_folds([each.page for each in pages], FOLDS) == 0
    unseen = [pages[row] for row in np.flatnonzero(is_held_out).tolist()]
    model = MODELS[name]().fit(*to_learn([pages[row] for row in np.flatnonzero(~is_held_out).tolist()]))
    clock.log(f"{name} trained on four fifths of the domains")
    found = {each.name: predict_all(each, unseen) for each in (model, *(kind() for kind in PUBLISHED))}
    clock.log(f"{len(unseen)} pages of the others read")
    print(table(unseen, found))
    if out is not None:
        MODELS[name]().fit(*to_learn(pages)).save(out)
        clock.log(f"{out}: {out.stat().st_size / 1024:.0f} KiB, trained on all pages")
    return 0


def table(pages: Sequence[Labelled], found: Mapping[str, Sequence[Probabilities]]) -> str:
    """Return the F1 of tokens by page type, mean over pages, and of blocks by words."""
    kinds = sorted({each.kind for each in pages})
    rows = []
    for name, of_model in found.items():
        levels = []
        for kind in [*kinds, ""]:
            chosen = [row for row, each in enumerate(pages) if kind in ("", each.kind)]
            levels.append(score_levels([pages[row] for row in chosen], [of_model[row] for row in chosen]))
        rows.append([name, *(f"{each.tokens:.3f}" for each in levels), f"{levels[-1].words.f1:.3f}"])
    counts = [f"{kind} ({sum(each.kind == kind for each in pages)})" for kind in kinds]
    return grid(("tokens F1", *counts, f"all ({len(pages)})", "blocks by words"), rows)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", choices=tuple(MODELS))
    add_model_file(parser)


COMMAND = Command(
    "train-rebuilt",
    "train Boilerpipe's tree, SemText, BoilerNet or Web2Text on WCXB dev, scored on sites not seen",
    lambda options: run(options.data, options.model, options.out),
    _add_options,
)
