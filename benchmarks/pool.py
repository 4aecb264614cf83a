"""Pages a second and CPU time a page: our pool at several widths beside crawl4ai, crawlee's PlaywrightCrawler and bare navigation in kept
tabs, on the same real pages.

Each runs in a process of its own with the same Chromium, one after the other, and measures its whole process tree. The server, on
loopback, stays outside of it. It forbids requests to any other host (Content-Security-Policy), so that all of them meet the same web.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.datasets import data_folder
from benchmarks.engines import ENGINES, OURS
from benchmarks.render import sample
from benchmarks.served import served
from render.errors import Rejected
from render.find import find_browser

POLICY = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:"
SETTINGS = {"whole": "scripts and images on", "fast": "scripts and images off"}
FASTER, CHEAPER = 2.5, 0.45
"""What is asked: at least so many times a peer's pages a second, at most so much of crawl4ai's CPU time a page."""
PATIENCE = 1800
"""Seconds for one run."""


class Run(NamedTuple):
    """One engine at one setting and width."""

    engine: str
    setting: str
    width: int
    pages_per_second: float
    cpu_ms: float
    failed: int


def run(data: Path | None, count: int, widths: Sequence[int], peers: Path | None) -> int:
    """Print a line for each run and the ratios at each one's best width; return 1 where less than what is asked is reached."""
    if peers is None:
        print(
            "without the peers: name an interpreter that has crawl4ai and crawlee with --peers (docs/benchmarks.md says how)",
            file=sys.stderr,
        )
    runs = asyncio.run(_run_all(sample(data_folder(data), count), widths, peers))
    return int(sum(_compare(runs, setting) for setting in SETTINGS) > 0)


def _compare(runs: Sequence[Run], setting: str) -> bool:
    best = {
        name: max(found, key=lambda one: one.pages_per_second)
        for name in ENGINES
        if (found := [one for one in runs if (one.engine, one.setting) == (name, setting)])
    }
    ours, short = best["sightread"], False
    for name, peer in best.items():
        if name not in OURS:
            speed, cpu = _ratios(ours, peer)
            short |= speed < FASTER or (name == "crawl4ai" and cpu > CHEAPER)
            print(f"{SETTINGS[setting]}: {speed:.2f} x the pages a second of {name} (asked {FASTER}), {cpu:.2f} x its CPU time a page")
            most, least = _ratios(best["bare"], peer)
            print(f"  of bare navigation: {most:.2f} x and {least:.2f} x: no renderer with this browser passes that")
    return short


def _ratios(one: Run, other: Run) -> tuple[float, float]:
    """Return how many times the pages a second, and how much of the CPU time a page."""
    return one.pages_per_second / other.pages_per_second, one.cpu_ms / other.cpu_ms


async def _run_all(bodies: Sequence[bytes], widths: Sequence[int], peers: Path | None) -> list[Run]:
    runs = []
    async with served(bodies, {"Content-Security-Policy": POLICY}) as root:
        for setting in SETTINGS:
            for width in widths:  # all of them at one width before the next: what drifts on a loaded machine drifts for all
                for name in ENGINES:
                    interpreter = Path(sys.executable) if name in OURS else peers
                    if interpreter:
                        runs.append(await _run(interpreter, name, setting, width, (root, len(bodies))))
                        print("{0.engine:10} {0.setting:6} {0.width} at once: {0.pages_per_second:5.2f} pages/s, "
                              "{0.cpu_ms:6.1f} CPU ms a page, {0.failed} failed".format(runs[-1]), flush=True)  # fmt: skip
    return runs


async def _run(interpreter: Path, name: str, setting: str, width: int, pages: tuple[str, int]) -> Run:
    root, count = pages
    with tempfile.TemporaryDirectory() as home:  # the peers leave databases and queues there
        command = [str(interpreter), "-m", "benchmarks.engines", name, setting, str(width), root, str(count), str(find_browser(None))]
        environment = {
            **os.environ,
            "PYTHONPATH": str(Path.cwd()),
            "CRAWLEE_STORAGE_DIR": home,
            "CRAWLEE_DISABLE_BROWSER_SANDBOX": "1",
            "CRAWL4_AI_BASE_DIRECTORY": home,
        }
        process = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(PATIENCE):
            output, errors = await process.communicate()
    try:
        return Run(name, setting, width, **json.loads(output.decode().splitlines()[-1]))
    except (IndexError, ValueError) as error:
        last = (errors.decode().strip().splitlines() or ["it said nothing"])[-1]
        raise Rejected(f"{interpreter}: {name} did not run: {last}: install it there, or leave --peers out") from error
