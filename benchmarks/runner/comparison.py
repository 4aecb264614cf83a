"""`python -m benchmarks compare A B`: the paired difference of two extractors, and the pages where they differ most."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from benchmarks.commands import Command
from benchmarks.datasets.samples import COMPARISON
from benchmarks.metrics.means import difference, estimate
from benchmarks.report import grid
from benchmarks.runner.arguments import add_cache, add_measure
from benchmarks.runner.standings import results_of
from benchmarks.runner.store import default_cache
from sightread.render.errors import Rejected

ALIKE = 0.005
"""Pages whose F1 differ by less count as even: a reader sees no difference."""


def compare(cache: Path | None, names: tuple[str, str], sets: Sequence[str], measure: str, worst: int) -> int:
    """Print by how much A is above B on each set, and the pages where each is furthest ahead. Raises `Rejected` without results of both."""
    found = results_of(cache or default_cache(), sets, list(dict.fromkeys(names)))
    one, other = (found[found["extractor"] == name] for name in names)
    pairs = {str(data): _paired(frame, other[other["data"] == data]) for data, frame in one.groupby("data", sort=False)}
    pairs = {data: pair for data, pair in pairs.items() if len(pair[0])}
    if not pairs:
        raise Rejected(f"{names[0]} and {names[1]} have no page in common: run both over the same sets")
    print(_differences(names, pairs, measure))
    column = f"{measure}_f1"
    gaps = pd.concat([first.assign(gap=first[column] - second[column], b=second[column]) for first, second in pairs.values()])
    for title, order in ((f"{names[0]} is ahead", False), (f"{names[1]} is ahead", True)):
        furthest = gaps.sort_values(["gap", "data", "page"], ascending=[order, True, True]).head(worst)
        rows = [
            [row.data, str(row.page), row.kind, row.level, f"{getattr(row, column):.3f}", f"{row.b:.3f}", row.failure]
            for row in furthest.itertuples()
            if (row.gap < 0) == order and row.gap
        ]
        print(f"\n{title}\n\n{grid(('set', 'page', 'type', 'complexity', *names, 'failure'), rows)}")
    return 0


def _paired(one: pd.DataFrame, other: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return both for the pages that they share, in one order."""
    shared = one[["page"]].merge(other[["page"]], on="page")["page"]
    first, second = (frame.set_index("page", drop=False).loc[shared].reset_index(drop=True) for frame in (one, other))
    return first, second


def _differences(names: tuple[str, str], pairs: dict[str, tuple[pd.DataFrame, pd.DataFrame]], measure: str) -> str:
    rows = []
    compared = [pair for data, pair in pairs.items() if data in COMPARISON]
    groups = [*((data, [pair]) for data, pair in pairs.items()), *([(f"mean of {len(compared)}", compared)] if len(compared) > 1 else [])]
    for title, group in groups:
        gaps = pd.concat([first[f"{measure}_f1"] - second[f"{measure}_f1"] for first, second in group])
        better, worse = int((gaps >= ALIKE).sum()), int((gaps <= -ALIKE).sum())
        both = [str(estimate([pair[at] for pair in group], measure)) for at in (0, 1)]
        rows.append([title, str(len(gaps)), *both, str(difference(group, measure)), f"{better}, {len(gaps) - better - worse}, {worse}"])
    return grid(("set", "pages", *names, "difference", "pages better, even, worse"), rows)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs=2, metavar="EXTRACTOR")
    parser.add_argument("--worst", type=int, default=10, metavar="N", help="pages to show on either side (default: %(default)s)")
    add_cache(parser)
    add_measure(parser)


COMMAND = Command(
    "compare",
    "the paired difference of two extractors, and where they differ most",
    lambda options: compare(options.cache, tuple(options.names), options.sets, options.measure, options.worst),
    _add_options,
    needs_data=False,
)
