"""Reads the page that a command names: a URL, a file, an archive or standard input, with a browser or without one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from render.archives.base import Archive
from render.browser.browser import STORED, RenderOptions
from render.errors import NoBrowser, Rejected
from render.network.egress import Boundary
from sightread.archived import check_is_page, open_file, read_archived_static
from sightread.cli.browser_options import egress
from sightread.cli.options import BrowserOptions, SourceOptions
from sightread.cli.output import print_message
from sightread.reader import Reader
from sightread.reading import Reading, read_static


async def read_source(source: SourceOptions, browsing: BrowserOptions, rendering: RenderOptions) -> Reading:
    """Read the page that the command names, with a browser if one is allowed and available."""
    stored = await asyncio.to_thread(_stored, source)
    url = source.url if stored is not None else source.target
    if source.static:
        if stored is None:
            raise Rejected("--static reads files and standard input, and opens no URL: save the page, or leave --static out")
        return await asyncio.to_thread(_read_static, source, stored)
    reach = egress(browsing)
    if stored is None:
        await Boundary(reach).admit(url)  # a wrong address starts no browser
    try:
        async with Reader(source.model, home=source.home, executable=browsing.browser, egress=reach) as reader:
            if stored is None:
                return await reader.read(url, options=rendering)
            rendering = replace(rendering, javascript=STORED.javascript)
            if isinstance(stored, Archive):
                return await reader.read_archived(stored, url, options=rendering)
            return await reader.read_html(stored, url, options=rendering)
    except NoBrowser as error:
        if stored is None:
            raise
        print_message(f"{error}; reading the file without one")
        return await asyncio.to_thread(_read_static, source, stored)


def site_of(target: str) -> str:
    """Return the target if it is a URL; empty for a file."""
    return target if target.lower().startswith(("http://", "https://")) else ""


def _read_static(source: SourceOptions, stored: bytes | Archive) -> Reading:
    if isinstance(stored, Archive):
        return read_archived_static(stored, source.url, source.model, source.home)
    return read_static(stored, source.url, source.model, source.home)


def _stored(source: SourceOptions) -> bytes | Archive | None:
    """Return the content of the command's file; None for a URL."""
    if source.target == "-":
        check_is_page(source.standard_input)
        return source.standard_input
    if site_of(source.target):
        return None
    if not Path(source.target).exists():
        raise Rejected(f"{source.target}: not an http(s) URL, and as a file it cannot be read: No such file or directory")
    return open_file(Path(source.target), source.url)
