"""Pages per second and CPU time per page: our pool at several widths beside crawl4ai and navigation in kept tabs, on the same real pages.

Each runs in a process of its own with the same Chromium, one after the other, and measures its whole process tree. The server, on
loopback, stays outside of it. It forbids requests to any other host (Content-Security-Policy), so that all of them meet the same web.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from aiohttp import web

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.extractors.engines import ENGINES, OWN
from benchmarks.metrics.cost import descendants
from sightread.render.browser.find_browser import find_browser
from sightread.render.errors import Rejected
from sightread.server.http import serve_on_loopback


@asynccontextmanager
async def served(bodies: Sequence[bytes], headers: Mapping[str, str]) -> AsyncIterator[str]:
    """Serve the pages as /0, /1 and so on with these headers, and yield the server's address; anything else is a 404."""

    async def answer(request: web.Request) -> web.Response:
        name = request.path[1:]
        if not name.isdigit() or int(name) >= len(bodies):
            return web.Response(status=404)
        return web.Response(body=bodies[int(name)], content_type="text/html", charset="utf-8", headers=headers)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    async with serve_on_loopback(app) as root:
        yield root


POLICY = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:"
SETTINGS = {"whole": "scripts and images on", "fast": "scripts and images off"}
FASTER, CHEAPER = 2.5, 0.45
"""Required: least ratio to a peer's pages per second, greatest share of crawl4ai's CPU time per page."""
STARTING, TIMEOUT = 60.0, 3.0
"""Seconds that a run may take: a constant, and a part per page. The slowest engine measured takes 0.7 per page."""


class Run(NamedTuple):
    """One engine at one setting and width."""

    engine: str
    setting: str
    width: int
    pages_per_second: float = 0.0
    cpu_ms: float = 0.0
    failed: int = 0
    ended: str = ""
    """Why it gave no figures; empty if it gave them."""


class Missing(Exception):
    """The interpreter does not have the engine; the message names the missing package."""


def run(data: Path | None, count: int, widths: Sequence[int], peers: Path | None, page_seconds: float = TIMEOUT) -> int:
    """Print a line for each run and the ratios at each one's best width; return 1 if a target is missed."""
    if peers is None:
        print(
            "without the peers: name an interpreter that has crawl4ai with --peers (see docs/benchmarks.md)",
            file=sys.stderr,
        )
    runs = asyncio.run(run_all(wcxb_markup(data_folder(data), count), widths, peers, page_seconds))
    return int(sum(_compare(runs, setting) for setting in SETTINGS) > 0)


def _compare(runs: Sequence[Run], setting: str) -> bool:
    best = {
        name: max(found, key=lambda one: one.pages_per_second)
        for name in ENGINES
        if (found := [one for one in runs if (one.engine, one.setting) == (name, setting) and not one.ended])
    }
    if not best.keys() >= set(OWN):
        print(f"{SETTINGS[setting]}: nothing is compared: {' or '.join(OWN)} gave no figures", file=sys.stderr)
        return True
    own, short = best["sightread"], False
    for name, peer in best.items():
        if name not in OWN:
            speed, cpu = _ratios(own, peer)
            short |= speed < FASTER or (name == "crawl4ai" and cpu > CHEAPER)
            print(f"{SETTINGS[setting]}: {speed:.2f} x the pages per second of {name} (target {FASTER}), {cpu:.2f} x its CPU time per page")
            most, least = _ratios(best["bare"], peer)
            print(f"  of bare navigation: {most:.2f} x and {least:.2f} x: no renderer with this browser passes that")
    return short


def _ratios(one: Run, other: Run) -> tuple[float, float]:
    """Return the ratios of pages per second and of CPU time per page."""
    return one.pages_per_second / other.pages_per_second, one.cpu_ms / other.cpu_ms


