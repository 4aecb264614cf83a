"""Rendered pages of built sites, kept beside them: each site is rendered once for each width.

The corpora are those of the application, so that `sightread label`, `train` and `inspect` read them.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from benchmarks.sites.build import BuiltPage, BuiltSite, read_sites
from benchmarks.sites.server import FolderServer
from sightread.crawler.corpus import Corpus
from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.errors import PageFailed
from sightread.render.network.egress import Egress
from sightread.render.page import Page, Size
from sightread.render.visit.device import Device

WIDTH = 1600
"""CSS px of the window."""
HEIGHT = 1000
TOGETHER = 4
"""Pages rendered at a time."""


@dataclass(frozen=True, slots=True)
class CapturedSite:
    """A built site and those of its pages that were rendered, in its order."""

    site: BuiltSite
    html: Path
    """Folder of its HTML."""
    pages: tuple[Page, ...]
    gold: tuple[BuiltPage, ...]
    """Of each of the pages."""

    def source(self, row: int) -> bytes:
        """Return the HTML of a page."""
        return (self.html / self.gold[row].path).read_bytes()


def capture_sites(out: Path, width: int = WIDTH, parts: Sequence[str] = (), only: Sequence[str] = ()) -> list[CapturedSite]:
    """Return the built sites of the parts with their rendered pages; what was not rendered yet is rendered now."""
    sites = [(html, site) for html, site in read_sites(out) if (not parts or site.part in parts) and (not only or site.name in only)]
    if missing := [each for each in sites if not _folder(out, each[1], width).joinpath("complete").is_file()]:
        asyncio.run(_capture(out, missing, width))
    return [_read(out, html, site, width) for html, site in sites]


def _folder(out: Path, site: BuiltSite, width: int) -> Path:
    return out / site.name / f"corpus-{width}"


def _read(out: Path, html: Path, site: BuiltSite, width: int) -> CapturedSite:
    pages = tuple(Corpus.open(_folder(out, site, width)))
    named = {_address(page): page for page in site.pages}
    gold = tuple(named[unquote(page.url.split("/", 3)[3])] for page in pages)
    return CapturedSite(site, html, pages, gold)


def _address(page: BuiltPage) -> str:
    """Return the page's address below the site's root: that of its folder if it is an index, since scripts of some themes look at it."""
    return page.path.removesuffix("index.html") if page.path.endswith("/index.html") else page.path


async def _capture(out: Path, sites: Sequence[tuple[Path, BuiltSite]], width: int) -> None:
    async with Browser(egress=Egress(local=True)) as browser:
        for html, site in sites:
            folder = _folder(out, site, width)
            shutil.rmtree(folder, ignore_errors=True)
            async with FolderServer(html) as root:
                limit = asyncio.Semaphore(TOGETHER)
                found = await asyncio.gather(*(_render(browser, limit, f"{root}/{quote(_address(page))}", width) for page in site.pages))
            with Corpus.create(folder, found[0].url if found[0] else "http://127.0.0.1/") as corpus:
                for page in found:
                    if page is not None:
                        corpus.append(page)
            (folder / "complete").touch()
            print(f"{site.name}: {sum(page is not None for page in found)} of {len(found)} pages rendered", flush=True)


async def _render(browser: Browser, limit: asyncio.Semaphore, url: str, width: int) -> Page | None:
    async with limit:
        try:
            return (await browser.render(url, RenderOptions(device=Device(viewport=Size(width, HEIGHT))))).page
        except PageFailed as error:
            print(f"  {url}: {error}", flush=True)
            return None
