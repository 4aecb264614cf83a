"""Experiments: the report of all pages, snapshots, the labeler's cost, trust fitted to known costs, damaged pages, a pool under load."""

import csv
import gzip
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest

from benchmarks.experiments.extraction import mutations
from benchmarks.experiments.learning.scale import PLAIN, Run, write_table
from benchmarks.experiments.learning.site_scores import SiteRow
from benchmarks.experiments.learning.trust import expected_error, fit_costs, is_trusted, losses, read_rows, run
from benchmarks.experiments.report import DOCS, read_page, write_report
from benchmarks.experiments.snapshot import compare
from benchmarks.experiments.throughput import pool
from benchmarks.metrics.cost import descendants
from sightread.data.demo import build_site
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


@pytest.fixture(scope="module")
def pages():
    return [answer.body.decode() for path, answer in build_site().items() if path.endswith((".html", "/")) and answer.status == 200][:12]


@pytest.fixture
def data(pages, tmp_path):
    """A data set of pages of the demo site."""
    (tmp_path / "cleaneval").mkdir()
    with gzip.open(tmp_path / "cleaneval" / "pages.jsonl.gz", "wt") as lines:
        for number, html in enumerate(pages):
            lines.write(json.dumps({"id": str(number), "url": "", "html": html, "text": ""}) + "\n")
    return tmp_path


def test_a_seed_makes_the_same_page_again_and_another_seed_another(pages):
    first, again, other = (mutations.mutate(pages[0], Random(seed)) for seed in ("1.2", "1.2", "1.3"))
    assert first == again != other


def test_no_page_raises_anything_but_the_projects_own_errors(data, capsys):
    assert mutations.run(data, 24, 2, 7, None) == 0
    assert capsys.readouterr().out.startswith("24 pages static, 2 rendered, seed 7, ")


def test_what_else_is_raised_is_reported_with_its_seed_and_its_page_is_kept(data, tmp_path, capsys, monkeypatch):
    def broken(*_: object) -> None:
        raise KeyError("href")

    monkeypatch.setattr(mutations, "write_document", broken)
    monkeypatch.setattr(mutations, "ProcessPoolExecutor", SamePool)
    assert mutations.run(data, 2, 0, 7, tmp_path) == 1
    assert f"KeyError: 'href' at {Path(__file__).name}" in capsys.readouterr().out
    assert list(tmp_path.glob("cleaneval-*.html"))


class SamePool:
    """Runs everything here, where a fault that was planted is seen."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def map(self, function, values, chunksize):
        return map(function, values)


@pytest.fixture
def peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Write an interpreter in which each peer does as it is told, in the shell's words; return how to run all of them."""
    monkeypatch.setattr(pool, "OWN", ())
    monkeypatch.setattr(pool, "ENGINES", dict.fromkeys(("crawl4ai", "crawlee")))
    monkeypatch.setattr(pool, "STARTING", 0.5)

    async def run(**does: str):
        interpreter = tmp_path / "python"
        cases = "".join(f"{name}) {words} ;;\n" for name, words in does.items())
        interpreter.write_text(f"#!/bin/sh\ncase $3 in\n{cases}esac\n")
        interpreter.chmod(0o755)
        return await pool.run_all([b"<p>x"], [1, 2], interpreter, 0.1)

    return run


FIGURES = """echo '{"pages_per_second": 2, "cpu_ms": 30, "failed": 0}'"""


async def test_a_peer_that_hangs_is_ended_with_all_that_it_started_and_the_run_goes_on(peers):
    before = descendants(os.getpid())
    runs = await peers(crawl4ai="setsid sleep 1000 & sleep 1000", crawlee=FIGURES)
    assert [(run.engine, run.ended, run.pages_per_second) for run in runs[:2]] == [
        ("crawl4ai", "hung: ended after 0.6 s", 0),
        ("crawlee", "", 2),
    ]
    assert len(runs) == 8
    assert descendants(os.getpid()) <= before


async def test_a_missing_peer_is_left_out_with_one_line(peers, capsys):
    runs = await peers(crawl4ai="""echo "ModuleNotFoundError: No module named 'crawl4ai'" >&2; exit 1""", crawlee=FIGURES)
    assert {run.engine for run in runs} == {"crawlee"}
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("left out: crawl4ai: ModuleNotFoundError: No module named 'crawl4ai': install it there: ")


async def test_a_peer_that_fails_is_recorded_and_what_is_no_interpreter_refused(peers, tmp_path):
    runs = await peers(crawl4ai="echo 'ValueError: odd' >&2; exit 1", crawlee="echo no figures")
    assert [run.ended for run in runs[:2]] == ["failed: ValueError: odd", "failed: it said nothing"]
    with pytest.raises(Rejected, match="not an interpreter that runs: No such file or directory; name another with --peers"):
        await pool.run_all([b"<p>x"], [1], tmp_path / "none", 0.1)


def test_nothing_is_compared_without_figures_of_ours(monkeypatch, capsys):
    async def run_all(*_):
        return [pool.Run("sightread", "fast", 1, ended="hung: ended after 60 s"), pool.Run("bare", "fast", 1, 3.0, 20.0)]

    monkeypatch.setattr(pool, "run_all", run_all)
    monkeypatch.setattr(pool, "wcxb_markup", lambda *_: [])
    monkeypatch.setattr(pool, "data_folder", lambda _: None)
    assert pool.run(None, 1, [1], Path(sys.executable)) == 1
    assert "scripts and images off: nothing is compared: sightread or bare gave no figures" in capsys.readouterr().err
