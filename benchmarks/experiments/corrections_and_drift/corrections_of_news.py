"""Corrections of the original authors' news sites, from the labels of the paper on: what ten answers gain.

The labels of the paper are those of one cluster per site (`sightread.labeling.published`). The gold is each site's own article containers
(`benchmarks.datasets.references`). The sites are the two that these labels describe worst.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.references import reference_labels
from benchmarks.datasets.spider import SITES, read_site
from benchmarks.experiments.corrections_and_drift.scripted_answers import ANSWERS, HEADER, ScriptedReview, summarise
from sightread.labeling.published import label_site_as_published
from sightread.render.labels import CONTENT
from sightread.review.workbench import Workbench

WORST = 2


def run(data: Path | None, worst: int, answers: int) -> int:
    """Print a row per site and the means. Return 1 if the mean loss does not fall by half, or a wrong answer makes a site worse."""
    reviews = sorted((_review(data_folder(data), name) for name in SITES), key=lambda each: -each.before)
    print(", ".join(f"{each.name} {each.before:.4f}" for each in reviews), flush=True)
    print(HEADER)
    outcomes = []
    for review in reviews[:worst]:
        outcomes.append(review.run(answers))
        print(outcomes[-1].line(), flush=True)
    return int(not summarise(outcomes))


def _review(folder: Path, name: str) -> ScriptedReview:
    pages = list({found.page.url: found.page for found in read_site(folder, name)}.values())
    gold = [reference_labels(name, page) for page in pages]
    texts = [
        "\n".join(block.text for block, label in zip(page.blocks, labels, strict=True) if label == CONTENT)
        for page, labels in zip(pages, gold, strict=True)
    ]
    return ScriptedReview(name, Workbench(pages, labels=label_site_as_published(pages)), gold, texts)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--worst", type=int, default=WORST, metavar="N", help="sites with the largest loss (default: %(default)s)")
    parser.add_argument("--answers", type=int, default=ANSWERS, metavar="N", help="answers per site (default: %(default)s)")


COMMAND = Command(
    "corrections-of-news",
    "two of the original authors' sites after ten answers, from the labels of the paper on",
    lambda options: run(options.data, options.worst, options.answers),
    _add_options,
)
