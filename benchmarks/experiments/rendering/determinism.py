"""Whether rendering a stored page again gives the same page."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.experiments.extraction.agreement import URL
from benchmarks.experiments.rendering.collector_cost import REPEATS
from sightread.render.browser.browser import Browser
from sightread.render.errors import PageFailed
from sightread.render.page import Page, encode_page


def run(data: Path | None, count: int, times: int) -> int:
    """Render each page several times and compare the records, byte for byte but for timing; return 1 if they differ."""
    rendered = asyncio.run(_render(wcxb_markup(data_folder(data), count), times))
    records = [{encode_page(replace(page, timing=None, rendered_at="")) for page in pages} for pages in rendered]
    different = sum(len(of_page) > 1 for of_page in records)
    failed = sum(not of_page for of_page in records)
    print(f"{len(records)} pages rendered {times} times each: {different} differ, {failed} without text")
    return int(different > 0)


async def _render(bodies: Sequence[bytes], times: int) -> list[list[Page]]:
    """Render each page several times, in turn; none of a page that shows no text."""
    found: list[list[Page]] = [[] for _ in bodies]
    async with Browser() as browser:

        async def render(row: int) -> None:
            try:
                found[row].append((await browser.render_html(bodies[row], URL)).page)
            except PageFailed as error:
                print(f"  page {row}: {error}")

        for _ in range(times):
            await asyncio.gather(*(render(row) for row in range(len(bodies))))
    return found


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 50)
    parser.add_argument("--times", type=int, default=REPEATS, metavar="N", help="renderings of each page (default: %(default)s)")


COMMAND = Command(
    "determinism",
    "whether rendering the same stored page again gives the same",
    lambda options: run(options.data, options.pages, options.times),
    _add_options,
)
