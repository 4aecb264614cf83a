"""Forecasts of the word F1 of documents: whether the intervals hold on pages with gold text."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import find_sets, read_samples
from benchmarks.metrics.measures import word_score
from benchmarks.report import grid
from sightread.classify.forecast import Calibration, Forecast, KnownDocument
from sightread.document.metadata.metadata import likely_type
from sightread.reading.reading import read_static
from sightread.render.errors import SightreadError

BAD = 0.5
HEAD = (
    "",
    "pages",
    "mean F1",
    "interval holds",
    "F1 below",
    "above",
    "mean width",
    "constant",
    "flagged",
    "their F1",
    "others",
    "under .5",
)


def cross_calibrate(documents: Sequence[KnownDocument], fold: NDArray[np.intp]) -> list[Forecast]:
    """Return the forecast of each document by a calibration on those of other folds; shape of `fold`: (documents,)."""
    numbers = np.unique(fold).tolist()
    known = {number: [each for each, of_page in zip(documents, fold, strict=True) if of_page != number] for number in numbers}
    calibrations = {number: Calibration.fit(known[number]) for number in numbers if known[number]}
    return [calibrations[number].forecast(*each[:2]) for each, number in zip(documents, fold.tolist(), strict=True)]


def report(name: str, documents: Sequence[KnownDocument], forecasts: Sequence[Forecast]) -> str:
    """Return a table of all forecasts, and of those by the page type that is predicted.

    "constant" is the width of the narrowest constant interval up to 1 that holds for as many of these pages; "flagged" is the share that
    needs a review, and the last column how many of the pages with an F1 under `BAD` are among it.
    """
    kinds = [likely_type(each.types) or "unsure" for each in documents]
    lines = []
    for part in (name, *sorted(set(kinds))):
        rows = [row for row, kind in enumerate(kinds) if part in (name, kind)]
        lines.append([part, *_figures([documents[row] for row in rows], [forecasts[row] for row in rows])])
    return grid(HEAD, lines)


def _figures(documents: Sequence[KnownDocument], forecasts: Sequence[Forecast]) -> list[str]:
    f1, flagged = np.array([each.f1 for each in documents]), np.array([each.needs_review for each in forecasts], np.bool_)
    low, high = np.array(forecasts).reshape(-1, 2).T
    below, above = (f1 < low).mean(), (f1 > high).mean()
    means = [f1.mean(), 1 - below - above, below, above, (high - low).mean(), 1 - np.quantile(f1, below + above), flagged.mean()]
    means += [f1[part].mean() if part.any() else np.nan for part in (flagged, ~flagged)]
    return [str(len(f1)), *(f"{mean:.3f}" for mean in means), f"{(flagged & (f1 < BAD)).sum()} of {(f1 < BAD).sum()}"]


def run(data: Path | None, sets: Sequence[str]) -> int:
    """Print, by data set and page type, whether the forecasts of the global model hold, and how many pages have none."""
    for name in find_sets(sets, data_folder(data)):
        samples, documents, forecasts = list(read_samples(name, data_folder(data))), [], []
        for sample in samples:
            with suppress(SightreadError):
                document = read_static(sample.html, sample.url, "global").document
                if document.forecast is not None:
                    f1 = word_score(document.text, sample.gold).f1
                    documents.append(KnownDocument(document.expected_f1, dict(document.prediction.page_types), f1))
                    forecasts.append(document.forecast)
        print(f"{report(name, documents, forecasts)}\n{len(samples) - len(documents)} pages without a forecast\n", flush=True)
    return 0


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sets", nargs="+", default=[], metavar="SET", help="data sets (default: all that are there)")


COMMAND = Command(
    "forecasts",
    "whether forecasts of the global model hold, by set and page type",
    lambda options: run(options.data, options.sets),
    _add_options,
)
