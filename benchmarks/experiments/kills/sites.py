"""`sightread learn --sites` on one worker and on two, of which one is killed: every site once, no host faster than its limit.

Sites are made up and served on addresses of this machine; the server's log is the judge. Workers have homes of their own, as machines have.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from aiohttp import web

from benchmarks.experiments.kills.sites_over_dask import KILL_SECONDS, THREADS
from benchmarks.service import postgresql
from benchmarks.sites.local_site import Article

CRAWL_DELAY = 12
"""Seconds that the first site declares: longer than a lease."""
FEW_PAGES = 4
"""Pages of that site."""
RATED = 4
"""Visits over which the delay is measured: one may be late by some tenths of a second on a loaded machine, and the next one not."""


@dataclass(slots=True)
class Sites:
    """Made-up sites of a front page and articles, and the log of their visits."""

    count: int
    pages: int
    delay: float
    port: int = 0
    visits: list[tuple[float, str, str]] = field(default_factory=list)
    """Time, host and path of each page that was requested."""

    def hosts(self) -> list[str]:
        """Return the hosts."""
        return [f"127.0.2.{number + 1}" for number in range(self.count)]

    def size(self, host: str) -> int:
        """Return the number of articles of a site."""
        return FEW_PAGES if host == self.hosts()[0] else self.pages

    def limit(self, host: str) -> float:
        """Return the least seconds between two visits of a site."""
        return CRAWL_DELAY if host == self.hosts()[0] else self.delay

    async def answer(self, request: web.Request) -> web.Response:
        """Answer a request."""
        host, path = request.url.host or "", request.path
        if path == "/robots.txt":
            return web.Response(text=f"User-agent: *\nCrawl-delay: {CRAWL_DELAY}\n" if self.limit(host) == CRAWL_DELAY else "")
        name = path.strip("/").removeprefix("story/").partition("-")[0]
        if path != "/" and not (name.isdigit() and int(name) < self.size(host)):
            return web.Response(status=404)
        self.visits.append((time.monotonic(), host, path))
        return web.Response(text=self._page(host, int(name or -1)), content_type="text/html")

    def _page(self, host: str, row: int) -> str:
        articles = [Article(number, int(host.rpartition(".")[2])) for number in range(self.size(host))]
        links = "".join(f'<li><a href="/story/{number}-of-the-town">{each.title}</a></li>' for number, each in enumerate(articles))
        title, main = "The Town Paper", f"<ul class=list>{links}</ul>"
        if row >= 0:
            article = articles[row]
            text = "".join(f"<p class=text>{each}</p>" for each in article.paragraphs()[:8])
            title, main = article.title, f"<article><h1>{article.title}</h1><p class=lead>{article.lead}</p>{text}</article>"
        head = f'<title>{title}</title><meta name=description content="{articles[max(row, 0)].lead}">'
        menu = "<ul class=menu><li><a href=/>Front page</a></li><li>Weather</li><li>Sports of the town</li></ul>"
        foot = "<footer><p>The Town Paper is printed in the harbour. All rights reserved.</p></footer>"
        return f"<!doctype html><html lang=en><head>{head}</head><body>{menu}<main>{main}</main>{foot}</body></html>"

    def shortest(self) -> float:
        """Return the shortest mean time between visits of one host, over `RATED` of them, as a share of its limit."""
        shares = []
        for host in self.hosts():
            times = [at for at, each, _ in self.visits if each == host]
            shares += [(after - before) / RATED / self.limit(host) for before, after in zip(times, times[RATED:], strict=False)]
        return min(shares)

    def again(self) -> int:
        """Return the number of visits of pages that had been visited before."""
        return len(self.visits) - len({visit[1:] for visit in self.visits})


@asynccontextmanager
async def _serving(sites: Sites) -> AsyncIterator[None]:
    app = web.Application()
    app.router.add_get("/{path:.*}", sites.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        for host in sites.hosts():
            await web.TCPSite(runner, host, sites.port).start()
            sites.port = runner.addresses[0][1]
        yield
    finally:
        await runner.cleanup()


class Workers:
    """Programs that learn the sites, each with a home of its own."""

    def __init__(self, sites: Sites, folder: Path, database: str) -> None:
        self._folder = folder
        (folder / "sites.txt").write_text("".join(f"http://{host}:{sites.port}/\n" for host in sites.hosts()))
        self._options = [*("--sites", str(folder / "sites.txt"), "--pages", str(sites.pages), "--delay", str(sites.delay))]
        self._options += ["--local", "--light", "--json"]
        self._of_queue = ["--sites-at-once", str(THREADS), "--database", database]
        self._running: list[asyncio.subprocess.Process] = []

    async def start(self, number: int) -> asyncio.subprocess.Process:
        """Start the worker of that number."""
        return await self._start([sys.executable, "-m", "sightread.cli.parser", "learn"], number, self._of_queue)

    async def start_dask(self, python: Path, workers: int, kills: int) -> asyncio.subprocess.Process:
        """Start the command with a cluster of workers, of which the last is killed."""
        return await self._start([str(python), "-m", "benchmarks.experiments.kills.sites_over_dask", str(workers), str(kills)], 0, [])

    async def _start(self, program: Sequence[str], number: int, options: Sequence[str]) -> asyncio.subprocess.Process:
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        command = [*program, *self._options, *options, "--home", str(self._folder / f"home-{number}")]
        with (self._folder / f"errors-{number}").open("ab") as errors:
            worker = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, stderr=errors, env=environment)
        self._running.append(worker)
        return worker

    async def kill_and_restart(self, worker: asyncio.subprocess.Process, kills: int) -> int:
        """Kill a worker at random moments, and start it again; return how often it was running."""
        chance, killed = random.Random(52), 0
        for _ in range(kills):
            await asyncio.sleep(chance.uniform(*KILL_SECONDS))
            killed += worker.returncode is None
            with suppress(ProcessLookupError):
                worker.kill()
            await worker.wait()
            worker = await self.start(1)
        return killed

    def close(self) -> None:
        """Kill those that still run."""
        for worker in self._running:
            with suppress(ProcessLookupError):
                worker.kill()


async def _measure(name: str, sites: Sites, workers: int, kills: int, python: Path | None) -> tuple[bool, float]:
    """Learn the sites; print whether all holds, and return that and the seconds."""
    server = nullcontext("") if python else postgresql.running()
    with tempfile.TemporaryDirectory(prefix="sites-") as folder, server as database:
        async with _serving(sites):
            began = time.monotonic()
            programs = Workers(sites, Path(folder), database)
            try:
                if python:
                    first, killing = await programs.start_dask(python, workers, kills), None
                else:
                    first, *others = [await programs.start(number) for number in range(workers)]
                    killing = asyncio.create_task(programs.kill_and_restart(others[0], kills)) if kills else None
                printed, _ = await first.communicate()
                seconds = time.monotonic() - began
                killed = await killing if killing else kills
            finally:
                programs.close()
        rows = [json.loads(line) for line in printed.splitlines() if line.startswith(b"{")]
        if first.returncode not in (0, 5):
            print((Path(folder) / "errors-0").read_text()[-2000:])
    good = [row for row in rows if row["state"] != "failed" and row["pages"] >= min(FEW_PAGES, sites.pages)]
    holds = first.returncode in (0, 5) and len({row["site"] for row in good}) == len(rows) == sites.count
    holds &= killed == kills and sites.shortest() >= 0.98
    figures = f"{len(rows)} sites, {len(good)} learned, {sites.again()} pages visited again"
    delays = f"shortest delay {sites.shortest():.2f} of the limit"
    print(f"{name}: {seconds:.0f} s, {killed} kills, {figures}, {delays}: {'holds' if holds else 'DOES NOT HOLD'}", flush=True)
    return holds, seconds


def run(sites: Sites, kills: int, python: Path | None) -> int:
    """Print what one worker, two, and two of which one is killed, take; return 1 if a site is not learned, or visited too fast."""
    runs = {"one worker": (1, 0), "two workers": (2, 0), "two workers, one killed": (2, kills)}
    results = [asyncio.run(_measure(name, replace(sites, visits=[]), *counts, python)) for name, counts in runs.items()]
    alone = results[0][1]
    print(f"two workers: {alone / results[1][1]:.2f} times one; with kills {alone / results[2][1]:.2f} times")
    return int(not all(holds for holds, _ in results))
