"""`python -m benchmarks table`: what `run` found, a row an extractor, an interval beside every mean."""

from __future__ import annotations

import argparse
import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.commands import Command
from benchmarks.datasets import output_paths
from benchmarks.datasets.samples import COMPARISON, SETS
from benchmarks.metrics.means import Estimate, estimate
from benchmarks.report import grid
from benchmarks.runner.arguments import add_results
from benchmarks.runner.results import PAGES, read_all, read_results
from benchmarks.runner.store import default_cache
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically

QUARTILES = (0.25, 0.75)
"""Below the first is low complexity, from the second on high (Bevendorff et al. 2023, section 4)."""
LEVELS = ("low", "medium", "high")
PARTS = ("precision", "recall", "f1")

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
    as_csv: bool = False
    out: Path | None = None


def table(question: Question) -> int:
    """Print the table, and write it to `out` if that is given. Raises `Rejected` if there are no results."""
    found = results_of(question.cache or default_cache(), question.sets, question.extractors)
    head, rows = WAYS[question.by](found, question.measure)
    text = _csv(head, rows) if question.as_csv else grid(head, [[str(cell) for cell in row] for row in rows]) + "\n"
    print(text, end="")
    if question.out is not None:
        write_atomically(question.out, text.encode())
    return 0


def results_of(cache: Path, sets: Sequence[str], extractors: Sequence[str]) -> pd.DataFrame:
    """Return results with each page's complexity and level. Raises `Rejected` if there are none, or a named set has none."""
    there = [name for name in SETS if (cache / "results" / name).is_dir()]
    if lacking := [name for name in sets if name not in there]:
        raise Rejected(f"{cache}: no results on {', '.join(lacking)}; make them with: python -m benchmarks run NAME ... --sets SET ...")
    names = list(sets) or there
    found = read_all(cache, names, extractors)
    pages = [frame.assign(data=name) for name in names if (frame := read_results(cache, name, PAGES)) is not None]
    complexities = pd.concat(pages)[["data", "page", "complexity"]]
    edges = complexities["complexity"].quantile(QUARTILES).to_numpy()
    complexities["level"] = np.array(LEVELS)[np.searchsorted(edges, complexities["complexity"].to_numpy(), side="right")]
    return found.merge(complexities, on=["data", "page"], how="left", sort=False)


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


def by_complexity(found: pd.DataFrame, measure: str) -> Table:
    """Return a column a level of complexity, each the mean over sets, and one for all pages."""
    ranked = found[found["data"].isin(COMPARISON)] if found["data"].isin(COMPARISON).any() else found
    return _rows(ranked, measure, lambda rows: [*((level, _sets(rows[rows["level"] == level])) for level in LEVELS), ("all", _sets(rows))])


def by_part(found: pd.DataFrame, measure: str) -> Table:
    """Return the form of the comparison's Table 3: mean precision, recall and F1 over sets, then the mean of the sets' medians."""
    ranked = found[found["data"].isin(COMPARISON)] if found["data"].isin(COMPARISON).any() else found
    head = ["extractor", "pages", *(f"mean {part}" for part in PARTS), *(f"median {part}" for part in PARTS)]
    scored: list[tuple[float, TableLine]] = []
    for name, rows in ranked.groupby("extractor", sort=False):
        sets = _sets(rows)
        means = [estimate(sets, measure, part) for part in PARTS]
        medians = [f"{np.mean([frame[f'{measure}_{part}'].median() for frame in sets]):.3f}"[1:] for part in PARTS]
        scored.append((means[-1].mean, [str(name), str(len(rows)), *means, *medians]))
    return head, [row for _, row in sorted(scored, key=lambda pair: -pair[0])]


WAYS: Mapping[str, Callable[[pd.DataFrame, str], Table]] = {
    "set": by_set,
    "kind": by_kind,
    "complexity": by_complexity,
    "part": by_part,
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


def _csv(head: Sequence[str], rows: Sequence[Sequence[str | Estimate]]) -> str:
    """Return the table with mean, low and high in columns of their own."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    kinds = [any(isinstance(row[at], Estimate) for row in rows) for at in range(len(head))]
    writer.writerow(name for at, title in enumerate(head) for name in ((title, f"{title} low", f"{title} high") if kinds[at] else (title,)))
    for row in rows:
        writer.writerow(value for cell in row for value in (_figures(cell) if isinstance(cell, Estimate) else (cell,)))
    return lines.getvalue()


def _figures(cell: Estimate) -> tuple[str, ...]:
    return tuple(f"{value:.4f}" for value in cell[:3]) if cell.pages else ("", "", "")


def _question(options: argparse.Namespace) -> Question:
    o = options
    return Question(o.cache, o.sets, o.extractors, o.measure, o.by, o.csv, o.out)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_results(parser)
    parser.add_argument("--by", choices=tuple(WAYS), default="set", help="what the columns are (default: %(default)s)")
    parser.add_argument("--csv", action="store_true", help="as CSV, not as Markdown")
    parser.add_argument("--out", type=output_paths.file, metavar="FILE", help="write it there as well")


COMMAND = Command(
    "table", "what run found, with an interval beside every mean", lambda options: table(_question(options)), _add_options, needs_data=False
)
