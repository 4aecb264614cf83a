"""`sightread batch` over stored pages: the same rows from every runner, pages per second by cores, and memory over many pages."""

from __future__ import annotations

import argparse
import io
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path
from subprocess import Popen

import matplotlib as mpl
from matplotlib.figure import Figure

from benchmarks.batches.jobs import Ran, digests, faults_of, launch, rows_of, start, stored_pages, write_input
from benchmarks.commands import Command, add_out, add_pages, add_python
from benchmarks.datasets.folder import data_folder
from benchmarks.report import grid
from render.browser.resources import memory_of, process_tree
from render.files import write_atomically
from sightread.batch.inputs.record import InputRecord
from sightread.batch.job.markers import Suspects
from sightread.batch.job.options import ExtractionOptions
from sightread.batch.job.page_process import PageProcess
from sightread.batch.job.page_task import Order, Task

SUPPORTED_GROWTH = 1.10
"""Memory at the end to that after the first tenth of the pages: above it, it grows."""
READINGS = 20


def run(data: Path | None, count: int, rendered: int, memory_pages: int, python: Path, out: Path | None) -> int:
    """Print the tables; return 1 if rows differ or memory grows."""
    folder = data_folder(data)
    good = True
    for number, options in ((count, ["--static"]), (rendered, [])):
        if number:
            with tempfile.TemporaryDirectory(prefix="batch-") as work:
                good &= _compare(folder, Path(work), number, options, python)
    if memory_pages:
        good &= _memory(folder, memory_pages, out)
    return int(not good)


def _compare(data: Path, work: Path, count: int, options: Sequence[str], python: Path) -> bool:
    source = work / "pages.jsonl"
    write_input(source, stored_pages(data, count))
    ways: dict[str, Callable[[], list[Popen[str]]]] = {
        "one process": lambda: [start(source, work / "one", *options, "--processes", 1)],
        "two processes": lambda: [start(source, work / "two", *options, "--processes", 2)],
        "two shards by hand": lambda: [start(source, work / "shards", *options, "--processes", 1, "--shard", f"{n}/2") for n in (0, 1)],
        "Dask, two workers": lambda: [_peer(python, "dask", source, work / "dask", *options)],
    }
    outputs = dict(zip(ways, ("one", "two", "shards", "dask"), strict=True))
    lines, rates, good = [], {}, True
    reference: dict[int, str] = {}
    for way, begin in ways.items():
        ran = _finish(begin)
        if ran.code:
            print(f"{way}: not measured: exit code {ran.code}: {ran.error}")
            continue
        rows = rows_of(str(work / outputs[way]))
        found, faults = digests(rows), faults_of(str(work / outputs[way]))
        reference = reference or found
        different = sum(found.get(place) != reference.get(place) for place in {*found, *reference})
        good &= not different and not faults and len(rows) == count
        rates[way] = count / ran.seconds
        lines.append(
            [way, f"{len(rows)}", f"{different}", f"{len(faults)}", f"{ran.seconds:.1f}", f"{rates[way]:.1f}", f"{ran.cpu_seconds:.0f}"]
        )
    if "--static" in options:
        lines += _datatrove(work, source, count, python)
    kind = "without a browser" if "--static" in options else "rendered"
    head = ("way", "rows", "rows that differ", "faults by --verify", "seconds", "pages per second", "CPU seconds")
    print(f"{count} stored pages {kind}; {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}\n\n{grid(head, lines)}\n")
    _print_ratios(rates)
    return good


def _print_ratios(rates: dict[str, float]) -> None:
    with suppress(KeyError):
        print(f"two processes to one: {rates['two processes'] / rates['one process']:.2f} times the pages per second")
        print(f"Dask to two processes: {rates['two processes'] / rates['Dask, two workers'] - 1:+.1%} of time\n")


def _peer(python: Path, way: str, source: Path, output: Path, *options: str) -> Popen[str]:
    return launch([str(python), "-m", "benchmarks.batches.peers", way, str(source), str(output), "2", *options], {})


