"""The service killed again and again under load: every accepted job must end with each of its pages once, and no page done twice.

Clients create jobs all the while, with idempotency keys, and send a request again that no answer came to, as the typed client does. With
PostgreSQL two service processes share the jobs, and are killed in turn.
"""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, nullcontext
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.datasets.folder import data_folder
from benchmarks.datasets.samples import wcxb_markup
from benchmarks.service import postgresql
from benchmarks.service.programs import local_site, start_service
from sightread.client.async_client import AsyncClient, AsyncJob, RetryPolicy
from sightread.reading.reader import TABS_AHEAD
from sightread.render.errors import SightreadError
from sightread.server.schema.answers import FINAL, JobRecord

PAGES = 20
PAGES_PER_JOB = 6
LEASE = 2.0
"""Seconds until a killed process's job is continued."""
TABS = 2
JOBS_AT_ONCE = 3
MOST_OPEN = JOBS_AT_ONCE * TABS_AHEAD * TABS
"""Pages that a process may have open, or rendered and not yet stored, when it is killed."""
TIMEOUT = 300.0
"""Seconds without a further result of any job after which the jobs that are left count as lost."""
ONE_TRY = RetryPolicy(tries=1)


class _Jobs:
    """Clients' records of their jobs: accepted jobs and their results."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.accepted: dict[str, tuple[str, ...]] = {}
        """From the id to the URLs."""


def run(data: Path | None, kills: int, every: float, *, is_postgresql: bool) -> int:
    """Print what became of the jobs; return 1 if one was lost, or has a page twice or never."""
    pages = wcxb_markup(data_folder(data), PAGES)
    server = postgresql.running() if is_postgresql else nullcontext("")
    with server as database, tempfile.TemporaryDirectory() as home:
        return asyncio.run(_run(pages, kills, every, Path(home), database))


async def _run(pages: Sequence[bytes], kills: int, every: float, home: Path, database: str) -> int:
    log: list[str] = []
    jobs, chance, stop = _Jobs(), random.Random(0), asyncio.Event()
    count = 2 if database else 1
    options = ["--lease", str(LEASE), "--tabs", str(TABS), "--jobs", str(JOBS_AT_ONCE), "--model", "global", "--jobs-per-caller", "10000"]
    options += ["--database", database] if database else []
    environment = os.environ | {"SIGHTREAD_HOME": str(home)}
    async with local_site(pages, log) as port, AsyncExitStack() as running:
        services = []
        for _ in range(count):
            service, address = await start_service(port, options, environment)
            services.append(service)
            jobs.addresses.append(address)
        running.callback(_kill_all, services)
        creating = [asyncio.create_task(_create(jobs, port, number, stop)) for number in range(4)]
        for kill in range(kills):
            await asyncio.sleep(every * chance.uniform(0.5, 1.5))
            which = kill % count
            services[which].kill()
            await services[which].wait()
            services[which], jobs.addresses[which] = await start_service(port, options, environment)
        stop.set()
        await asyncio.gather(*creating)
        bad = await _evaluate(jobs, log, kills)
        for service in services:
            service.terminate()
            await service.wait()
    return bad


def _kill_all(services: Sequence[asyncio.subprocess.Process]) -> None:
    for service in services:
        if service.returncode is None:
            service.kill()


async def _create(jobs: _Jobs, port: int, client: int, stop: asyncio.Event) -> None:
    """Create jobs until the end; each URL occurs once, so that the site's log shows how often it was read."""
    number = 0
    while not stop.is_set():
        number += 1
        urls = tuple(f"http://bench-{port}.example/{(number + row) % PAGES}?client={client}&job={number}" for row in range(PAGES_PER_JOB))
        while not stop.is_set():
            try:
                async with AsyncClient(jobs.addresses[client % len(jobs.addresses)], retry=ONE_TRY, timeout=10) as service:
                    job = await service.start_batch(urls, key=f"{client}-{number}")
                jobs.accepted[job.id] = urls
                break
            except SightreadError:
                await asyncio.sleep(0.2)
        await asyncio.sleep(2.0)


async def _finished(service: AsyncClient, job: AsyncJob) -> JobRecord:
    """Return the job once it has ended. Raises `TimeoutError` if no job adds a result for `TIMEOUT` seconds."""
    results, changed = -1, time.monotonic()
    while (record := await job.refresh()).state not in FINAL:
        now = sum(each.record.done + each.record.failed for each in await service.jobs(1000))
        if now != results:
            results, changed = now, time.monotonic()
        elif time.monotonic() - changed > TIMEOUT:
            raise TimeoutError(f"{record.state}, and no job adds a result for {TIMEOUT:g} s")
        await asyncio.sleep(0.5)
    return record


async def _evaluate(jobs: _Jobs, log: Sequence[str], kills: int) -> int:
    lost = incomplete = doubled = 0
    attempts: Counter[int] = Counter()
    errors: Counter[str] = Counter()
    async with AsyncClient(jobs.addresses[0]) as service:
        for id, urls in jobs.accepted.items():
            try:
                job = await service.job(id)
                record = await _finished(service, job)
            except (SightreadError, TimeoutError) as error:
                print(f"{id}: {error}")
                lost += 1
                continue
            found = [outcome async for outcome in job.results()]
            attempts[record.attempts] += 1
            errors.update(outcome.error.message.rpartition(": ")[2] for outcome in found if outcome.error is not None)
            doubled += len(found) - len({outcome.index for outcome in found})
            incomplete += record.state != "done" or {outcome.url for outcome in found} != set(urls)
    requested = {urlsplit(url)._replace(scheme="", netloc="").geturl() for urls in jobs.accepted.values() for url in urls}
    again = sum(number - 1 for path, number in Counter(log).items() if path in requested)
    pages = sum(map(len, jobs.accepted.values()))
    print(f"{kills} kills, {len(jobs.accepted)} accepted jobs of {pages} pages; attempts per job {dict(sorted(attempts.items()))}")
    print(f"lost jobs {lost}, incomplete jobs {incomplete}, results twice {doubled}")
    print(f"pages whose result is an error: {dict(errors) or 'none'} (Retryable: not read within 30 s, on a loaded machine)")
    print(f"pages visited again because they were open at a kill: {again} (at most {kills * MOST_OPEN} could be)")
    return int(bool(lost or incomplete or doubled or again > kills * MOST_OPEN))
