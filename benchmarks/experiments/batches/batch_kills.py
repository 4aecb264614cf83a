"""`sightread batch` with processes killed and frozen, a full disk and an object store that fails: no row lost, none twice."""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from benchmarks.commands import Command, add_pages, add_python
from benchmarks.datasets.folder import data_folder
from benchmarks.experiments.batches.fake_s3 import FakeS3
from benchmarks.experiments.batches.jobs import add_largest, digests, faults_of, rows_of, start, stored_pages, write_input
from sightread.batch.job.page_row import PageRow
from sightread.render.browser.limiter import process_tree

SPREAD = 0.7
"""Share of the time of a run without kills over which the kills are spread: all fall within the job."""
RUNS = 60
"""Starts of the same command at most, until a job counts as stuck."""


def run(data: Path | None, count: int, largest: int, times: int, python: Path) -> int:
    """Print what became of each disturbance; return 1 if a row is lost, there twice, or another than without it, or a kill found no job.

    `largest` limits the HTML of a page, in characters; 0 for no limit.
    """
    with tempfile.TemporaryDirectory(prefix="batch-kills-") as folder:
        work = Path(folder)
        source = work / "pages.jsonl"
        write_input(source, stored_pages(data_folder(data), count, largest))
        began = time.monotonic()
        _again(source, work / "reference", [])
        every = SPREAD * (time.monotonic() - began) / times
        reference = digests(rows_of(str(work / "reference")))
        good = len(reference) == count
        kills, how = _killed(source, work / "killed", times, every)
        good &= _report(f"killed {kills} of {times} times", work / "killed", reference, how) and kills == times
        good &= _report("frozen and thawed", work / "frozen", reference, _frozen(source, work / "frozen"))
        good &= _report("disk full for a while", work / "full", reference, _full(source, work / "full"))
        good &= _object_store(source, reference, python)
    return int(not good)


def _options(count: int) -> list[str]:
    return ["--static", "--processes", str(count), "--partition-rows", "100"]


def _report(what: str, output: Path | str, reference: dict[int, str], how: str) -> bool:
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


def _again(source: Path, output: Path | str, times: list[int], python: Path = Path(sys.executable)) -> None:
    """Run the command until it is done, and note its exit codes."""
    for _ in range(RUNS):
        program = start(source, output, *_options(2), python=python)
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
    program = start(source, output, *_options(2))
    while kills < times:
        time.sleep(chance.uniform(0.5, 1.5) * every)
        if program.poll() is not None:
            codes.append(program.returncode)
            program.communicate()
            if program.returncode == 0:
                break
            program = start(source, output, *_options(2))
            continue
        family = list(process_tree(program.pid))
        with suppress(ProcessLookupError):
            os.kill(chance.choice(family), signal.SIGKILL)
            kills += 1
    codes.append(_ended(program))
    if codes[-1]:
        _again(source, output, codes)
    return kills, f"exit codes {' '.join(map(str, codes))}"


def _ended(program: subprocess.Popen[str]) -> int:
    program.communicate()
    return program.returncode


def _frozen(source: Path, output: Path) -> str:
    """Freeze a whole job, let another one finish its work, and thaw it."""
    first = start(source, output, *_options(1))
    while not list(output.glob("manifest/*")) and first.poll() is None:
        time.sleep(0.1)
    family = list(process_tree(first.pid))
    for pid in family:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    codes: list[int] = []
    _again(source, output, codes)
    for pid in family:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
    return f"the other ended with {codes[-1]}, the thawed one with {_ended(first)}"


def _full(source: Path, output: Path) -> str:
    """Let files grow to some kilobytes only, as on a full disk, and then without a limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 10, hard))
    try:
        program = start(source, output, *_options(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    message = (program.communicate()[1].strip().splitlines() or [""])[-1]
    codes = [program.returncode]
    _again(source, output, codes)
    return f"exit codes {' '.join(map(str, codes))} ({message[:120]})"


def _object_store(source: Path, reference: dict[int, str], python: Path) -> bool:
    """Write to a fake S3 of which one request in twenty fails, half of them after they were carried out."""
    if subprocess.run([str(python), "-c", "import s3fs"], capture_output=True).returncode:
        print(f"a fake S3 that fails: not measured: {python} has no s3fs")
        return True
    with FakeS3(0.05) as store, _environment(store.environment):
        store.objects["bucket/.keep"] = b""
        codes: list[int] = []
        _again(source, "s3://bucket/articles", codes, python)
        print(", ".join(f"{number} {name}" for name, number in store.counts.items()))
        if find_spec("s3fs") is None:
            return _report_copy(store, source, reference, codes)
        return _report("a fake S3 that fails", "s3://bucket/articles", reference, f"exit codes {codes}")


def _report_copy(store: FakeS3, source: Path, reference: dict[int, str], codes: list[int]) -> bool:
    """Check the objects as files: this interpreter has no client of S3."""
    output = source.parent / "objects"
    for name, content in store.objects.items():
        path = output / name.removeprefix("bucket/articles/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return _report("a fake S3 that fails", output, reference, f"exit codes {' '.join(map(str, codes))}")


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Set environment variables within the block."""
    os.environ.update(values)
    try:
        yield
    finally:
        for name in values:
            os.environ.pop(name, None)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 2000, "stored pages per job")
    add_largest(parser)
    parser.add_argument("--times", type=int, default=20, metavar="N", help="kills (default: %(default)s)")
    add_python(parser)


COMMAND = Command(
    "batch-kills",
    "a batch whose processes are killed and frozen, whose disk is full and whose store fails: no row lost, none twice",
    lambda options: run(options.data, options.pages, options.largest, options.times, options.python),
    _add_options,
)
