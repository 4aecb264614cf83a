"""CPU time of the way from a page's bytes to its Markdown without a browser, step by step, beside other extractors in the same run."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder, read_lines
from benchmarks.extractors.peers import read_with_resiliparse, read_with_trafilatura
from benchmarks.metrics.grid import grid
from render.static.parse import read_html
from sightread.document.document import build_document
from sightread.registry import MODELS

TIMES = 3
"""Each way reads a page so often, one after the other, and the quickest counts: other work on the machine only ever adds."""
PEERS: Mapping[str, Callable[[str, str], object]] = {"trafilatura": read_with_trafilatura, "resiliparse": read_with_resiliparse}

Way = Callable[[], object]


def run(data: Path | None, count: int) -> int:
    """Print CPU milliseconds a page of up to `count` pages of WCXB dev, taken at even distances, as quartiles and mean."""
    pages = [(record["html"], record.get("url") or "") for record in read_lines(data_folder(data) / "wcxb-dev" / "pages.jsonl.gz")]
    chosen = pages[:: max(1, len(pages) // count)][:count]
    del pages
    peers = {name: peer for name, peer in PEERS.items() if find_spec(name)}
    rows: dict[str, list[float]] = {}
    for html, url in chosen:
        for name, seconds in _read(html, url, peers).items():
            rows.setdefault(name, []).append(seconds)
    times = {name: 1000 * np.array(column) for name, column in rows.items()}
    whole = times["bytes to Markdown"]
    lines = [[name, *_figures(column), f"{_rate(column):.0f}", f"{_rate(whole) / _rate(column):.1f}"] for name, column in times.items()]
    head = ("CPU ms per page", "first quarter", "median", "third quarter", "mean", "pages a second", "sightread's rate to it")
    print(f"{len(chosen)} pages of WCXB dev\n\n{grid(head, lines)}\n")
    print(f"segmentation to lexbor's own parse, median of the pages: {np.median(times['segmentation'] / times['parse alone']):.1f}")
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
    found = {
        "parse alone": _quickest(lambda: LexborHTMLParser(raw, options=LexborDocumentOptions.WO_EVENTS)),
        "segmentation": _quickest(lambda: read_html(raw, url)),
        "prediction": _quickest(lambda: model.predict(page)),
        "document": _quickest(lambda: build_document(page, probabilities, "global").markdown),
        "bytes to Markdown": _quickest(lambda: _markdown(raw, url)),
    }
    return found | {name: _quickest(partial(peer, html, url)) for name, peer in peers.items()}


def _markdown(raw: bytes, url: str) -> str:
    model = MODELS["global"].make()
    page = read_html(raw, url)
    return build_document(page, model.predict(page), "global").markdown


def _quickest(way: Way) -> float:
    return min(_seconds(way) for _ in range(TIMES))


def _seconds(way: Way) -> float:
    start = time.process_time()
    way()
    return time.process_time() - start


def _figures(milliseconds: NDArray[np.float64]) -> list[str]:
    return [f"{value:.2f}" for value in (*np.percentile(milliseconds, (25, 50, 75)), milliseconds.mean())]


def _rate(milliseconds: NDArray[np.float64]) -> float:
    return 1000 / float(milliseconds.mean())


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 300)


COMMAND = Command(
    "static-speed",
    "CPU time from bytes to Markdown without a browser, beside others",
    lambda options: run(options.data, options.pages),
    _add_options,
)
