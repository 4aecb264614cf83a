"""The command `inspect`, which shows pages in the browser."""

from __future__ import annotations

import asyncio
import re
import signal
import webbrowser
from dataclasses import replace
from pathlib import Path

from aiohttp import web

from sightread.cli.commands import InspectCommand
from sightread.cli.run import stop_signals, write
from sightread.cli.stored import site_of, with_scheme
from sightread.cli.visiting import read_target, render_options
from sightread.models.model_choice import check_name
from sightread.render.errors import Rejected
from sightread.server.http import serve
from sightread.server.inspector import app_of, inspect_corpus, inspect_reading
from sightread.sites.catalog import look_up_site, version_in_use
from sightread.sites.store import SiteStore
from sightread.viewer.report import unlearned_site

_JOB_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


async def inspect(options: InspectCommand) -> None:
    """Serve the viewer over a page or a corpus until stopped; stopping it is success."""
    check_name(options.model)
    app = await inspected_app(options)
    assert options.sockets is not None
    async with serve(app, options.sockets) as address:
        write(f"the inspector is at {address}/ (Ctrl-C ends it)\n")
        if not options.no_open:
            await asyncio.to_thread(webbrowser.open, f"{address}/")
        stopped = asyncio.Event()
        with stop_signals(stopped.set, signal.SIGINT, signal.SIGTERM):
            await stopped.wait()


async def inspected_app(options: InspectCommand) -> web.Application:
    """Return the inspector of a corpus, with corrections if it is labelled and trained, or of a single page."""
    corpus = await asyncio.to_thread(_find_corpus, options)
    if corpus is None and _JOB_ID.fullmatch(options.target):
        from sightread.server.jobs.sites import find_job_folder  # noqa: PLC0415  (the service takes half a second to import)

        corpus = await find_job_folder(options.target, options.home)
    if corpus is not None:
        return app_of(await asyncio.to_thread(inspect_corpus, corpus))
    target = with_scheme(options.target)
    reading = await read_target(options, target, replace(render_options(options, site_of(target)), picture=True))
    unlearned = await asyncio.to_thread(unlearned_site, reading.page.final_url if site_of(target) else "", SiteStore(options.home))
    if unlearned:
        write(f"{unlearned.name} is not learned: {reading.model.name} explains the page; to learn the site: {unlearned.command}\n")
    return app_of(inspect_reading(reading, unlearned))


def _find_corpus(options: InspectCommand) -> Path | None:
    """Return the folder that the target is, or the version in use of the learned site that it names, such as 127.0.0.1:8913."""
    folder = Path(options.target)
    if folder.is_dir() and not options.url:
        if options.model != "auto":
            raise Rejected(f"{folder}: a corpus is shown with its own model: leave --model out, or inspect one page with it")
        return version_in_use(folder)
    if site_of(options.target) or options.target == "-" or "/" in options.target or options.url or folder.exists():
        return None
    site = look_up_site(options.target, options.home)
    return site.current.path if site and site.current else None
