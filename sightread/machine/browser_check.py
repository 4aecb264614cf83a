"""Starts the browser and reads a page with it, as every command does: the only proof that it works."""

from __future__ import annotations

import asyncio
import logging
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from sightread.render.browser import launch
from sightread.render.browser.browser import Browser
from sightread.render.browser.find_browser import find_browser
from sightread.render.errors import NoBrowser

VERSION_TIMEOUT = 20.0
"""Seconds that a browser may take to print its version."""
UNSANDBOXED = "the browser runs without its sandbox: "
SAMPLE = "<!doctype html><title>Sample</title><p>A page of one paragraph.</p>"


@dataclass(frozen=True, slots=True)
class BrowserCheck:
    """A browser that starts and reads pages."""

    path: Path
    version: str
    sandboxed: bool
    reason: str
    """Why it runs without its sandbox; empty if it has one."""
    seconds: float
    """From its start to the end of the page."""


async def check_browser(executable: Path | None = None) -> BrowserCheck:
    """Start the browser, read a sample page, and return what was found. Raises `NoBrowser`, or `PageFailed` if the page is not read."""
    path = find_browser(executable)
    began = monotonic()
    with _warnings() as warnings:
        async with Browser(path) as browser:
            page, *_ = await browser.render_html(SAMPLE)
    seconds = monotonic() - began
    if [block.text for block in page.blocks] != ["A page of one paragraph."]:
        raise NoBrowser(f"{path}: starts, and shows a page of one paragraph as {len(page.blocks)} blocks: install another Chromium")
    return BrowserCheck(path, await asyncio.to_thread(_version, path), not warnings, next(iter(warnings), ""), seconds)


def _version(path: Path) -> str:
    """Return the number that the browser's `--version` prints; empty if it prints none."""
    printed = subprocess.run((path, "--version"), capture_output=True, text=True, errors="replace", timeout=VERSION_TIMEOUT, check=False)
    found = re.search(r"\d+(\.\d+)+", printed.stdout)
    return found[0] if found else ""


@contextmanager
def _warnings() -> Iterator[list[str]]:
    """Collect what `launch` warns of within the block, instead of printing it."""
    found: list[str] = []

    class Collecting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(record.getMessage().removeprefix(UNSANDBOXED))

    handler, propagates = Collecting(), launch.logger.propagate
    launch.logger.addHandler(handler)
    launch.logger.propagate = False
    try:
        yield found
    finally:
        launch.logger.removeHandler(handler)
        launch.logger.propagate = propagates
