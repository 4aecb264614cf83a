"""Reads the page that a command names: a URL, a file, an archive or standard input, with a browser or without one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from sightread.cli.options.browser_options import egress
from sightread.cli.options.options import BrowserOptions, SourceOptions
from sightread.cli.output import print_message
from sightread.reading import Reading, read_static
from sightread.reading.archived import check_is_page, check_not_empty, open_file, read_archived_static
from sightread.reading.inputs import is_bare_host
from sightread.reading.reader import Reader
from sightread.render.archives.base import Archive
from sightread.render.browser.browser import STORED, RenderOptions
from sightread.render.errors import NoBrowser, Rejected
from sightread.render.network.egress import Boundary


async def read_source(source: SourceOptions, browsing: BrowserOptions, rendering: RenderOptions) -> Reading:
    """Read the page that the command names, with a browser if one is allowed and available."""
    stored = await asyncio.to_thread(load_stored, source)
    if source.static:
        return await asyncio.to_thread(read_static_source, source, stored)
    reach = egress(browsing)
    if stored is None:
        await Boundary(reach).admit(source.target)  # a wrong address starts no browser
    try:
        async with Reader(source.model, home=source.home, executable=browsing.browser, egress=reach) as reader:
            return await read_with(reader, source, stored, rendering)
    except NoBrowser as error:
        if stored is None:
            raise
        print_message(f"{error}; reading the file without one")
        return await asyncio.to_thread(read_static_source, source, stored)


async def read_with(reader: Reader, source: SourceOptions, stored: bytes | Archive | None, rendering: RenderOptions) -> Reading:
    """Read a page with a reader: the content of a file, or without one the page at the target's URL."""
    if stored is None:
        return await reader.read(source.target, options=rendering)
    rendering = replace(rendering, javascript=STORED.javascript)
    if isinstance(stored, Archive):
        return await reader.read_archived(stored, source.url, options=rendering)
    return await reader.read_html(stored, source.url, options=rendering)


def site_of(target: str) -> str:
    """Return the target if it is a URL; empty for a file."""
    return target if target.lower().startswith(("http://", "https://")) else ""


def with_scheme(target: str) -> str:
    """Return the target; an address without its scheme, such as news.example/article, gets https://, unless a file has that name."""
    first, _, rest = target.partition("/")
    is_file = Path(target).exists() or (rest and Path(first).is_dir())
    return f"https://{target}" if not is_file and is_bare_host(target) else target


def read_static_source(source: SourceOptions, stored: bytes | Archive | None) -> Reading:
    """Return the main content of a stored page, without a browser. Raises `Rejected` for a URL."""
    if stored is None:
        raise Rejected("--static reads files and standard input, and opens no URL: save the page, or leave --static out")
    if isinstance(stored, Archive):
        return read_archived_static(stored, source.url, source.model, source.home)
    return read_static(stored, source.url, source.model, source.home)


def read_lines(urls: str, standard_input: bytes) -> list[str]:
    """Return the lines of the list of URLs that --urls names. Raises `Rejected` if it cannot be read."""
    try:
        content = standard_input if urls == "-" else Path(urls).read_bytes()
        return content.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise Rejected(f"--urls {urls}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Rejected(f"--urls {urls}: not a list of URLs: the file is not text in UTF-8") from error


def load_stored(source: SourceOptions) -> bytes | Archive | None:
    """Return the content of the command's file; None for a URL."""
    if source.target == "-":
        check_is_page(source.standard_input)
        check_not_empty(source.standard_input, "standard input")
        return source.standard_input
    if site_of(source.target):
        return None
    if not Path(source.target).exists():
        raise Rejected(f"{source.target}: there is no such file, and it is no URL: check its name, or give an http or https URL")
    return open_file(Path(source.target), source.url)
