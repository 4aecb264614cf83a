"""`sightread batch` with processes killed and frozen, and a full disk: no row lost, none twice."""

from __future__ import annotations

import random
import resource
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.experiments.kills.processes import kill_one, signal_all
from benchmarks.experiments.throughput.batch_jobs import digests, faults_of, rows_of, start, write_input
from sightread.batch.job.page_row import PageRow
from sightread.render.browser.limiter import process_tree

SPREAD = 0.7
"""Share of the time of a run without kills over which the kills are spread: all fall within the job."""
RUNS = 60
"""Starts of the same command at most, until a job counts as stuck."""
HOME = "home"
"""Folder of learned sites beside the input."""


def run(pages: Callable[[Path], Iterator[tuple[str, str]]], count: int, times: int) -> int:
    """Print what became of each disturbance; return 1 if a row is lost, there twice, or another than without it, or a kill found no job.

    `pages` returns URL and HTML of the pages, from the folder of learned sites.
    """
    with tempfile.TemporaryDirectory(prefix="batch-kills-") as folder:
        work = Path(folder)
        source = work / "pages.jsonl"
        write_input(source, pages(work / HOME))
        began = time.monotonic()
        _again(source, work / "reference", [])
        every = SPREAD * (time.monotonic() - began) / times
        rows = rows_of(str(work / "reference"))
        models = Counter(row.model or row.state for row in rows)
        print(f"models: {', '.join(f'{name} {number}' for name, number in models.items())}")
        reference = digests(rows)
        good = len(reference) == count
        kills, how = _killed(source, work / "killed", times, every)
        good &= _report(f"killed {kills} of {times} times", work / "killed", reference, how) and kills == times
        good &= _report("frozen and thawed", work / "frozen", reference, _frozen(source, work / "frozen"))
        good &= _report("disk full for a while", work / "full", reference, _full(source, work / "full"))
    return int(not good)


def _options(source: Path, count: int) -> list[str]:
    return ["--static", "--processes", str(count), "--partition-rows", "100", "--home", str(source.parent / HOME)]


def _report(what: str, output: Path, reference: dict[int, str], how: str) -> bool:
    rows = rows_of(str(output))
    found, faults = digests(rows), faults_of(str(output))
    killed = [row for row in rows if _was_killed(row)]
    lost, twice = len(reference.keys() - found.keys()), len(rows) - len({row.position for row in rows})
    passed_over = {row.position for row in killed}
    other = sum(found.get(place) != digest for place, digest in reference.items() if place not in passed_over)
    recorded = f"{len(killed)} pages recorded as killing their process"
    print(f"{what}: {how}; {lost} rows lost, {twice} twice, {other} others than without it, {recorded}, {len(faults)} faults by --verify")
    return not (lost or twice or other or faults)


def _was_killed(row: PageRow) -> bool:
    return row.state == "failed" and "the process that read it ended" in row.reason


def _again(source: Path, output: Path, times: list[int]) -> None:
    """Run the command until it is done, and note its exit codes."""
    for _ in range(RUNS):
        program = start(source, output, *_options(source, 2))
        program.communicate()
        times.append(program.returncode)
        if program.returncode == 0:
            return
    raise SystemExit(f"{output}: not done after {RUNS} runs: exit codes {times}")


def _killed(source: Path, output: Path, times: int, every: float) -> tuple[int, str]:
    """Kill a process of the job at random moments, about the given number of seconds apart, the job's own among them, and start it
    again when it has ended. Return how often it was killed, and the exit codes.
    """
    chance, kills, codes = random.Random(0), 0, []
    program = start(source, output, *_options(source, 2))
    while kills < times:
        time.sleep(chance.uniform(0.5, 1.5) * every)
        if program.poll() is not None:
            codes.append(program.returncode)
            program.communicate()
            if program.returncode == 0:
                break
            program = start(source, output, *_options(source, 2))
            continue
        kills += kill_one(process_tree(program.pid), chance)
    codes.append(_ended(program))
    if codes[-1]:
        _again(source, output, codes)
    return kills, f"exit codes {' '.join(map(str, codes))}"


def _ended(program: subprocess.Popen[str]) -> int:
    program.communicate()
    return program.returncode


def _frozen(source: Path, output: Path) -> str:
    """Freeze a whole job, let another one finish its work, and thaw it."""
    first = start(source, output, *_options(source, 1))
    while not list(output.glob("manifest/*")) and first.poll() is None:
        time.sleep(0.1)
    family = list(process_tree(first.pid))
    signal_all(family, signal.SIGSTOP)
    codes: list[int] = []
    _again(source, output, codes)
    signal_all(family, signal.SIGCONT)
    return f"the other ended with {codes[-1]}, the thawed one with {_ended(first)}"


def _full(source: Path, output: Path) -> str:
    """Let files grow to some kilobytes only, as on a full disk, and then without a limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 10, hard))
    try:
        program = start(source, output, *_options(source, 2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    message = (program.communicate()[1].strip().splitlines() or [""])[-1]
    codes = [program.returncode]
    _again(source, output, codes)
    return f"exit codes {' '.join(map(str, codes))} ({message[:120]})"
