"""CPU time of Web2Text from a page's HTML to its text, page by page: as the paper reads it, and as a user of sightread gets it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder, read_lines
from benchmarks.metrics.grid import grid
from classify.neural.web2text.model import Web2Text
from classify.neural.web2text.read import read_tree
from render.errors import SightreadError
from render.labels import THRESHOLD
from sightread.extraction import extract
from sightread.registry import MODELS

SETS = ("cleaneval", "wcxb-dev")
PAPER = 54
"""Milliseconds a page that the authors report, of their own machine and pages."""

Way = Callable[[str], object]


def run(data: Path | None, count: int) -> int:
    """Print milliseconds a page of up to `count` pages of each set, taken at even distances."""
    folder = data_folder(data)
    model = MODELS["web2text"].make()
    assert isinstance(model, Web2Text)
    ways: dict[str, Way] = {
        "the paper's way, text of the leaves": lambda html: _text_of_leaves(model, html),
        "sightread.extract": lambda html: extract(html, model="web2text"),
    }
    rows = []
    for name in SETS:
        pages = [record["html"] for record in read_lines(folder / name / "pages.jsonl.gz")]
        chosen = pages[:: max(1, len(pages) // count)][:count]
        for what, way in ways.items():
            times = _times(way, chosen)
            figures = [f"{value:.1f}" for value in (*np.percentile(times, (50, 95)), np.mean(times))]
            rows.append([f"{name}, {len(chosen)} pages", what, *figures])
    print(grid(("CPU ms per page", "", "median", "95th per cent", "mean"), rows))
    print(f"\nThe paper: {PAPER} ms per page.")
    return 0


def _text_of_leaves(model: Web2Text, html: str) -> str:
    tree = read_tree(html)
    kept = model.predict_leaves(tree) >= THRESHOLD
    return "\n".join(text for text, is_content in zip(tree.texts, kept.tolist(), strict=True) if is_content)


def _times(way: Way, pages: list[str]) -> list[float]:
    """Return milliseconds of CPU a page; the first page is read once before, and a page that cannot be read counts too."""
    _try(way, pages[0])
    times = []
    for html in pages:
        start = time.process_time()
        _try(way, html)
        times.append(1000 * (time.process_time() - start))
    return times


def _try(way: Way, html: str) -> None:
    try:
        way(html)
    except SightreadError:
        return


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 300, "pages of each set, at even distances")


COMMAND = Command(
    "web2text-speed", "CPU time of Web2Text from HTML to text", lambda options: run(options.data, options.pages), _add_options
)
