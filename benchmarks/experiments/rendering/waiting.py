"""Time that waiting for a page adds to its load event, and text that it gains.

Real pages with their scripts on, served from loopback, all else refused; then small pages whose content comes late.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.late_pages import DELAYS, LAST, SHELLS, WAYS, serve_late_pages
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.extractors.served import bare_tab, visit_each
from sightread.render.browser.browser import Browser
from sightread.render.browser.launch import Chromium
from sightread.render.network.egress import LOCAL
from sightread.render.visit.navigation import attach, watch_timers
from sightread.render.visit.settle import open_world, settle, step_through

LONG = 200.0
"""ms from which on a page is shown by its row."""


class Wait(NamedTuple):
    """ms that one page took until it was loaded, until it was quiet after that, and to be stepped through if it requires that."""

    row: int
    load: float
    settle: float
    steps: float
    unfinished: str
    """Why it still looked unfinished; empty if it did not."""


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
    unfinished = Counter(wait.unfinished for wait in waits if wait.unfinished)
    print(f"  {unfinished.total()} pages still looked unfinished" + "".join(f"; {count}: {why}" for why, count in unfinished.items()))
    late = asyncio.run(_read_late())
    print(f"{len(late)} pages with late content: {late.count('read')} read, {late.count('noted')} noted, {late.count('missed')} missed")
    return 0


async def _read_late() -> list[str]:
    """Return for each page with late content whether it was read, noted as unfinished or missed."""
    async with serve_late_pages() as root, Browser(egress=LOCAL) as browser:

        async def outcome(path: str) -> str:
            page = (await browser.render(f"{root}/{path}")).page
            is_read = any(block.text.startswith(LAST) for block in page.blocks)
            result = "read" if is_read else "noted" if page.unfinished else "missed"
            if not is_read:
                print(f"  {path}: {result} {page.unfinished}")
            return result

        paths = [f"{shell}/{way}/{delay}" for shell in SHELLS for way in WAYS for delay in DELAYS]
        return await asyncio.gather(*map(outcome, paths))


async def _visit(chromium: Chromium, url: str) -> Wait:
    async with bare_tab(chromium) as tab:
        attached = await watch_timers(await attach(tab))
        began = time.perf_counter()
        await tab.goto(url, wait_until="load")
        loaded = time.perf_counter()
        world = await open_world(tab, attached)
        settled = await settle(world, lambda _: False)
        quiet = time.perf_counter()
        if settled.waits_for_scrolling:
            await step_through(world, lambda _: False, endless=False)
        stepped = time.perf_counter() - quiet if settled.waits_for_scrolling else 0.0
        times = ((loaded - began) * 1000, (quiet - loaded) * 1000, stepped * 1000)
        return Wait(int(url.rpartition("/")[2]), *times, settled.unfinished)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 60)


COMMAND = Command(
    "waiting", "what waiting for a page adds to its load event", lambda options: run(options.data, options.pages), _add_options
)
