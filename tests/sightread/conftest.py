"""A small site with pictures, labels and predictions, and a raw tab to look at the viewer with; commands; the demo site, learned once."""

import asyncio
import io
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import Popen

import numpy as np
import pytest
import pytest_asyncio
from playwright.async_api import Browser as Chromium
from playwright.async_api import ConsoleMessage, Dialog, ViewportSize, async_playwright
from playwright.async_api import Page as Tab

from sightread.classify.evaluation import Score
from sightread.classify.model import Prediction
from sightread.cli.parser import main
from sightread.crawler.corpus import Corpus, FailedVisit
from sightread.crawler.crawl import CrawlOptions, crawl
from sightread.data.demo import article_paths
from sightread.document.document import build_document
from sightread.labeling.known_clusters import KnownClusters
from sightread.labeling.labels import Cluster, Confidence, SiteLabels
from sightread.reading.reader import Reader
from sightread.render.browser.browser import Browser, RenderOptions, find_browser
from sightread.render.network.egress import LOCAL
from sightread.render.page import Page
from sightread.render.visit.collect import CollectOptions
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_current
from sightread.sites.learn import Learned, learn_corpus
from sightread.viewer.build import Findings
from sightread.viewer.records import JobSummary
from sightread.viewer.report import write_report, write_site_report
from tests.labeling.sites import news_site, write_corpus
from tests.pages.stories import ARTICLE
from tests.pages.websites import Answer, Website, serving, serving_demo
from tests.processes.kept_browsers import KeptBrowsers
from tests.processes.services import started
from tests.processes.terminal import Ran, through_local_door

VIEWPORT = ViewportSize(width=1280, height=800)
STORED = RenderOptions(javascript=False, picture=True)
SHELL = """<!doctype html><html lang="{lang}" dir="{dir}"><head><meta charset="utf-8"><title>{title}</title>
<style>body {{ margin: 0; font: 16px/1.5 serif }} main {{ width: 700px; margin: 40px 120px }} .ad {{ color: #640; background: #ffd }}
.away {{ position: absolute; left: -9000px }} nav {{ padding: 20px; font: 14px sans-serif }}</style></head>
<body><nav class="top">All the news of the estuary</nav><main><h1 id="head">{title}</h1>{body}</main>
<p class="ad">Fine boots for the wet season</p><p class="away">Skip to the content</p></body></html>"""
HOSTILE = (
    "</script><script>window.pwned=1;alert(1)</script> the first paragraph",
    '<img src=x onerror="window.pwned=2"> the second <svg onload=alert(2)> paragraph',
    "]]> --> \u2028 \u2029 the third paragraph <!-- <script>",
)
CSS = {"font-size": "900px", "background-image": "url(http://127.0.0.1:9/pixel)", "color": "rgb(10, 20, 30)", "position": "fixed"}


def _html(lang: str, title: str, paragraphs: tuple[str, ...], direction: str = "ltr") -> str:
    inert = [text.replace("&", "&amp;").replace("<", "&lt;") for text in (title, *paragraphs)]
    body = "".join(f"<p>{text}</p>" for text in inert[1:])
    return SHELL.format(lang=lang, dir=direction, title=inert[0], body=body)


SOURCES = (
    (
        "https://courier.example/en/ferry",
        _html("en", "The night ferry", ("It has carried workers for ninety years.", "It runs half empty.")),
    ),
    ("https://courier.example/ar/ferry", _html("ar", "العبّارة الليلية", ("نقلت العمال عبر المصب منذ تسعين عاما.",), "rtl")),
    (
        "https://courier.example/x",
        _html("en", "</title><script>window.pwned=3</script>", HOSTILE).replace('"top"', '"top&quot;><script>pwned=4</script>"'),
    ),
)


def _cluster(number: int, role: str, pages: tuple[Page, ...]) -> Cluster:
    sample = HOSTILE[0] if role else "All the news of the estuary"
    return Cluster(number, 6, len(pages), 300, 0.0, 12.5, 0.6, role, 0 if role else -1, "body/main/p", CSS, 700.0, (sample,))  # type: ignore[arg-type]


