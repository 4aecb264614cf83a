"""Digests of everything that the project computes on fixed pages: recorded before a refactoring, compared after it.

Recorded are the predictions of every model on pages of all data sets, static and rendered; the global model's documents in every output
format; and the labels, site models and drift thresholds of the original authors' seven sites and of the demo site.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

import sightread
from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import Sample, at_even_distances, find_sets, read_samples
from benchmarks.datasets.spider import SITES, read_site
from benchmarks.experiments.learning.demo import render_demo
from sightread.classify.site.model import SiteModel
from sightread.data.demo import article_paths
from sightread.document.formats import format_names, write_document
from sightread.labeling.label_site import label_site
from sightread.models.registry import MODELS
from sightread.render.browser.browser import Browser
from sightread.render.errors import Rejected, SightreadError
from sightread.render.files import write_atomically
from sightread.render.page import Page
from sightread.render.static.parse import read_html

RENDERED_SHARE = 5
"""One page per this number is rendered as well."""
MOST_NAMED = 5
"""Differences of one kind that are printed by name."""

Digests = dict[str, str]


def run(data: Path | None, out: Path, pages: int, check: Path | None) -> int:
    """Write the digests to `out`; with `check`, a file of a former run, print what differs and return 1 if anything does."""
    folder = data_folder(data)
    found = dict(_record(folder, pages))
    write_atomically(out, json.dumps(found, indent=0, sort_keys=True).encode())
    print(f"{len(found)} digests in {out}")
    return compare(json.loads(check.read_text()), found) if check else 0


def compare(before: Digests, now: Digests) -> int:
    """Print how many digests of each kind differ, and the first of them by name; return 1 if any does."""
    changed = sorted(name for name in before.keys() & now.keys() if before[name] != now[name])
    for title, names in (("changed", changed), ("missing", sorted(before.keys() - now)), ("new", sorted(now.keys() - before))):
        for kind, count in sorted(Counter(_kind(name) for name in names).items()):
            of_kind = [name for name in names if _kind(name) == kind]
            print(f"{title}: {kind}: {count}, such as {', '.join(of_kind[:MOST_NAMED])}")
    print(f"{len(changed)} of {len(before)} digests have changed")
    return int(before != now)


def _kind(name: str) -> str:
    return name.rpartition(" @ ")[0]


def _record(folder: Path, count: int) -> Iterator[tuple[str, str]]:
    samples = list(_spread(folder, count))
    console = Console(stderr=True)
    for sample in track(samples, "static pages", console=console):
        try:
            page = read_html(sample.html, sample.url)
        except SightreadError as error:
            yield f"static page @ {sample.key}", type(error).__name__
            continue
        yield from _predictions("static", sample.key, page)
        yield from _documents(sample)
    chosen = samples[::RENDERED_SHARE]
    for sample, found in zip(chosen, asyncio.run(_render(chosen)), strict=True):
        if isinstance(found, str):
            yield f"rendered page @ {sample.key}", found
        else:
            yield from _predictions("rendered", sample.key, found)
    sites = {name: [each.page for each in read_site(folder, name)] for name in SITES}
    for name, pages in track(list((sites | {"demo": asyncio.run(render_demo(article_paths()))}).items()), "sites", console=console):
        yield from _site(name, pages)


def _spread(folder: Path, count: int) -> Iterator[Sample]:
    """Yield the given number of pages, as many of each data set, at even distances."""
    names = find_sets((), folder)
    for name in names:
        yield from at_even_distances(list(read_samples(name, folder)), -(-count // len(names)))


def _predictions(how: str, key: str, page: Page) -> Iterator[tuple[str, str]]:
    for name, model in MODELS.items():
        probabilities = model.make().predict(page).relative
        yield f"{how} prediction of {name} @ {key}", _digest([np.round(probabilities, 9).tobytes()])


def _documents(sample: Sample) -> Iterator[tuple[str, str]]:
    try:
        document = sightread.extract(sample.html, sample.url, model="global")
    except SightreadError as error:
        yield f"document @ {sample.key}", type(error).__name__
        return
    for name in format_names():
        yield f"{name} @ {sample.key}", _digest([write_document(document, name).encode()])


async def _render(samples: Sequence[Sample]) -> list[Page | str]:
    async with Browser() as browser:

        async def read(sample: Sample) -> Page | str:
            try:
                return (await browser.render_html(sample.html, sample.url)).page
            except SightreadError as error:
                return type(error).__name__

        return await asyncio.gather(*map(read, samples))


def _site(name: str, pages: Sequence[Page]) -> Iterator[tuple[str, str]]:
    try:
        labels = label_site(pages)
    except Rejected as error:
        yield f"labels @ {name}", str(error)
        return
    yield f"labels @ {name}", _digest(each.tobytes() for each in labels.labels)
    yield f"clusters @ {name}", _digest(each.tobytes() for each in labels.assignments)
    yield f"confidence @ {name}", _digest([repr((labels.confidence, labels.page_confidence)).encode()])
    model = SiteModel().fit(pages, labels.labels)
    yield f"site model's predictions @ {name}", _digest(np.round(model.predict(page).relative, 9).tobytes() for page in pages)


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, metavar="FILE", help="where to write them")
    add_pages(parser, 200, "of all data sets")
    parser.add_argument("--check", type=Path, metavar="FILE", help="digests of a former run, to compare with")


COMMAND = Command(
    "snapshot",
    "digests of all results on fixed pages, before and after a refactoring",
    lambda options: run(options.data, options.out, options.pages, options.check),
    _add_options,
)
