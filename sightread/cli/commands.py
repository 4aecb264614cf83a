"""Subcommands that read, label, train, evaluate and serve. Each returns an exit code."""

from __future__ import annotations

import asyncio
import signal
import sys
import webbrowser
from collections.abc import Coroutine
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from rich.console import Console

from classify.evaluation import Evaluation
from classify.model import Explains
from classify.site.model import SiteModel
from labeling.registry import find_labeler
from render.archives.base import Archive
from render.browser.browser import STORED, RenderOptions
from render.errors import NoBrowser, Rejected
from render.files import write_atomically
from render.network.egress import Boundary
from render.visit.picture import SCALE
from sightread.archived import CORPUS, check_is_page, open_file, read_archived_static
from sightread.cli.browser_options import egress, render_options
from sightread.cli.compare import as_record, block_lines, labels_of, print_comparison
from sightread.cli.compare import compare as compare_models
from sightread.cli.drawing import FULL_SCALE, check_drawing, save_drawings
from sightread.cli.learn_commands import crawl, demo, learn
from sightread.cli.options import (
    BrowserOptions,
    CompareCommand,
    EvaluateCommand,
    ExtractCommand,
    InspectCommand,
    LabelCommand,
    ServeCommand,
    SourceOptions,
    TrainCommand,
)
from sightread.cli.output import explanation, formatted, print_message, print_result, write
from sightread.cli.signals import stop_signals
from sightread.model_choice import DOM_ONLY, check_name
from sightread.reader import Reader
from sightread.reading import Reading, read_static
from sightread.server.http import read_token, serve_on_loopback
from sightread.server.http import serve as serve_at
from sightread.server.inspector import inspector_app
from sightread.server.listener import Listener
from sightread.server.service import Service
from sightread.server.worker import Worker
from sightread.shipped_models import AsShipped
from sightread.sites import learn as job
from sightread.sites.folders import SiteHome
from sightread.viewer.build import Findings
from sightread.viewer.records import Job

__all__ = ["compare", "crawl", "demo", "evaluate", "extract", "inspect", "label", "learn", "serve", "train"]


async def extract(options: ExtractCommand) -> int:
    """Print the main content of one page."""
    source, drawings = options.source, options.drawings
    rendering = render_options(options.browsing, _site(source.target))
    if drawings.picture or drawings.overlay:
        check_drawing(drawings, static=source.static)
        rendering = replace(rendering, picture=True, picture_scale=FULL_SCALE if drawings.picture else SCALE)
    reading = await _read(source, options.browsing, rendering)
    save_drawings(reading, drawings)
    if reading.note:
        print_message(reading.note)
    if reading.document.reason:
        print_message(reading.document.reason)
    also = (*options.also, "left_out") if options.explain else options.also
    document = reading.document.without(*options.without)
    text = formatted(document, options.format, also)
    if options.explain and options.format != "json":
        sys.stderr.write(explanation(document))
    if options.output:
        write_atomically(options.output, text.encode())
    else:
        write(text)
    return 0


async def compare(options: CompareCommand) -> int:
    """Compare the models on a page or a corpus."""
    source = options.source
    folder = Path(source.target)
    models = {name: make() for name, make in DOM_ONLY.items()}
    if (folder / CORPUS).is_file() and not source.url:
        if options.blocks or source.model != "auto":
            raise Rejected(f"{folder}: --blocks and --model are for a single page, and this is a corpus: leave them out")
        site = job.Site.open(folder)
        pages, reference, truth = site.pages, "labels", site.labels().labels
        if site.folder.model.is_file():
            models = {SiteModel.name: site.model(), **models}
    else:
        reading = await _read(source, options.browsing, render_options(options.browsing, _site(source.target)))
        pages, reference = (reading.page,), reading.document.model or "all of it"
        truth = (labels_of(reading.document),)
        if reading.document.version:
            models = {SiteModel.name: reading.model, **models}
    compared = await asyncio.to_thread(compare_models, pages, models, reference, truth)
    if options.json:
        write(msgspec.json.encode(as_record(compared)).decode() + "\n")
        return 0
    print_comparison(compared, Console())
    if options.blocks:
        write("\n".join(block_lines(pages[0], compared)) + "\n")
    return 0


async def label(options: LabelCommand) -> int:
    """Label the blocks of a crawled site."""
    labeler = find_labeler(options.labeler)
    site = job.Site.open(_folder(options.step))
    labels = await asyncio.to_thread(job.label, site, labeler)
    confidence = labels.confidence
    print_result(
        {
            "labels": str(site.folder.labels),
            "pages": len(site.pages),
            "clusters": len(labels.clusters),
            "content_clusters": sum(cluster.is_content for cluster in labels.clusters),
            "templates": len(labels.templates),
            "confidence": round(confidence.value, 4),
            "advice": list(confidence.advice),
        },
        json=options.step.json,
    )
    return 0


async def train(options: TrainCommand) -> int:
    """Train a site's model."""
    site = job.Site.open(_folder(options))
    model = await asyncio.to_thread(job.train, site)
    print_result({"model": str(site.folder.model), "pages": model.pages}, json=options.json)
    return 0