def _explain(_: Page, row: int) -> list[tuple[str, float]]:
    """Say eleven reasons, the weightiest second."""
    return [("width 700px", 0.1 * row + 0.05), ("<script>window.pwned=7</script>", -2.0), *((f"feature {n}", 0.01) for n in range(9))]


def _content(page: Page) -> np.ndarray:
    return np.array([page.tag_paths()[block.element].startswith("body/main") for block in page.blocks], dtype=np.int8)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def findings(browser: Browser) -> Findings:
    """Three pages: an English one on which label and prediction differ at block 0, an Arabic one, and a hostile one; one page failed."""
    rendered = [await browser.render_html(html, url, STORED) for url, html in SOURCES]
    pages = tuple(found.page for found in rendered)
    labels = tuple(_content(page) for page in pages)
    predictions = [np.where(label == 1, 0.96, 0.04) for label in labels]
    predictions[0][0] = 0.6
    predictions[1][-2] = 0.4
    predictions[2] = np.where(labels[2] == 1, 0.51, 0.45)
    return Findings(
        job=JobSummary(
            name="</title><script>window.pwned=5</script>The Courier",
            url="javascript:window.pwned=6",
            model="site",
            made_at="2026-05-21T09:14:55+00:00",
            folds=(Score(1.0, 0.9, 0.947), Score(0.9, 1.0, 0.947)),
            failures=(FailedVisit("https://courier.example/files/tides.pdf", "not HTML but application/pdf"),),
        ),
        pages=pages,
        pictures=[found.picture for found in rendered],
        labels=SiteLabels(
            clusters=(_cluster(0, "", pages), _cluster(7, "body", pages)),
            assignments=tuple(np.where(label == 1, 7, 0).astype(np.int32) for label in labels),
            labels=labels,
            page_confidence=(0.9, 0.8, 0.4),
            templates=(),
            confidence=Confidence(0.8, 1.0, 0.8, 0.7, 0.9, 0.9, ("Crawl ten more pages.",)),
            known=KnownClusters(0.0, ()),
        ),
        predictions=predictions,
        documents=[build_document(page, Prediction(found)) for page, found in zip(pages, predictions, strict=True)],
        explain=_explain,
    )


@pytest.fixture
def bare(findings: Findings) -> Findings:
    """The English page alone, judged by a model alone, without a picture."""
    predictions = findings.predictions[:1] if findings.predictions else None
    return Findings(replace(findings.job, folds=(), failures=()), findings.pages[:1], predictions=predictions)


@dataclass(slots=True)
class Witness:
    """What a tab did that an inert page never does."""

    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Watched:
    """A tab, and what was seen of it."""

    tab: Tab
    witness: Witness

    async def pwned(self) -> object:
        return await self.tab.evaluate("window.pwned ?? null")


