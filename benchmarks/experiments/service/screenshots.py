"""Screenshots of every view of the inspector for the documentation: on a desktop and a phone, light and dark.

The demo site is crawled and learned twice: the first version from two of its three templates, so that the second one has what to differ in.
Pictures are reduced to a palette, which keeps them small.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.async_api import Browser as Chromium
from playwright.async_api import Page as Tab
from playwright.async_api import async_playwright

from benchmarks.commands import Command, add_out
from sightread.crawler.corpus import Corpus
from sightread.data.demo import article_paths
from sightread.models.model_choice import choose_for
from sightread.reading import apply_model
from sightread.render.browser.browser import Browser, Rendered, RenderOptions, find_browser
from sightread.render.network.egress import LOCAL
from sightread.review.session import ReviewSession
from sightread.server.http import serve_demo, serve_on_loopback
from sightread.server.inspector import Content, Inspected, app_of
from sightread.sites.folders import SiteFolder, SiteHome
from sightread.sites.history import open_candidate, open_current, promote
from sightread.sites.learn import Site, learn_corpus
from sightread.sites.store import LearnedSite
from sightread.viewer.report import site_findings

DESKTOP, PHONE = (1280, 800), (390, 800)
COLOURS = 255
"""Of a picture's palette: the interface has few, and the photographs of the demo site stay recognisable."""
GAP = 20
"""Px between the two pictures of a phone."""
OLDER_TEMPLATES = ("news", "feature")
"""Templates of the pages that the first version is learned from."""


class View(NamedTuple):
    """A view: the name of its picture, its address, the selector of an element that is there when it is drawn, and keys to press then."""

    name: str
    place: str
    ready: str
    keys: tuple[str, ...] = ()
    after: str = ""
    """Selector of an element that is there after the keys."""


VIEWS = (
    View("report", "view=overview", "#overview .template canvas"),
    View("inspector", "view=blocks&page=1&block=30", "#detail .cause"),
    View("inspector-text", "view=text&page=1&block=29", "#text .found"),
    View("inspector-looks", "view=looks&page=0", "#looks .cutout"),
    View("inspector-question", "view=correct", "#correct .question blockquote"),
    View("inspector-preview", "view=blocks&page=0&block=36", "#detail .scopes", ("y",), "#correct .preview .page-changes"),
    View("inspector-models", "view=models&page=0&model=boilerpipe", "#models .difference"),
    View("inspector-diff", "view=models&page=0&model=boilerpipe&diff=words", "#models .diff"),
    View("inspector-map", "view=map&by=look", "#lanes .lane", ("ArrowRight", "ArrowRight"), "#map-tip"),
    View("inspector-versions", "view=versions", "#versions .change-of-page"),
)


def run(out: Path) -> int:
    """Write the pictures to a folder, and print their sizes."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_draw(Path(folder), out))
    return 0


async def _draw(folder: Path, out: Path) -> None:
    version = await _learn_twice(folder)
    site = Site.open(version.path)
    session = ReviewSession(site, by="ada")
    async with (
        serve_on_loopback(app_of(Inspected(Content(site_findings(session.results()), session=session), site=site))) as url,
        async_playwright() as driver,
    ):
        chromium = await driver.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for view in VIEWS:
            for scheme, suffix in (("light", ""), ("dark", "-dark")):
                _save(out / f"{view.name}{suffix}.png", [await _take(chromium, url, view, scheme, DESKTOP)])
            _save(out / f"{view.name}-phone.png", [await _take(chromium, url, view, scheme, PHONE) for scheme in ("light", "dark")])
        await chromium.close()


async def _learn_twice(folder: Path) -> SiteFolder:
    """Crawl the demo site and learn two versions of it; return the one in use."""
    async with serve_demo() as url, Browser(egress=LOCAL) as browser:
        paths = article_paths()
        rendered = await asyncio.gather(*(browser.render(url.rstrip("/") + path, RenderOptions(picture=True)) for path in paths))
    home = SiteHome.of(url, folder)
    older = [found for found in rendered if set(OLDER_TEMPLATES) & set(found.page.elements[0].classes)]
    await asyncio.to_thread(_store, open_current(home), url, older)
    first = LearnedSite.load(open_current(home))
    for found in rendered:  # as if they were read live: whether each looks familiar is recorded
        apply_model(choose_for(first), found.page)
    candidate = open_candidate(home, url)
    await asyncio.to_thread(_store, candidate, url, rendered)
    promote(home, candidate)
    second = LearnedSite.load(candidate)
    for found in rendered[:20]:
        apply_model(choose_for(second), found.page)
    return candidate


def _store(version: SiteFolder, url: str, rendered: Sequence[Rendered]) -> None:
    with Corpus.create(version.path, url) as corpus:
        for found in rendered:
            corpus.append(found.page, found.picture)
    learn_corpus(version.path)


async def _take(chromium: Chromium, url: str, view: View, scheme: str, size: tuple[int, int]) -> bytes:
    """Return a screenshot of a view, as PNG."""
    width, height = size
    tab: Tab = await chromium.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    await tab.goto(f"{url}/#{view.place}")
    await tab.wait_for_selector(view.ready, timeout=120_000)
    for key in view.keys:
        await tab.keyboard.press(key)
    if view.after:
        await tab.wait_for_selector(view.after, state="attached", timeout=120_000)
    await tab.wait_for_load_state("networkidle")
    await tab.wait_for_timeout(300)
    picture = await tab.screenshot()
    await tab.close()
    return picture


def _save(path: Path, pictures: Sequence[bytes]) -> None:
    """Write pictures side by side, with a palette."""
    images = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    width = sum(image.width for image in images) + GAP * (len(images) - 1)
    sheet = Image.new("RGB", (width, images[0].height), "#8a8f98")
    left = 0
    for image in images:
        sheet.paste(image, (left, 0))
        left += image.width + GAP
    sheet.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1024} KB", flush=True)


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_out(parser, "where the pictures are written, such as docs/images", required=True)


COMMAND = Command(
    "screenshots",
    "pictures of every view of the inspector for docs/images",
    lambda options: run(options.out),
    _add_options,
    needs_data=False,
)
