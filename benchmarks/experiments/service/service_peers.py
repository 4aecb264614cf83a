"""The service beside a service over crawl4ai, on the same pages of a site on this machine: rounds in turn, in one run.

Clients send one URL after the other, each when its last answer is there. Both services run all the while, and one of them is idle while the
other is measured. Both start the same browser. Ours answers `extract` with the document's JSON, the peer with Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import numpy as np

from benchmarks.commands import Command, add_pages
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.experiments.rendering.pool import POLICY
from benchmarks.extractors.served import served
from benchmarks.metrics.cost import descendants
from benchmarks.report import grid
from benchmarks.service.programs import family_cpu, family_memory, start_server, start_service
from sightread.render.browser.find_browser import find_browser
from sightread.render.errors import SightreadError, Unequipped

START_TIMEOUT = 300.0
"""Seconds in which a service must serve, and give its first page."""
ANSWER_TIMEOUT = 60.0
"""Seconds for one answer; a service that needs longer is recorded as hung, and ended."""
WARM = 10
"""Pages before the clock starts."""
SIGHTREAD, CRAWL4AI = "sightread", "crawl4ai"


@dataclass
class Contender:
    """A service under measurement: its process, its route, and what came of its rounds."""

    name: str
    process: asyncio.subprocess.Process
    route: str
    body: Callable[[int], dict[str, Any]]
    """From the number of a page to the body of the request for it."""
    is_read: Callable[[dict[str, Any]], bool]
    """Whether an answer has the text of the page."""
    rounds: dict[int, list[Round]] = field(default_factory=dict)
    """By the number of clients."""
    ended: str = ""
    """Why it is not measured any more; empty if it is."""


@dataclass
class Round:
    """One contender under one load for some seconds."""

    seconds: float = 0.0
    cpu: float = 0.0
    """Seconds of the processes of the service, the browser's included."""
    memory: list[int] = field(default_factory=list)
    """Bytes of those processes, once per second."""
    latencies: list[float] = field(default_factory=list)
    """Seconds, of the pages that were read."""
    failed: int = 0


def run(data: Path | None, pages: int, python: Path | None, clients: Sequence[int], rounds: int, seconds: float, at_once: int) -> int:
    """Print a table, and return 1 if a figure of ours is not ahead."""
    found = asyncio.run(_run(wcxb_markup(data_folder(data), pages), python, clients, rounds, seconds, at_once))
    rows = [[*_figures(each, number)] for number in clients for each in found if each.rounds.get(number)]
    print(grid(("clients", "service", "pages per second", "p50", "p95", "CPU ms per page", "MiB, mean", "MiB, most", "failed"), rows))
    peer = next((each for each in found if each.name == CRAWL4AI), None)
    if peer is None:
        return 0
    if peer.ended:
        print(f"{CRAWL4AI}: {peer.ended}")
    is_ahead = [_compare(found[0], peer, number) for number in clients if peer.rounds.get(number)]
    return int(not all(is_ahead))


async def _run(
    bodies: Sequence[bytes], python: Path | None, clients: Sequence[int], rounds: int, seconds: float, at_once: int
) -> list[Contender]:
    async with AsyncExitStack() as stack:
        root = await stack.enter_async_context(served(bodies, {"Content-Security-Policy": POLICY}))
        contenders = [await stack.enter_async_context(_sightread(root))]
        try:
            contenders.append(await stack.enter_async_context(_peer(root, python, at_once)))
        except SightreadError as error:
            print(f"left out: {CRAWL4AI}: {error}", file=sys.stderr)
        os.nice(10)  # clients are on other machines: what they take of this one is not the service's
        session = await stack.enter_async_context(aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=ANSWER_TIMEOUT)))
        for each in contenders:
            await _measure(each, session, len(bodies), 1, pages=WARM)
        for number in clients:
            for turn in range(rounds):
                for each in contenders if turn % 2 == 0 else reversed(contenders):
                    if not each.ended:
                        each.rounds.setdefault(number, []).append(await _measure(each, session, len(bodies), number, seconds))
    return contenders


@asynccontextmanager
async def _sightread(root: str) -> AsyncIterator[Contender]:
    port = int(root.rpartition(":")[2])
    with TemporaryDirectory() as home:
        process, address = await start_service(port, ("--model", "global"), os.environ | {"SIGHTREAD_HOME": home})
        async with _ending(process):
            yield Contender(
                SIGHTREAD,
                process,
                f"{address}/api/v1/extract",
                lambda number: {"url": f"http://bench-{port}.example/{number}"},
                lambda answer: bool(answer.get("text")),
            )


@asynccontextmanager
async def _peer(root: str, python: Path | None, at_once: int) -> AsyncIterator[Contender]:
    """Start the peer. Raises `Unequipped` if there is none, or if it does not start in time."""
    if python is None:
        raise Unequipped("name an interpreter that has crawl4ai, fastapi and uvicorn with --python (see docs/benchmarks.md)")
    with TemporaryDirectory() as home:
        paths = os.pathsep.join((str(Path.cwd()), *filter(None, [os.environ.get("PYTHONPATH")])))
        environment = os.environ | {"PYTHONPATH": paths, "CRAWL4_AI_BASE_DIRECTORY": home, "CRAWL4AI_NO_CLOUD_NOTICE": "1"}
        command = [str(python), "-m", "benchmarks.service.crawl4ai_app", str(find_browser(None)), str(at_once)]
        try:
            async with asyncio.timeout(START_TIMEOUT):
                process, address = await start_server(command, environment)
        except (TimeoutError, OSError) as error:
            raise Unequipped(f"it does not start within {START_TIMEOUT:g} s: {error or 'no answer'}") from error
        async with _ending(process):
            yield Contender(
                CRAWL4AI,
                process,
                f"{address}/crawl",
                lambda number: {"urls": [f"{root}/{number}"]},
                lambda answer: bool(answer["results"][0]["markdown"]),
            )


