"""WCXB dev (CC-BY-4.0) through the front door: every page rendered offline and read statically; nothing may go unhandled."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder, read_lines
from benchmarks.metrics.words import word_score
from sightread.document.document import Document
from sightread.reading import read_static
from sightread.reading.reader import Reader
from sightread.render.errors import SightreadError


class Outcome(NamedTuple):
    """How one page came out: the word F1 of its text, or the name of what was raised."""

    f1: float
    failure: str = ""


def run(data: Path | None, count: int, model: str) -> int:
    """Print word F1 and failures of both ways; return 1 if a page raised anything other than an error of ours."""
    pages = list(islice(read_wcxb(data_folder(data)), count))
    unhandled = 0
    for name, read in (("rendered", _render_all), ("static", _read_all)):
        clock = time.perf_counter()
        outcomes = asyncio.run(read(pages, model))
        seconds = time.perf_counter() - clock
        failures = Counter(outcome.failure for outcome in outcomes if outcome.failure)
        unhandled += sum(number for failure, number in failures.items() if failure.startswith("!"))
        mean = np.mean([outcome.f1 for outcome in outcomes])
        print(f"{name:9} {len(outcomes)} pages, word F1 {mean:.3f}, {seconds:.1f} s, failures {dict(failures) or 'none'}")
    return int(unhandled > 0)


def read_wcxb(data: Path) -> Iterator[dict[str, Any]]:
    """Yield the pages: id, url, html, text (gold), page_type."""
    return read_lines(data / "wcxb-dev" / "pages.jsonl.gz")


async def _render_all(pages: list[dict[str, Any]], model: str) -> list[Outcome]:
    async with Reader(model) as reader:
        return await asyncio.gather(*(_outcome(page, reader.extract_html(page["html"], page["url"] or "")) for page in pages))


async def _read_all(pages: list[dict[str, Any]], model: str) -> list[Outcome]:
    async def read(page: dict[str, Any]) -> Document:
        return read_static(page["html"], page["url"] or "", model).document

    return [await _outcome(page, read(page)) for page in pages]


async def _outcome(page: dict[str, Any], reading: Awaitable[Document]) -> Outcome:
    try:
        document = await reading
    except SightreadError as error:
        return Outcome(float(not page["text"].strip()), type(error).__name__)
    except Exception as error:  # noqa: BLE001  (counted and shown: that is what is measured)
        return Outcome(0.0, f"!{type(error).__name__}: {error}")
    return Outcome(word_score(document.text, page["text"]).f1)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 100, "the first ones of the set")
    parser.add_argument("--model", default="auto", metavar="NAME", help="(default: %(default)s)")


COMMAND = Command(
    "wcxb", "extract pages of WCXB dev, rendered and static", lambda options: run(options.data, options.pages, options.model), _add_options
)
