"""Training the Web2Text that ships, and its scores on sites that it did not see: WCXB dev, static, 5 folds by domain, in one go."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.alignment.gold_labels import gold_labels
from benchmarks.commands import Command, add_model_file
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.wcxb import read_wcxb
from benchmarks.metrics.measures import word_score
from benchmarks.report import grid
from sightread.classify.evaluation import block_score, domain_folds
from sightread.classify.neural.web2text.model import Web2Text
from sightread.classify.training.web2text import LabelledLeaves, label_leaves
from sightread.document.document import build_document
from sightread.render.labels import THRESHOLD
from sightread.render.page import Page
from sightread.render.static.parse import read_html

FOLDS = 5


class Gold(NamedTuple):
    """A page of the set, read without a browser, with what a person chose of it."""

    page: Page
    labels: NDArray[np.int8]
    """One per block: content if the gold text holds two thirds of its letters, as in the paper."""
    text: str
    kind: str


class Result(NamedTuple):
    """Result on one page of a model that saw no page of its domain."""

    kept: NDArray[np.bool_]
    """One per block."""
    f1: float
    """Of the document's words."""


def run(data: Path | None, out: Path | None) -> int:
    """Print word F1 by page type on unseen sites; with `out`, first fit to all pages and write the model there."""
    clock = time.perf_counter()
    found = [_read(record) for record in read_wcxb(data_folder(data))]
    blocks = sum(len(gold.labels) for gold in found)
    print(f"{len(found)} pages, {blocks} blocks read and labelled in {time.perf_counter() - clock:.0f} s", flush=True)
    labelled = label_leaves([gold.page for gold in found], [gold.labels for gold in found])
    if out is not None:
        clock = time.perf_counter()
        Web2Text().fit_labelled(labelled).save(out)
        print(f"{out}: {out.stat().st_size / 1024:.0f} KiB, fitted to all pages in {time.perf_counter() - clock:.0f} s", flush=True)
    clock = time.perf_counter()
    results = hold_out(found, labelled)
    print(f"{FOLDS} folds by domain fitted, read and scored in {time.perf_counter() - clock:.0f} s\n")
    print(_table(found, results))
    return 0


def hold_out(found: Sequence[Gold], labelled: LabelledLeaves) -> list[Result]:
    """Return what is made of each page by a model that saw no page of its domain."""
    fold = domain_folds([gold.page for gold in found], FOLDS)
    results: dict[int, Result] = {}
    for number in np.unique(fold):
        model = Web2Text().fit_labelled(labelled.only(np.flatnonzero(fold != number).tolist()))
        results |= {row: _score(found[row], model) for row in np.flatnonzero(fold == number).tolist()}
    return [results[row] for row in range(len(found))]


def _read(record: dict[str, str]) -> Gold:
    page = read_html(record["html"], record["url"] or "")
    return Gold(page, gold_labels(page, record["text"]), record["text"], record["page_type"])


def _score(gold: Gold, model: Web2Text) -> Result:
    scores = model.predict(gold.page).probabilities
    return Result(scores >= THRESHOLD, word_score(build_document(gold.page, scores).text, gold.text).f1)


def _table(found: Sequence[Gold], results: Sequence[Result]) -> str:
    """Return the mean word F1 of the documents, and block F1 over all blocks of the kind, by page type."""
    kinds = sorted({gold.kind for gold in found})
    members = {kind: [row for row, gold in enumerate(found) if gold.kind == kind] for kind in kinds} | {"all": list(range(len(found)))}
    words = [f"{np.mean([results[row].f1 for row in rows]):.3f}" for rows in members.values()]
    blocks = []
    for rows in members.values():
        kept, labels = (np.concatenate(arrays) for arrays in zip(*((results[row].kept, found[row].labels) for row in rows), strict=True))
        blocks.append(f"{block_score(kept, labels).f1:.3f}")
    counts = [str(len(rows)) for rows in members.values()]
    return grid(("", *members), [["pages", *counts], ["word F1", *words], ["block F1", *blocks]])


COMMAND = Command(
    "train-web2text",
    "train the Web2Text that ships, scored on sites not seen",
    lambda options: run(options.data, options.out),
    add_model_file,
)
