"""The models that ship on the original authors' pages, none of which they learned from: chaos by words, the seven sites by characters."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.alignment.gold_labels import match_gold
from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.spider import LIVE, SITES, read_site, reference_labels
from benchmarks.metrics.means import bootstrap
from benchmarks.metrics.measures import word_score
from sightread.classify.evaluation import character_score
from sightread.document.document import build_document
from sightread.models.model_choice import DOM_ONLY, check_name
from sightread.review.comparison import labels_of

CHAOS = "chaos"


def run(data: Path | None, names: Sequence[str]) -> int:
    """Print a row per model and set: word F1 on the live pages of chaos, F1 by characters on each site against its article containers."""
    for name in names:
        check_name(name)
    folder = data_folder(data)
    models = {name: DOM_ONLY[name]() for name in names}
    print(f"{'set':12}{'pages':>7}" + "".join(f"{name:>24}" for name in names))
    live = [
        each for each in read_site(folder, CHAOS) if match_gold([block.text for block in each.page.blocks], each.gold_text).found >= LIVE
    ]
    row = []
    for model in models.values():
        f1 = np.array([word_score(build_document(each.page, model.predict(each.page)).text, each.gold_text).f1 for each in live])
        row.append(f"{bootstrap(f1)!s:>24}")
    print(f"{CHAOS:12}{len(live):7}" + "".join(row), flush=True)
    for site in SITES:
        pages = [each.page for each in read_site(folder, site)]
        gold = [reference_labels(site, page) for page in pages]
        row = []
        for model in models.values():
            scores = [
                character_score(labels_of(build_document(page, model.predict(page))), labels, [block.text for block in page.blocks]).f1
                for page, labels in zip(pages, gold, strict=True)
            ]
            row.append(f"{bootstrap(scores)!s:>24}")
        print(f"{site:12}{len(pages):7}" + "".join(row), flush=True)
    return 0


def _add_options(parser: argparse.ArgumentParser) -> None:
    known = ["global", "boilerpipe"]
    parser.add_argument("--models", nargs="+", default=known, metavar="NAME", help="(default: %(default)s)")


COMMAND = Command(
    "strangers",
    "shipped models on the authors' pages, as sites never seen",
    lambda options: run(options.data, options.models),
    _add_options,
)
