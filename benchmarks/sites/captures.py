"""Rendered pages of built sites, kept beside the unpacked site: each site is rendered once for each width.

The corpora are those of the application, so that `sightread label`, `train` and `inspect` read them.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

from aiohttp import web

from benchmarks.sites.built_sites import BuiltPage, BuiltSite, SiteStore
from sightread.crawler.corpus import Corpus
from sightread.render.browser.browser import Browser, RenderOptions
from sightread.render.errors import PageFailed
from sightread.render.network.egress import Egress
from sightread.render.page import Page, Size
from sightread.render.visit.device import Device


class FolderServer:
    """Serves a folder over HTTP for as long as the context lasts, `index.html` for its folders; entering gives its address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        app = web.Application()
        app.router.add_get("/{path:.*}", self._serve)
        self._runner = web.AppRunner(app)

    async def __aenter__(self) -> str:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        path = (self._folder / request.match_info["path"]).resolve()
        if path.is_dir():
            path /= "index.html"
        if not path.is_relative_to(self._folder) or not path.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(path)


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


def capture_sites(store: SiteStore, sites: Sequence[BuiltSite], width: int = WIDTH) -> list[CapturedSite]:
    """Return the sites with their rendered pages; what was not rendered yet is rendered now."""
    folders = {site.name: store.folder(site.name) for site in sites}
    if missing := [site for site in sites if not _corpus(folders[site.name], width).joinpath("complete").is_file()]:
        asyncio.run(_capture([(folders[site.name], site) for site in missing], width))
    return [_read(folders[site.name], site, width) for site in sites]


def _corpus(folder: Path, width: int) -> Path:
    return folder / f"corpus-{width}"


def _read(folder: Path, site: BuiltSite, width: int) -> CapturedSite:
    pages = tuple(Corpus.open(_corpus(folder, width)))
    named = {_address(page): page for page in site.pages}
    gold = tuple(named[unquote(page.url.split("/", 3)[3])] for page in pages)
    return CapturedSite(site, folder / "html", pages, gold)


def _address(page: BuiltPage) -> str:
    """Return the page's address below the site's root: that of its folder if it is an index, since scripts of some themes look at it."""
    return page.path.removesuffix("index.html") if page.path.endswith("/index.html") else page.path


async def _capture(sites: Sequence[tuple[Path, BuiltSite]], width: int) -> None:
    async with Browser(egress=Egress(local=True)) as browser:
        for folder, site in sites:
            corpus = _corpus(folder, width)
            shutil.rmtree(corpus, ignore_errors=True)
            async with FolderServer(folder / "html") as root:
                limit = asyncio.Semaphore(TOGETHER)
                found = await asyncio.gather(*(_render(browser, limit, f"{root}/{quote(_address(page))}", width) for page in site.pages))
            with Corpus.create(corpus, found[0].url if found[0] else "http://127.0.0.1/") as kept:
                for page in found:
                    if page is not None:
                        kept.append(page)
            (corpus / "complete").touch()
            print(f"{site.name}: {sum(page is not None for page in found)} of {len(found)} pages rendered", flush=True)


async def _render(browser: Browser, limit: asyncio.Semaphore, url: str, width: int) -> Page | None:
    async with limit:
        try:
            return (await browser.render(url, RenderOptions(device=Device(viewport=Size(width, HEIGHT))))).page
        except PageFailed as error:
            print(f"  {url}: {error}", flush=True)
            return None
