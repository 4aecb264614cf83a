"""What each command does. All return an exit code."""

from __future__ import annotations

import asyncio
import threading
import webbrowser
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from classify.evaluate import Evaluation
from classify.model import Explains
from classify.site import SiteModel
from crawler.crawl import CrawlOptions
from crawler.crawl import crawl as crawl_site
from crawler.urls import parse_start_url
from render.browser import STORED, Browser, Rendered, RenderOptions
from render.errors import Doubtful, NoBrowser, Rejected
from render.storage import write_atomically
from sightread import learn as job
from sightread.demo import PORT as DEMO_PORT
from sightread.demo import serve_demo
from sightread.findings import Findings
from sightread.home import SiteFolder
from sightread.inspector import inspector_app
from sightread.loopback import serve_on_loopback
from sightread.models import DOM_ONLY, check_name
from sightread.output import say, tell, write, written
from sightread.progress import CrawlProgress
from sightread.reader import Reader
from sightread.reading import Reading, read_static
from sightread.service import Limits, Service
from sightread.view import Job


async def extract(options: Namespace) -> int:
    """Print the main content of one page."""
    reading = await _read(options, RenderOptions(deadline=options.deadline))
    if reading.note:
        say(reading.note)
    if reading.document.reason:
        say(reading.document.reason)
    text = written(reading.document, options.format)
    if options.output:
        write_atomically(options.output, text.encode())
    else:
        write(text)
    return 0


async def learn(options: Namespace) -> int:
    """Do the main job on a site."""
    return await _learn(options.site, options)


async def demo(options: Namespace) -> int:
    """Do the main job on the bundled site."""
    async with serve_demo(DEMO_PORT if options.port is None else options.port) as url:
        return await _learn(url, options)


async def crawl(options: Namespace) -> int:
    """Only crawl."""
    with CrawlProgress(quiet=options.json) as progress:
        folder = await _crawl(options.site, options, progress)
    corpus = job.Site.open(folder.path).corpus
    tell(options, {"folder": str(folder.path), "pages": len(corpus), "failures": len(corpus.failures)})
    return 0


async def label(options: Namespace) -> int:
    """Label the blocks of a crawled site."""
    site = job.Site.open(_folder(options))
    labels = await asyncio.to_thread(job.label, site)
    content = [cluster for cluster in labels.clusters if cluster.role]
    confidence = labels.confidence
    tell(
        options,
        {
            "labels": str(site.folder.labels),
            "pages": len(site.pages),
            "clusters": len(labels.clusters),
            "content_clusters": len(content),
            "templates": len({cluster.template for cluster in content}),
            "confidence": round(confidence.value, 4),
            "advice": list(confidence.advice),
        },
    )
    return 0


async def train(options: Namespace) -> int:
    """Train a site's model."""
    site = job.Site.open(_folder(options))
    model = await asyncio.to_thread(job.train, site)
    tell(options, {"model": str(site.folder.model), "pages": model.pages})
    return 0


async def evaluate(options: Namespace) -> int:
    """Cross-validate a model by page."""
    make = DOM_ONLY.get(options.model, SiteModel)
    if make is SiteModel and options.model != SiteModel.name:
        check_name(options.model)
        raise Rejected(f"{options.model!r} names no one model: evaluate site, or one of {', '.join(DOM_ONLY)}")
    site = job.Site.open(_folder(options))
    evaluation = await asyncio.to_thread(job.evaluate, site, make, options.folds)
    tell(options, {"model": options.model} | _scores(evaluation))
    return 0


async def inspect(options: Namespace) -> int:
    """Serve the viewer over a page or a corpus until stopped."""
    check_name(options.model)
    findings = await _findings(options)
    async with serve_on_loopback(inspector_app(findings), options.port) as address:
        write(f"the inspector is at {address}/ (Ctrl-C ends it)\n")
        if not options.no_open:
            await asyncio.to_thread(webbrowser.open, f"{address}/")
        await asyncio.Event().wait()
    return 0


async def serve(options: Namespace) -> int:
    """Serve the HTTP service until stopped."""
    check_name(options.model)
    async with Reader(options.model, home=options.home, executable=options.browser, tabs=options.tabs) as reader:
        service = Service(reader, Limits(private=options.allow_private))
        async with serve_on_loopback(service.app(), options.port) as address:
            write(f"serving at {address} (Ctrl-C ends it)\n")
            await asyncio.Event().wait()
    return 0


