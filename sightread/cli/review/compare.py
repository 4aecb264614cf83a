"""`sightread compare`: all models on the same pages, beside each other and a site's labels."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.table import Table

from sightread.classify.evaluation import character_score
from sightread.classify.model import Model
from sightread.classify.site.model import SiteModel
from sightread.cli.options.browser_options import render_options
from sightread.cli.options.options import CompareCommand
from sightread.cli.output import write
from sightread.cli.source import read_source, site_of, with_scheme
from sightread.document.document import Document, build_document
from sightread.models.model_choice import DOM_ONLY
from sightread.reading.archived import CORPUS
from sightread.render.errors import Rejected
from sightread.render.page import Page
from sightread.sites import learn as job

EXCERPT = 80
"""Characters of a block's text that are shown."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The selections of one model on the pages; each figure is the mean over pages."""

    model: str
    blocks: float
    """Kept."""
    words: float
    precision: float
    """By characters, against the reference, 0 to 1; so are recall and F1."""
    recall: float
    f1: float
    milliseconds: float
    """CPU milliseconds to predict the blocks of a page."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All models on the same pages."""

    reference: str
    """The reference of the comparison: a model's name, or `labels`."""
    pages: int
    models: tuple[Compared, ...]
    kept: tuple[NDArray[np.bool_], ...]
    """The blocks that each model keeps, of shape (blocks,), page after page."""


async def compare(options: CompareCommand) -> int:
    """Compare the models on a page or a corpus."""
    source = options.source
    folder = Path(source.target)
    models = {name: make() for name, make in DOM_ONLY.items()}
    if (folder / CORPUS).is_file() and not source.url:
        if options.blocks or source.model != "auto":
            raise Rejected(f"{folder}: --blocks and --model are for a single page, and this is a corpus: leave them out")
        site = job.Site.open(folder)
        pages, reference, truth = site.pages, "labels", site.labels().labels
        if site.folder.model.is_file():
            models = {SiteModel.name: site.model(), **models}
    else:
        source = replace(source, target=with_scheme(source.target))
        reading = await read_source(source, options.browsing, render_options(options.browsing, site_of(source.target)))
        pages, reference = (reading.page,), reading.document.model or "all of it"
        truth = (labels_of(reading.document),)
        if reading.document.version:
            models = {SiteModel.name: reading.model, **models}
    compared = await asyncio.to_thread(compare_models, pages, models, reference, truth)
    if options.json:
        write(msgspec.json.encode(as_record(compared)).decode() + "\n")
        return 0
    print_comparison(compared, Console())
    if options.blocks:
        write("\n".join(block_lines(pages[0], compared)) + "\n")
    return 0


def compare_models(pages: Sequence[Page], models: Mapping[str, Model], reference: str, truth: Sequence[NDArray[np.int8]]) -> Comparison:
    """Predict each page with each model, and compare the kept blocks with the reference: one label per block (1 content, -1 unknown)."""
    compared, kept = [], []
    for name, model in models.items():
        rows, chosen = [], []
        for page, labels in zip(pages, truth, strict=True):
            began = process_time()
            prediction = model.predict(page)
            spent = 1000 * (process_time() - began)
            document = build_document(page, prediction)
            keeps = np.zeros(len(page.blocks), np.bool_)
            keeps[list(document.rows)] = True
            score = character_score(keeps.astype(np.int8), labels, [block.text for block in page.blocks])
            rows.append((len(document.rows), len(document.text.split()), score.precision, score.recall, score.f1, spent))
            chosen.append(keeps)
        compared.append(Compared(name, *(float(mean) for mean in np.mean(rows, axis=0))))
        kept.append(np.concatenate(chosen))
    return Comparison(reference, len(pages), tuple(compared), tuple(kept))


def labels_of(document: Document) -> NDArray[np.int8]:
    """Return the blocks of a document as labels of its page."""
    labels = np.zeros(len(document.page.blocks), np.int8)
    labels[list(document.rows)] = 1
    return labels


def as_record(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as a JSON-compatible record, with rounded numbers."""
    models = [{name: round(value, 4) if name != "model" else value for name, value in asdict(each).items()} for each in comparison.models]
    return {"reference": comparison.reference, "pages": comparison.pages, "models": models}


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Print one line per model."""
    each = "" if comparison.pages == 1 else f", means over {comparison.pages} pages"
    table = Table(title=f"against {comparison.reference}{each}", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("model")
    for name in ("blocks", "words", "precision", "recall", "F1", "CPU ms"):
        table.add_column(name, justify="right")
    for row in comparison.models:
        scores = (f"{score:.3f}" for score in (row.precision, row.recall, row.f1))
        table.add_row(row.model, f"{row.blocks:.0f}", f"{row.words:.0f}", *scores, f"{row.milliseconds:.1f}")
    console.print(table)


def block_lines(page: Page, comparison: Comparison) -> Iterator[str]:
    """Yield one line per block of a single page, with a mark in the column of each model that keeps it, below a key of the columns."""
    letters = "abcdefghijklmnopqrstuvwxyz"[: len(comparison.models)]
    yield from (f"{letter}  {row.model}" for letter, row in zip(letters, comparison.models, strict=True))
    yield ""
    for row, block in enumerate(page.blocks):
        marks = "".join(letter if kept[row] else "·" for letter, kept in zip(letters, comparison.kept, strict=True))
        text = " ".join(block.text.split())
        yield f"{marks}  {text if len(text) <= EXCERPT else text[: EXCERPT - 1] + '…'}"
