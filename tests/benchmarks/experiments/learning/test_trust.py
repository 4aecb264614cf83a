"""Fitting trust: on results whose costs are known."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from benchmarks.experiments.learning.site_scores import SiteRow
from benchmarks.experiments.learning.trust import expected_error, fit_costs, is_trusted, losses, read_rows, run
from sightread.render.errors import Rejected
from sightread.sites.trust import TRUST, SiteEvaluation

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


def test_costs_are_found_again(rows: list[SiteRow]) -> None:
    assert fit_costs(rows) == pytest.approx(COSTS, abs=0.01)
    assert expected_error(rows, np.ones(len(rows), np.bool_)) < 0.002


def test_no_cost_is_negative(rows: list[SiteRow]) -> None:
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


def test_rows_are_read_from_files_and_printed(rows: list[SiteRow], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    assert read_rows([file]) == rows
    assert run([file]) == 0
    assert "40 results" in capsys.readouterr().out


def test_another_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text("{}\n")
    with pytest.raises(Rejected, match="site-scores --rows"):
        read_rows([file])
