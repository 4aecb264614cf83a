"""The service under load: clients that send pages for a minute or more, while its health is requested.

Three loads: `html`, stored pages of WCXB dev; `urls`, the same pages as a site on this machine; `mixed`, stored pages with large and
hostile ones among them. What counts: that every answer is a result, an error of the caller's, or a request to come again; the
throughput beside that of the same `Reader` without a service; how long `/healthz` takes; memory; and what idle and slow connections
cost others.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
import numpy as np
from yarl import URL

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.service.programs import family_cpu, family_memory, local_egress, local_site, start_service
from render.errors import PageFailed
from sightread.reader import Reader

ORDINARY = 40
"""Pages of WCXB dev among those that are sent; each large one is sent once where ordinary ones are sent so many times."""
HEALTH_INTERVAL = 0.05
"""Seconds between two questions for the health."""
PAUSE = 0.2
"""Seconds that a client who was turned away waits."""
BUSY = (429, 503)
ALLOWED = frozenset((200, 400, 408, 411, 413, 415, 422, *BUSY))
LOADS = ("html", "urls", "mixed")


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


def run(data: Path | None, loads: Sequence[str], clients: int, seconds: float, idle: int) -> int:
    """Print how the service did under each load; return 1 if a status was not allowed."""
    pages = wcxb_markup(data_folder(data), ORDINARY)
    return max(asyncio.run(_run(load, pages, clients, seconds, idle)) for load in loads)


async def _run(load: str, pages: Sequence[bytes], clients: int, seconds: float, idle: int) -> int:
    large = large_pages() if load == "mixed" else {}
    answers: Counter[tuple[str, int]] = Counter()
    latencies: list[float] = []
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(local_site(pages))
        bodies = [("ordinary", body) for body in _bodies(load, pages, port)] + list(large.items())
        own = await _reader_alone(load, pages, port, seconds) if load != "mixed" else 0.0
        home = stack.enter_context(TemporaryDirectory())
        service, root = await start_service(port, ("--model", "global"), os.environ | {"SIGHTREAD_HOME": home})
        session = await stack.enter_async_context(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
        ends = time.perf_counter() + seconds

        async def send(client: int) -> None:
            row = client * 7  # each begins elsewhere
            while time.perf_counter() < ends:
                name, body = bodies[row % len(bodies)]
                row += 1
                headers = {"Content-Type": "application/json"}
                began = time.perf_counter()
                async with session.post(f"{root}/api/v1/extract", data=body, headers=headers) as answer:
                    await answer.read()
                    answers[name, answer.status] += 1
                    if answer.status in BUSY:
                        await asyncio.sleep(PAUSE)
                    else:
                        latencies.append(time.perf_counter() - began)

        cpu = family_cpu(service.pid)
        sending = [asyncio.create_task(send(client)) for client in range(clients)]
        memory = asyncio.create_task(_watch_memory(service.pid, ends))
        health = await _poll_health(root, ends)
        await asyncio.gather(*sending)
        cpu = family_cpu(service.pid) - cpu
        slowed = await _with_idle_connections(root, bodies, seconds, idle) if idle and load != "mixed" else ""
        service.terminate()
        await service.wait()
    print(f"load {load}, {clients} clients, {seconds:g} s")
    for name in ("ordinary", *large):
        print(f"  {name:22}", dict(sorted((status, count) for (of, status), count in answers.items() if of == name)))
    read = sum(count for (_, status), count in answers.items() if status == 200)
    middle, high = np.percentile(latencies, [50, 95])
    compared = f", {read / seconds / own:.0%} of the reader alone ({own:.1f})" if own else ""
    print(f"  {read / seconds:.1f} pages per second{compared}; CPU {1000 * cpu / max(1, read):.0f} ms per page")
    print(f"  latency p50 {middle:.2f} s, p95 {high:.2f} s; load average {os.getloadavg()[0]:.1f}")
    quarters = [np.mean(part) / 2**20 for part in np.array_split(await memory, 4) if len(part)]
    print("  memory of all processes in MiB, mean of each quarter:", ", ".join(f"{mean:.0f}" for mean in quarters))
    middle, high, highest = np.percentile(health, [50, 99, 100])
    print(f"  /healthz, {len(health)} answers in ms: median {middle:.0f}, p99 {high:.0f}, most {highest:.0f}")
    if slowed:
        print(f"  {slowed}")
    odd = {status for _, status in answers} - ALLOWED
    print(f"  statuses that are not allowed: {sorted(odd) or 'none'}")
    return int(bool(odd))


def _bodies(load: str, pages: Sequence[bytes], port: int) -> list[bytes]:
    if load == "urls":
        return [json.dumps({"url": f"http://bench-{port}.example/{row}"}).encode() for row in range(len(pages))]
    return [json.dumps({"html": body.decode("utf-8", "replace")}).encode() for body in pages]


async def _reader_alone(load: str, pages: Sequence[bytes], port: int, seconds: float) -> float:
    """Return the pages per second of the same reader in this process, with as many pages ahead as it has."""
    read = 0
    with TemporaryDirectory() as home:
        async with Reader("global", home=home, egress=local_egress(port)) as reader:
            ends = time.perf_counter() + seconds

            async def work(first: int) -> None:
                nonlocal read
                row = first
                while time.perf_counter() < ends:
                    number = row % len(pages)
                    row += reader.pages_ahead
                    with suppress(PageFailed):
                        if load == "urls":
                            document = await reader.extract(f"http://bench-{port}.example/{number}")
                        else:
                            document = await reader.extract_html(pages[number].decode("utf-8", "replace"))
                        await reader.process("", document.to_json)
                        read += 1

            await asyncio.gather(*(work(first) for first in range(reader.pages_ahead)))
    return read / seconds


async def _watch_memory(pid: int, ends: float) -> list[int]:
    found = []
    while time.perf_counter() < ends:
        found.append(await asyncio.to_thread(family_memory, pid))
        await asyncio.sleep(1.0)
    return found


async def _with_idle_connections(root: str, bodies: Sequence[tuple[str, bytes]], seconds: float, idle: int) -> str:
    """Return how much fewer pages four clients get while so many connections send the first half of a request."""
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


async def _poll_health(root: str, ends: float) -> list[float]:
    """Return the milliseconds of each answer, measured in a process of its own: this one is busy sending."""
    asker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _ASKER, root, str(ends - time.perf_counter()), str(HEALTH_INTERVAL)), stdout=asyncio.subprocess.PIPE
    )
    os.nice(10)  # clients are on other machines: what they take of this one is not the service's
    out, _ = await asker.communicate()
    found: list[float] = json.loads(out)
    return found


_ASKER = """
import http.client, json, sys, time, urllib.parse
root, seconds, every = urllib.parse.urlsplit(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
ends, found = time.perf_counter() + seconds, []
while time.perf_counter() < ends:
    began = time.perf_counter()
    connection = http.client.HTTPConnection(root.netloc, timeout=30)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    found.append(1000 * (time.perf_counter() - began))
    time.sleep(every)
print(json.dumps(found))
"""


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clients", type=int, default=64, metavar="N", help="at once (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="for each load (default: %(default)g)")
    parser.add_argument("--load", action="append", choices=LOADS, metavar="LOAD", help="html, urls or mixed; repeatable (default: all)")
    parser.add_argument("--idle", type=int, default=1000, metavar="N", help="idle and slow connections (default: %(default)s; 0 for none)")


COMMAND = Command(
    "service-load",
    "the service under many clients and large pages",
    lambda options: run(options.data, options.load or LOADS, options.clients, options.seconds, options.idle),
    _add_options,
)
