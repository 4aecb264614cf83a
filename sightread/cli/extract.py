"""`sightread extract`: prints the main content of one page, and writes its pictures; or extracts many, into a folder or JSON lines."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing
from dataclasses import replace
from pathlib import Path

from sightread.batch.outcome import Outcome, PageFolder, as_completed
from sightread.batch.processes import extract_many as extract_over_processes
from sightread.cli.commands import TABLES, ExtractCommand
from sightread.cli.page_output import LineOutput, check_many, page_format, shaped, write_table
from sightread.cli.progress import PageProgress
from sightread.cli.run import explanation, formatted, print_message, worded_note, write
from sightread.cli.visiting import (
    capture_options,
    egress,
    load_stored,
    read_lines,
    read_target,
    read_target_static,
    read_with,
    render_options,
    save_capture,
    site_of,
    with_scheme,
)
from sightread.cli.whole_site import extract_site
from sightread.crawler.rate_limit import RateLimit
from sightread.document.chunks import check_sizes
from sightread.document.document import Document
from sightread.reading import Reading
from sightread.reading.reader import Reader
from sightread.render.browser.limiter import cores
from sightread.render.errors import PageFailed, Rejected
from sightread.render.files import write_atomically
from sightread.render.network.address import check_url, origin_of
from sightread.render.visit.picture import SCALE, write_picture
from sightread.viewer.svg_overlay import draw_overlay

FULL_SCALE = 1.0
"""Image pixels per CSS pixel of a requested picture, which must be legible."""
MARKUP = (".html", ".htm", ".xhtml")
"""Suffixes of files that hold one page, which processes read; others may be archives."""


async def extract(options: ExtractCommand) -> int:
    """Print the main content of one page, or of each of several."""
    also = (*options.also, "left_out") if options.explain else options.also
    options = replace(options, format="json" if options.json else options.format, also=also)
    check_sizes(options.chunk_tokens, options.chunk_overlap)
    if options.site or options.status or options.list:
        return await extract_site(options)
    targets = list_targets(options)
    if len(targets) > 1 or options.output_dir or options.urls:
        return await _extract_many(options, targets)
    if options.format in TABLES:
        raise Rejected(f"--format {options.format} is a table of pages, in a folder: add --output-dir FOLDER")
    url = site_of(targets[0])
    rendering = replace(render_options(options, url), capture=capture_options(options, is_live=bool(url)))
    if options.picture or options.overlay:
        _check_drawing(options)
        rendering = replace(rendering, picture=True, picture_scale=FULL_SCALE if options.picture else SCALE)
    reading = await read_target(options, targets[0], rendering)
    _save_drawings(reading, options)
    if reading.capture:
        save_capture(options, reading.capture)
        if reading.capture.note:
            print_message(reading.capture.note)
    if reading.note:
        print_message(worded_note(reading.note))
    if reading.document.reason:
        print_message(reading.document.reason)
    document = reading.document.without(*options.without)
    text = formatted(document, "json" if options.format == "jsonl" else options.format, options.write_options)
    if options.explain and options.format not in ("json", "jsonl"):
        sys.stderr.write(explanation(document))
    if options.output:
        write_atomically(options.output, text.encode())
    else:
        write(text)
    return 0


def _check_drawing(options: ExtractCommand) -> None:
    """Raise `Rejected` if the requested image cannot be drawn, before a page is opened for it."""
    if options.static:
        raise Rejected("--picture and --overlay need a browser, and --static does without one: leave out one of them")
    for option, path, suffix in (("--picture", options.picture, ".webp"), ("--overlay", options.overlay, ".svg")):
        if path and path.suffix.lower() != suffix:
            raise Rejected(f"{option} {path}: the file is written as {suffix[1:].upper()}: give it a name that ends in {suffix}")


def _save_drawings(reading: Reading, options: ExtractCommand) -> None:
    """Write the requested picture and overlay. Raises `StorageFailed`."""
    if options.picture and reading.picture:
        first, *others = write_picture(options.picture, reading.picture)
        if others:
            further = ", ".join(path.name for path in others)
            print_message(f"the page is too tall for one picture: {first} continues in {further}")
        last, size = reading.picture.boxes[-1], reading.page.document
        if size and last.y + last.height < size.height:
            print_message(f"the picture ends at {last.y + last.height:.0f} px of {size.height:.0f}: a longer --deadline may show more")
    elif options.picture:
        print_message(f"{options.picture} was not written: without a browser there is no picture")
    if options.overlay:
        overlay = draw_overlay(
            reading.page, reading.prediction.relative, reading.picture, reading.model.name, kept=reading.document.selection.rows
        )
        write_atomically(options.overlay, overlay)


def list_targets(options: ExtractCommand) -> tuple[str, ...]:
    """Return the URLs and files that the command names, each once. Raises `Rejected` if there are none, or the list cannot be read."""
    targets = list(options.targets)
    if options.urls is not None:
        if options.urls == "-" and "-" in targets:
            raise Rejected("standard input holds a page or a list, not both: leave out - or --urls -")
        lines = map(str.strip, read_lines(options.urls, options.standard_input))
        targets += [line for line in lines if line and not line.startswith("#")]
    if not targets:
        raise Rejected("no page is named: give a URL, a file, - for standard input, a list of them with --urls FILE, or --site SITE")
    if len(targets) > 1 and "-" in targets:
        raise Rejected("standard input holds one page: name - alone, or give --urls - for a list of URLs")
    return tuple(dict.fromkeys(map(with_scheme, targets)))


async def _extract_many(options: ExtractCommand, targets: tuple[str, ...]) -> int:
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
