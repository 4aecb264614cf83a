"""The tables of the labeler's seconds and memory hold every run."""

import csv
from pathlib import Path

import pytest

from benchmarks.experiments.learning.scale import PLAIN, Run, write_table

RUNS = [
    Run("dbscan", 1_000, 6, 63, 251, 60, 0.26, 0.25, 0.003, 200.5, 190.0),
    Run("hdbscan", 1_000, 6, 63, 251, 55, 0.37, 0.36, 0.021, 200.6, 190.0),
    Run(PLAIN, 1_000, 6, 63, 251, 60, 1.1, 1.0, 1.1, 225.0, 190.0),
    Run("dbscan", 100_000, 666, 999, 11_516, 700, 6.2, 6.1, 0.1, 250.0, 210.0),
    Run("hdbscan", 100_000, 666, 999, 11_516, 420, 7.8, 7.7, 1.1, 260.0, 210.0),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_table(RUNS, tmp_path)
    return tmp_path


def test_the_table_has_a_row_a_size_and_gaps_where_nothing_ran(folder: Path):
    rows = (folder / "scale.md").read_text().splitlines()[2:]
    assert rows == [
        "| 1,000 | 6 | 63 | 251 | 0.3 | 200 | 0.4 | 201 | 1.1 | 225 |",
        "| 100,000 | 666 | 999 | 11,516 | 6.2 | 250 | 7.8 | 260 |  |  |",
    ]


def test_the_csv_holds_every_run(folder: Path):
    with (folder / "scale.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["way"] for row in rows] == [run.way for run in RUNS]
    assert [float(row["peak"]) for row in rows] == [run.peak for run in RUNS]


@pytest.mark.parametrize(
    ("blocks", "seconds", "peak", "missed"),
    [
        (100_000, 10.0, 1024.0, False),
        (100_000, 10.1, 100.0, True),
        (1_000_000, 1.0, 4097.0, True),
        (300_000, 1e6, 1e6, False),
    ],
)
def test_a_run_misses_where_it_takes_more_than_asked(blocks: int, seconds: float, peak: float, missed: bool):
    assert Run("dbscan", blocks, 1, 1, 1, 1, seconds, 0.2, 0.1, peak, 0.0).misses == missed
    assert not Run(PLAIN, blocks, 1, 1, 1, 1, seconds, 0.2, 0.1, peak, 0.0).misses
