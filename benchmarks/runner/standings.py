"""`python -m benchmarks table`: what `run` found, a row an extractor, an interval beside every mean."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.commands import Command, output_file
from benchmarks.datasets.samples import COMPARISON, SETS
from benchmarks.metrics.means import Estimate, estimate
from benchmarks.report import grid
from benchmarks.runner.store import add_results, default_cache, read_all
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically

Column = tuple[str, list[pd.DataFrame]]
"""A heading, and the frames of the sets that its mean is over."""


@dataclass(frozen=True, slots=True)
class Question:
    """The figure of a table."""

    cache: Path | None = None
    sets: Sequence[str] = ()
    extractors: Sequence[str] = ()
    measure: str = "rouge"
    by: str = "set"
    out: Path | None = None


def table(question: Question) -> int:
    """Print the table, and write it to `out` if that is given. Raises `Rejected` if there are no results."""
    found = results_of(question.cache or default_cache(), question.sets, question.extractors)
    head, rows = WAYS[question.by](found, question.measure)
    text = grid(head, [[str(cell) for cell in row] for row in rows]) + "\n"
    print(text, end="")
    if question.out is not None:
        write_atomically(question.out, text.encode())
    return 0


def results_of(cache: Path, sets: Sequence[str], extractors: Sequence[str]) -> pd.DataFrame:
    """Return the results of these sets and extractors. Raises `Rejected` if there are none, or a named set has none."""
    there = [name for name in SETS if (cache / "results" / name).is_dir()]
    if lacking := [name for name in sets if name not in there]:
        raise Rejected(f"{cache}: no results on {', '.join(lacking)}; make them with: python -m benchmarks run NAME ... --sets SET ...")
    names = list(sets) or there
    return read_all(cache, names, extractors)


TableLine = list[str | Estimate]
Table = tuple[list[str], list[TableLine]]


def by_set(found: pd.DataFrame, measure: str) -> Table:
    """Return a column per set, and the mean of the comparison's sets; the best extractor first."""
    names = [name for name in SETS if name in set(found["data"])]
    return _rows(found, measure, lambda rows: [*((name, [rows[rows["data"] == name]]) for name in names), _macro(rows)])


def by_kind(found: pd.DataFrame, measure: str) -> Table:
    """Return one column per page type, and one for all pages of sets with page types."""
    typed = found[found.groupby("data")["kind"].transform("nunique") > 1]
    if typed.empty:
        raise Rejected("none of these sets has page types: use --by set, or add --sets wcxb-dev")
    kinds = typed.groupby("kind").size().sort_values(ascending=False).index
    return _rows(typed, measure, lambda rows: [*((str(kind), [rows[rows["kind"] == kind]]) for kind in kinds), ("all", [rows])])


WAYS: Mapping[str, Callable[[pd.DataFrame, str], Table]] = {
    "set": by_set,
    "kind": by_kind,
}


def _rows(found: pd.DataFrame, measure: str, columns_of: Callable[[pd.DataFrame], list[Column]]) -> Table:
    """Return one row per extractor, ordered by the last column, by the others if it is empty."""
    head: list[str] = []
    scored: list[tuple[float, TableLine]] = []
    for name, rows in found.groupby("extractor", sort=False):
        columns = columns_of(rows)
        cells = [
            estimate(frames, measure) if frames and all(map(len, frames)) else Estimate(np.nan, np.nan, np.nan, 0) for _, frames in columns
        ]
        head = ["extractor", *(heading for heading, _ in columns), "failed", "CPU ms"]
        means = [cell.mean for cell in cells if cell.pages]
        failed = f"{int((rows['failure'] != '').sum())} of {len(rows)}"
        rank = cells[-1].mean if cells[-1].pages else float(np.mean(means or [0.0]))
        scored.append((rank, [str(name), *cells, failed, f"{1000 * rows['cpu'].median():.1f}"]))
    return head, [row for _, row in sorted(scored, key=lambda pair: -pair[0])]


def _macro(rows: pd.DataFrame) -> Column:
    compared = _sets(rows[rows["data"].isin(COMPARISON)])
    return f"mean of {len(compared)}", compared


def _sets(rows: pd.DataFrame) -> list[pd.DataFrame]:
    return [frame for _, frame in rows.groupby("data", sort=False)]


def _question(options: argparse.Namespace) -> Question:
    o = options
    return Question(o.cache, o.sets, o.extractors, o.measure, o.by, o.out)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_results(parser)
    parser.add_argument("--by", choices=tuple(WAYS), default="set", help="what the columns are (default: %(default)s)")
    parser.add_argument("--out", type=output_file, metavar="FILE", help="write it there as well")


COMMAND = Command(
    "table", "what run found, with an interval beside every mean", lambda options: table(_question(options)), _add_options, needs_data=False
)
