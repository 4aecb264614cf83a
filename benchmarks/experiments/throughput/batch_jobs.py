"""Input of a batch made of stored pages, the command as a program, and the rows that it wrote, without their times."""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks.datasets.samples import SETS, read_samples
from sightread.batch.job.manifest import output_rows, verify
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.plan import load_plan
from sightread.batch.job.storage import open_storage

ROOT = Path(__file__).parents[3]


class Ran(NamedTuple):
    """How a program ended."""

    code: int
    seconds: float
    cpu_seconds: float
    """Of the program and all that it started."""
    error: str


def stored_pages(data: Path, count: int, largest: int = 0) -> Iterator[tuple[str, str]]:
    """Yield URL and HTML of the given number of pages: those of all sets, and then the same again under other URLs.

    With `largest`, only pages with no more characters of HTML.
    """
    sets = (read_samples(name, data) for name in SETS if (data / name).is_dir())
    pages = list(islice((sample for samples in sets for sample in samples if 0 < len(sample.html) <= (largest or math.inf)), count))
    for number, sample in enumerate(islice(cycle(pages), count)):
        url = sample.url or f"https://stored.example/{sample.id}"
        yield (url if number < len(pages) else f"{url}{'&' if '?' in url else '?'}copy={number // len(pages)}"), sample.html


def add_largest(parser: argparse.ArgumentParser) -> None:
    """Add `--largest N` of `stored_pages`."""
    parser.add_argument("--largest", type=int, default=0, metavar="N", help="characters of HTML of a page at most; 0 for any (default)")


def write_input(path: Path, pages: Iterator[tuple[str, str]]) -> int:
    """Write pages as JSON Lines; return how many."""
    number = 0
    with path.open("w", encoding="utf-8", errors="replace") as file:
        for url, html in pages:
            file.write(json.dumps({"id": str(number), "url": url, "html": html}) + "\n")
            number += 1
    return number


def start(*arguments: object, python: Path = Path(sys.executable), env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """Start `sightread batch` with an interpreter."""
    command = [str(python), "-m", "sightread.cli.parser", "batch", *map(str, arguments)]
    return launch(command, env or {})


def launch(command: Sequence[str], env: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start a program that finds this checkout, in a session of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **env}
    none, pipe = subprocess.DEVNULL, subprocess.PIPE
    return subprocess.Popen(command, env=environment, text=True, start_new_session=True, stdin=none, stdout=none, stderr=pipe)


def rows_of(output: str) -> list[PageRow]:
    """Return the rows of an output in the order of its input, without their times."""
    storage = open_storage(output)
    return [msgspec.structs.replace(row, seconds=0.0, cpu_seconds=0.0) for row in output_rows(storage, load_plan(storage))]


def faults_of(output: str) -> list[str]:
    """Return what `--verify` finds."""
    storage = open_storage(output)
    return list(verify(storage, load_plan(storage)))


def digests(rows: Sequence[PageRow]) -> dict[int, str]:
    """Return a digest of each row by position; a position that is there twice has both."""
    found: dict[int, str] = {}
    for row in rows:
        digest = blake2b(msgspec.json.encode(row), digest_size=8).hexdigest()
        found[row.position] = f"{found[row.position]} {digest}" if row.position in found else digest
    return found
