"""The comparison of renderers: what an engine does that hangs, fails or is not installed."""

import os
import sys
from pathlib import Path

import pytest

from benchmarks.experiments.throughput import pool
from benchmarks.metrics.cost import descendants
from sightread.render.errors import Rejected


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
