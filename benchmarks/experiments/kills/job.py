"""`sightread demo` killed in each of its steps: what the next run ends with, and what is left running."""

from __future__ import annotations

import random
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import NamedTuple

from benchmarks.experiments.kills.processes import still_running
from sightread.crawler.corpus import Corpus
from sightread.render.browser.limiter import process_tree
from sightread.sites.folders import SiteFolder

STEPS = {"crawl": "", "labeling": "labelling blocks", "training": "training the site's model", "articles": "extracting articles"}
"""The line on the standard error with which each step begins; the crawl begins at once."""
PAGES = 12
GRACE = 5.0
"""Seconds after which nothing of a killed job may run any more."""
RETRIES = 5


class Result(NamedTuple):
    """Files of a finished job that must not depend on its past."""

    corpus: str
    labels: bytes
    model: bytes
    articles: tuple[tuple[str, bytes], ...]
    """Name and content of `articles.jsonl`, of each Markdown file and of their index."""


def run(times: int) -> int:
    """Print what became of each kill; return 1 if a result differs or a process is left."""
    chance = random.Random(0)
    with tempfile.TemporaryDirectory() as home:
        reference, lengths = _uninterrupted(_folder(home, "reference"))
        bad = 0
        for step in STEPS:
            same = clean = hits = 0
            for number in range(times):
                folder = _folder(home, f"{step}-{number}")
                hit, left = _killed(folder, step, lengths[step], chance)
                hits += hit
                clean += not left
                same += _finish(folder) == reference
            print(
                f"{step:9} killed {times} times, {hits} of them inside the step: "
                f"same result {same}, nothing left running after {GRACE:g} s {clean}"
            )
            bad += (same < times) + (clean < times)
    return int(bad > 0)


def _folder(home: str, job: str) -> Path:
    """Return the folder of a job's site, named alike for all jobs: articles hold its name as the version of their model."""
    folder = Path(home) / job / "site"
    folder.parent.mkdir()
    return folder


@cache
def _port() -> int:
    """Return a free port, the same for all jobs, since it is part of the addresses of their pages."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _start(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "sightread.cli.parser", "demo", "--out", str(folder), "--pages", str(PAGES), "--port", str(_port())]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def _uninterrupted(folder: Path) -> tuple[Result, dict[str, float]]:
    """Run the whole job once; return what it leaves and how many seconds each step took."""
    started = {"crawl": time.monotonic()}
    with _start(folder) as process:
        assert process.stderr is not None
        for line in process.stderr:
            started.setdefault(line.partition(" …")[0].strip(), time.monotonic())
    marks = [*started.values(), time.monotonic()]
    length = {name: after - at for (name, at), after in zip(started.items(), marks[1:], strict=True)}
    return _result(folder), {step: length[line or "crawl"] for step, line in STEPS.items()}


def _killed(folder: Path, step: str, length: float, chance: random.Random) -> tuple[bool, list[int]]:
    """Start the job, kill it at random inside the step, and return whether it was still running and which processes outlive it."""
    with _start(folder) as process:
        assert process.stderr is not None
        if STEPS[step]:
            for line in process.stderr:
                if line.startswith(STEPS[step]):
                    break
        time.sleep(chance.uniform(0, length))
        family = set(process_tree(process.pid)) - {process.pid}
        hit = process.poll() is None
        process.kill()  # does nothing if it has ended
        process.stderr.read()
    return hit, still_running(family, GRACE)


def _finish(folder: Path) -> Result | None:
    """Run the job again; the port of the demo site may take a moment to be free."""
    for _ in range(RETRIES):
        with _start(folder) as process:
            assert process.stderr is not None
            process.stderr.read()
        if process.returncode in (0, 5):
            return _result(folder)
        time.sleep(1)
    return None


def _result(folder: Path) -> Result:
    site = SiteFolder(folder)
    written = [site.article_lines, *sorted(site.articles.iterdir())]
    articles = tuple((path.name, path.read_bytes()) for path in written)
    return Result(Corpus.open(folder).digest(), site.labels.read_bytes(), site.model.read_bytes(), articles)
