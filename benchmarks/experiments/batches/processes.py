"""Pages per second of `sightread.extract_many`, by number of processes, and whether bad pages change the results of the others."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import SETS, WCXB, at_even_distances, read_samples
from benchmarks.report import grid
from sightread.batch.processes import PageInput, extract_many

BAD_EVERY = 10
"""One page per this number is replaced by one that cannot be read."""
BAD_PAGE = b"\x89PNG\r\n\x1a\n" + bytes(64)


def run(data: Path | None, name: str, count: int, widths: Sequence[int]) -> int:
    """Print wall time and pages per second of up to `count` pages of a set for each number of processes, and the failures."""
    samples = at_even_distances(list(read_samples(name, data_folder(data))), count)
    pages: list[PageInput] = [(sample.html, sample.url) for sample in samples]
    lines, rates = [], []
    whole: dict[int, str | None] = {}
    for width in widths:
        before = os.times()
        found, seconds = _extracted(pages, width)
        spent = os.times()
        rates.append(len(pages) / seconds)
        workers, own = spent.children_user - before.children_user, spent.user - before.user
        failed = sum(text is None for text in found.values())
        figures = (f"{seconds:.1f}", f"{rates[-1]:.2f}", f"{rates[-1] / rates[0]:.2f}", f"{workers:.1f}", f"{own:.1f}", f"{failed}")
        lines.append([f"{width}", *figures, f"{os.getloadavg()[0]:.1f}"])
        if whole and found != whole:
            print(f"the results with {width} processes differ from those with {widths[0]}")
        whole = whole or found
    head = (
        "processes",
        "seconds",
        "pages per second",
        "times the first",
        "CPU s of processes",
        "CPU s of the caller",
        "failed",
        "load average",
    )
    print(f"{len(pages)} pages of {name}, {os.cpu_count()} CPU cores\n\n{grid(head, lines)}\n")
    with_bad, _ = _extracted([BAD_PAGE if row % BAD_EVERY == 0 else page for row, page in enumerate(pages)], widths[-1])
    changed = sum(with_bad[row] != whole[row] for row in whole if row % BAD_EVERY)
    print(f"one page in {BAD_EVERY} replaced by one that cannot be read: {changed} of the others changed")
    return 0


def _extracted(pages: Sequence[PageInput], processes: int) -> tuple[dict[int, str | None], float]:
    """Return the Markdown of each page, None for a failure, and the seconds, the start of the processes included."""
    began = time.perf_counter()
    outcomes = extract_many(pages, "global", processes=processes, output_format="markdown")
    return {outcome.index: outcome.result for outcome in outcomes}, time.perf_counter() - began


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 1000)
    parser.add_argument("--set", choices=SETS, default=WCXB, help="(default: %(default)s)")
    parser.add_argument("--widths", type=int, nargs="+", default=(1, 2), metavar="N", help="numbers of processes (default: 1 2)")


COMMAND = Command(
    "processes",
    "pages per second of extract_many by number of processes, and with bad pages among them",
    lambda options: run(options.data, options.set, options.pages, options.widths),
    _add_options,
)