async def _learn(url: str, options: Namespace) -> int:
    with CrawlProgress(quiet=options.json) as progress:
        folder = await _crawl(url, options, progress)
        learned = await _learn_until_stopped(folder.path, progress.on_step)
    standing = learned.standing
    tell(
        options,
        {
            "pages": learned.pages,
            "failures": learned.failures,
            "confidence": round(standing.confidence, 4),
            "precision": round(standing.precision, 4),
            "recall": round(standing.recall, 4),
            "f1": round(standing.f1, 4),
            "trusted": not standing.doubt,
            "advice": list(learned.labels.confidence.advice),
            "articles": str(folder.articles),
            "model": str(folder.model),
            "report": str(folder.report),
        },
    )
    if standing.doubt:
        raise Doubtful(f"learned, but auto will not use the model: {standing.doubt}; look at the report")
    return 0


async def _learn_until_stopped(folder: Path, on_step: Callable[[str], None]) -> job.Learned:
    """Learn in a thread, which cannot be cancelled: when we are, it ends with the step that it is at."""
    stopped = threading.Event()

    def begin(step: str) -> None:
        if stopped.is_set():
            raise asyncio.CancelledError
        on_step(step)

    try:
        return await asyncio.to_thread(job.learn_corpus, folder, begin)
    finally:
        stopped.set()


async def _crawl(url: str, options: Namespace, progress: CrawlProgress) -> SiteFolder:
    start = parse_start_url(url).url
    folder = SiteFolder(options.out) if options.out else SiteFolder.of(start, options.home)
    rendering = RenderOptions(deadline=options.deadline, picture=not options.no_pictures)
    wanted = CrawlOptions(pages=options.pages, width=options.tabs, delay=options.delay)
    async with Browser(options.browser, options.tabs) as browser:

        async def render(address: str) -> Rendered:
            return await browser.render(address, rendering)

        await crawl_site(url, folder.path, render, wanted, progress.on_crawl)
    return folder


async def _read(options: Namespace, rendering: RenderOptions) -> Reading:
    """Read the page that the command names, with a browser if it may and can."""
    stored = options.typed if options.target == "-" else _stored(options.target)
    url = options.url if stored is not None else options.target
    if options.static:
        if stored is None:
            raise Rejected("--static reads files and standard input, and opens no URL: save the page, or leave --static out")
        return read_static(stored, url, options.model, options.home)
    try:
        async with Reader(options.model, home=options.home, executable=options.browser) as reader:
            if stored is None:
                return await reader.read(url, options=rendering)
            return await reader.read_html(stored, url, options=replace(rendering, javascript=STORED.javascript))
    except NoBrowser as error:
        if stored is None:
            raise
        say(f"{error}; reading the file without one")
        return read_static(stored, url, options.model, options.home)


def _stored(target: str) -> bytes | None:
    """Return the bytes of a file; None for a URL."""
    if target.lower().startswith(("http://", "https://")):
        return None
    try:
        return Path(target).read_bytes()
    except OSError as error:
        raise Rejected(f"{target}: not an http(s) URL, and as a file it cannot be read: {error.strerror}") from error


async def _findings(options: Namespace) -> Findings:
    folder = Path(options.target)
    if await asyncio.to_thread(folder.is_dir):
        if options.model != "auto":
            raise Rejected(f"{folder}: a corpus is shown with its own model: leave --model out, or inspect one page with it")
        return await asyncio.to_thread(job.known_findings, folder)
    options.static, options.url = False, ""
    reading = await _read(options, RenderOptions(deadline=options.deadline, picture=True))
    return Findings(
        job=Job(name=reading.document.metadata.title or options.target, url=reading.page.final_url, model=reading.document.model),
        pages=[reading.page],
        pictures=[reading.picture],
        predictions=[reading.probabilities],
        markdown=[reading.document.markdown],
        explain=reading.model.explain if isinstance(reading.model, Explains) else None,
    )


def _folder(options: Namespace) -> Path:
    """Return the folder that the command names, by path or by site."""
    path, is_url = Path(options.folder), "://" in options.folder
    if path.is_dir() or ("/" in options.folder and not is_url):
        return path
    folder = SiteFolder.of(options.folder if is_url else f"https://{options.folder}", options.home).path
    return folder if is_url or folder.is_dir() else path


def _scores(evaluation: Evaluation) -> dict[str, Any]:
    score = evaluation.score
    return {
        "precision": round(score.precision, 4),
        "recall": round(score.recall, 4),
        "f1": round(score.f1, 4),
        "fold_f1": [round(fold.f1, 4) for fold in evaluation.folds],
        "mean_fold_f1": round(float(np.mean([fold.f1 for fold in evaluation.folds])), 4),
    }
