"""What collecting a page costs beside navigating to it; the same real pages, served from loopback, in one browser and run.

Every page is visited four times: bare, collected, collected, bare, each in a context of its own; so what drifts on a loaded machine
drifts for both. A page to be collected is opened as the pool does, with a session of ours, and painted through a peephole; bare is what
Playwright's users do.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.experiments.wcxb import read_wcxb
from benchmarks.extractors.served import served
from benchmarks.metrics.cost import tree_seconds
from render.browser.find_browser import find_browser
from render.browser.launch import Chromium, launch
from render.browser.tab_cache import PAINTED_AREA
from render.visit.collect import CollectOptions, Provenance, collect
from render.visit.devtools_session import attach
from render.visit.navigation_errors import first_line

MOST = 1.15
"""Collecting may cost this much, navigation being 1."""
LARGEST = 100_000
"""Characters that the answer for a median page may take."""
WARM = 5
"""Pages visited before the first is measured."""
REPEATS = 20


class Visit(NamedTuple):
    """What one visit of a page took; seconds, and the characters that the browser answered."""

    wall: float
    cpu: float
    size: int = 0


def run(data: Path | None, count: int, javascript: bool) -> int:
    """Print the cost of collecting; return 1 where it is more than 15 % or a median payload has more than 100 KB."""
    bodies = sample(data_folder(data), count)
    bare, collected = asyncio.run(_measure(bodies, javascript))
    sizes = np.array([visit.size for visit in collected])
    print(f"{len(bare)} pages, scripts {'on' if javascript else 'off'}; wall and CPU (browser, driver, Python) in ms per page")
    failed = np.median(sizes) > LARGEST
    for name in ("wall", "cpu"):
        plain, whole = (np.array([getattr(visit, name) for visit in visits]) * 1000 for visits in (bare, collected))
        ratio = float(np.median(whole) / np.median(plain))
        failed |= ratio > MOST
        print(
            f"  {name:4} median: bare {np.median(plain):6.1f}, with collection {np.median(whole):6.1f}, ratio {ratio:.3f};"
            f" mean: {plain.mean():6.1f}, {whole.mean():6.1f}, ratio {whole.mean() / plain.mean():.3f}"
        )
    print(f"  payload: median {np.median(sizes) / 1000:.1f} KB, mean {sizes.mean() / 1000:.1f}, p95 {np.percentile(sizes, 95) / 1000:.1f}")
    return int(failed)


def sample(data: Path, count: int) -> list[bytes]:
    """Return the markup of so many pages, spread evenly over the data set."""
    pages = [page["html"].encode("utf-8", "replace") for page in read_wcxb(data) if page["html"]]
    return [pages[int(row)] for row in np.linspace(0, len(pages) - 1, min(count, len(pages)))]


async def _measure(bodies: Sequence[bytes], javascript: bool) -> tuple[list[Visit], list[Visit]]:
    bare: list[Visit] = []
    collected: list[Visit] = []
    async with served(bodies) as root:
        chromium = await launch(find_browser(None))
        try:
            for row in range(min(WARM, len(bodies))):
                await _visit(chromium, f"{root}/{row}", javascript, collecting=False)
            for row in range(len(bodies)):
                try:
                    visits = [
                        await _visit(chromium, f"{root}/{row}", javascript, collecting=collecting)
                        for collecting in (False, True, True, False)
                    ]
                except PlaywrightError as error:  # its scripts lead elsewhere, in the bare visits too
                    print(f"  page {row} is left out: {first_line(error.message)}")
                    continue
                bare.append(_mean(visits[0], visits[3]))
                collected.append(_mean(visits[1], visits[2]))
        finally:
            await chromium.close()
    return bare, collected


async def _visit(chromium: Chromium, url: str, javascript: bool, *, collecting: bool) -> Visit:
    gc.collect()
    cpu, wall = tree_seconds(), time.perf_counter()
    async with _tab(chromium, javascript) as tab:
        attached = await attach(tab) if collecting else None
        if attached:
            await attached.session.send("Emulation.setVisibleSize", PAINTED_AREA)
        await tab.goto(url, wait_until="load")
        collected = await collect(tab, CollectOptions(), attached) if attached else None
        if collected:
            collected.page(Provenance(url, url, "browser"))
    wall = time.perf_counter() - wall
    return Visit(wall, tree_seconds() - cpu, collected.payload if collected else 0)


@asynccontextmanager
async def _tab(chromium: Chromium, javascript: bool) -> AsyncIterator[Tab]:
    """Open a tab in a context of its own that reaches loopback alone: what the page asks of others is refused at once."""
    context = await chromium.browser.new_context(
        viewport={"width": 1600, "height": 1000},
        java_script_enabled=javascript,
        proxy={"server": "http://127.0.0.1:9", "bypass": "127.0.0.1"},
        service_workers="block",
        reduced_motion="reduce",
    )
    try:
        yield await context.new_page()
    finally:
        await context.close()


def _mean(one: Visit, other: Visit) -> Visit:
    return Visit((one.wall + other.wall) / 2, (one.cpu + other.cpu) / 2, one.size)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 200)
    parser.add_argument("--no-scripts", action="store_true", help="with the pages' scripts off, as stored pages are rendered")


COMMAND = Command(
    "collector-cost",
    "what collecting a page costs beside navigating to it",
    lambda options: run(options.data, options.pages, not options.no_scripts),
    _add_options,
)
