"""CPU time of the way from a page's bytes to its Markdown without a browser, step by step, beside other extractors in the same run."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import SETS, WCXB, at_even_distances, read_samples
from benchmarks.extractors.peers import read_with_resiliparse, read_with_trafilatura
from benchmarks.report import grid
from sightread.document.document import build_document
from sightread.models.registry import MODELS
from sightread.reading.plain_text import read_text
from sightread.render.errors import SightreadError
from sightread.render.static.parse import read_html

TIMES = 3
"""Each way reads a page so often, one after the other, and the quickest counts: other work on the machine only ever adds."""
MARKDOWN, FAST = "bytes to Markdown", "bytes to text, fast"
"""The whole ways: `extract`, and `extract_text`."""
PEERS: Mapping[str, Callable[[str, str], object]] = {"trafilatura": read_with_trafilatura, "resiliparse": read_with_resiliparse}

Way = Callable[[], object]


def run(data: Path | None, name: str, count: int) -> int:
    """Print CPU milliseconds per page of up to `count` pages of a set, at even distances, as quartiles and mean."""
    samples = at_even_distances(list(read_samples(name, data_folder(data))), count)
    peers = {name: peer for name, peer in PEERS.items() if find_spec(name)}
    rows: dict[str, list[float]] = {}
    for sample in samples:
        for way, seconds in _read(sample.html, sample.url, peers).items():
            rows.setdefault(way, []).append(seconds)
    times = {way: 1000 * np.array(column) for way, column in rows.items()}
    whole = times[MARKDOWN]
    lines = [[way, *_figures(column), f"{_rate(column):.0f}", f"{_rate(whole) / _rate(column):.1f}"] for way, column in times.items()]
    head = ("CPU ms per page", "first quarter", "median", "third quarter", "mean", "pages per second", "sightread's rate to it")
    print(f"{len(samples)} pages of {name}\n\n{grid(head, lines)}\n")
    for way in peers:
        for own in (MARKDOWN, FAST):
            of_page, of_all = np.median(times[own] / times[way]), times[own].sum() / times[way].sum()
            print(f"{own}, of the time of {way}: {of_page:.2f}, median of the pages; {of_all:.2f} in all")
    missing = sorted(set(PEERS) - set(peers))
    if missing:
        print(f"not installed here: {', '.join(missing)}")
    return 0


def _read(html: str, url: str, peers: Mapping[str, Callable[[str, str], object]]) -> dict[str, float]:
    """Return the CPU seconds of each step and each way on one page. The bytes are UTF-8; other extractors get characters."""
    raw = html.encode("utf-8", "ignore")
    model = MODELS["global"].make()
    page = read_html(raw, url)
    probabilities = model.predict(page)
    ways: dict[str, Way] = {
        "parse alone": lambda: LexborHTMLParser(raw, options=LexborDocumentOptions.WO_EVENTS),
        "segmentation": lambda: read_html(raw, url),
        "prediction": lambda: model.predict(page),
        "document": lambda: build_document(page, probabilities, "global").markdown,
        MARKDOWN: lambda: _markdown(raw, url),
        FAST: lambda: read_text(raw, url),
    }
    return {way: _quickest(take) for way, take in (ways | {name: partial(peer, html, url) for name, peer in peers.items()}).items()}


def _markdown(raw: bytes, url: str) -> str:
    page = read_html(raw, url)
    return build_document(page, MODELS["global"].make().predict(page), "global").markdown


def _quickest(way: Way) -> float:
    """Return CPU seconds. A page that a way cannot read counts as well."""
    seconds = []
    for _ in range(TIMES):
        start = time.process_time()
        with suppress(SightreadError):
            way()
        seconds.append(time.process_time() - start)
    return min(seconds)


def _figures(milliseconds: NDArray[np.float64]) -> list[str]:
    return [f"{value:.2f}" for value in (*np.percentile(milliseconds, (25, 50, 75)), milliseconds.mean())]


def _rate(milliseconds: NDArray[np.float64]) -> float:
    return 1000 / float(milliseconds.mean())


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 300)
    parser.add_argument("--set", choices=SETS, default=WCXB, help="(default: %(default)s)")


COMMAND = Command(
    "static-speed",
    "CPU time from bytes to Markdown without a browser, beside others",
    lambda options: run(options.data, options.set, options.pages),
    _add_options,
)
