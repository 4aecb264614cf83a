"""What waiting for a page adds to its load event: real pages with their scripts on, served from loopback, all else refused."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from playwright.async_api import Error as PlaywrightError

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.experiments.collector_cost import sample
from benchmarks.extractors.served import served
from render.browser.find_browser import find_browser
from render.browser.launch import Chromium, launch
from render.visit.devtools_session import attach
from render.visit.navigation_errors import first_line
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
    waits = asyncio.run(_measure(sample(data_folder(data), count)))
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


async def _measure(bodies: Sequence[bytes]) -> list[Wait]:
    waits = []
    async with served(bodies) as root:
        chromium = await launch(find_browser(None))
        try:
            for row in range(len(bodies)):
                try:
                    waits.append(await _visit(chromium, root, row))
                except PlaywrightError as error:  # its scripts lead elsewhere
                    print(f"  page {row} is left out: {first_line(error.message)}")
        finally:
            await chromium.close()
    return waits


async def _visit(chromium: Chromium, root: str, row: int) -> Wait:
    context = await chromium.browser.new_context(
        viewport={"width": 1600, "height": 1000},
        proxy={"server": "http://127.0.0.1:9", "bypass": "127.0.0.1"},
        service_workers="block",
        reduced_motion="reduce",
    )
    try:
        tab = await context.new_page()
        attached = await attach(tab)
        began = time.perf_counter()
        await tab.goto(f"{root}/{row}", wait_until="load")
        loaded = time.perf_counter()
        world = await open_world(tab, attached)
        is_waiting = await settle(world, lambda: False)
        quiet = time.perf_counter()
        if is_waiting:
            await step_through(world, lambda: False, endless=False)
        stepped = time.perf_counter() - quiet if is_waiting else 0.0
        return Wait(row, (loaded - began) * 1000, (quiet - loaded) * 1000, stepped * 1000)
    finally:
        await context.close()


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 60)


COMMAND = Command(
    "waiting", "what waiting for a page adds to its load event", lambda options: run(options.data, options.pages), _add_options
)