@pytest.fixture
def open_report(watched: Watched, tmp_path: Path) -> Callable[..., Awaitable[Tab]]:
    """Write a report and open it from disk, at a place of the viewer; resolves when the first page is drawn."""

    async def opened(findings: Findings, place: str = "view=blocks") -> Tab:
        write_report(findings, tmp_path / "report.html")
        await watched.tab.goto(f"{(tmp_path / 'report.html').as_uri()}#{place}")
        await watched.tab.wait_for_selector("#sheet .block", state="attached")
        return watched.tab

    return opened


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Chromium]:
    """A raw browser to look at the viewer with, one for all tests."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def tab(chromium: Chromium) -> AsyncIterator[Tab]:
    """The tab of all tests that look at the viewer, since each further one costs a renderer process."""
    context = await chromium.new_context(viewport=VIEWPORT)
    yield await context.new_page()
    await context.close()


@pytest_asyncio.fixture(loop_scope="session")
async def watched(tab: Tab) -> AsyncIterator[Watched]:
    """A raw tab of 1280 × 800 CSS px, scripts on, that notes dialogs, errors and requests; it is left as a new one is."""
    witness = Witness()

    async def dismiss(dialog: Dialog) -> None:
        witness.dialogs.append(dialog.message)
        await dialog.dismiss()

    def note_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            witness.errors.append(message.text)

    listeners = {
        "dialog": dismiss,
        "pageerror": lambda error: witness.errors.append(str(error)),
        "console": note_console,
        "request": lambda request: witness.requests.append(request.url),
    }
    for event, listener in listeners.items():
        tab.on(event, listener)  # type: ignore[call-overload]
    yield Watched(tab, witness)
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    await tab.unroute_all()
    await tab.evaluate("location.origin.startsWith('http') && sessionStorage.clear()")
    await tab.context.clear_cookies()
    await tab.emulate_media(color_scheme="null")
    await tab.set_viewport_size(VIEWPORT)
    await tab.mouse.move(0, 0)
    await tab.goto("about:blank")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Popen[str]]:
    """The service, started as a program."""
    with started(tmp_path) as program:
        yield program


Run = Callable[..., Ran]


@pytest.fixture(scope="session")
def kept_browsers() -> Iterator[KeptBrowsers]:
    """The browsers of the commands that run in this process."""
    browsers = KeptBrowsers()
    yield browsers
    browsers.close()


@pytest.fixture
def sightread(kept_browsers: KeptBrowsers, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command here and now, with a browser that is kept for the next one; sites are learned into the test's own folder.

    sightread("extract", path, "--format", "text").out
    sightread("extract", "-", typed=b"<p>Text")
    """
    monkeypatch.setenv("SIGHTREAD_HOME", str(tmp_path / "home"))

    def run(*arguments: object, typed: bytes = b"") -> Ran:
        arguments = through_local_door(arguments)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed)))
        try:
            code = kept_browsers.run_main(main, [str(argument) for argument in arguments])
        except SystemExit as stop:  # argparse's way to refuse
            code = int(stop.code or 0)
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture
def serve() -> Iterator[Callable[[Mapping[str, Answer]], Website]]:
    """Serve small sites until the test ends."""
    with ExitStack() as sites:
        yield lambda pages: sites.enter_context(serving(pages))


@dataclass(frozen=True, slots=True)
class LearnedDemo:
    """The demo site after the main job, still served; its pages carry the gold labels of the markup."""

    site: Website
    home: Path
    learned: Learned
    pages: tuple[Page, ...]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def demo(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LearnedDemo]:
    """Crawl and learn the whole demo site, once for all tests."""
    home = tmp_path_factory.mktemp("home")
    options = RenderOptions(collect=CollectOptions(attributes=("data-gold",)))
    with serving_demo() as site:
        folder = open_current(SiteHome.of(site.url(), home))
        await crawl(
            site.url(), folder.path, lambda url: browser.render(url, options), CrawlOptions(pages=len(article_paths()), egress=LOCAL)
        )
        learned = await asyncio.to_thread(learn_corpus, folder.path)
        await asyncio.to_thread(write_site_report, learned.results)
        yield LearnedDemo(site, home, learned, tuple(Corpus.open(folder.path)))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def demo_reader(demo: LearnedDemo) -> AsyncIterator[Reader]:
    """A reader that has learned the demo site."""
    async with Reader(home=demo.home, egress=LOCAL) as opened:
        yield opened


@pytest.fixture(scope="session")
def small_site() -> Iterator[Website]:
    """One edition of the demo site, which is enough to learn from."""
    with serving_demo("/en/") as site:
        yield site


@pytest.fixture
def store(tmp_path: Path) -> Callable[[Iterable[Page]], Path]:
    """Write pages as a corpus of the test's own, and return its folder."""
    return lambda pages: write_corpus(tmp_path / "corpus", pages)


@pytest.fixture
def corpus(store: Callable[[Iterable[Page]], Path]) -> Path:
    """A corpus of twelve pages of the test's own."""
    return store(news_site(12))


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """An HTML file with one article, which most commands can read."""
    path = tmp_path / "page.html"
    path.write_text(ARTICLE)
    return path
