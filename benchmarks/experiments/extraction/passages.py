"""Passages that documents have to hold, and others that they must not, on pages of kinds that data sets have too few of.

`passages.jsonl.gz` holds three sets of pages. Their authors saw neither the code, nor the grammar of the made pages that the global model
learns from (`benchmarks.training.made_pages`), nor each other's pages.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from benchmarks.commands import Command
from benchmarks.datasets.folder import read_lines
from sightread.classify.general.model import GlobalModel
from sightread.document.document import build_document
from sightread.models.registry import SHIPPED
from sightread.render.static.parse import read_html

PAGES = Path(__file__).with_name("passages.jsonl.gz")


def run(model: Path) -> int:
    """Print, by set and kind of page, the share of the passages of content that documents have, and of the others that they do not have."""
    reader = GlobalModel.load(model)
    shares: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for sample in read_lines(PAGES):
        page = read_html(sample["html"], "https://example.org/p/1")
        text = build_document(page, reader.predict(page)).text
        found, others = ([passage in text for passage in sample[name]] for name in ("must", "must_not"))
        for row in (sample["set"], f"{sample['set']}, {sample['kind']}"):
            shares[row].append((float(np.mean(found)), 1 - float(np.mean(others))))
    for row, of_pages in sorted(shares.items()):
        content, rest = np.mean(of_pages, axis=0)
        print(f"{row:32}{len(of_pages):4} pages: content {content:.3f}, others left out {rest:.3f}")
    return 0


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", type=Path, default=SHIPPED / "global.npz", metavar="FILE", help="a global model (default: the shipped one)"
    )


COMMAND = Command(
    "passages",
    "passages of events, products, cards and short news that documents must hold",
    lambda options: run(options.model),
    _add_options,
    needs_data=False,
)
