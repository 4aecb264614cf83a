"""The inspector's speed: the first view and the hover of a page of 5,000 blocks, a corpus of 200 pages, retraining after a correction.

The pages are drawn (`benchmarks.sites.generators.drawn_layouts`), rendered with their pictures and
learned before anything is measured. A frame is
what the page's main thread does after one move of the mouse, until nothing is left to draw: its tasks by Chromium's own counter, so that
neither the waiting for the screen nor the process of this command counts.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from playwright.async_api import CDPSession, async_playwright
from playwright.async_api import Page as Tab

from benchmarks.commands import Command
from benchmarks.sites.generators.drawn_layouts import write_drawn
from benchmarks.sites.server import FolderServer
from benchmarks.sites.texts.documents import write_documents
from benchmarks.sites.texts.sentences import language_of
from sightread.crawler.corpus import Corpus
from sightread.data.demo.content import load_edition
from sightread.models.model_choice import choose_model
from sightread.reading import apply_model
from sightread.render.browser.browser import Browser, RenderOptions, find_browser
from sightread.render.network.egress import LOCAL
from sightread.review.session import Proposal, ReviewSession
from sightread.server.http import serve_on_loopback
from sightread.server.local.inspector import Inspected, app_of
from sightread.sites.learn import Site, known_findings, learn_corpus
from sightread.sites.store import SiteStore
from sightread.viewer.build import Findings
from sightread.viewer.records import JobSummary

BLOCKS = 5_000
PAGES, FEW_PAGES = 200, 25
LAYOUT = "news-1"
FIRST_VIEW, FRAME, RETRAINED = 1.5, 0.016, 3.0
"""Most seconds: the first view of the large page, the 95th percentile of a frame, retraining on 25 pages."""
MOVES = 200
REPEATS = 5
WINDOW = {"width": 1440, "height": 900}
_SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))"


class Times(NamedTuple):
    """Wall time and CPU time in seconds: of the page's main thread, and of the server."""

    wall: float
    page: float
    server: float

    def __str__(self) -> str:
        return f"{self.wall:.2f} s wall, CPU {self.page:.2f} s in the page and {self.server:.2f} s in the server"


def run(repeats: int) -> int:
    """Print the figures; return 1 if one misses its limit."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder), repeats))


async def _measure(folder: Path, repeats: int) -> int:
    wrong = 0
    async with Browser(egress=LOCAL) as browser:
        large = await _large_page(browser)
        await _learn(browser, folder / "few", FEW_PAGES)
        await _learn(browser, folder / "many", PAGES)
    async with _tab() as (tab, session):
        async with serve_on_loopback(app_of(Inspected(large))) as url:
            opened = [await _open(tab, session, f"{url}/#view=blocks", "#sheet .block") for _ in range(repeats)]
            frames = await _hover(tab, session, await _places(tab, "#scroller"))
            wrong += _report(f"page of {len(large.pages[0].blocks):,} blocks, first view", opened, FIRST_VIEW)
            wrong += _report_frames("hover over its blocks", frames)
            await _open(tab, session, f"{url}/#view=text", "#text .piece")
            wrong += _report_frames("hover over its text", await _hover(tab, session, await _places(tab, "#text")))
        began, began_cpu = time.perf_counter(), time.process_time()
        app = app_of(Inspected(known_findings(folder / "many"), session=ReviewSession(Site.open(folder / "many"), by="benchmark")))
        print(f"corpus of {PAGES} pages: the server is ready after {_since(began, began_cpu)}")
        async with serve_on_loopback(app) as url:
            for name, ready in (("overview", "#overview .thumb canvas"), ("looks", "#looks .look-card"), ("map", "#lanes .lane")):
                opened = [await _open(tab, session, f"{url}/#view={name}", ready) for _ in range(repeats)]
                _report(f"corpus of {PAGES} pages, {name}", opened, None)
            blocks = await tab.evaluate("state.map.total")
            wrong += _report_frames(f"hover over the map of {blocks:,} blocks", await _hover(tab, session, await _places(tab, "#plot")))
    return int(wrong + _retrain(folder / "few") > 0)


async def _large_page(browser: Browser) -> Findings:
    """Return what the inspector shows of one page of many blocks: prose, lists and tables in two columns."""
    sentences = _sentences()
    parts = []
    for number in range(BLOCKS // 50):
        cells = "".join(f"<tr>{''.join(f'<td>{row * 4 + column}</td>' for column in range(4))}</tr>" for row in range(6))
        paragraphs = "".join(f"<p>{sentences[(number * 7 + place) % len(sentences)]}</p>" for place in range(11))
        items = "".join(f"<li><a href='/{number}/{place}'>Item {place}</a></li>" for place in range(14))
        parts.append(f"<section><h2>Part {number}</h2>{paragraphs}<table>{cells}</table></section><ul>{items}</ul>")
    style = "body{font:16px/1.5 serif;width:1180px;margin:auto;columns:2}table{width:100%}"
    html = f"<!doctype html><title>Large</title><style>{style}</style><h1>A large page</h1>{''.join(parts)}"
    rendered = await browser.render_html(html, "https://large.example/", RenderOptions(javascript=False, picture=True, deadline=120))
    reading = apply_model(choose_model("global", "", SiteStore(), rendered=True), rendered.page)
    document = reading.document
    return Findings(
        JobSummary("A large page", "https://large.example/", "global"),
        [rendered.page],
        [rendered.picture],
        predictions=[reading.prediction.relative],
        kept=[document.rows],
        confidence=[document.confidence],
        explain=reading.model.explain,  # type: ignore[attr-defined]
    ).with_documents([document])


async def _learn(browser: Browser, folder: Path, count: int) -> None:
    documents = write_documents(language_of("en", _sentences()), count, "inspector")
    write_drawn(folder / "source", LAYOUT, documents, language_of("en", _sentences()))
    options = RenderOptions(javascript=False, picture=True)
    async with FolderServer(folder / "source/html") as root:
        rendered = await asyncio.gather(*(browser.render(f"{root}/{document.slug}.html", options) for document in documents))
    with Corpus.create(folder, rendered[0].page.url) as corpus:
        for found in rendered:
            corpus.append(found.page, found.picture)
    await asyncio.to_thread(learn_corpus, folder)


def _sentences() -> list[str]:
    blocks = (block for article in load_edition("en").articles for block in article.blocks if block.kind == "paragraph")
    return [text for block in blocks for row in block.rows for text in row]


@asynccontextmanager
async def _tab() -> AsyncIterator[tuple[Tab, CDPSession]]:
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        tab = await browser.new_page(viewport=WINDOW)  # type: ignore[arg-type]
        session = await tab.context.new_cdp_session(tab)
        await session.send("Performance.enable", {"timeDomain": "threadTicks"})
        yield tab, session
        await browser.close()


async def _open(tab: Tab, session: CDPSession, url: str, ready: str) -> Times:
    """Return how long a view takes from its address to the first frame that shows it."""
    await tab.goto("about:blank")
    began, cpu, page = time.perf_counter(), time.process_time(), await _busy(session)
    await tab.goto(url, wait_until="commit")
    await tab.wait_for_selector(ready, state="attached")
    await tab.evaluate(_SETTLED)
    return Times(time.perf_counter() - began, await _busy(session) - page, time.process_time() - cpu)


async def _places(tab: Tab, part: str) -> list[tuple[float, float]]:
    """Return places of a part of the viewer, from its top to its bottom and to and fro."""
    box = await tab.locator(part).bounding_box()
    assert box is not None
    steps = np.linspace(0.05, 0.95, MOVES)
    across = 0.5 + 0.4 * np.sin(np.arange(MOVES) * 0.9)
    return [(box["x"] + float(x) * box["width"], box["y"] + float(y) * box["height"]) for x, y in zip(across, steps, strict=True)]


async def _hover(tab: Tab, session: CDPSession, places: Sequence[tuple[float, float]]) -> list[float]:
    """Return how long the page's main thread works after each move of the mouse, in seconds."""
    idle = await _frames(session, [tab.evaluate] * 20)
    rest = float(np.median(idle))  # what two frames and a call cost without any move
    frames = []
    for x, y in places:
        before = await _busy(session)
        await tab.mouse.move(x, y)
        await tab.evaluate(_SETTLED)
        frames.append(max(0.0, await _busy(session) - before - rest))
    return frames


