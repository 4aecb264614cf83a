"""The service under load: clients that send ordinary, large and hostile pages for a minute, while its health is asked for.

The service is the real command, on this machine alone. What counts: how long `/healthz` takes, and that every answer is a result, an error
of the caller's, or a request to come again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import numpy as np

from benchmarks.commands import Command
from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from render.errors import Unequipped

ORDINARY = 40
"""Pages of WCXB dev among those that are sent; each large one is sent once where ordinary ones are sent so many times."""
ASKED_EVERY = 0.05
"""Seconds between two questions for the health."""
PAUSE = 0.2
"""Seconds that a client who was turned away waits."""
ALLOWED = frozenset((200, 400, 408, 411, 413, 415, 422, 503))
_SERVING = re.compile(r"serving at (http://\S+)")


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


def run(data: Path | None, clients: int, seconds: float) -> int:
    """Print how the service did; return 1 where a status was not allowed."""
    ordinary = [json.dumps({"html": body.decode("utf-8", "replace")}).encode() for body in wcxb_markup(data_folder(data), ORDINARY)]
    return asyncio.run(_run(ordinary, clients, seconds))


async def _run(ordinary: Sequence[bytes], clients: int, seconds: float) -> int:
    large = large_pages()
    bodies = [("ordinary", body) for body in ordinary] + list(large.items())
    answers: Counter[tuple[str, int]] = Counter()
    async with _service() as root, aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        ends = time.perf_counter() + seconds

        async def send(client: int) -> None:
            row = client * 7  # each begins elsewhere
            while time.perf_counter() < ends:
                name, body = bodies[row % len(bodies)]
                row += 1
                headers = {"Content-Type": "application/json"}
                async with session.post(f"{root}/api/v1/extract", data=body, headers=headers) as answer:
                    await answer.read()
                    answers[name, answer.status] += 1
                    if answer.status == 503:
                        await asyncio.sleep(PAUSE)

        sending = [asyncio.create_task(send(client)) for client in range(clients)]
        health = await _ask_health(root, ends)
        await asyncio.gather(*sending)
    for name in ("ordinary", *large):
        print(f"{name:22}", dict(sorted((status, count) for (of, status), count in answers.items() if of == name)))
    middle, high, highest = np.percentile(health, [50, 99, 100])
    load = os.getloadavg()[0]
    print(f"/healthz, {len(health)} answers in ms: median {middle:.0f}, p99 {high:.0f}, most {highest:.0f}; load average {load:.1f}")
    odd = {status for _, status in answers} - ALLOWED
    print(f"statuses that are not allowed: {sorted(odd) or 'none'}")
    return int(bool(odd))


async def _ask_health(root: str, ends: float) -> list[float]:
    """Return the milliseconds of each answer, measured in a process of its own: this one is busy sending."""
    asker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _ASKER, root, str(ends - time.perf_counter()), str(ASKED_EVERY)), stdout=asyncio.subprocess.PIPE
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


@asynccontextmanager
async def _service() -> AsyncIterator[str]:
    """Start the command, yield its address, and stop it."""
    service = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "sightread.cli.parser", "serve", "--port", "0", "--model", "global"), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert service.stdout is not None
        found = _SERVING.search((await service.stdout.readline()).decode())
        if found is None:
            raise Unequipped("the service did not start: see the lines above")
        yield found[1]
    finally:
        service.terminate()
        await service.wait()


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clients", type=int, default=64, metavar="N", help="at once (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, metavar="S", help="(default: %(default)g)")


COMMAND = Command(
    "service-load",
    "the service under many clients and large pages",
    lambda options: run(options.data, options.clients, options.seconds),
    _add_options,
)
