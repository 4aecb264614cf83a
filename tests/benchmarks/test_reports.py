"""Experiments: the report of all pages, snapshots, trust fitted to costs, damaged pages, a pool under load, the record of a soak test."""

import gzip
import json
import os
from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks.experiments.extraction import mutations
from benchmarks.experiments.learning.site_scores import SiteRow
from benchmarks.experiments.learning.trust import expected_error, fit_costs, losses
from benchmarks.experiments.report import DOCS, read_page, write_report
from benchmarks.experiments.snapshot import compare
from benchmarks.experiments.throughput import pool
from benchmarks.metrics.cost import descendants
from benchmarks.soak.readings import Account, Part, Reading, Record, growth
from benchmarks.soak.soak import is_good
from sightread.data.demo import build_site
from sightread.sites.trust import SiteEvaluation

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


def test_no_page_raises_anything_but_the_projects_own_errors(data, capsys):
    assert mutations.run(data, 24, 2, 7, None) == 0
    assert capsys.readouterr().out.startswith("24 pages static, 2 rendered, seed 7, ")


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


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([100.0] * 90, 0.0),
        ([50.0] * 30 + [100.0] * 60, 0.0),  # the first third warms up
        ([float(1000 + row) for row in range(90)], 59 / 1030),
        ([100.0, 110.0] * 45, 0.0),
        ([1.0, 2.0], 0.0),
    ],
)
def test_growth_is_that_of_a_line_through_the_last_two_thirds(values, expected):
    assert growth([(float(row), value) for row, value in enumerate(values)]) == pytest.approx(expected, abs=0.01)


def test_a_record_is_good_if_every_page_came_out_once_and_the_same_nothing_is_left_and_memory_is_flat():
    flat = tuple(Reading(float(second), 10**8, 3, 20) for second in range(0, 900, 10))
    rising = tuple(Reading(float(second), 10**8 + second * 10**5, 3, 20) for second in range(0, 900, 10))
    whole = Account(3, 2, 1, 0, 0, 0)

    def record(account=whole, readings=flat, left=()) -> Record:
        return Record(900.0, (Part("batch", readings, account),), (), left)

    assert is_good(record())
    assert not is_good(record(Account(3, 2, 0, 1, 0, 0))) and not is_good(record(Account(3, 3, 0, 0, 1, 0)))
    assert not is_good(record(Account(3, 3, 0, 0, 0, 1)))
    assert not is_good(record(Account(0, 0, 0, 0, 0, 0)))
    assert not is_good(record(readings=rising)) and not is_good(record(left=("file",)))
