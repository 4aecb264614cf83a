"""Calibration of the labeler's confidence. Measured on the authors' seven sites, the demo site, and random parts of each.

Labels are right where their block F1 against gold is at least 0.98 on the labelled pages. Gold are the sites' own article containers
(`benchmarks.datasets.spider`), and the demo's markup. Trusted are those that `auto` would use unasked.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.spider import SITES, read_site, reference_labels
from benchmarks.experiments.learning.demo import gold_labels, render_demo
from sightread.classify.evaluation import block_score
from sightread.data.demo import article_paths
from sightread.labeling.label_site import label_site
from sightread.labeling.labels import TRUSTED
from sightread.render.labels import CONTENT
from sightread.render.page import Page
from sightread.render.page.array_types import Labels

SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20)
"""Pages of the parts; the whole site comes on top."""
RIGHT = 0.98
TARGET = 0.99
Gold = list[tuple[Page, Labels]]


class Trial(NamedTuple):
    """One part of a site."""

    site: str
    pages: int
    f1: float
    confidence: float

    @property
    def is_right(self) -> bool:
        """Whether the labels agree with gold."""
        return self.f1 >= RIGHT

    @property
    def is_trusted(self) -> bool:
        """Whether the labels pass for sure."""
        return self.confidence >= TRUSTED


def run(data: Path | None, resamples: int) -> int:
    """Print how often labels are trusted and right, by site and by number of pages; return 1 if trust is betrayed too often."""
    trials = [trial for name, pages in _sources(data_folder(data)) for trial in try_site(name, pages, resamples)]
    for title, keys in (("site", dict.fromkeys(trial.site for trial in trials)), ("pages", sorted({trial.pages for trial in trials}))):
        print(f"{title:14}{'parts':>7}{'right':>8}{'trusted':>9}{'right of those':>16}{'least F1 of those':>19}")
        for key in keys:
            _print(str(key), [trial for trial in trials if key in (trial.site, trial.pages)])
        print()
    _print("all", trials)
    trusted = [trial for trial in trials if trial.is_trusted]
    for trial in sorted((trial for trial in trusted if not trial.is_right), key=lambda trial: trial.f1):
        print(f"trusted and wrong: {trial.site}, {trial.pages} pages, F1 {trial.f1:.4f}, confidence {trial.confidence:.3f}")
    share = float(np.mean([trial.is_right for trial in trusted])) if trusted else 0.0
    print(f"of trusted labels {share:.4f} are right, target {TARGET}; {1 - len(trusted) / len(trials):.1%} of the parts are abstained from")
    return int(share < TARGET)


def try_site(name: str, pages: Gold, resamples: int) -> Iterator[Trial]:
    """Yield the trials of a site: the whole, and `resamples` random parts of each size, the same ones every time."""
    yield _try(name, pages)
    for size in (size for size in SIZES if size < len(pages)):
        chance = np.random.default_rng(size)
        for _ in range(resamples):
            yield _try(name, [pages[row] for row in np.sort(chance.permutation(len(pages))[:size])])


def _try(name: str, part: Gold) -> Trial:
    labels = label_site([page for page, _ in part])
    found, gold = np.concatenate(labels.labels), np.concatenate([of_page for _, of_page in part])
    return Trial(name, len(part), block_score(found == CONTENT, np.where(found < 0, -1, gold)).f1, labels.confidence.value)


def _sources(folder: Path) -> Iterator[tuple[str, Gold]]:
    for name in SITES:
        yield name, [(found.page, reference_labels(name, found.page)) for found in read_site(folder, name)]
    paths = article_paths()
    demo = [(page, gold_labels(page)) for page in asyncio.run(render_demo(paths))]
    yield "demo", demo
    for language in dict.fromkeys(path.split("/")[1] for path in paths):
        yield f"demo {language}", [page for path, page in zip(paths, demo, strict=True) if path.split("/")[1] == language]


def _print(name: str, trials: Sequence[Trial]) -> None:
    trusted = [trial for trial in trials if trial.is_trusted]
    right, least = np.mean([trial.is_right for trial in trusted or trials]), min((trial.f1 for trial in trusted), default=np.nan)
    shares = f"{np.mean([trial.is_right for trial in trials]):8.3f}{len(trusted) / len(trials):9.3f}"
    print(f"{name:14}{len(trials):7}{shares}" + (f"{right:16.3f}{least:19.4f}" if trusted else f"{'-':>16}{'-':>19}"), flush=True)


def _add_options(parser: argparse.ArgumentParser) -> None:
    text = "random parts of each site and size (default: %(default)s)"
    parser.add_argument("--resamples", type=int, default=20, metavar="N", help=text)


COMMAND = Command(
    "confidence", "calibration of the labeler's confidence", lambda options: run(options.data, options.resamples), _add_options
)
