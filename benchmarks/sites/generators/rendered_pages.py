"""Pages that scripts fill: opened in Chromium, and kept as they are then, without their scripts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import lxml.html
from playwright.async_api import Route, async_playwright

from benchmarks.sites.layout import write_text
from benchmarks.sites.server import FolderServer
from sightread.render.browser.find_browser import find_browser

DEADLINE = 30_000.0
"""Milliseconds for the content of one page."""
SETTLING = 500.0
"""Milliseconds after the content is there: side bars are filled later."""
_SCRIPTS = "//script | //noscript | //link[@rel='modulepreload' or @rel='preload' or @rel='prefetch']"


def keep_rendered(folder: Path, pages: Mapping[str, str], content: str) -> None:
    """Write each page below the folder as it is when its `content`, a CSS selector, is filled; `pages` gives the address of each file.

    The folder is served to the browser, which reaches nothing else. Raises `playwright.async_api.Error` if a page has no content.
    """
    for name, text in asyncio.run(_rendered(folder, pages, content)).items():
        write_text(folder / name, text)


async def _rendered(folder: Path, pages: Mapping[str, str], content: str) -> dict[str, str]:
    found: dict[str, str] = {}
    async with FolderServer(folder) as root, async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])

        async def guard(route: Route) -> None:
            await (route.continue_() if route.request.url.startswith((root, "data:")) else route.abort())

        for name, address in pages.items():
            tab = await browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
            await tab.route("**/*", guard)
            await tab.goto(f"{root}/{address}")
            await tab.wait_for_selector(content, timeout=DEADLINE)
            await tab.wait_for_timeout(SETTLING)
            found[name] = without_scripts((await tab.content()).replace(root, ""))
            await tab.close()
        await browser.close()
    return found


def without_scripts(text: str) -> str:
    """Return a page without its scripts and what loads them."""
    tree = lxml.html.document_fromstring(text)
    for element in tree.xpath(_SCRIPTS):
        element.drop_tree()
    return f"<!DOCTYPE html>\n{lxml.html.tostring(tree, encoding='unicode')}"
