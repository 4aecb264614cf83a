"""The commands that listen: `sightread inspect`, which shows pages, and `sightread serve`, the HTTP service."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import webbrowser
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from aiohttp import web

from classify.model import Explains
from labeling.store import load_labels
from render.browser.resources import cores
from render.errors import Rejected
from sightread.cli.browser_options import egress, render_options
from sightread.cli.options import BrowserOptions, InspectCommand, SourceOptions
from sightread.cli.output import print_message, write
from sightread.cli.servers.arguments import McpCommand, ServeCommand
from sightread.cli.signals import stop_signals
from sightread.cli.sites.site_commands import version_in_use
from sightread.cli.source import read_source, site_of
from sightread.model_choice import check_name
from sightread.reader import TABS_AHEAD, Reader
from sightread.review.session import ReviewSession
from sightread.server.engine import Engine, EnginePolicy
from sightread.server.gate import GatePolicy
from sightread.server.http import serve as serve_at
from sightread.server.http import serve_on_loopback
from sightread.server.inspector import inspector_app
from sightread.server.jobs.store import HOUR, JobLimits
from sightread.server.limits import Limits
from sightread.server.mcp.source import EngineSource
from sightread.server.mcp.stdio import serve_stdio
from sightread.server.mcp.tools import tool_server
from sightread.server.process.listener import Listener
from sightread.server.process.timeouts import MOST_CONNECTIONS
from sightread.server.process.worker import Worker
from sightread.server.requests import HARMLESS_ACTIONS
from sightread.server.service import JobStorage, Service
from sightread.server.tokens import read_tokens
from sightread.server.webhooks import SECRET_SETTING
from sightread.sites import learn as job
from sightread.sites.folders import SiteHome, home_folder
from sightread.sites.store import SiteStore
from sightread.viewer.build import Findings
from sightread.viewer.records import Job


async def inspect(options: InspectCommand) -> int:
    """Serve the viewer over a page or a corpus until stopped; stopping it is success."""
    check_name(options.source.model)
    app = await inspected_app(options.source, options.browsing)
    async with serve_on_loopback(app, options.port) as address:
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
    _allow_connections()
    policy = GatePolicy(
        read_tokens(options.host, options.token_file),
        frozenset(name.lower() for name in options.allow_host),
        frozenset(options.allow_origin),
    )
    limits = Limits(waiting=options.queue, at_once=TABS_AHEAD * (options.browsing.tabs or cores()))
    browsing = options.browsing
    reach = egress(browsing)

    def make_service() -> tuple[Reader, Service]:
        reader = Reader(
            options.model, home=options.home, executable=browsing.browser, tabs=browsing.tabs, egress=reach, light=browsing.light
        )
        return reader, Service(reader, limits, storage=_storage(options), policy=_policy(options))

    return _serve(options, policy, limits, Worker.fork(make_service))


def _allow_connections() -> None:
    """Raise the limit of open files for the connections, as far as the system lets it; many set 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = 2 * MOST_CONNECTIONS + 1000  # and what the worker and its browser open
    if soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed if hard == resource.RLIM_INFINITY else min(needed, hard), hard))


def _storage(options: ServeCommand) -> JobStorage:
    folder = options.state or (options.home or home_folder()) / "service"
    limits = JobLimits(
        lease=options.lease,
        keep=options.keep * HOUR,
        deadline=options.job_deadline * HOUR,
        per_caller=options.jobs_per_caller,
        at_once=options.jobs,
    )
    return JobStorage(options.database or str(folder / "jobs.sqlite3"), folder / "crawls", limits)


def _policy(options: ServeCommand) -> EnginePolicy:
    secret = os.environ.get(SECRET_SETTING, "")
    return EnginePolicy(actions=HARMLESS_ACTIONS | set(options.allow_action), webhook_secret=secret, cache=options.cache << 20)


async def _serve(options: ServeCommand, policy: GatePolicy, limits: Limits, worker: Worker) -> int:
    listener = Listener(worker, limits, policy, options.public_url or "")
    async with worker, listener as front, serve_at(front.app(), options.host, options.port) as address:
        write(f"serving at {address} (Ctrl-C ends it)\n")
        await _stop_signal()
        print_message("stopping: requests under way are answered first; a second signal ends it at once")
        await front.drain()
    return 0


async def mcp(options: McpCommand) -> int:
    """Answer messages of the Model Context Protocol on standard input until it ends. The public web alone can be read."""
    check_name(options.model)
    browsing = options.browsing
    reach = egress(browsing)
    reader = Reader(options.model, home=options.home, executable=browsing.browser, tabs=browsing.tabs, egress=reach, light=browsing.light)
    engine = Engine(reader)
    async with AsyncExitStack() as stack:

        async def start() -> Engine:
            await stack.enter_async_context(reader)
            return engine

        await serve_stdio(tool_server(EngineSource(start)))
    return 0


async def _stop_signal() -> None:
    """Wait for Ctrl-C or SIGTERM; a second signal has its default effect."""
    stopping = asyncio.Event()
    with stop_signals(stopping.set, signal.SIGINT, signal.SIGTERM):
        await stopping.wait()


async def inspected_app(source: SourceOptions, browsing: BrowserOptions) -> web.Application:
    """Return the inspector of a corpus, with corrections if it is labelled and trained, or of a single page."""
    folder = Path(source.target)
    if await asyncio.to_thread(folder.is_dir) and not source.url:
        if source.model != "auto":
            raise Rejected(f"{folder}: a corpus is shown with its own model: leave --model out, or inspect one page with it")
        return await asyncio.to_thread(_corpus_app, version_in_use(folder))
    site = await asyncio.to_thread(_learned_name, source)
    if site is not None:
        return await asyncio.to_thread(_corpus_app, site)
    reading = await read_source(source, browsing, replace(render_options(browsing, site_of(source.target)), picture=True))
    findings = Findings(
        job=Job(name=reading.document.metadata.title or source.target, url=reading.page.final_url, model=reading.document.model),
        pages=[reading.page],
        pictures=[reading.picture],
        predictions=[reading.prediction.relative],
        kept=[reading.document.selection.rows],
        confidence=[reading.document.confidence],
        markdown=[reading.document.markdown],
        explain=reading.model.explain if isinstance(reading.model, Explains) else None,
    )
    url = site_of(source.target)
    if url and await asyncio.to_thread(SiteStore(source.home).find, url) is None:
        write(f"this site is not learned: {reading.model.name} explains the page; to learn the site: sightread learn {url}\n")
    return inspector_app(findings, [reading])


def _corpus_app(folder: Path) -> web.Application:
    site = job.Site.open(folder)
    is_learned = site.folder.model.is_file() and load_labels(site.folder.labels, site.digest) is not None
    return inspector_app(job.known_findings(folder), session=ReviewSession(site) if is_learned else None)


def _learned_name(source: SourceOptions) -> Path | None:
    """Return the version in use if the target is the name of a learned site, such as example.org, and no file."""
    if site_of(source.target) or source.target == "-" or "/" in source.target or source.url or Path(source.target).exists():
        return None
    current = SiteHome((source.home or home_folder()) / "sites" / source.target).current
    return current.path if current else None
