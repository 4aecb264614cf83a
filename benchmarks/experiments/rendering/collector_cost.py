"""Cost of collecting a page relative to navigating to it; the same real pages, served from loopback, in one browser and run.

Every page is visited four times: bare, collected, collected, bare, each in a context of its own; so what drifts on a loaded machine
drifts for both. A page to be collected is opened as the pool does, with a session of ours, and painted through a peephole; bare is what
Playwright's users do.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.extractors.served import bare_tab, visit_each
from benchmarks.metrics.cost import tree_seconds
from sightread.render.browser.launch import Chromium
from sightread.render.browser.tab import PAINTED_AREA
from sightread.render.visit.collect import CollectOptions, Provenance, collect
from sightread.render.visit.navigation import attach

MOST = 1.15
"""Collecting may cost this much, navigation being 1."""
LARGEST = 100_000
"""Characters that the answer for a median page may take."""
WARM = 2
"""Pages visited before the first is measured."""
REPEATS = 20


class Visit(NamedTuple):
    """Cost of one visit of a page: seconds, and the characters that the browser answered."""

    wall: float
    cpu: float
    size: int = 0


def run(data: Path | None, count: int, javascript: bool) -> int:
    """Print the cost of collecting; return 1 if it is more than 15 % or a median payload has more than 100 KB."""
    bodies = wcxb_markup(data_folder(data), count)
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


async def _measure(bodies: Sequence[bytes], javascript: bool) -> tuple[list[Visit], list[Visit]]:
    async def visit(chromium: Chromium, url: str) -> tuple[Visit, Visit]:
        visits = [await _visit(chromium, url, javascript, collecting=collecting) for collecting in (False, True, True, False)]
        return _mean(visits[0], visits[3]), _mean(visits[1], visits[2])

    pairs = await visit_each(bodies, visit, WARM)
    return [bare for bare, _ in pairs], [collected for _, collected in pairs]


async def _visit(chromium: Chromium, url: str, javascript: bool, *, collecting: bool) -> Visit:
    gc.collect()
    cpu, wall = tree_seconds(), time.perf_counter()
    async with bare_tab(chromium, javascript) as tab:
        attached = await attach(tab) if collecting else None
        if attached:
            await attached.session.send("Emulation.setVisibleSize", PAINTED_AREA)
        await tab.goto(url, wait_until="load")
        collected = await collect(tab, CollectOptions(), attached) if attached else None
        if collected:
            collected.page(Provenance(url, url, "browser"))
    wall = time.perf_counter() - wall
    return Visit(wall, tree_seconds() - cpu, collected.payload if collected else 0)


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
