"""`sightread extract` of several pages: a file per page in a folder, or JSON lines, with progress; one page that fails is one line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import ExitStack, aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from sightread.batch.outcome import Outcome, as_completed
from sightread.batch.page_folder import PageError, PageFolder, PageFormat, json_line
from sightread.batch.processes import extract_many as extract_over_processes
from sightread.cli.options.browser_options import egress, render_options
from sightread.cli.options.error_words import worded
from sightread.cli.options.options import ExtractCommand, ListingOptions
from sightread.cli.output import write
from sightread.cli.progress import PageProgress
from sightread.cli.source import load_stored, read_lines, read_static_source, read_with, site_of, with_scheme
from sightread.crawler.journal import AppendFile
from sightread.crawler.rate_limit import RateLimit
from sightread.document.document import Document
from sightread.reading.reader import Reader
from sightread.render.browser.browser import RenderOptions
from sightread.render.browser.limiter import cores
from sightread.render.errors import Rejected
from sightread.render.network.address import check_url, origin_of

PAGE_FAILED = 3
"""Exit code if a page failed, as for a single page."""
MARKUP = (".html", ".htm", ".xhtml")
"""Suffixes of files that hold one page, which processes read; others may be archives."""


def list_targets(listing: ListingOptions) -> tuple[str, ...]:
    """Return the URLs and files that the command names, each once. Raises `Rejected` if there are none, or the list cannot be read."""
    targets = [*listing.targets, *_listed(listing)]
    if not targets:
        raise Rejected("no page is named: give a URL, a file, - for standard input, or a list of them with --urls FILE")
    if len(targets) > 1 and "-" in targets:
        raise Rejected("standard input holds one page: name - alone, or give --urls - for a list of URLs")
    return tuple(dict.fromkeys(map(with_scheme, targets)))


def _listed(listing: ListingOptions) -> Iterator[str]:
    if listing.urls is None:
        return
    if listing.urls == "-" and "-" in listing.targets:
        raise Rejected("standard input holds a page or a list, not both: leave out - or --urls -")
    lines = (line.strip() for line in read_lines(listing.urls, listing.standard_input))
    yield from (line for line in lines if line and not line.startswith("#"))


async def extract_many(options: ExtractCommand, targets: tuple[str, ...]) -> int:
    """Extract all pages, and return the exit code: 3 if one failed."""
    _check(options, targets)
    also = (*options.also, "left_out") if options.explain else options.also
    written_as = PageFormat(options.format, also, _settings(options))
    with ExitStack() as opened:
        folder = opened.enter_context(PageFolder(options.listing.output_dir, written_as)) if options.listing.output_dir else None
        lines = opened.enter_context(_line_file(options.output)) if options.output else None
        remaining = [target for target in targets if folder is None or not folder.holds(target)]
        progress = opened.enter_context(PageProgress(len(targets), len(targets) - len(remaining)))
        async with aclosing(_outcomes(options, remaining)) as outcomes:
            async for outcome in outcomes:
                outcome = await asyncio.to_thread(_shaped, outcome, options)
                if folder:
                    await asyncio.to_thread(folder.add, remaining[outcome.index], outcome)
                else:
                    line = await asyncio.to_thread(_line, outcome, also)
                    lines.append(line.encode()) if lines else write(line)
                progress.on_outcome(outcome)
        progress.finish()
    return PAGE_FAILED if progress.failed else 0


def _check(options: ExtractCommand, targets: tuple[str, ...]) -> None:
    """Raise `Rejected` for options that several pages cannot have."""
    listing = options.listing
    if options.source.url:
        raise Rejected("--url is for a single file, and several pages are named: leave it out")
    if options.drawings.picture or options.drawings.overlay:
        raise Rejected("--picture and --overlay are for a single page, and several are named: leave them out")
    if options.explain and options.format not in ("json", "jsonl"):
        raise Rejected("--explain of several pages is part of their JSON: add --format jsonl, or leave it out")
    if listing.output_dir and options.output:
        raise Rejected("--output is one file and --output-dir a folder: leave one of them out")
    if not listing.output_dir and options.format not in ("json", "jsonl"):
        raise Rejected(f"several pages in {options.format} need a file each: add --output-dir FOLDER, or --format jsonl")
    secrets = options.browsing.secrets
    if secrets.header or secrets.cookie or secrets.credentials:
        origins = {origin_of(check_url(target).href) for target in targets if site_of(target)}
        if len(origins) > 1:
            raise Rejected(
                f"--header, --cookie and --credentials are for one site, and the URLs are of {len(origins)}: run it once per site"
            )


def _settings(options: ExtractCommand) -> str:
    """Return the options that decide what is written for a page."""
    source = options.source
    flags = [name for name, is_set in (("static", source.static), ("explain", options.explain)) if is_set]
    return " ".join([source.model, *flags, *options.also, *(f"-{part}" for part in options.without)])


def _line_file(path: Path) -> AppendFile:
    if path.exists() and path.stat().st_size:
        raise Rejected(f"--output {path}: the file exists: delete it, or choose another name")
    return AppendFile(path)


def _shaped(outcome: Outcome[Document], options: ExtractCommand) -> Outcome[Document]:
    if outcome.error is not None:
        return replace(outcome, error=type(outcome.error)(worded(outcome.error)))
    if outcome.result is None or not options.without:
        return outcome
    return replace(outcome, result=outcome.result.without(*options.without))


def _line(outcome: Outcome[Document], also: tuple[Any, ...]) -> str:
    """Return a line of JSON: the URL or file as it was given in `source`, and the fields of the document, or the error."""
    if outcome.result is not None:
        return json_line(outcome.url, outcome.result, also)
    error = PageError(type(outcome.error).__name__, str(outcome.error))
    return msgspec.json.encode({"source": outcome.url, "error": error}).decode() + "\n"


def _outcomes(options: ExtractCommand, targets: list[str]) -> AsyncGenerator[Outcome[Document], None]:
    return _static_outcomes(options, targets) if options.source.static else _rendered_outcomes(options, targets)


async def _rendered_outcomes(options: ExtractCommand, targets: list[str]) -> AsyncGenerator[Outcome[Document], None]:
    if not targets:
        return
    browsing, source = options.browsing, options.source
    limit = RateLimit(options.listing.per_host, options.listing.delay)
    rendering = render_options(browsing, next((target for target in targets if site_of(target)), ""))
    async with Reader(
        source.model, home=source.home, executable=browsing.browser, tabs=browsing.tabs, egress=egress(browsing), light=browsing.light
    ) as reader:

        async def read(target: str) -> Document:
            named = replace(source, target=target)
            stored = await asyncio.to_thread(load_stored, named)
            return (await read_with(reader, named, stored, _for(rendering, target))).document

        async with aclosing(as_completed(targets, read, str, reader.pages_ahead, limit)) as outcomes:
            async for outcome in outcomes:
                yield outcome


def _for(rendering: RenderOptions, target: str) -> RenderOptions:
    return rendering if site_of(target) else replace(rendering, access=None)


async def _static_outcomes(options: ExtractCommand, targets: list[str]) -> AsyncGenerator[Outcome[Document], None]:
    """Yield the outcomes of files read without a browser: those of one page over processes, archives one by one."""
    source = options.source
    markup = [row for row, target in enumerate(targets) if _is_markup(Path(target))]
    others = [row for row in range(len(targets)) if row not in frozenset(markup)]

    async def read(row: int) -> Document:
        named = replace(source, target=targets[row])
        stored = await asyncio.to_thread(load_stored, named)
        return (await asyncio.to_thread(read_static_source, named, stored)).document

    async with aclosing(as_completed(others, read, lambda row: targets[row], 1)) as outcomes:
        async for outcome in outcomes:
            yield replace(outcome, index=others[outcome.index])
    if not markup:
        return
    pages = (_content(Path(targets[row])) for row in markup)
    found = extract_over_processes(pages, source.model, processes=min(options.browsing.tabs or cores(), len(markup)))
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


def _is_markup(path: Path) -> bool:
    return path.suffix.lower() in MARKUP and path.is_file()


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:  # it was there a moment ago: a page without content fails alone
        return b""
