"""Spans of documents against their pages: whether their ranges give the document's words back, and whether Chromium highlights by each URL
the text that the span has.

Pages are rendered from this machine, without anything from outside. A highlight is what changes its colour with `::target-text`, and it is
right if all of it lies in the box of the span's element.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import random
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from aiohttp import web
from numpy.typing import NDArray
from PIL import Image
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab
from playwright.async_api import Route, async_playwright

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import WCXB, Sample, at_even_distances, read_samples
from sightread.document.document import Document
from sightread.document.spans import Span
from sightread.reading.reader import Reader
from sightread.render.browser.browser import find_browser
from sightread.render.errors import PageFailed
from sightread.render.network.egress import Egress

OPENED = 5
"""URLs opened of each page."""
_STYLE = """colour => {
  const style = document.querySelector("style.highlight") ?? document.head.appendChild(document.createElement("style"));
  style.className = "highlight";
  style.textContent = `::target-text { background: ${colour} !important; color: ${colour} !important }`;
}"""
LOOKS = 4
"""Most pictures of a page that moves, or on which nothing is highlighted yet."""
PAUSE = 250
"""Milliseconds between two of them."""
TOLERANCE = 4
"""CSS px that a highlight may leave its block's box: glyphs are taller than their line."""
_CENTRE = """selector => {
  for (const each of document.querySelectorAll("body, body *")) {
    const { position, opacity } = getComputedStyle(each);
    if (position === "fixed") each.style.display = "none";
    if (opacity !== "1") each.style.opacity = 1;
  }
  document.querySelector(selector)?.scrollIntoView({ block: "center", behavior: "instant" });
}"""
_BOX = """selector => {
  const { left = 0, top = 0, right = 0, bottom = 0 } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
  return [left, top, right, bottom];
}"""
_TEXTS = """selectors => selectors.map(each => {
  const found = document.querySelectorAll(each);
  return found.length === 1 ? found[0].textContent : "";
})"""
_WORD = re.compile(r"\w+")


def run(data: Path | None, pages: int, shown: int) -> int:
    """Print the share of words that a span gives back, the share of elements that their selectors name, and that of right highlights."""
    samples = [page for page in read_samples(WCXB, data_folder(data)) if page.html]
    asyncio.run(_measure(at_even_distances(samples, pages), shown))
    return 0


async def _measure(samples: Sequence[Sample], shown: int) -> None:
    app = web.Application()

    async def answer(request: web.Request) -> web.Response:
        row = request.match_info["row"]
        if not row.isdecimal() or int(row) >= len(samples):
            raise web.HTTPNotFound
        return web.Response(text=samples[int(row)].html, content_type="text/html", charset="utf-8")

    app.router.add_get("/{row}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    root = f"http://127.0.0.1:{runner.addresses[0][1]}"
    outcomes, words, named = Counter[str](), Counter[str](), Counter[bool]()
    chance = random.Random(0)
    async with Reader(egress=Egress(local=True)) as reader, async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        for row in range(len(samples)):
            try:
                document = (await reader.read(f"{root}/{row}", model="global")).document
            except PageFailed:
                continue
            _count_words(document, words)
            tab = await chromium.new_page(viewport={"width": 1600, "height": 2400})
            await tab.route(lambda url: not url.startswith(root), _refuse)
            with suppress(PlaywrightError):
                named.update(await _named(tab, f"{root}/{row}", document.spans))
            linked = [span for span in document.spans if span.url and span.box]
            outcomes["no URL"] += sum(not span.url for span in document.spans)
            outcomes["spans"] += len(document.spans)
            for span in chance.sample(linked, min(OPENED, len(linked))):
                with suppress(PlaywrightError):
                    outcome = await _open(tab, span)
                    outcomes[outcome] += 1
                    if outcome != "right" and outcomes[outcome] <= shown:
                        print(f"{outcome}: {samples[row].id} {span.kind} {span.text[:60]!r} {span.url}", flush=True)
            await tab.close()
        await chromium.close()
    await runner.cleanup()
    print(f"words of the documents: {words['all']}; in no span: {words['lost']} ({words['lost'] / words['all']:.2%})")
    print(f"selectors that name one element, with the span's words: {named[True] / named.total():.2%} of {named.total()}")
    opened = outcomes["right"] + outcomes["elsewhere"] + outcomes["nothing"]
    print(f"spans {outcomes['spans']}, without URL {outcomes['no URL']}; URLs opened {opened}: ", end="")
    print(", ".join(f"{name} {outcomes[name] / opened:.2%}" for name in ("right", "elsewhere", "nothing")))


def _count_words(document: Document, words: Counter[str]) -> None:
    """Count the words of the document, and those that no range of a span has."""
    whole = document.page.text
    found = Counter(word for span in document.spans if span.kind != "link" for word in _WORD.findall(whole[span.start : span.end]))
    own = Counter(_WORD.findall(document.text))
    words["all"] += own.total()
    words["lost"] += (own - found).total()


async def _named(tab: Tab, url: str, spans: Sequence[Span]) -> list[bool]:
    """Return of each span whether its selector names one element, which has its first word."""
    await tab.goto(url)
    texts = await tab.evaluate(_TEXTS, [span.selector for span in spans])
    return [bool(text) and (_WORD.findall(span.text) or [""])[0] in text for span, text in zip(spans, texts, strict=True)]


async def _open(tab: Tab, span: Span) -> str:
    """Open the URL of a span, and return "right", "elsewhere" or "nothing"."""
    await tab.goto("about:blank")  # else the highlights of a page add up
    await tab.goto(span.url)
    for _ in range(LOOKS):
        await tab.evaluate(_CENTRE, span.selector)
        before = await tab.evaluate(_BOX, span.selector)
        purple, green = [await _picture(tab, colour) for colour in ("#f0f", "#0f0")]
        left, top, right, bottom = await tab.evaluate(_BOX, span.selector)
        rows, columns = np.nonzero((purple[..., 0] > 2 * purple[..., 1]) & (green[..., 1] > 2 * green[..., 0]))
        if len(rows) and [left, top, right, bottom] == before:
            break
        await tab.wait_for_timeout(PAUSE)  # the page still moves, or a long page is still searched
    if not len(rows):
        return "nothing"
    is_across = left - TOLERANCE <= columns.min() and columns.max() <= right + TOLERANCE
    is_along = top - TOLERANCE <= rows.min() and rows.max() <= bottom + TOLERANCE
    return "right" if is_across and is_along else "elsewhere"


async def _picture(tab: Tab, colour: str) -> NDArray[np.int64]:
    """Return the screen with highlights of this colour, shape (height, width, 3)."""
    await tab.evaluate(_STYLE, colour)
    return np.asarray(Image.open(io.BytesIO(await tab.screenshot())).convert("RGB")).astype(np.int64)


async def _refuse(route: Route) -> None:
    await route.abort()


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 200)
    parser.add_argument("--show", type=int, default=0, metavar="COUNT", help="print the first COUNT failures of each kind")


COMMAND = Command(
    "citations",
    "ranges, selectors and text fragments of spans, checked in Chromium",
    lambda options: run(options.data, options.pages, options.show),
    _add_options,
)
