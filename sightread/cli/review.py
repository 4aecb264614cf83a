"""The commands that review decisions: `compare` and `explain`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from sightread.classify.site.model import SiteModel
from sightread.cli.commands import CompareCommand, ExplainCommand
from sightread.cli.run import print_json, write
from sightread.cli.stored import with_scheme
from sightread.cli.visiting import read_target
from sightread.models.model_choice import DOM_ONLY, check_name
from sightread.reading.archived import CORPUS
from sightread.render.errors import Rejected
from sightread.render.page import Page
from sightread.review.comparison import Comparison, compare_models, labels_of
from sightread.review.explanation import BlockExplanation, PageExplanation, explain_reading
from sightread.sites import learn as job

EXCERPT = 80
"""Characters of a block's text that are shown."""
LINE = 90
"""Characters of a block's text in the list."""


async def compare(options: CompareCommand) -> None:
    """Compare the models on a page or a corpus."""
    folder = Path(options.target)
    models = {name: make() for name, make in DOM_ONLY.items()}
    if (folder / CORPUS).is_file() and not options.url:
        if options.blocks or options.model != "auto":
            raise Rejected(f"{folder}: --blocks and --model are for a single page, and this is a corpus: leave them out")
        site = job.Site.open(folder)
        pages, reference, truth = site.pages, "labels", site.labels().labels
        if site.folder.model.is_file():
            models = {SiteModel.name: site.model(), **models}
    else:
        reading = await read_target(options, with_scheme(options.target))
        pages, reference = (reading.page,), reading.document.model or "all of it"
        truth = (labels_of(reading.document),)
        if reading.document.version:
            models = {SiteModel.name: reading.model, **models}
    compared = await asyncio.to_thread(compare_models, pages, models, reference, truth)
    if options.json:
        print_json(as_record(compared))
        return
    print_comparison(compared, Console())
    if options.blocks:
        write("\n".join(block_lines(pages[0], compared)) + "\n")


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


async def explain(options: ExplainCommand) -> None:
    """Read one page and print the explanation of all its blocks, or of one."""
    check_name(options.model)
    reading = await read_target(options, with_scheme(options.target))
    count = len(reading.page.blocks)
    if options.row is not None and options.row >= count:
        raise Rejected(f"--row {options.row}: the page has {count} blocks, counted from 0")
    rows = None if options.row is None else [options.row]
    found = await asyncio.to_thread(explain_reading, reading, rows, with_neighbours=options.row is not None)
    if options.json:
        write(found.to_json().decode() + "\n")
    else:
        write(_detail(found) if options.row is not None else _block_list(found))


def _block_list(found: PageExplanation) -> str:
    lines = [f"{found.model} {found.version}".rstrip() + f", level {found.level:.2f}, expected F1 {found.expected_f1:.2f}", *found.missing]
    for block in found.blocks:
        text = " ".join(block.text.split())[:LINE]
        lines.append(f"{block.row:5}  {'kept' if block.kept else '':4}  {block.probability:.2f}  {block.reason:19}  {text}")
    lines.append("explain one of them with its contributions: --row N")
    return "\n".join(lines) + "\n"


def _detail(found: PageExplanation) -> str:
    (block,) = found.blocks
    lines = [block.text, "", block.why, *block.would_change, *_contributions(block)]
    if block.neighbours:
        lines += ["", "neighbours (their effect on its log-odds)"]
        lines += [f"{neighbour.log_odds:+8.2f}  block {neighbour.row}: {neighbour.text[:LINE]}" for neighbour in block.neighbours]
    return "\n".join(lines) + "\n"


def _contributions(block: BlockExplanation) -> list[str]:
    if block.base is None:
        return ["", "this model does not explain its predictions"]
    lines = ["", "contributions to its log-odds of content", f"{block.base:+8.2f}  without any feature"]
    lines += [f"{weight:+8.2f}  {feature}" for feature, weight in block.contributions]
    return [*lines, f"{block.others:+8.2f}  all others"] if block.others else lines
