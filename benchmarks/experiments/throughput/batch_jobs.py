"""Input of a batch made of stored pages, the command as a program, and the rows that it wrote, without their times."""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from benchmarks.datasets.samples import SETS, read_samples
from benchmarks.sites.built_sites import SiteStore
from benchmarks.sites.captures import capture_sites
from sightread.batch.job.manifest import output_rows, verify
from sightread.batch.job.page_row import PageRow
from sightread.batch.job.plan import load_plan
from sightread.batch.storage import open_storage
from sightread.crawler.corpus import Corpus
from sightread.render.errors import Rejected
from sightread.render.static.charset import decode_html
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_current
from sightread.sites.learn import learn_corpus

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


def learned_pages(store: SiteStore, names: Sequence[str], home: Path, count: int) -> Iterator[tuple[str, str]]:
    """Learn built sites into a home under hosts of their own; yield URL and HTML of the given number of their pages, again and again.

    Raises `Rejected` if a site is not trusted.
    """
    pages = []
    for captured in capture_sites(store, store.sites(only=names)):
        root = f"https://{captured.site.name}.example"
        folder = open_current(SiteHome.of(root, home))
        with Corpus.create(folder.path, f"{root}/") as corpus:
            for row, page in enumerate(captured.pages):
                url, html = f"{root}/{quote(captured.gold[row].path)}", decode_html(captured.source(row)).text
                corpus.append(replace(page, url=url, final_url=url), html=html)
                pages.append((url, html))
        if reason := learn_corpus(folder.path).site_evaluation.distrust_reason:
            raise Rejected(f"{captured.site.name}: not trusted: {reason}")
    for number, (url, html) in enumerate(islice(cycle(pages), count)):
        yield (url if number < len(pages) else f"{url}?copy={number // len(pages)}"), html


def add_learned(parser: argparse.ArgumentParser) -> None:
    """Add `--learned` and `--work` of `learned_pages`."""
    parser.add_argument(
        "--learned", nargs="+", metavar="SITE", default=[], help="pages of built sites that were learned, in place of these"
    )
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="as in site-scores")


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
