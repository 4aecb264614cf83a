"""Boilerplate amid the text that models keep: pages of built sites as they are, and with advertisements, links and boxes inserted."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.commands import Command, add_out
from benchmarks.datasets.samples import at_even_distances
from benchmarks.metrics.means import bootstrap
from benchmarks.metrics.words import word_score
from benchmarks.report import grid, publish
from benchmarks.sites.build import BuiltSite, read_sites
from benchmarks.sites.texts.inserted_boilerplate import insert_boilerplate, take_marks_off
from sightread.classify.model import Model
from sightread.cli.review.compare import labels_of
from sightread.document.document import build_document
from sightread.models.model_choice import DOM_ONLY, check_name
from sightread.render.errors import Rejected
from sightread.render.page import Page
from sightread.render.static.parse import read_html

PARTS = ("choose", "calibrate")
"""Parts of the built sites that are read."""
MODELS = ("global", "global-linear", "boilerpipe")
PAGES = 10
"""Per site, at even distances."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A page as it is, and with boilerplate amid its text."""

    plain: Page
    altered: Page
    is_inserted: NDArray[np.bool_]
    """Whether each block of `altered` was inserted."""
    gold: str


def run(sites: Path, names: Sequence[str], pages: int, out: Path | None) -> int:
    """Print, and write to the folder `out`, per model the word F1 without and with what is inserted, and how much of that is kept.

    Pages are read without a browser; those into which nothing was inserted are left out. Raises `Rejected` if there are none.
    """
    for name in names:
        check_name(name)
    pairs = [pair for html, site in read_sites(sites) if site.part in PARTS for pair in _pairs(html, site, pages)]
    if not pairs:
        raise Rejected(f"{sites}: no pages of the parts {', '.join(PARTS)} with paragraphs that boilerplate can be inserted between")
    rows = [[name, *_score(DOM_ONLY[name](), pairs)] for name in names]
    header = ("model", "as they are", "with boilerplate", "difference", "characters of it kept")
    publish("inserted-boilerplate", [f"{len(pairs)} pages, word F1", grid(header, rows)], out)
    return 0


def _pairs(html: Path, site: BuiltSite, pages: int) -> Iterator[Pair]:
    for page in at_even_distances(site.pages, pages):
        source = (html / page.path).read_text("utf-8", "replace")
        url = f"https://{site.name}.example/{page.path}"
        altered, is_inserted = take_marks_off(
            read_html(insert_boilerplate(source, page, site, random.Random(f"boilerplate {site.name} {page.path}")), url)
        )
        if is_inserted.any():
            yield Pair(read_html(source, url), altered, is_inserted, page.gold)


def _score(model: Model, pairs: Sequence[Pair]) -> list[str]:
    """Return the cells of a model's row: means over pages with their intervals."""
    plain, altered, kept = [], [], []
    for pair in pairs:
        plain.append(word_score(build_document(pair.plain, model.predict(pair.plain)).text, pair.gold).f1)
        document = build_document(pair.altered, model.predict(pair.altered))
        altered.append(word_score(document.text, pair.gold).f1)
        characters = np.array([len(block.text) for block in pair.altered.blocks])[pair.is_inserted]
        kept.append(float(characters @ labels_of(document)[pair.is_inserted]) / int(characters.sum()))
    differences = np.array(altered) - np.array(plain)
    return [str(bootstrap(values)) for values in (np.array(plain), np.array(altered), differences, np.array(kept))]


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sites", type=Path, metavar="SITES", help="the folder of build-sites")
    parser.add_argument("--models", nargs="+", default=MODELS, metavar="NAME", help=f"(default: {' '.join(MODELS)})")
    parser.add_argument("--pages", type=int, default=PAGES, metavar="N", help="pages per site (default: %(default)s)")
    add_out(parser, "write inserted-boilerplate.md there")


COMMAND = Command(
    "inserted-boilerplate",
    "advertisements, links and boxes amid the text of built sites: what models keep of them",
    lambda options: run(options.sites, options.models, options.pages, options.out),
    _add_options,
    needs_data=False,
)
