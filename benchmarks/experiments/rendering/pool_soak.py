"""The pool over thousands of real pages: memory that does not grow, nothing left over, no page lost; and while its processes are killed."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.experiments.rendering.pool import POLICY
from benchmarks.extractors.served import served
from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.browser.launch import PREFIX
from sightread.render.browser.limiter import is_renderer, memory_of, process_tree
from sightread.render.errors import PageFailed
from sightread.render.network.egress import LOCAL

PAGES = 200
"""Different ones; they are read in turn."""
EVERY = 300
"""Pages between two readings of the memory; the first is what the last is compared with."""
GROWTH = 1.10
DEADLINE = 60.0
QUIET = 6.0
"""Seconds after which nothing of closed pages may be left, tabs kept for another page included: a renderer kept ready, and the
blank tab's."""
KEPT_RENDERERS = 2


class TestBed(NamedTuple):
    """Where the pages are served, and the processes that serve them."""

    root: str
    processes: frozenset[int]


def run(data: Path | None, count: int, kill_every: float) -> int:
    """Print readings and outcomes; return 1 if memory grew, a page was lost or something is left."""
    with _own_folder() as folder, _served_elsewhere(data_folder(data)) as root:
        resident = set(process_tree(os.getpid())) - {os.getpid()}
        good = asyncio.run(_soak(TestBed(root, frozenset(resident)), count, kill_every))
        left = set(process_tree(os.getpid())) - resident - {os.getpid()}
        folders = list(folder.glob(f"{PREFIX}*"))
    print(f"left over at the end: {len(left)} processes, {len(folders)} folders")
    return int(not good or bool(left or folders))


@contextmanager
def _served_elsewhere(data: Path) -> Iterator[str]:
    """Serve the pages from a process of its own, whose memory does not count, and yield its address."""
    multiprocessing = get_context("spawn")
    receiver, sender = multiprocessing.Pipe(duplex=False)
    server = multiprocessing.Process(target=_serve, args=(data, sender), daemon=True)
    server.start()
    try:
        yield receiver.recv()
    finally:
        server.kill()
        server.join()


def _serve(data: Path, sender: Connection) -> None:
    async def serve() -> None:
        async with served(wcxb_markup(data, PAGES), {"Content-Security-Policy": POLICY}) as root:
            sender.send(root)
            await asyncio.Event().wait()

    asyncio.run(serve())


async def _soak(test_bed: TestBed, count: int, kill_every: float) -> bool:
    outcomes: Counter[str] = Counter()
    readings: list[int] = []
    killed: Counter[str] = Counter()
    async with Browser(tabs=2, egress=LOCAL) as browser:
        killer = asyncio.create_task(_kill(kill_every, killed)) if kill_every else None
        for start in range(0, count, EVERY):
            urls = iter([f"{test_bed.root}/{row % PAGES}" for row in range(start, min(start + EVERY, count))])
            await asyncio.gather(*(_work(browser, urls, outcomes) for _ in range(2)))
            await asyncio.sleep(QUIET)
            renderers = sum(map(is_renderer, process_tree(os.getpid())))
            readings.append(sum(memory_of(pid for pid in process_tree(os.getpid()) if pid not in test_bed.processes).values()))
            print(f"{start + EVERY:6} pages: {readings[-1] / 2**20:6.0f} MiB, {renderers} renderers, {browser.health}", flush=True)
        if killer:
            killer.cancel()
        health = browser.health
    lost = count - sum(outcomes.values())
    print(f"outcomes {dict(outcomes)}, lost {lost}, killed {dict(killed) or 'nothing'}, tried again {health.retried}")
    print(f"memory at the end / after {EVERY} pages: {readings[-1] / readings[0]:.3f}")
    return not lost and (bool(kill_every) or (readings[-1] <= GROWTH * readings[0] and renderers <= KEPT_RENDERERS))


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
    kinds = {"renderer": "--type=renderer", "GPU process": "--type=gpu", "browser": "about:blank"}
    while True:
        await asyncio.sleep(chance.uniform(0.5, 1.5) * every)
        kind = chance.choices(list(kinds), weights=(6, 2, 1))[0]
        found = [pid for pid in process_tree(os.getpid()) if kinds[kind] in _command(pid)]
        if found:
            with suppress(OSError):
                os.kill(chance.choice(found), signal.SIGKILL)
                killed[kind] += 1


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


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 3000, "how many are read")
    text = "kill a process of the browser about every S seconds"
    parser.add_argument("--kill-every", type=float, default=0, metavar="S", help=text)


COMMAND = Command(
    "pool-soak",
    "the browser pool alone: memory, leftovers and lost pages over thousands of pages, and while its processes are killed",
    lambda options: run(options.data, options.pages, options.kill_every),
    _add_options,
)