@asynccontextmanager
async def _ending(process: asyncio.subprocess.Process) -> AsyncIterator[None]:
    """End a process with all that it started."""
    try:
        yield
    finally:
        for each in (*descendants(process.pid), process.pid) if process.returncode is None else ():
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        await process.wait()


async def _measure(
    contender: Contender, session: aiohttp.ClientSession, count: int, clients: int, seconds: float = START_TIMEOUT, pages: int = 0
) -> Round:
    """Send pages for a number of seconds, or until a number of pages were answered."""
    found, row = Round(), iter(range(1_000_000))
    began = time.perf_counter()

    async def send() -> None:
        for number in row:
            begun = time.perf_counter()
            if contender.ended or begun - began > seconds or (pages and number >= pages):
                return
            try:
                async with session.post(contender.route, json=contender.body(number % count)) as response:
                    answer = json.loads(await response.read())
                    is_read = response.status == 200 and contender.is_read(answer)
            except TimeoutError:
                contender.ended = f"hung: no answer within {ANSWER_TIMEOUT:g} s, and ended"
                return
            except (aiohttp.ClientError, ValueError):
                is_read = False
            if is_read:
                found.latencies.append(time.perf_counter() - begun)
            else:
                found.failed += 1

    async def watch() -> None:
        while True:
            found.memory.append(await asyncio.to_thread(family_memory, contender.process.pid))
            await asyncio.sleep(1.0)

    watching = asyncio.create_task(watch())
    cpu = family_cpu(contender.process.pid)
    await asyncio.gather(*(send() for _ in range(clients)))
    found.cpu, found.seconds = family_cpu(contender.process.pid) - cpu, time.perf_counter() - began
    watching.cancel()
    if not found.latencies and not contender.ended:
        contender.ended = "it gave no page"
    return found


@dataclass(frozen=True)
class _Means:
    per_second: float
    middle: float
    high: float
    cpu_ms: float
    memory: float
    most_memory: float
    failed: int


def _means(contender: Contender, clients: int) -> _Means:
    rounds = contender.rounds[clients]
    latencies = [latency for each in rounds for latency in each.latencies] or [float("nan")]
    read, memory = max(1, sum(len(each.latencies) for each in rounds)), [value for each in rounds for value in each.memory] or [0]
    middle, high = np.percentile(latencies, [50, 95])
    return _Means(
        read / sum(each.seconds for each in rounds),
        float(middle),
        float(high),
        1000 * sum(each.cpu for each in rounds) / read,
        float(np.mean(memory)) / 2**20,
        max(memory) / 2**20,
        sum(each.failed for each in rounds),
    )


def _figures(contender: Contender, clients: int) -> tuple[str, ...]:
    means = _means(contender, clients)
    return (
        *(str(clients), contender.name, f"{means.per_second:.2f}", f"{means.middle:.2f} s", f"{means.high:.2f} s", f"{means.cpu_ms:.0f}"),
        *(f"{means.memory:.0f}", f"{means.most_memory:.0f}", str(means.failed)),
    )


def _compare(sightread: Contender, peer: Contender, clients: int) -> bool:
    """Print the ratios, and return whether ours is ahead in each."""
    own, other = _means(sightread, clients), _means(peer, clients)
    ratios = {
        "pages per second": own.per_second / other.per_second,
        "p50": own.middle / other.middle,
        "p95": own.high / other.high,
        "CPU": own.cpu_ms / other.cpu_ms,
        "memory": own.memory / other.memory,
    }
    print(f"{clients} clients, sightread to {CRAWL4AI}'s: {', '.join(f'{name} {ratio:.2f}' for name, ratio in ratios.items())}")
    return ratios.pop("pages per second") > 1 and all(ratio < 1 for ratio in ratios.values())


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_pages(parser, 60)
    parser.add_argument("--python", type=Path, metavar="PATH", help="an interpreter that has crawl4ai, fastapi and uvicorn")
    parser.add_argument("--clients", type=int, nargs="+", default=(4, 16), metavar="N", help="at once (default: 4 and 16)")
    parser.add_argument("--rounds", type=int, default=4, metavar="N", help="of each service under each load (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=30.0, metavar="S", help="per round (default: %(default)g)")
    text = "pages that the peer reads at once (default: %(default)s, its best on two cores)"
    parser.add_argument("--at-once", type=int, default=4, metavar="N", help=text)


def _run_command(options: argparse.Namespace) -> int:
    return run(options.data, options.pages, options.python, options.clients, options.rounds, options.seconds, options.at_once)


COMMAND = Command(
    "service-peers",
    "the service beside one over crawl4ai: pages per second, latency, CPU time per page, memory",
    _run_command,
    _add_options,
)