async def evaluate(options: EvaluateCommand) -> int:
    """Cross-validate a model by page."""
    named = DOM_ONLY.get(options.model)
    if named is None and options.model != SiteModel.name:
        check_name(options.model)
        raise Rejected(f"{options.model!r} names no one model: evaluate site, or one of {', '.join(DOM_ONLY)}")
    make = partial(AsShipped, named()) if named else SiteModel
    site = job.Site.open(_folder(options.step))
    evaluation = await asyncio.to_thread(job.evaluate, site, make, options.folds)
    standing = None if named else site.folder.standing()
    trust = {"expected_f1": round(standing.expected_f1, 4), "trusted": not standing.doubt, "doubt": standing.doubt} if standing else {}
    print_result({"model": options.model} | _scores(evaluation) | trust, json=options.step.json)
    return 0


async def inspect(options: InspectCommand) -> int:
    """Serve the viewer over a page or a corpus until stopped; stopping it is success."""
    check_name(options.source.model)
    findings = await _findings(options.source, options.browsing)
    async with serve_on_loopback(inspector_app(findings), options.port) as address:
        write(f"the inspector is at {address}/ (Ctrl-C ends it)\n")
        if not options.no_open:
            await asyncio.to_thread(webbrowser.open, f"{address}/")
        await _stop_signal()
    return 0


def serve(options: ServeCommand) -> Coroutine[Any, Any, int]:
    """Serve the HTTP service until stopped. Requests under way are answered, new ones are refused meanwhile.

    The worker process is forked here, before an event loop exists.
    """
    check_name(options.model)
    token = read_token(options.host)
    browsing = options.browsing
    reach = egress(browsing)

    def make_service() -> tuple[Reader, Service]:
        reader = Reader(
            options.model, home=options.home, executable=browsing.browser, tabs=browsing.tabs, egress=reach, light=browsing.light
        )
        return reader, Service(reader)

    return _serve(options, token, Worker.fork(make_service))


async def _serve(options: ServeCommand, token: str, worker: Worker) -> int:
    async with worker, Listener(worker, token=token) as front, serve_at(front.app(), options.host, options.port) as address:
        write(f"serving at {address} (Ctrl-C ends it)\n")
        await _stop_signal()
        print_message("stopping: requests under way are answered first; a second signal ends it at once")
        await front.drain()
    return 0


async def _stop_signal() -> None:
    """Wait for Ctrl-C or SIGTERM; a second signal has its default effect."""
    asked = asyncio.Event()
    with stop_signals(asked.set, signal.SIGINT, signal.SIGTERM):
        await asked.wait()


async def _read(source: SourceOptions, browsing: BrowserOptions, rendering: RenderOptions) -> Reading:
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


def _read_static(source: SourceOptions, stored: bytes | Archive) -> Reading:
    if isinstance(stored, Archive):
        return read_archived_static(stored, source.url, source.model, source.home)
    return read_static(stored, source.url, source.model, source.home)


def _site(target: str) -> str:
    """Return the target if it is a URL; empty for a file."""
    return target if target.lower().startswith(("http://", "https://")) else ""


def _stored(source: SourceOptions) -> bytes | Archive | None:
    """Return the content of the command's file; None for a URL."""
    if source.target == "-":
        check_is_page(source.standard_input)
        return source.standard_input
    if _site(source.target):
        return None
    if not Path(source.target).exists():
        raise Rejected(f"{source.target}: not an http(s) URL, and as a file it cannot be read: No such file or directory")
    return open_file(Path(source.target), source.url)


async def _findings(source: SourceOptions, browsing: BrowserOptions) -> Findings:
    folder = Path(source.target)
    if await asyncio.to_thread(folder.is_dir) and not source.url:
        if source.model != "auto":
            raise Rejected(f"{folder}: a corpus is shown with its own model: leave --model out, or inspect one page with it")
        return await asyncio.to_thread(job.known_findings, _in_use(folder))
    reading = await _read(source, browsing, replace(render_options(browsing, _site(source.target)), picture=True))
    return Findings(
        job=Job(name=reading.document.metadata.title or source.target, url=reading.page.final_url, model=reading.document.model),
        pages=[reading.page],
        pictures=[reading.picture],
        predictions=[reading.prediction.relative],
        kept=[reading.document.selection.rows],
        confidence=[reading.document.confidence],
        markdown=[reading.document.markdown],
        explain=reading.model.explain if isinstance(reading.model, Explains) else None,
    )


def _folder(options: TrainCommand) -> Path:
    """Return the version folder that the command names, by path or by site."""
    path, is_url = Path(options.folder), "://" in options.folder
    if path.is_dir() or ("/" in options.folder and not is_url):
        return _in_use(path)
    site = SiteHome.of(options.folder if is_url else f"https://{options.folder}", options.home).path
    return _in_use(site) if is_url or site.is_dir() else path


def _in_use(folder: Path) -> Path:
    """Return the version in use if the folder is a site's home, else the folder itself."""
    current = SiteHome(folder).current
    return current.path if current else folder


def _scores(evaluation: Evaluation) -> dict[str, Any]:
    score = evaluation.score
    return {
        "precision": round(score.precision, 4),
        "recall": round(score.recall, 4),
        "f1": round(score.f1, 4),
        "fold_f1": [round(fold.f1, 4) for fold in evaluation.folds],
        "mean_fold_f1": round(float(np.mean([fold.f1 for fold in evaluation.folds])), 4),
    }
