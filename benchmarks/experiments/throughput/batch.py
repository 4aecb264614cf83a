"""`sightread batch` over stored pages: the same rows from every runner, and pages per second by cores."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from subprocess import Popen

from benchmarks.commands import Command, add_pages, add_python
from benchmarks.datasets.folder import data_folder
from benchmarks.experiments.throughput.batch_jobs import (
    Ran,
    add_largest,
    add_learned,
    digests,
    faults_of,
    launch,
    learned_pages,
    rows_of,
    start,
    stored_pages,
    write_input,
)
from benchmarks.report import grid
from benchmarks.sites.built_sites import SiteStore
from sightread.render.errors import Rejected

WAYS = {
    "one": "one process",
    "two": "two processes",
    "shards": "two shards by hand",
    "dask": "Dask, two workers",
}


def run(data: Path | None, count: int, rendered: int, largest: int, python: Path, ways: Sequence[str]) -> int:
    """Print the tables; return 1 if rows differ. `largest` limits the HTML of a page, in characters; 0 for no limit."""
    folder = data_folder(data)
    good = True
    for number, options in ((count, ["--static"]), (rendered, [])):
        if number:
            with tempfile.TemporaryDirectory(prefix="batch-") as work:
                write_input(Path(work) / "pages.jsonl", stored_pages(folder, number, largest))
                good &= _compare(Path(work), number, options, python, ways)
    return int(not good)


def run_learned(store: SiteStore, names: Sequence[str], count: int) -> int:
    """Print how fast `auto` and the global model read pages of learned sites without a browser; return 1 if `auto` is the slower one."""
    rates: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="batch-") as folder:
        work = Path(folder)
        write_input(work / "pages.jsonl", learned_pages(store, names, work / "home", count))
        for model in ("auto", "global"):
            options = ("--static", "--processes", 2, "--home", work / "home", "--model", model)
            ran = _finish(partial(_start_one, work / "pages.jsonl", work / model, *options))
            if ran.code:
                raise Rejected(f"batch --model {model}: exit code {ran.code}: {ran.error}")
            rows, faults = rows_of(str(work / model)), faults_of(str(work / model))
            rates[model] = count / ran.seconds
            models = _counts(row.model or row.state for row in rows)
            notes = _counts(note for row in rows for note in row.notes)
            print(
                f"--model {model}: {len(rows)} rows of {count}, {len(faults)} faults by --verify, {rates[model]:.1f} pages per second, "
                f"{1000 * ran.cpu_seconds / count:.1f} ms of CPU time per page; {models}; notes: {notes}",
                flush=True,
            )
    print(f"auto: {rates['auto'] / rates['global']:.2f} times the pages per second of the global model")
    return int(rates["auto"] < rates["global"])


def _start_one(*arguments: object) -> list[Popen[str]]:
    return [start(*arguments)]


def _counts(names: Iterable[str]) -> str:
    return ", ".join(f"{name} {number}" for name, number in Counter(names).items()) or "none"


def _compare(work: Path, count: int, options: Sequence[str], python: Path, ways: Sequence[str]) -> bool:
    source = work / "pages.jsonl"
    starts: dict[str, Callable[[], list[Popen[str]]]] = {
        "one": lambda: [start(source, work / "one", *options, "--processes", 1)],
        "two": lambda: [start(source, work / "two", *options, "--processes", 2)],
        "shards": lambda: [start(source, work / "shards", *options, "--processes", 1, "--shard", f"{n}/2") for n in (0, 1)],
        "dask": lambda: [_over_dask(python, source, work / "dask", *options)],
    }
    lines, rates, good = [], {}, True
    reference: dict[int, str] = {}
    for way in (way for way in starts if way in ways):
        ran = _finish(starts[way])
        if ran.code:
            print(f"{WAYS[way]}: not measured: exit code {ran.code}: {ran.error}")
            continue
        rows = rows_of(str(work / way))
        found, faults = digests(rows), faults_of(str(work / way))
        reference = reference or found
        different = sum(found.get(place) != reference.get(place) for place in {*found, *reference})
        good &= not different and not faults and len(rows) == count
        rates[way] = count / ran.seconds
        counts = str(len(rows)), str(different), str(len(faults))
        lines.append([WAYS[way], *counts, f"{ran.seconds:.1f}", f"{rates[way]:.1f}", f"{ran.cpu_seconds:.0f}"])
    kind = "without a browser" if "--static" in options else "rendered"
    head = ("way", "rows", "rows that differ", "faults by --verify", "seconds", "pages per second", "CPU seconds")
    print(f"{count} stored pages {kind}; {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}\n\n{grid(head, lines)}\n")
    _print_ratios(rates)
    return good


def _print_ratios(rates: dict[str, float]) -> None:
    with suppress(KeyError):  # of a way that was left out or failed
        print(f"two processes to one: {rates['two'] / rates['one']:.2f} times the pages per second")
    with suppress(KeyError):
        print(f"Dask to two processes: {rates['two'] / rates['dask'] - 1:+.1%} of time\n")


def _over_dask(python: Path, source: Path, output: Path, *options: str) -> Popen[str]:
    return launch([str(python), "-m", "benchmarks.experiments.throughput.batch_over_dask", str(source), str(output), "2", *options], {})


def _finish(begin: Callable[[], list[Popen[str]]]) -> Ran:
    began, before = time.perf_counter(), os.times()
    programs = begin()
    errors = [program.communicate()[1] for program in programs]
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    error = next((text.strip().splitlines()[-1] for text in errors if text.strip()), "")
    return Ran(max(program.returncode for program in programs), time.perf_counter() - began, spent, error)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 20_000, "without a browser; the sets' pages, and then the same again under other URLs")
    parser.add_argument("--rendered", type=int, default=1000, metavar="N", help="pages with a browser (default: %(default)s)")
    add_largest(parser)
    text = "ways to run it (default: all)"
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=[*WAYS], metavar="WAY", help=f"{text}: {', '.join(WAYS)}")
    add_python(parser)
    add_learned(parser)


def _run(options: argparse.Namespace) -> int:
    if options.learned:
        return run_learned(SiteStore.open(options.data, options.work), options.learned, options.pages)
    return run(options.data, options.pages, options.rendered, options.largest, options.python, options.ways)


COMMAND = Command(
    "batch",
    "the same rows of a batch from all runners, and pages per second by cores",
    _run,
    _add_options,
)
