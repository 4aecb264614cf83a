"""How well blocks read without a browser agree with those that one renders, and whether rendering again gives the same page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from rapidfuzz.distance import LCSseq

from benchmarks.datasets import data_folder
from benchmarks.render import sample
from render.browser import Browser
from render.errors import PageFailed
from render.page import Page, encode_page
from render.static import read_html
from render.words import words

URL = "http://stored.invalid/"


def agreement(one: Page, other: Page) -> float:
    """Return the share of blocks that are the same in both pages and in the same order: the Dice coefficient of their texts' longest
    common subsequence, 1 for pages without blocks.
    """
    return _dice([block.text for block in one.blocks], [block.text for block in other.blocks])


def word_agreement(one: Page, other: Page) -> float:
    """Return the same of the pages' words, which blocks that are parted elsewhere share."""
    first, second = ([word for block in page.blocks for word in words(block.text)] for page in (one, other))
    return _dice(first, second)


def run_agreement(data: Path | None, count: int) -> int:
    """Print how well the two ways agree on real pages."""
    bodies = sample(data_folder(data), count)
    rendered = asyncio.run(_render(bodies, 1))
    pairs = [(static, pages[0]) for body, pages in zip(bodies, rendered, strict=True) if pages and (static := read_html(body, URL)).blocks]
    for name, measure in (("blocks", agreement), ("words", word_agreement)):
        values = np.array([measure(static, page) for static, page in pairs])
        middle, low = np.percentile(values, [50, 10])
        print(f"{name:6} of {len(values)} pages: mean {values.mean():.3f}, median {middle:.3f}, p10 {low:.3f}")
    return 0


def run_determinism(data: Path | None, count: int, times: int) -> int:
    """Render each page so many times and compare the records, byte for byte but for timing; return 1 where they differ."""
    rendered = asyncio.run(_render(sample(data_folder(data), count), times))
    records = [{encode_page(replace(page, timing=None, rendered_at="")) for page in pages} for pages in rendered]
    different = sum(len(of_page) > 1 for of_page in records)
    failed = sum(not of_page for of_page in records)
    print(f"{len(records)} pages rendered {times} times each: {different} differ, {failed} without text")
    return int(different > 0)


async def _render(bodies: Sequence[bytes], times: int) -> list[list[Page]]:
    """Render each page so many times, in turn; none of a page that shows no text."""
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


def _dice(one: Sequence[str], other: Sequence[str]) -> float:
    together = len(one) + len(other)
    return 2 * LCSseq.similarity(one, other) / together if together else 1.0