def _datatrove(work: Path, source: Path, count: int, python: Path) -> list[list[str]]:
    """Compare the texts of datatrove's local executor, page by page."""
    parts = work / "parts"
    parts.mkdir()
    with source.open("rb") as lines:
        for number in range(2):
            (parts / f"{number}.jsonl").write_bytes(b"".join(islice(lines, -(-count // 2))))
    ran = _finish(lambda: [_peer(python, "datatrove", parts, work / "datatrove")])
    if ran.code:
        print(f"datatrove: not measured: exit code {ran.code}: {ran.error}")
        return []
    own = {str(row.position): row.documents["markdown"] for row in rows_of(str(work / "one")) if row.documents.get("markdown")}
    files = sorted((work / "datatrove").glob("*.jsonl"))
    of_datatrove = {row["id"]: row["text"] for file in files for row in map(json.loads, file.read_text("utf-8").splitlines())}
    different = sum(own.get(place) != of_datatrove.get(place) for place in {*own, *of_datatrove})
    figures = f"{ran.seconds:.1f}", f"{count / ran.seconds:.1f}", f"{ran.cpu_seconds:.0f}"
    return [["datatrove, two tasks", f"{len(of_datatrove)} with text", f"{different}", "", *figures]]


def _finish(begin: Callable[[], list[Popen[str]]]) -> Ran:
    began, before = time.perf_counter(), os.times()
    programs = begin()
    errors = [program.communicate()[1] for program in programs]
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    error = next((text.strip().splitlines()[-1] for text in errors if text.strip()), "")
    return Ran(max(program.returncode for program in programs), time.perf_counter() - began, spent, error)


def _memory(data: Path, count: int, out: Path | None) -> bool:
    """Feed pages from a loop to one process, and print its memory in between."""
    pages = list(stored_pages(data, min(count, 2000)))
    every = max(1, count // READINGS)
    readings: list[int] = []

    def tasks() -> Iterator[Task]:
        for number, (url, html) in enumerate(islice(cycle(pages), count)):
            yield Task("loop", InputRecord(number, url, html.encode("utf-8", "replace"), charset="utf-8"))

    with PageProcess(Order(ExtractionOptions(static=True))) as process:
        for number, _ in enumerate(process.rows(tasks(), Suspects(Counter(), frozenset()), lambda _: None, lambda: None), 1):
            if number % every == 0:
                both = memory_of(iter((os.getpid(), *process_tree(process.pid or 0))))
                readings.append(sum(both.values()) - both.get(os.getpid(), 0))
        replaced = process.replaced
    growth = readings[-1] / readings[max(0, len(readings) // 10)]
    print(f"memory of a process over {count} pages from a loop, replaced {replaced} times:")
    print("  MB: " + " ".join(f"{reading >> 20}" for reading in readings))
    print(f"  at the end {growth:.2f} times that after a tenth of them\n")
    if out is not None:
        write_atomically(out / "growth-batch-memory.svg", _curve([every * (row + 1) for row in range(len(readings))], readings))
    return growth <= SUPPORTED_GROWTH


def _curve(pages: Sequence[int], readings: Sequence[int]) -> bytes:
    """Return the memory over pages as a picture."""
    figure = Figure(figsize=(6, 3), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(pages, [reading / 2**20 for reading in readings], color="#1f6fb4")
    axes.set(xlabel="pages", ylabel="memory of the process, MiB", ylim=(0, None))
    picture = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "batch"}):
        figure.savefig(picture, format="svg", metadata={"Date": None})
    return picture.getvalue()


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 20_000, "without a browser; the sets' pages, and then the same again under other URLs")
    parser.add_argument("--rendered", type=int, default=1000, metavar="N", help="pages with a browser (default: %(default)s)")
    parser.add_argument("--memory-pages", type=int, default=200_000, metavar="N", help="fed from a loop; 0 for none (default: %(default)s)")
    add_python(parser)
    add_out(parser, "write the curve of the memory there (docs/images, for the report)")


COMMAND = Command(
    "batch",
    "the same rows of a batch from all runners, pages per second by cores, and memory over many pages",
    lambda options: run(options.data, options.pages, options.rendered, options.memory_pages, options.python, options.out),
    _add_options,
)
