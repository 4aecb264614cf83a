"""Tables and figures of experiments: the report of all pages, snapshots, the labeler's cost, and trust fitted to known costs."""

import csv
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks.experiments.learning.scale import PLAIN, Run, write_table
from benchmarks.experiments.learning.site_scores import SiteRow
from benchmarks.experiments.learning.trust import expected_error, fit_costs, is_trusted, losses, read_rows, run
from benchmarks.experiments.report import DOCS, read_page, write_report
from benchmarks.experiments.snapshot import compare
from sightread.render.errors import Rejected
from sightread.sites.trust import TRUST, SiteEvaluation

REPORT_PAGE = """# A thing

Command: `python -m benchmarks thing`

Words about it.

In seconds, [lower](other.md) is better:

| who | seconds |
|---|---|
| ours | 1 |

## Another thing

Command: `python -m benchmarks other`

It holds.

## A thought

No command measured it.
"""


def test_a_report_has_each_command_with_its_first_table(tmp_path):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "thing.md").write_text(REPORT_PAGE)
    write_report(tmp_path, ())
    text = (tmp_path / "performance.md").read_text()
    assert "### A thing\n\n`python -m benchmarks thing` ([all figures](experiments/thing.md))\n" in text
    assert "[lower](experiments/other.md) is better:\n\n| who | seconds |\n|---|---|\n| ours | 1 |" in text
    assert "### Another thing\n\n`python -m benchmarks other` ([all figures](experiments/thing.md#another-thing))\n\nIt holds.\n" in text
    assert "Words about it" not in text and "A thought" not in text


@pytest.mark.parametrize("path", sorted((DOCS / "experiments").glob("*.md")), ids=lambda path: path.stem)
def test_every_page_of_an_experiment_can_be_read_and_fits_on_two_screens(path):
    assert all(claim.title and claim.figures for claim in read_page(path))
    assert path.read_text("utf-8").count("\n") <= 120


def test_a_page_without_a_title_is_refused(tmp_path):
    path = Path(tmp_path / "page.md")
    path.write_text("Words")
    with pytest.raises(Rejected, match="it has no title"):
        read_page(path)


def test_what_differs_is_counted_by_kind_and_named(capsys):
    before = {"markdown @ a": "1", "markdown @ b": "2", "labels @ npr": "3", "text @ a": "4"}
    assert compare(before, before) == 0
    assert compare(before, {"markdown @ a": "9", "markdown @ b": "8", "labels @ npr": "3", "tei @ a": "5"}) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [
        "changed: markdown: 2, such as markdown @ a, markdown @ b",
        "missing: text: 1, such as text @ a",
        "new: tei: 1, such as tei @ a",
        "2 of 4 digests have changed",
    ]


def test_the_table_of_the_labelers_cost_has_a_row_per_size_and_the_csv_every_run(tmp_path: Path):
    runs = [
        Run("dbscan", 1_000, 6, 63, 251, 60, 0.26, 0.25, 0.003, 200.5, 190.0),
        Run("hdbscan", 1_000, 6, 63, 251, 55, 0.37, 0.36, 0.021, 200.6, 190.0),
        Run(PLAIN, 1_000, 6, 63, 251, 60, 1.1, 1.0, 1.1, 225.0, 190.0),
        Run("dbscan", 100_000, 666, 999, 11_516, 700, 6.2, 6.1, 0.1, 250.0, 210.0),
        Run("hdbscan", 100_000, 666, 999, 11_516, 420, 7.8, 7.7, 1.1, 260.0, 210.0),
    ]
    write_table(runs, tmp_path)
    assert (tmp_path / "scale.md").read_text().splitlines()[2:] == [
        "| 1,000 | 6 | 63 | 251 | 0.3 | 200 | 0.4 | 201 | 1.1 | 225 |",
        "| 100,000 | 666 | 999 | 11,516 | 6.2 | 250 | 7.8 | 260 |  |  |",
    ]
    with (tmp_path / "scale.csv").open(newline="") as file:
        assert [(row["way"], float(row["peak"])) for row in csv.DictReader(file)] == [(run.way, run.peak) for run in runs]


def test_a_run_misses_where_it_takes_more_than_asked():
    cases = [(100_000, 10.0, 1024.0, False), (100_000, 10.1, 100.0, True), (1_000_000, 1.0, 4097.0, True), (300_000, 1e6, 1e6, False)]
    for blocks, seconds, peak, missed in cases:
        assert Run("dbscan", blocks, 1, 1, 1, 1, seconds, 0.2, 0.1, peak, 0.0).misses == missed
        assert not Run(PLAIN, blocks, 1, 1, 1, 1, seconds, 0.2, 0.1, peak, 0.0).misses


COSTS = np.array([0.3, 0.2, 0.1])


def result(number: int, generator: str) -> SiteRow:
    draw = np.random.default_rng(number)
    site_evaluation = SiteEvaluation(
        pages=25,
        confidence=1.0,
        precision=1.0,
        recall=1.0,
        f1=float(draw.uniform(0.98, 1)),
        folds=(),
        corpus="",
        supported=float(draw.uniform(0.9, 1)),
        weak=float(draw.uniform(0, 0.1)),
    )
    row = SiteRow(f"site-{number}", generator, "choose", 25, 1, 1, 1, 0.9, 0.9, {}, "", site_evaluation.expected_f1, site_evaluation)
    return msgspec.structs.replace(row, site=1 - float((losses([row]) @ COSTS)[0]))


@pytest.fixture
def rows() -> list[SiteRow]:
    return [result(number, f"generator-{number % 5}") for number in range(40)]


def test_costs_are_found_again_and_none_is_negative(rows: list[SiteRow]) -> None:
    assert fit_costs(rows) == pytest.approx(COSTS, abs=0.01)
    assert expected_error(rows, np.ones(len(rows), np.bool_)) < 0.002
    found = fit_costs(
        [
            msgspec.structs.replace(row, site=1 - 0.3 * (1 - row.site_evaluation.supported) + 0.5 * row.site_evaluation.weak)
            for row in rows
            if row.site_evaluation
        ]
    )
    assert (found >= 0).all()


def test_lower_levels_trust_more(rows: list[SiteRow]) -> None:
    strict = is_trusted(rows, replace(TRUST, least_supported=(0.95, 0.95)))
    assert is_trusted(rows)[strict].all()
    assert is_trusted(rows).sum() > strict.sum()


def test_rows_are_read_from_files_and_printed_and_others_refused(
    rows: list[SiteRow], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    assert read_rows([file]) == rows
    assert run([file]) == 0
    assert "40 results" in capsys.readouterr().out
    file.write_text("{}\n")
    with pytest.raises(Rejected, match="site-scores --rows"):
        read_rows([file])
