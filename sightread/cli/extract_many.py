"""`sightread extract` of many pages, into a folder or JSON lines."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing
from dataclasses import replace
from pathlib import Path

from sightread.batch.outcome import Outcome, PageFolder, as_completed
from sightread.batch.processes import extract_many as extract_over_processes
from sightread.cli.commands import ExtractCommand
from sightread.cli.page_output import LineOutput, check_many, page_format, shaped, write_table
from sightread.cli.progress import PageProgress
from sightread.cli.stored import load_stored, read_target_static, site_of
from sightread.cli.visiting import egress, read_with, render_options
from sightread.crawler.rate_limit import RateLimit
from sightread.document.document import Document
from sightread.reading.reader import Reader
from sightread.render.browser.limiter import cores
from sightread.render.errors import PageFailed, Rejected
from sightread.render.network.address import check_url, origin_of

MARKUP = (".html", ".htm", ".xhtml")
"""Suffixes of files that hold one page, which processes read; others may be archives."""


async def extract_many(options: ExtractCommand, targets: tuple[str, ...]) -> int:
    """Extract all pages, and return the exit code: 3 if one failed."""
    check_many(options)
    _check_origins(options, targets)
    with ExitStack() as opened:
        folder = opened.enter_context(PageFolder(options.output_dir, page_format(options))) if options.output_dir else None
        lines = opened.enter_context(LineOutput(options)) if not folder else None
        remaining = [target for target in targets if folder is None or not folder.holds(target)]
        progress = opened.enter_context(PageProgress(len(targets), len(targets) - len(remaining)))
        read = _static_outcomes if options.static else _rendered_outcomes
        async with aclosing(read(options, remaining)) as outcomes:
            async for outcome in outcomes:
                outcome = await asyncio.to_thread(shaped, outcome, options)
                if folder:
                    await asyncio.to_thread(folder.add, remaining[outcome.index], outcome)
                elif lines:
                    await asyncio.to_thread(lines.add, outcome)
                progress.on_outcome(outcome)
        progress.finish()
        if folder:
            await asyncio.to_thread(write_table, folder, options)
    return PageFailed.exit_code if progress.failed else 0


def _check_origins(options: ExtractCommand, targets: tuple[str, ...]) -> None:
    if options.header or options.cookie or options.credentials:
        origins = {origin_of(check_url(target).href) for target in targets if site_of(target)}
        if len(origins) > 1:
            raise Rejected(
                f"--header, --cookie and --credentials are for one site, and the URLs are of {len(origins)}: run it once per site"
            )


async def _rendered_outcomes(options: ExtractCommand, targets: list[str]) -> AsyncGenerator[Outcome[Document], None]:
    if not targets:
        return
    limit = RateLimit(options.per_host, options.delay)
    rendering = render_options(options, next((target for target in targets if site_of(target)), ""))
    reach = egress(options)
    async with Reader(
        options.model, home=options.home, executable=options.browser, tabs=options.tabs, egress=reach, light=options.light
    ) as reader:

        async def read(target: str) -> Document:
            stored = await asyncio.to_thread(load_stored, options, target)
            own = rendering if site_of(target) else replace(rendering, access=None)
            return (await read_with(reader, options, target, stored, own)).document

        async with aclosing(as_completed(targets, read, str, reader.pages_ahead, limit)) as outcomes:
            async for outcome in outcomes:
                yield outcome


async def _static_outcomes(options: ExtractCommand, targets: list[str]) -> AsyncGenerator[Outcome[Document], None]:
    """Yield the outcomes of files read without a browser: those of one page over processes, archives one by one."""
    paths = list(map(Path, targets))
    markup = [row for row, path in enumerate(paths) if path.suffix.lower() in MARKUP and path.is_file()]
    others = sorted(set(range(len(targets))).difference(markup))

    async def read(row: int) -> Document:
        stored = await asyncio.to_thread(load_stored, options, targets[row])
        return (await asyncio.to_thread(read_target_static, options, stored)).document

    async with aclosing(as_completed(others, read, lambda row: targets[row], 1)) as outcomes:
        async for outcome in outcomes:
            yield replace(outcome, index=others[outcome.index])
    if not markup:
        return
    pages = (_content(paths[row]) for row in markup)
    found = extract_over_processes(pages, options.model, processes=min(options.tabs or cores(), len(markup)))
    waiting: asyncio.Task[Outcome[Document] | None] | None = None
    try:
        while True:
            waiting = asyncio.ensure_future(asyncio.to_thread(next, found, None))
            read_page = await asyncio.shield(waiting)
            if read_page is None:
                return
            row = markup[read_page.index]
            yield replace(read_page, index=row, url=targets[row])
    finally:
        if waiting is not None:
            await asyncio.wait([waiting])  # a thread cannot be cancelled, and a generator that runs cannot be closed
        found.close()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it was there a moment ago: a page without content fails alone
        return b""
