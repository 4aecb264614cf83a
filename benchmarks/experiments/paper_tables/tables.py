"""The paper's Tables 2 to 8 beside our own figures, as Markdown and CSV: `python -m benchmarks paper-tables`."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.commands import Command, add_out
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.spider import SITES, read_site
from benchmarks.experiments.paper_tables.name_svm import SITE_TABLES, Cell, Table, site_cells
from benchmarks.experiments.paper_tables.text_lengths import AS_RUN, length_cells
from benchmarks.experiments.paper_tables.unseen_sites import chaos_cells, read_chaos
from benchmarks.report import grid, publish
from sightread.labeling.label_site import label_site
from sightread.labeling.published import label_site_as_published

PAPER: dict[tuple[Table, str], float] = {
    **{("T2", site): 100.0 for site in SITES},
    **{("T5", site): f1 for site, f1 in zip(SITES, (84.7, 53.3, 44.7, 61.7, 47.0, 66.1, 78.8), strict=True)},
    **{("T6", site): f1 for site, f1 in zip(SITES, (99.9, 100.0, 73.9, 97.2, 100.0, 96.0, 100.0), strict=True)},
    **{("T7", site): f1 for site, f1 in zip(SITES, (100.0, 98.9, 73.9, 98.8, 100.0, 98.0, 99.1), strict=True)},
    **{("T8", site): f1 for site, f1 in zip(SITES, (100.0, 100.0, 100.0, 100.0, 97.0, 100.0, 100.0), strict=True)},
    ("T3", "all pages"): 31.28,
    ("T4", "all pages"): 92.83,
}
"""F1 in per cent, as printed."""

WHOSE = {"published": "the paper's labels (one cluster a site, Algorithm 1)", "ours": "our labels (`label_site`)"}
MARK = " ▼"
"""Stands at a figure that, rounded as printed, is below the paper's."""


def run(data: Path | None, out: Path | None) -> int:
    """Print the tables, and write them as tables.md and tables.csv into the folder `out`.

    Return 1 if the paper's figure is above even the best of our divisions into folds.
    """
    cells = list(measure(data_folder(data)))
    publish("tables", [markdown(cells)], out, map(figures, cells))
    return int(any(not within_reach(cell) for cell in below(cells)))


def measure(data: Path) -> Iterator[Cell]:
    """Yield every cell."""
    for site in SITES:
        pages = [found.page for found in read_site(data, site)]
        for whose, labels in (("published", label_site_as_published(pages).labels), ("ours", label_site(pages).labels)):
            yield from site_cells(site, pages, labels, whose)
            yield from length_cells(site, pages, labels, whose)
    yield from chaos_cells(read_chaos(list(read_site(data, "chaos"))))


def below(cells: Sequence[Cell]) -> list[Cell]:
    """Return the cells of the paper that none of our methods reaches, as printed, on its labels: all the methods tried there."""
    methods: defaultdict[tuple[Table, str], list[Cell]] = defaultdict(list)
    for cell in cells:
        if _paper(cell) is not None:
            methods[cell.table, cell.subject].append(cell)
    return [cell for tried in methods.values() if all(map(_is_below, tried)) for cell in tried]


def within_reach(cell: Cell) -> bool:
    """Tell whether some division into folds gives the paper's figure, as printed."""
    return _reached(cell) > 0


def markdown(cells: Sequence[Cell]) -> str:
    """Return all tables, and the figures below the paper's with their reasons."""
    parts = [_site_table([cell for cell in cells if cell.labels == whose], words) for whose, words in WHOSE.items()]
    as_run = [cell for cell in cells if cell.method == AS_RUN and cell.labels == "published"]
    parts.append(_list("Table 5 as the authors' code ran it, in 100 divisions instead of one", as_run))
    parts.append(_list("Table 3: unseen websites (folds by host)", [cell for cell in cells if cell.table == "T3"]))
    parts.append(_list("Table 4: random mixture (folds by page)", [cell for cell in cells if cell.table == "T4"]))
    parts.append(_list("Text of unseen websites, token F1 by page", [cell for cell in cells if cell.table == "text"]))
    parts.extend(_reason(cell) for cell in cells if _is_below(cell))
    return "\n\n".join(part for part in parts if part)


def figures(cell: Cell) -> dict[str, str | int | float | None]:
    """Return the figures of a cell, F1 in per cent."""
    f1, least, most = (round(100 * value, 2) for value in (cell.f1, min(cell.runs), max(cell.runs)))
    names = {"table": cell.table, "subject": cell.subject, "method": cell.method, "labels": cell.labels}
    best = None if cell.ceiling is None else round(100 * cell.ceiling, 2)
    return names | {"f1": f1, "least": least, "most": most, "divisions": len(cell.runs), "ceiling": best, "paper": _paper(cell)}


def _site_table(cells: Sequence[Cell], words: str) -> str:
    of_sites = [cell for cell in cells if cell.table in SITE_TABLES or (cell.table == "T5" and cell.method != AS_RUN)]
    found = {(cell.table, cell.method, cell.subject): cell for cell in of_sites}
    columns = sorted(dict.fromkeys((cell.table, cell.method) for cell in of_sites), key=lambda column: column[0])
    sites = list(dict.fromkeys(cell.subject for cell in of_sites))
    if not found:
        return ""
    head = ["site", *(f"{table} {method}" for table, method in columns)]
    rows = [[site, *(_figure(found[(*column, site)]) for column in columns)] for site in sites]
    return f"## One site at a time, {words}\n\nF1 in per cent, 4 folds by page; in brackets the paper's.\n\n{grid(head, rows)}"


def _list(title: str, cells: Sequence[Cell]) -> str:
    rows = [[cell.method, cell.subject, _figure(cell), _by_division(cell)] for cell in cells]
    return f"## {title}\n\n{grid(['method', 'pages', 'F1 %', 'by division'], rows)}" if rows else ""


def _figure(cell: Cell) -> str:
    paper = _paper(cell)
    paper_figure = f" ({paper:g})" if paper is not None else ""
    return f"{100 * cell.f1:.1f}{paper_figure}{MARK if _is_below(cell) else ''}"


def _reason(cell: Cell) -> str:
    best = "The best single cut of the length" if cell.table == "T5" else "The most that these features allow"
    limit = "" if cell.ceiling is None else f" {best}, with all labels known, gives {100 * cell.ceiling:.1f}."
    return (
        f"{MARK.strip()} {cell.table} {cell.subject}, {cell.method}: {100 * cell.f1:.1f} against {_paper(cell):g}; by division into folds "
        f"{_by_division(cell)}, and {_reached(cell)} of {len(cell.runs)} reach it.{limit}"
    )


def _by_division(cell: Cell) -> str:
    return f"{100 * min(cell.runs):.1f} to {100 * max(cell.runs):.1f}"


def _reached(cell: Cell) -> int:
    """Return how many divisions into folds give the paper's figure, as printed."""
    paper = _paper(cell)
    return sum(paper is None or round(100 * run, 1) >= paper for run in cell.runs)


def _paper(cell: Cell) -> float | None:
    return PAPER.get((cell.table, cell.subject)) if cell.labels == "published" else None


def _is_below(cell: Cell) -> bool:
    paper = _paper(cell)
    return paper is not None and round(100 * cell.f1, 1) < round(paper, 1)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_out(parser, "write tables.md and tables.csv there")


COMMAND = Command(
    "paper-tables", "the paper's Tables 2 to 8 on the original authors' pages", lambda options: run(options.data, options.out), _add_options
)
