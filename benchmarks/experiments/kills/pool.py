"""The browser pool over real pages while its processes are killed: no page lost, nothing left over."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.experiments.kills.processes import kill_one
from benchmarks.experiments.throughput.pool import POLICY, served
from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.browser.launch import PREFIX
from sightread.render.browser.limiter import process_tree
from sightread.render.errors import PageFailed
from sightread.render.network.egress import LOCAL

PAGES = 200
"""Different ones; they are read in turn."""
DEADLINE = 60.0
"""Seconds per page."""
KINDS = {"renderer": "--type=renderer", "GPU process": "--type=gpu", "browser": "about:blank"}
"""Processes that are killed, by what their command line has."""
WEIGHTS = (6, 2, 1)
"""How often each is chosen."""


def run(data: Path | None, count: int, every: float) -> int:
    """Print outcomes of `count` pages, with a kill about once per `every` seconds; return 1 if a page was lost or something is left."""
    pages = wcxb_markup(data_folder(data), PAGES)
    with _own_folder() as folder:
        resident = set(process_tree(os.getpid()))
        is_whole = asyncio.run(_read(pages, count, every))
        left = set(process_tree(os.getpid())) - resident
        folders = list(folder.glob(f"{PREFIX}*"))
    print(f"left over at the end: {len(left)} processes, {len(folders)} folders")
    return int(not is_whole or bool(left or folders))


async def _read(pages: Sequence[bytes], count: int, every: float) -> bool:
    outcomes: Counter[str] = Counter()
    killed: Counter[str] = Counter()
    async with served(pages, {"Content-Security-Policy": POLICY}) as root, Browser(tabs=2, egress=LOCAL) as browser:
        killer = asyncio.create_task(_kill(every, killed))
        urls = iter([f"{root}/{row % len(pages)}" for row in range(count)])
        await asyncio.gather(*(_work(browser, urls, outcomes) for _ in range(2)))
        killer.cancel()
        health = browser.health
    lost = count - sum(outcomes.values())
    print(f"outcomes {dict(outcomes)}, lost {lost}, killed {dict(killed) or 'nothing'}, tried again {health.retried}")
    return not lost


async def _work(browser: Browser, urls: Iterator[str], outcomes: Counter[str]) -> None:
    for url in urls:
        try:
            async with asyncio.timeout(2 * DEADLINE):  # what neither comes back nor fails by its deadline is lost
                await browser.render(url, RenderOptions(deadline=DEADLINE))
            outcomes["read"] += 1
        except PageFailed as error:
            outcomes[f"{type(error).__name__}: {str(error).partition(': ')[2][:40]}"] += 1
        except TimeoutError:
            print(f"lost: {url}")


async def _kill(every: float, killed: Counter[str]) -> None:
    """Kill a renderer, the GPU process or the whole browser, at random, once per the given number of seconds on average."""
    chance = random.Random(0)
    while True:
        await asyncio.sleep(chance.uniform(0.5, 1.5) * every)
        kind = chance.choices(list(KINDS), weights=WEIGHTS)[0]
        killed[kind] += kill_one((pid for pid in process_tree(os.getpid()) if KINDS[kind] in _command(pid)), chance)


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


@contextmanager
def _own_folder() -> Iterator[Path]:
    """Have the browsers' folders made where no other program makes any."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)  # the browser's user passes through
        usual, tempfile.tempdir = tempfile.tempdir, folder
        try:
            yield Path(folder)
        finally:
            tempfile.tempdir = usual