async def run_all(bodies: Sequence[bytes], widths: Sequence[int], peers: Path | None, page_seconds: float) -> list[Run]:
    """Run every engine at every setting and width, one after the other; those that are missing are left out with a word."""
    runs: list[Run] = []
    interpreters = dict.fromkeys(OWN, Path(sys.executable)) | ({name: peers for name in ENGINES if name not in OWN} if peers else {})
    async with served(bodies, {"Content-Security-Policy": POLICY}) as root:
        for setting in SETTINGS:
            for width in widths:  # all of them at one width before the next: what drifts on a loaded machine drifts for all
                for name in [name for name in ENGINES if name in interpreters]:
                    try:
                        runs.append(await run_engine(interpreters[name], name, setting, width, (root, len(bodies)), page_seconds))
                    except Missing as error:
                        del interpreters[name]
                        print(f"left out: {name}: {error}", file=sys.stderr, flush=True)
                        continue
                    print(_describe(runs[-1]), flush=True)
    return runs


def _describe(run: Run) -> str:
    figures = f"{run.pages_per_second:5.2f} pages/s, {run.cpu_ms:6.1f} CPU ms per page, {run.failed} failed"
    return f"{run.engine:10} {run.setting:6} {run.width} at once: {run.ended or figures}"


async def run_engine(interpreter: Path, name: str, setting: str, width: int, pages: tuple[str, int], page_seconds: float) -> Run:
    """Run an engine over the given number of pages below a root; one that takes longer than `page_seconds` per page is ended, which is
    recorded.

    Raises `Missing` if the interpreter does not have it, and `Rejected` if that is none.
    """
    root, count = pages
    seconds = STARTING + page_seconds * count
    with tempfile.TemporaryDirectory() as home:  # the peers leave databases and queues there
        command = [
            str(interpreter),
            "-m",
            "benchmarks.extractors.engines",
            name,
            setting,
            str(width),
            root,
            str(count),
            str(find_browser(None)),
        ]
        paths = os.pathsep.join((str(Path.cwd()), *filter(None, [os.environ.get("PYTHONPATH")])))
        environment = {
            **os.environ,
            "PYTHONPATH": paths,
            "CRAWLEE_STORAGE_DIR": home,
            "CRAWLEE_DISABLE_BROWSER_SANDBOX": "1",
            "CRAWL4_AI_BASE_DIRECTORY": home,
        }
        try:
            process = await asyncio.create_subprocess_exec(
                *command, env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
            )
        except OSError as error:
            raise Rejected(f"{interpreter}: not an interpreter that runs: {error.strerror}; name another with --peers") from error
        try:
            async with asyncio.timeout(seconds):
                output, errors = await process.communicate()
        except TimeoutError:
            return Run(name, setting, width, ended=f"hung: ended after {seconds:g} s")
        finally:
            for each in (*descendants(process.pid), process.pid) if process.returncode is None else ():
                with suppress(ProcessLookupError):  # its browser is in a group of its own
                    os.kill(each, signal.SIGKILL)
            await process.wait()
    try:
        return Run(name, setting, width, **json.loads(output.decode().splitlines()[-1]))
    except (IndexError, ValueError):
        last = (errors.decode().strip().splitlines() or ["it said nothing"])[-1]
        if last.startswith(("ModuleNotFoundError", "ImportError")):
            raise Missing(f"{last}: install it there: {interpreter}") from None
        return Run(name, setting, width, ended=f"failed: {last}")


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 200)
    parser.add_argument("--widths", type=int, nargs="+", default=(1, 2, 3, 4), metavar="N", help="pages at once (default: 1 to 4)")
    parser.add_argument("--peers", type=Path, metavar="PYTHON", help="an interpreter that has crawl4ai")
    text = "seconds per page before an engine is ended (default: %(default)g)"
    parser.add_argument("--timeout", dest="page_seconds", type=float, default=TIMEOUT, metavar="S", help=text)


COMMAND = Command(
    "pool",
    "pages per second and CPU time per page, beside crawl4ai",
    lambda options: run(options.data, options.pages, options.widths, options.peers, options.page_seconds),
    _add_options,
)
