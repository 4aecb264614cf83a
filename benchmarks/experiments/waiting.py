"""What waiting for a page adds to its load event: real pages with their scripts on, served from loopback, all else refused."""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.extractors.served import bare_tab, visit_each
from render.browser.launch import Chromium
from render.visit.devtools_session import attach
from render.visit.scrolling import step_through
from render.visit.settle import open_world, settle

LONG = 200.0
"""ms from which on a page is shown by its row."""


class Wait(NamedTuple):
    """ms that one page took until it was loaded, until it was quiet after that, and to be stepped through where it asks for that."""

    row: int
    load: float
    settle: float
    steps: float


def run(data: Path | None, count: int) -> int:
    """Print how long pages are waited for."""
    waits = asyncio.run(visit_each(wcxb_markup(data_folder(data), count), _visit))
    print(f"{len(waits)} pages with scripts on; ms after the load event, which itself takes {np.median([wait.load for wait in waits]):.0f}")
    for name in ("settle", "steps"):
        times = np.array([getattr(wait, name) for wait in waits])
        print(
            f"  {name:6} median {np.median(times):5.0f}, p75 {np.percentile(times, 75):5.0f}, p95 {np.percentile(times, 95):5.0f},"
            f" mean {times.mean():5.0f}; none for {np.mean(times == 0):.0%} of the pages"
        )
    for wait in waits:
        if wait.settle + wait.steps > LONG:
            print(f"  page {wait.row}: {wait.settle:.0f} ms to be quiet, {wait.steps:.0f} ms to step through")
    return 0


async def _visit(chromium: Chromium, url: str) -> Wait:
    async with bare_tab(chromium) as tab:
        attached = await attach(tab)
        began = time.perf_counter()
        await tab.goto(url, wait_until="load")
        loaded = time.perf_counter()
        world = await open_world(tab, attached)
        is_waiting = await settle(world, lambda: False)
        quiet = time.perf_counter()
        if is_waiting:
            await step_through(world, lambda: False, endless=False)
        stepped = time.perf_counter() - quiet if is_waiting else 0.0
        return Wait(int(url.rpartition("/")[2]), (loaded - began) * 1000, (quiet - loaded) * 1000, stepped * 1000)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 60)


COMMAND = Command(
    "waiting", "what waiting for a page adds to its load event", lambda options: run(options.data, options.pages), _add_options
)
