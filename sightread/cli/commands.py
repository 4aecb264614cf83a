"""Subcommands that read, label, train, evaluate and serve. Each returns an exit code."""

from __future__ import annotations

import asyncio
import signal
import sys
import webbrowser
from argparse import Namespace
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


async def extract(options: Namespace) -> int:
    """Print the main content of one page."""
    rendering = render_options(options, _site(options.target))
    if options.picture or options.overlay:
        check_drawing(options)
        rendering = replace(rendering, picture=True, picture_scale=FULL_SCALE if options.picture else SCALE)
    reading = await _read(options, rendering)
    save_drawings(reading, options)
    if reading.note:
        print_message(reading.note)
    if reading.document.reason:
        print_message(reading.document.reason)
    also = [*options.also, "left_out"] if options.explain else options.also
    document = reading.document.without(*options.without)
    text = formatted(document, options.format, also)
    if options.explain and options.format != "json":
        sys.stderr.write(explanation(document))
    if options.output:
        write_atomically(options.output, text.encode())
    else:
        write(text)
    return 0


async def compare(options: Namespace) -> int:
    """Compare the models on a page or a corpus."""
    folder = Path(options.target)
    models = {name: make() for name, make in DOM_ONLY.items()}
    if (folder / CORPUS).is_file() and not options.url:
        if options.blocks or options.model != "auto":
            raise Rejected(f"{folder}: --blocks and --model are for a single page, and this is a corpus: leave them out")
        site = job.Site.open(folder)
        pages, reference, truth = site.pages, "labels", site.labels().labels
        if site.folder.model.is_file():
            models = {SiteModel.name: site.model(), **models}
    else:
        reading = await _read(options, render_options(options, _site(options.target)))
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


async def label(options: Namespace) -> int:
    """Label the blocks of a crawled site."""
    labeler = find_labeler(options.labeler)
    site = job.Site.open(_folder(options))
    labels = await asyncio.to_thread(job.label, site, labeler)
    content = [cluster for cluster in labels.clusters if cluster.role]
    confidence = labels.confidence
    print_result(
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
    print_result(options, {"model": str(site.folder.model), "pages": model.pages})
    return 0


async def evaluate(options: Namespace) -> int:
    """Cross-validate a model by page."""
    named = DOM_ONLY.get(options.model)
    if named is None and options.model != SiteModel.name:
        check_name(options.model)
        raise Rejected(f"{options.model!r} names no one model: evaluate site, or one of {', '.join(DOM_ONLY)}")
    make = partial(AsShipped, named()) if named else SiteModel
    site = job.Site.open(_folder(options))
    evaluation = await asyncio.to_thread(job.evaluate, site, make, options.folds)
    print_result(options, {"model": options.model} | _scores(evaluation))
    return 0


async def inspect(options: Namespace) -> int:
    """Serve the viewer over a page or a corpus until stopped; stopping it is success."""
    check_name(options.model)
    findings = await _findings(options)
    async with serve_on_loopback(inspector_app(findings), options.port) as address:
        write(f"the inspector is at {address}/ (Ctrl-C ends it)\n")
        if not options.no_open:
            await asyncio.to_thread(webbrowser.open, f"{address}/")
        await _stop_signal()
    return 0


def serve(options: Namespace) -> Coroutine[Any, Any, int]:
    """Serve the HTTP service until stopped. Requests under way are answered, new ones are refused meanwhile.

    The worker process is forked here, before an event loop exists.
    """
    check_name(options.model)
    token = read_token(options.host)
    reach = egress(options)

    def make_service() -> tuple[Reader, Service]:
        browser = {"executable": options.browser, "tabs": options.tabs, "light": options.light}
        reader = Reader(options.model, home=options.home, egress=reach, **browser)
        return reader, Service(reader)

    return _serve(options, token, Worker.fork(make_service))


async def _serve(options: Namespace, token: str, worker: Worker) -> int:
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


async def _read(options: Namespace, rendering: RenderOptions) -> Reading:
    """Read the page that the command names, with a browser if one is allowed and available."""
    stored = await asyncio.to_thread(_stored, options)
    url = options.url if stored is not None else options.target
    if options.static:
        if stored is None:
            raise Rejected("--static reads files and standard input, and opens no URL: save the page, or leave --static out")
        return await asyncio.to_thread(_read_static, options, stored)
    reach = egress(options)
    if stored is None:
        await Boundary(reach).admit(url)  # a wrong address starts no browser
    try:
        async with Reader(options.model, home=options.home, executable=options.browser, egress=reach) as reader:
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
        return await asyncio.to_thread(_read_static, options, stored)


def _read_static(options: Namespace, stored: bytes | Archive) -> Reading:
    if isinstance(stored, Archive):
        return read_archived_static(stored, options.url, options.model, options.home)
    return read_static(stored, options.url, options.model, options.home)


def _site(target: str) -> str:
    """Return the target if it is a URL; empty for a file."""
    return target if target.lower().startswith(("http://", "https://")) else ""


def _stored(options: Namespace) -> bytes | Archive | None:
    """Return the content of the command's file; None for a URL."""
    target: str = options.target
    if target == "-":
        check_is_page(options.typed)
        typed: bytes = options.typed
        return typed
    if _site(target):
        return None
    if not Path(target).exists():
        raise Rejected(f"{target}: not an http(s) URL, and as a file it cannot be read: No such file or directory")
    return open_file(Path(target), options.url)


async def _findings(options: Namespace) -> Findings:
    folder = Path(options.target)
    if await asyncio.to_thread(folder.is_dir) and not options.url:
        if options.model != "auto":
            raise Rejected(f"{folder}: a corpus is shown with its own model: leave --model out, or inspect one page with it")
        return await asyncio.to_thread(job.known_findings, _in_use(folder))
    options.static = False
    reading = await _read(options, replace(render_options(options, _site(options.target)), picture=True))
    return Findings(
        job=Job(name=reading.document.metadata.title or options.target, url=reading.page.final_url, model=reading.document.model),
        pages=[reading.page],
        pictures=[reading.picture],
        predictions=[reading.prediction.relative],
        kept=[reading.document.selection.rows],
        confidence=[reading.document.confidence],
        markdown=[reading.document.markdown],
        explain=reading.model.explain if isinstance(reading.model, Explains) else None,
    )


def _folder(options: Namespace) -> Path:
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
