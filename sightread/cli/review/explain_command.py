"""`sightread explain`: why each block of a page is in its document or not."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from sightread.cli.options.browser_options import render_options
from sightread.cli.options.options import ExplainCommand
from sightread.cli.output import write
from sightread.cli.source import read_source, site_of, with_scheme
from sightread.models.model_choice import check_name
from sightread.render.errors import Rejected
from sightread.review.explanation import BlockExplanation, PageExplanation, explain_reading

LINE = 90
"""Characters of a block's text in the list."""


async def explain(options: ExplainCommand) -> int:
    """Read one page and print the explanation of all its blocks, or of one."""
    check_name(options.source.model)
    source = replace(options.source, target=with_scheme(options.source.target))
    reading = await read_source(source, options.browsing, render_options(options.browsing, site_of(source.target)))
    count = len(reading.page.blocks)
    if options.row is not None and options.row >= count:
        raise Rejected(f"--row {options.row}: the page has {count} blocks, counted from 0")
    rows = None if options.row is None else [options.row]
    found = await asyncio.to_thread(explain_reading, reading, rows, with_neighbours=options.row is not None)
    if options.json:
        write(found.to_json().decode() + "\n")
    else:
        write(_detail(found) if options.row is not None else _list(found))
    return 0


def _list(found: PageExplanation) -> str:
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
