"""The service under load: clients that send pages for a minute or more, while its health is requested.

Four loads: `html`, stored pages of WCXB dev; `urls`, the same pages as a site on this machine; `mixed`, stored pages with large and
hostile ones among them; `attacked`, one caller's good pages beside the attacks of another (`benchmarks.service.attacks`). What counts: that
every answer is a result, an error of the caller's, or a request to come again; the throughput beside that of the same `Reader` without a
service, in rounds between; how long `/healthz` takes; memory; and what idle and slow connections cost others.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
import numpy as np
from yarl import URL

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.service.attacks import measure
from benchmarks.service.programs import family_cpu, family_memory, local_site, start_service

ORDINARY = 40
"""Pages of WCXB dev among those that are sent; each large one is sent once per this number of times that ordinary ones are sent."""
HEALTH_INTERVAL = 0.05
"""Seconds between two questions for the health."""
BUSY = (429, 503)
ALLOWED = frozenset((200, 400, 408, 411, 413, 415, 422, *BUSY))
LOADS = ("html", "urls", "mixed", "attacked")


def large_pages() -> dict[str, bytes]:
    """Return pages that keep a reader busy for seconds, as request bodies."""
    sentence = "The ferry has carried workers across the estuary for ninety years. "
    pages = {
        "100,000 table cells": "<table>" + "<tr>" + "<td>cell" * 100_000 + "</table>",
        "10 MB of one text": "<p>" + sentence * (9_800_000 // len(sentence)),
        "1.9 million elements": "<div>" * 1_900_000 + "deep",
        "40,000 paragraphs": "".join(f"<p>{number} {sentence}" for number in range(40_000)),
    }
    bodies = {name: json.dumps({"html": html}).encode() for name, html in pages.items()}
    return bodies | {"invalid UTF-8": b'{"html": "\xff\xfe"}', "no JSON": b"[" * 100_000, "11 MB": b" " * 11_000_000}


def run(data: Path | None, loads: Sequence[str], clients: int, seconds: float, rounds: int, idle: int, pause: float | None) -> int:
    """Print how the service did under each load; return 1 if a status was not allowed."""
    folder = data_folder(data)
    attacked = measure(folder, seconds / rounds, rounds) if "attacked" in loads else None
    ordinary = [_run(load, folder, clients, seconds / rounds, rounds, idle, pause) for load in loads if load != "attacked"]
    return max(map(_in_own_session, [*ordinary, *([attacked] if attacked else [])]))


def _in_own_session(work: Coroutine[None, None, int]) -> int:
    """Return what `work` returns in a process with a session of its own, whose niceness may be raised without that of the terminal."""
    child = os.fork()
    if not child:
        status = 1
        try:
            os.setsid()
            status = asyncio.run(work)
        except Exception:  # noqa: BLE001  (nothing may return into the code that forked us)
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    work.close()
    with suppress(KeyboardInterrupt):
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.kill(child, signal.SIGINT)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _yield_to_service() -> None:
    """Give way to all other sessions: clients are on other machines, and what they take of this one is not the service's."""
    niceness = os.nice(15)
    with suppress(OSError):  # a system that compares all processes with each other
        Path("/proc/self/autogroup").write_text(str(niceness))


class _Load:
    """Requests of clients, with their answers and latencies."""

    def __init__(self, root: str, bodies: Sequence[tuple[str, bytes]], session: aiohttp.ClientSession, pause: float | None) -> None:
        self._root = root
        self._bodies = bodies
        self._session = session
        self._pause = pause
        self.answers: Counter[tuple[str, int]] = Counter()
        self.latencies: list[float] = []

    async def send(self, clients: int, ends: float) -> None:
        """Send pages until the end, and wait for the answers."""
        await asyncio.gather(*(self._send(client * 7, ends) for client in range(clients)))  # each begins elsewhere

    async def _send(self, row: int, ends: float) -> None:
        while time.perf_counter() < ends:
            name, body = self._bodies[row % len(self._bodies)]
            row += 1
            headers = {"Content-Type": "application/json"}
            began = time.perf_counter()
            async with self._session.post(f"{self._root}/api/v1/extract", data=body, headers=headers) as answer:
                await answer.read()
                self.answers[name, answer.status] += 1
                if answer.status in BUSY:
                    await asyncio.sleep(float(answer.headers["Retry-After"]) if self._pause is None else self._pause)
                else:
                    self.latencies.append(time.perf_counter() - began)


