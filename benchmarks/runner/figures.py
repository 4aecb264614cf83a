"""`python -m benchmarks figures`: the comparison's pictures, as SVG: how scores and pages are distributed.

After Bevendorff et al. 2023: boxes of the pages' ROUGE-LSum F1, one an extractor and level of complexity, and of the complexity of each
set. A box holds the middle half of the pages, its line is the median, whiskers reach one and a half boxes further; the mean is a dot.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.commands import Command, add_out
from benchmarks.datasets.samples import COMPARISON
from benchmarks.runner.arguments import add_results
from benchmarks.runner.standings import LEVELS, results_of
from benchmarks.runner.store import default_cache
from render.files import write_atomically

WIDTH, HEIGHT = 9.0, 2.6
"""Of one row of boxes, in inches."""
STYLE: Any = {"svg.hashsalt": "sightread", "svg.fonttype": "path", "font.size": 8}
"""The same results give the same bytes."""


def draw(cache: Path | None, sets: Sequence[str], extractors: Sequence[str], measure: str, out: Path) -> int:
    """Write complexity.svg and <measure>.svg into the folder `out`. Raises `Rejected` where there are no results."""
    found = results_of(cache or default_cache(), sets, extractors)
    compared = found[found["data"].isin(COMPARISON)]
    found = compared if len(compared) else found
    for name, figure in (("complexity", draw_complexity(found)), (measure, draw_scores(found, measure))):
        write_atomically(out / f"{name}.svg", figure)
        print(out / f"{name}.svg")
    return 0


def draw_scores(found: pd.DataFrame, measure: str) -> bytes:
    """Return the SVG of the F1 of all pages and of each level, the extractor with the highest mean first."""
    column = f"{measure}_f1"
    order = found.groupby("extractor")[column].mean().sort_values(ascending=False, kind="stable").index
    with mpl.rc_context(STYLE):
        figure = Figure((WIDTH, HEIGHT * (1 + len(LEVELS))), layout="constrained")
        axes = figure.subplots(1 + len(LEVELS), 1, sharex=True)
        for title, row, pages in zip(("all pages", *(f"{level} complexity" for level in LEVELS)), axes, _by_level(found), strict=True):
            _boxes(row, [pages[pages["extractor"] == name][column] for name in order], [str(name) for name in order])
            row.set_title(title, loc="left")
        return _svg(figure)


def draw_complexity(found: pd.DataFrame) -> bytes:
    """Return the SVG of the complexity of each set, the most complex first."""
    pages = found.drop_duplicates(["data", "page"])
    order = pages.groupby("data")["complexity"].median().sort_values(ascending=False, kind="stable").index
    with mpl.rc_context(STYLE):
        figure = Figure((WIDTH / 2, HEIGHT), layout="constrained")
        _boxes(figure.subplots(), [pages[pages["data"] == name]["complexity"] for name in order], [str(name) for name in order])
        return _svg(figure)


def _by_level(found: pd.DataFrame) -> list[pd.DataFrame]:
    return [found, *(found[found["level"] == level] for level in LEVELS)]


def _boxes(axes: Axes, values: Sequence[pd.Series[float]], names: Sequence[str]) -> None:
    axes.boxplot(
        [each.to_numpy() for each in values],
        showfliers=False,
        showmeans=True,
        widths=0.6,
        medianprops={"color": "#b5432a"},
        meanprops={"marker": "o", "markersize": 3, "markerfacecolor": "#24506b", "markeredgecolor": "none"},
    )
    axes.set_xticks(range(1, len(names) + 1), names, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_ylim(-0.02, 1.02)
    axes.grid(axis="y", color="#dddddd", linewidth=0.5)
    axes.spines[["top", "right"]].set_visible(False)


def _svg(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    return buffer.getvalue()


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_results(parser)
    add_out(parser, "where the pictures are written", required=True)


COMMAND = Command(
    "figures",
    "how scores and complexity are distributed, as SVG",
    lambda options: draw(options.cache, options.sets, options.extractors, options.measure, options.out),
    _add_options,
    needs_data=False,
)
