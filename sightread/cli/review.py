"""The commands that review decisions: `compare`, `explain`, and `corrections` of a learned site."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table

from sightread.classify.site.model import SiteModel
from sightread.cli.commands import CompareCommand, CorrectionsCommand, ExplainCommand
from sightread.cli.output import print_result, write
from sightread.cli.visiting import read_target, with_scheme
from sightread.models.model_choice import DOM_ONLY, check_name
from sightread.reading.archived import CORPUS
from sightread.render.errors import Rejected
from sightread.render.files import write_atomically
from sightread.render.page import Page
from sightread.review.comparison import Comparison, compare_models, labels_of
from sightread.review.explanation import BlockExplanation, PageExplanation, explain_reading
from sightread.sites import learn as job
from sightread.sites.catalog import site_folder
from sightread.sites.corrections.anchors import anchor_pages
from sightread.sites.corrections.exchange import from_label_studio, to_gold, to_label_studio
from sightread.sites.corrections.matching import Match, match_corrections
from sightread.sites.corrections.records import (
    Correction,
    Corrections,
    decode_corrections,
    encode_corrections,
    load_corrections,
    save_corrections,
)
from sightread.sites.folders import SiteFolder

EXCERPT = 80
"""Characters of a block's text that are shown."""
LINE = 90
"""Characters of a block's text in the list."""


async def compare(options: CompareCommand) -> int:
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
        write(msgspec.json.encode(as_record(compared)).decode() + "\n")
        return 0
    print_comparison(compared, Console())
    if options.blocks:
        write("\n".join(block_lines(pages[0], compared)) + "\n")
    return 0


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


async def explain(options: ExplainCommand) -> int:
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
    return 0


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


async def corrections(options: CorrectionsCommand) -> int:
    """Do one of the actions on the corrections of a site."""
    if options.file is None and options.action in ("export", "import"):
        raise Rejected(f"corrections {options.action} needs a file: sightread corrections {options.action} {options.site} FILE")
    if options.file is not None and options.action not in ("export", "import"):
        raise Rejected(f"corrections {options.action} takes no file: leave {options.file} out")
    folder = SiteFolder(site_folder(options.site, options.home))
    if not folder.path.is_dir():
        raise Rejected(f"{options.site}: no learned site has this name, and there is no such folder: sightread sites list shows the sites")
    await asyncio.to_thread(_ACTIONS[options.action], options, folder)
    return 0


def _list(options: CorrectionsCommand, folder: SiteFolder) -> None:
    matching = job.Site.open(folder.path).matching()
    if options.json:
        write("".join(msgspec.json.encode(_record(match)).decode() + "\n" for match in matching.matches))
        return
    write(
        "".join(f"{match.correction.id}\t{match.state}\t{match.correction.describe()}\t{match.describe()}\n" for match in matching.matches)
    )
    write(f"{matching.describe() or 'no corrections yet: sightread inspect SITE makes some'}\n")


def _export(options: CorrectionsCommand, folder: SiteFolder) -> None:
    assert options.file is not None
    stored = load_corrections(folder.corrections)
    if options.format == "corrections":
        data = encode_corrections(Corrections(stored.active))
    else:
        site = job.Site.open(folder.path)
        exported = to_gold if options.format == "gold" else to_label_studio
        data = exported(site.pages, site.matching(), site.labels().labels)
    write_atomically(options.file, data)
    print_result({"file": str(options.file), "corrections": len(stored.active)}, json=options.json)


def _import(options: CorrectionsCommand, folder: SiteFolder) -> None:
    assert options.file is not None
    if options.format == "gold":
        raise Rejected("gold is only exported: import corrections or label-studio")
    site = job.Site.open(folder.path)
    try:
        data = options.file.read_bytes()
    except OSError as error:
        raise Rejected(f"{options.file}: cannot be read: {error.strerror}") from error
    name = str(options.file)
    if options.format == "corrections":
        given = decode_corrections(data, name).active
    else:
        given = from_label_studio(data, site.pages, site.matching(), name)

    def add(stored: Corrections) -> Corrections:
        for correction in given:
            stored = stored.with_answer(correction)
        return stored

    _change(folder, add)
    matching = match_corrections(anchor_pages(site.pages), Corrections(tuple(given)))
    needing = [f"{match.correction.id}: {match.correction.describe()}: {match.describe()}" for match in matching.needing]
    print_result({"imported": len(given), "matching": matching.describe(), "need you": needing}, json=options.json)


def _undo(options: CorrectionsCommand, folder: SiteFolder) -> None:
    _print_change("undone", load_corrections(folder.corrections).made[-1:], _change(folder, Corrections.undo), json=options.json)


def _redo(options: CorrectionsCommand, folder: SiteFolder) -> None:
    _print_change("redone", load_corrections(folder.corrections).undone[-1:], _change(folder, Corrections.redo), json=options.json)


def _change(folder: SiteFolder, change: Callable[[Corrections], Corrections]) -> Corrections:
    changed = change(load_corrections(folder.corrections))
    save_corrections(folder.corrections, changed)
    return changed


def _print_change(what: str, changed: tuple[Correction, ...], stored: Corrections, *, json: bool) -> None:
    print_result({what: changed[0].describe() if changed else "", "corrections": len(stored.active)}, json=json)


def _record(match: Match) -> dict[str, Any]:
    blocks = {str(row): list(found) for row, found in match.blocks.items()}
    own = msgspec.to_builtins(match.correction)
    return {"id": match.correction.id, "state": match.state, "anchors": list(match.anchors), "blocks": blocks, "correction": own}


_ACTIONS = {"list": _list, "export": _export, "import": _import, "undo": _undo, "redo": _redo}