async def _frames(session: CDPSession, calls: Sequence[Callable[[str], Awaitable[object]]]) -> list[float]:
    found = []
    for call in calls:
        before = await _busy(session)
        await call(_SETTLED)
        found.append(await _busy(session) - before)
    return found


async def _busy(session: CDPSession) -> float:
    """Return the CPU seconds of the tasks of the page's main thread so far."""
    metrics = await session.send("Performance.getMetrics")
    return float(next(metric["value"] for metric in metrics["metrics"] if metric["name"] == "TaskDuration"))


def _retrain(folder: Path) -> int:
    """Propose corrections of dropped blocks, of every kind, as content, and print how long the preview of all pages takes."""
    session = ReviewSession(Site.open(folder), by="benchmark")
    walls, cpus = [], []
    for page in range(0, FEW_PAGES, 3):
        for target in ("look", "place", "block"):
            dropped = session.trained.readings[page].document.left_out
            began, cpu = time.perf_counter(), time.process_time()
            session.propose(Proposal(page, dropped[len(dropped) // 2].row, is_content=True, target=target))
            walls.append(time.perf_counter() - began)
            cpus.append(time.process_time() - cpu)
    print(
        f"retraining on {FEW_PAGES} pages with a preview of all: median {np.median(walls):.2f} s, most {max(walls):.2f} s wall; "
        f"CPU {np.median(cpus):.2f} s, most {max(cpus):.2f} s ({len(walls)} corrections)"
    )
    return int(max(walls) > RETRAINED)


def _since(began: float, cpu: float) -> str:
    return f"{time.perf_counter() - began:.1f} s wall, {time.process_time() - cpu:.1f} s CPU"


def _report(name: str, found: Sequence[Times], most: float | None) -> int:
    middle = sorted(found)[len(found) // 2]
    print(f"{name}: median {middle} (slowest {max(each.wall for each in found):.2f} s)", flush=True)
    return int(most is not None and middle.wall > most)


def _report_frames(name: str, frames: Sequence[float]) -> int:
    quantiles = np.quantile(frames, [0.5, 0.95, 1.0]) * 1000
    print(f"{name}: CPU per frame median {quantiles[0]:.1f} ms, p95 {quantiles[1]:.1f} ms, most {quantiles[2]:.1f} ms", flush=True)
    return int(quantiles[1] > FRAME * 1000)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repeats", type=int, default=REPEATS, metavar="N", help="how often each view is opened (default: %(default)s)")


COMMAND = Command(
    "inspector",
    "speed of the inspector: first view, hover, a corpus of 200 pages, retraining",
    lambda options: run(options.repeats),
    _add_options,
    needs_data=False,
)
