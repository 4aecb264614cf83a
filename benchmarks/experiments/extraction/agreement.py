"""How well pages read without a browser agree with rendered ones."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import at_even_distances, find_sets, read_samples
from benchmarks.metrics.words import word_score
from benchmarks.sites.server import FolderServer
from sightread.document.document import build_document
from sightread.models.model_choice import DOM_ONLY, FALLBACK
from sightread.render.browser.browser import STORED, Browser, RenderOptions
from sightread.render.errors import PageFailed, Rejected
from sightread.render.network.egress import Egress
from sightread.render.page import Page
from sightread.render.static.parse import read_html
from sightread.render.text.words import words

URL = "https://site.example/section/page.html"
"""The address of pages whose own is not known: both readings resolve links against it."""
LOW = 0.9
"""Word F1 below which a page is listed."""
SMALLEST = 5000
"""Bytes: a smaller HTML file of a folder redirects or lists."""
BATCH = 20


class Case(NamedTuple):
    """A page to read twice."""

    name: str
    url: str
    html: str | bytes


class Pair(NamedTuple):
    """A page, read without a browser and rendered."""

    name: str
    static: Page
    rendered: Page


def agreement(one: Page, other: Page) -> float:
    """Return the share of blocks that are the same in both pages and in the same order: the Dice coefficient of their texts' longest
    common subsequence, 1 for pages without blocks.
    """
    return _dice([block.text for block in one.blocks], [block.text for block in other.blocks])


def word_agreement(one: Page, other: Page) -> float:
    """Return the same of the pages' words, which blocks that are divided elsewhere share."""
    first, second = ([word for block in page.blocks for word in words(block.text)] for page in (one, other))
    return _dice(first, second)


def kept_agreement(one: Page, other: Page) -> float:
    """Return the word F1 between the documents that the global model makes of both."""
    model = DOM_ONLY[FALLBACK]()
    first, second = (build_document(page, model.predict(page)).text for page in (one, other))
    return word_score(first, second).f1


def run(data: Path | None, count: int, folder: Path | None = None) -> int:
    """Print how well the two ways agree on real pages: `count` of all data sets together, or of a folder of sites with their style sheets.

    Pages of data sets are rendered as stored, with every other request refused; those of a folder are served from this machine.
    """
    cases = _files(folder, count) if folder else _samples(data_folder(data), count)
    found = asyncio.run(_read_twice(cases, folder))
    pairs = [pair for pair in found if isinstance(pair, Pair)]
    print(f"{len(pairs)} of {len(cases)} pages; {len(cases) - len(pairs)} without text or not rendered")
    kept: list[float] = []
    for name, measure in (("blocks", agreement), ("words", word_agreement), ("kept words", kept_agreement)):
        kept = [measure(static, rendered) for _, static, rendered in pairs]
        middle, low = np.percentile(kept, [50, 10])
        print(f"{name:10}: mean {np.mean(kept):.4f}, median {middle:.4f}, p10 {low:.4f}, under {LOW}: {sum(value < LOW for value in kept)}")
    for value, pair in sorted(zip(kept, pairs, strict=True), key=lambda each: each[0]):
        if value < LOW:
            blocks = f"{len(pair.static.blocks)} blocks static, {len(pair.rendered.blocks)} rendered"
            print(f"  {pair.name}: kept words {value:.3f}, all words {word_agreement(pair.static, pair.rendered):.3f}, {blocks}")
    return 0


def _samples(data: Path, count: int) -> list[Case]:
    """Return pages of all data sets that are there, at even distances."""
    found = [
        Case(f"{each.data} {each.id}", each.url or URL, each.html) for name in find_sets((), data) for each in read_samples(name, data)
    ]
    return at_even_distances(found, count)


def _files(folder: Path, count: int) -> list[Case]:
    """Return HTML files below the folder, as many of each of its own folders. Raises `Rejected` if there are none."""
    sites = [
        sorted(path for path in each.rglob("*.html") if path.stat().st_size >= SMALLEST)
        for each in sorted(folder.iterdir())
        if each.is_dir()
    ]
    sites = [files for files in sites if files]
    if not sites:
        raise Rejected(f"{folder}: no folders with HTML files are there; name a folder that holds one folder per site")
    share = max(count // len(sites), 1)
    chosen = [path for files in sites for path in at_even_distances(files, share)]
    return [Case(name := str(path.relative_to(folder)), f"/{name}", path.read_bytes()) for path in chosen]


async def _read_twice(cases: Sequence[Case], folder: Path | None) -> list[Pair | None]:
    """Read each page both ways; None for one without text."""
    async with AsyncExitStack() as stack:
        root = await stack.enter_async_context(FolderServer(folder)) if folder else ""
        browser = await stack.enter_async_context(Browser(egress=Egress(local=bool(folder))))

        async def read(case: Case) -> Pair | None:
            url = f"{root}{case.url}"
            static = read_html(case.html, url)
            try:
                rendering = browser.render(url, RenderOptions()) if folder else browser.render_html(case.html, url, STORED)
                page = (await rendering).page
            except PageFailed as error:
                print(f"  {case.name}: {error}", flush=True)
                return None
            return Pair(case.name, static, page) if static.blocks else None

        return [pair for batch in _batches(cases) for pair in await asyncio.gather(*map(read, batch))]


def _batches(cases: Sequence[Case]) -> Iterator[list[Case]]:
    rest = iter(cases)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _dice(one: Sequence[str], other: Sequence[str]) -> float:
    together = len(one) + len(other)
    return 2 * LCSseq.similarity(one, other) / together if together else 1.0


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 500, "at even distances in all data sets")
    text = "read HTML files with their style sheets instead, one folder per site"
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help=text)


COMMAND = Command(
    "agreement",
    "pages read without a browser against rendered ones",
    lambda options: run(options.data, options.pages, options.folder),
    _add_options,
)
