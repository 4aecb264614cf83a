"""One of the original authors' sites, or their chaos set, as a corpus for the command line."""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.spider import SITES, read_site
from sightread.crawler.corpus import Corpus
from sightread.render.errors import Rejected


def run(data: Path | None, name: str, folder: Path) -> int:
    """Write the site as a corpus, for `sightread label`, `train`, `evaluate` and `inspect`."""
    pages = [found.page for found in read_site(data_folder(data), name)]
    if not pages:
        raise Rejected(f"{name}: its file holds no pages")
    with Corpus.create(folder, pages[0].url) as corpus:
        for page in pages:
            corpus.append(page)
    print(f"{len(pages)} pages in {folder}")
    return 0


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("site", choices=(*SITES, "chaos"))
    parser.add_argument("folder", type=Path)


COMMAND = Command(
    "convert",
    "write one of the authors' sites as a corpus for the command line",
    lambda options: run(options.data, options.site, options.folder),
    _add_options,
)