async def _run(load: str, data: Path, clients: int, seconds: float, rounds: int, idle: int, pause: float | None) -> int:
    pages = wcxb_markup(data, ORDINARY)
    large = large_pages() if load == "mixed" else {}
    memory: list[int] = []
    health: list[float] = []
    alone: list[float] = []
    cpu = spent = 0.0
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(local_site(pages))
        bodies = [("ordinary", body) for body in _bodies(load, pages, port)] + list(large.items())
        reader = await stack.enter_async_context(_reader_alone(data, port, load)) if load != "mixed" else None
        home = stack.enter_context(TemporaryDirectory())
        environment = os.environ | {"SIGHTREAD_HOME": home}
        service, root = await start_service(port, ("--model", "global"), environment, own_session=True)
        stack.push_async_callback(_stop, service)
        session = await stack.enter_async_context(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
        sent = _Load(root, bodies, session, pause)
        asker = await stack.enter_async_context(_health_asker(root))
        _yield_to_service()
        for _ in range(rounds):
            if reader is not None:
                alone.append(float(await _request_round(reader, seconds)))
            used, began = family_cpu(service.pid), time.perf_counter()
            watching = asyncio.create_task(_watch_memory(service.pid, began + seconds, memory))
            sending = asyncio.create_task(sent.send(clients, began + seconds))
            health += json.loads(await _request_round(asker, began + seconds - time.perf_counter()))
            await asyncio.gather(sending, watching)
            cpu, spent = cpu + family_cpu(service.pid) - used, spent + time.perf_counter() - began
        slowed = await _with_idle_connections(root, bodies, seconds, idle) if idle and load != "mixed" else ""
    print(f"load {load}, {clients} clients, {rounds} rounds of {seconds:g} s")
    for name in ("ordinary", *large):
        print(f"  {name:22}", dict(sorted((status, count) for (of, status), count in sent.answers.items() if of == name)))
    rate = sum(count for (_, status), count in sent.answers.items() if status == 200) / spent
    middle, high = np.percentile(sent.latencies, [50, 95])
    compared = f", {rate / np.mean(alone):.0%} of the reader alone in rounds between ({np.mean(alone):.1f})" if alone else ""
    print(f"  {rate:.1f} pages per second{compared}; CPU {1000 * cpu / max(1.0, rate * spent):.0f} ms per page")
    print(f"  latency p50 {middle:.2f} s, p95 {high:.2f} s; load average {os.getloadavg()[0]:.1f}")
    quarters = [np.mean(part) / 2**20 for part in np.array_split(memory, 4) if len(part)]
    print("  memory of all processes in MiB, mean of each quarter:", ", ".join(f"{mean:.0f}" for mean in quarters))
    middle, high, highest = np.percentile(health, [50, 99, 100])
    print(f"  /healthz, {len(health)} answers in ms: median {middle:.0f}, p99 {high:.0f}, most {highest:.0f}")
    if slowed:
        print(f"  {slowed}")
    odd = {status for _, status in sent.answers} - ALLOWED
    print(f"  statuses that are not allowed: {sorted(odd) or 'none'}", flush=True)
    return int(bool(odd))


async def _stop(service: asyncio.subprocess.Process) -> None:
    service.terminate()
    await service.wait()


def _bodies(load: str, pages: Sequence[bytes], port: int) -> list[bytes]:
    if load == "urls":
        return [json.dumps({"url": f"http://bench-{port}.example/{row}"}).encode() for row in range(len(pages))]
    return [json.dumps({"html": body.decode("utf-8", "replace")}).encode() for body in pages]


def _reader_alone(data: Path, port: int, load: str) -> AbstractAsyncContextManager[asyncio.subprocess.Process]:
    """Run the same reader without the service, which reads pages for a round when `_request_round` starts one."""
    return _helper(sys.executable, "-m", "benchmarks.service.reader_alone", str(data), str(ORDINARY), str(port), load)


def _health_asker(root: str) -> AbstractAsyncContextManager[asyncio.subprocess.Process]:
    """Run a program that measures the milliseconds of each answer of `/healthz` over a round: the clients are busy sending."""
    return _helper(sys.executable, "-c", _ASKER, root, str(HEALTH_INTERVAL))


@asynccontextmanager
async def _helper(*command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a program that reads a number of seconds per line, and writes a line for each; it ends with its input."""
    lines = 2**24  # bytes of the longest
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=lines, start_new_session=True
    )
    try:
        yield process
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


async def _request_round(process: asyncio.subprocess.Process, seconds: float) -> bytes:
    """Return the line that a process writes about a round of the given seconds."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{seconds}\n".encode())
    return await process.stdout.readline()


async def _watch_memory(pid: int, ends: float, found: list[int]) -> None:
    while time.perf_counter() < ends:
        found.append(await asyncio.to_thread(family_memory, pid))
        await asyncio.sleep(1.0)


async def _with_idle_connections(root: str, bodies: Sequence[tuple[str, bytes]], seconds: float, idle: int) -> str:
    """Return how much fewer pages four clients get while a number of connections send the first half of a request."""
    rates = []
    target = URL(root)
    for count in (0, idle):
        slow = [await asyncio.open_connection(target.host, target.port) for _ in range(count)]
        for row, (_, writer) in enumerate(slow):
            head = b"POST /api/v1/extract HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"
            writer.write(head + (b"\r\n{" if row % 2 else b""))
        read = 0
        ends = time.perf_counter() + seconds / 2

        async def send(session: aiohttp.ClientSession, client: int, ends: float) -> int:
            done = 0
            while time.perf_counter() < ends:
                body = bodies[(done * 4 + client) % len(bodies)][1]
                async with session.post(f"{root}/api/v1/extract", data=body, headers={"Content-Type": "application/json"}) as answer:
                    await answer.read()
                    done += answer.status == 200
            return done

        async with aiohttp.ClientSession() as session:
            read = sum(await asyncio.gather(*(send(session, client, ends) for client in range(4))))
        rates.append(read / (seconds / 2))
        for _, writer in slow:
            writer.close()
    return f"four clients: {rates[0]:.1f} pages per second alone, {rates[1]:.1f} beside {idle} idle and slow connections"


_ASKER = """
import http.client, json, sys, time, urllib.parse
root, every = urllib.parse.urlsplit(sys.argv[1]), float(sys.argv[2])
for line in sys.stdin:
    ends, found = time.perf_counter() + float(line), []
    while time.perf_counter() < ends:
        began = time.perf_counter()
        connection = http.client.HTTPConnection(root.netloc, timeout=30)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
        connection.close()
        found.append(1000 * (time.perf_counter() - began))
        time.sleep(every)
    print(json.dumps(found), flush=True)
"""


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clients", type=int, default=64, metavar="N", help="at once (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for each load (default: %(default)g)")
    text = "with the reader alone between them: what else the machine does slows both (default: %(default)s)"
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help=text)
    parser.add_argument(
        "--load", action="append", choices=LOADS, metavar="LOAD", help="html, urls, mixed or attacked; repeatable (default: all)"
    )
    text = "seconds that a client waits after 429 or 503 (default: as Retry-After names)"
    parser.add_argument("--pause", type=float, metavar="S", help=text)
    parser.add_argument("--idle", type=int, default=1000, metavar="N", help="idle and slow connections (default: %(default)s; 0 for none)")


COMMAND = Command(
    "service-load",
    "the service under many clients and large pages",
    lambda options: run(options.data, options.load or LOADS, options.clients, options.seconds, options.rounds, options.idle, options.pause),
    _add_options,
)
