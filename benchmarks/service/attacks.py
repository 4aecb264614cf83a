"""Several attacks at once by one caller of the service, while another reads good pages: how long the other waits.

The attacks are pages that burden the browser (frames, scripts, memory without end), pages that burden Python (compression bombs, 100,000
headings, selectors), pages that are slow, as single requests, as a batch and as a job. Each is begun again when it ends.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import numpy as np

from benchmarks.datasets.samples import wcxb_markup
from benchmarks.service.programs import local_site, start_service
from sightread.server.access.gate import TokenFile

GOOD = 20
"""Pages of WCXB dev that the other caller reads, one after the other."""
DEADLINE = 30
"""Seconds of an attacking page."""
SLOW = "?seconds=20"
_SENTENCE = "The ferry has carried workers across the estuary for ninety years. "
_BOMB = gzip.compress(f"<p>{_SENTENCE * (20_000_000 // len(_SENTENCE))}".encode(), 9)
_SCRIPTS = {
    "endless frames": "setInterval(() => { for (let n = 0; n < 50; n++) document.body.append(document.createElement('iframe')) })",
    "endless loop": "for (;;);",
    "endless memory": "kept = []; setInterval(() => kept.push(new Uint8Array(1e7).fill(1)))",
    "endless layout": "setInterval(() => { document.body.append('x '.repeat(1e4)); document.body.offsetTop })",
}
PAGES: Mapping[str, bytes] = {
    **{name: f"<!doctype html><title>Attack</title><p>A page.<script>{script}".encode() for name, script in _SCRIPTS.items()},
    "compression bomb": _BOMB,
    "headings": "".join(f"<h2>{number} {_SENTENCE}</h2>" for number in range(100_000)).encode(),
    "slow": f"<p>{_SENTENCE}".encode(),
}
"""Attacking pages by name; compressed ones are sent as such."""


async def measure(data: Path, seconds: float, rounds: int) -> int:
    """Print how long the other caller waits, undisturbed and beside the attacks, in rounds in turn; return 1 if a good page failed."""
    good = wcxb_markup(data, GOOD)
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(local_site([*good, *PAGES.values()]))
        home = stack.enter_context(TemporaryDirectory())
        tokens = TokenFile(Path(home, "tokens.json"))
        sessions = [await stack.enter_async_context(_session(tokens.add(name, ["read", "jobs"]))) for name in ("good", "hostile")]
        options = ("--model", "global", "--token-file", str(tokens.path))
        service, root = await start_service(port, options, os.environ | {"SIGHTREAD_HOME": home}, own_session=True)
        try:
            return await _Measured(root, f"http://bench-{port}.example", *sessions).rounds(seconds, rounds)
        finally:
            service.terminate()
            await service.wait()
    raise AssertionError("unreachable")  # for mypy: an exit stack may swallow


def _session(token: str) -> aiohttp.ClientSession:
    timeout = aiohttp.ClientTimeout(total=300)
    return aiohttp.ClientSession(headers={"Authorization": f"Bearer {token}"}, connector=aiohttp.TCPConnector(limit=0), timeout=timeout)


class _Measured:
    def __init__(self, root: str, site: str, good: aiohttp.ClientSession, hostile: aiohttp.ClientSession) -> None:
        self._root, self._site, self._good, self._hostile = root, site, good, hostile
        self._attacks: Counter[tuple[str, int]] = Counter()
        self._failed: Counter[int] = Counter()

    async def rounds(self, seconds: float, rounds: int) -> int:
        bombs = await self._bombs()
        waits: dict[bool, list[float]] = {False: [], True: []}
        for _ in range(rounds):
            waits[False] += await self._read_good(seconds / 2)
            async with self._attacking():
                await asyncio.sleep(3.0)  # until the attacks are under way
                waits[True] += await self._read_good(seconds / 2)
        print(f"load attacked, {rounds} rounds of {seconds:g} s; load average {os.getloadavg()[0]:.1f}")
        for name in PAGES:
            print(f"  {name:22}", {status: count for (of, status), count in sorted(self._attacks.items()) if of == name})
        for is_attacked, name in ((False, "undisturbed"), (True, "attacked")):
            p50, p95, most = np.percentile(waits[is_attacked], [50, 95, 100])
            print(f"  {name:22} {len(waits[is_attacked])} good pages, p50 {p50:.2f} s, p95 {p95:.2f} s, most {most:.2f} s")
        print(f"  p95 beside the attacks: {np.percentile(waits[True], 95) / np.percentile(waits[False], 95):.1f} times the undisturbed")
        print(f"  four bombs at once: {bombs}")
        print(f"  good pages that failed: {dict(self._failed) or 'none'}", flush=True)
        return int(bool(self._failed))

    async def _bombs(self) -> str:
        """Return how long four compression bombs at once take, and the other caller waits meanwhile."""
        await self._read_good(2.0)
        took: list[tuple[float, int]] = []

        async def send() -> None:
            began = time.perf_counter()
            status = await self._post(self._hostile, "extract", self._body("compression bomb"))
            took.append((time.perf_counter() - began, status))

        sending = asyncio.gather(*(send() for _ in range(4)))
        waits: list[float] = []
        while not sending.done():
            waits += await self._read_good(0)
        bombs = ", ".join(f"{status} after {seconds:.1f} s" for seconds, status in took)
        return f"{bombs}; the other caller waits for up to {max(waits):.1f} s (median {np.median(waits):.1f})"

    async def _read_good(self, seconds: float) -> list[float]:
        """Read good pages one after the other for some seconds, at least one, and return how long each took."""
        waits: list[float] = []
        ends = time.perf_counter() + seconds
        while not waits or time.perf_counter() < ends:
            began = time.perf_counter()
            status = await self._post(self._good, "extract", {"url": f"{self._site}/{len(waits) % GOOD}"})
            waits.append(time.perf_counter() - began)
            if status not in (200, 422):
                self._failed[status] += 1
        return waits

    @asynccontextmanager
    async def _attacking(self) -> AsyncIterator[None]:
        """Send every attack again and again, three times at once, for the length of the block; then wait until none is under way."""
        slow = {"urls": [f"{self._site}/{GOOD + list(PAGES).index('slow')}{SLOW}&n={number}" for number in range(30)], "deadline": DEADLINE}
        loops = {"urls": [f"{self._site}/{GOOD + row}?n={number}" for number in range(10) for row in range(4)], "deadline": DEADLINE}
        sent = [(name, "extract", self._body(name)) for name in PAGES if name != "slow"] * 3
        sent += [("slow", "batch", slow), ("slow", "jobs", {"kind": "batch"} | slow), ("slow", "jobs", {"kind": "batch"} | loops)]
        tasks = [asyncio.create_task(self._attack(*each)) for each in sent]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            while (health := await self._get("healthz"))["under_way"] or health["browser"]["open"]:
                for job in (await self._get("api/v1/jobs?limit=100"))["jobs"]:
                    await self._hostile.delete(f"{self._root}/api/v1/jobs/{job['id']}")
                await asyncio.sleep(0.5)

    async def _get(self, path: str) -> dict[str, Any]:
        async with self._hostile.get(f"{self._root}/{path}") as answer:
            found: dict[str, Any] = await answer.json()
            return found

    async def _attack(self, name: str, route: str, body: Mapping[str, Any]) -> None:
        while True:
            status = await self._post(self._hostile, route, body)
            self._attacks[name, status] += 1
            await asyncio.sleep(10.0 if route == "jobs" else 0.5)

    def _body(self, name: str) -> dict[str, Any]:
        return {"url": f"{self._site}/{GOOD + list(PAGES).index(name)}", "deadline": DEADLINE}

    async def _post(self, session: aiohttp.ClientSession, route: str, body: Mapping[str, Any]) -> int:
        try:
            async with session.post(f"{self._root}/api/v1/{route}", json=body) as answer:
                await answer.read()
                return answer.status
        except (aiohttp.ClientError, TimeoutError):
            return 0
