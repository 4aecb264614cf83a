"""`sightread learn --sites --dask`: each site is a task on the workers of a Dask scheduler; the queue of jobs knows what is done.

A lock of the scheduler keeps two tasks from one registrable domain. A task whose worker was killed, which Dask runs again elsewhere, finds
the lock held until its lease ends (`distributed.scheduler.locks.lease-timeout`, 30 s): it ends, and is submitted again after the longest
Crawl-delay.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from sightread.batch.inputs.files import registrable_domain
from sightread.batch.runners.dask import MOST_DEATHS, distributed, scheduler_errors
from sightread.crawler.fetch import POLICY
from sightread.reading.reader import Reader
from sightread.render.errors import Unequipped
from sightread.server.engine.engine import Engine, EnginePolicy
from sightread.server.jobs.runner import LearnSite
from sightread.server.jobs.sites import learn
from sightread.server.jobs.store import Progress
from sightread.server.schema.answers import LearnedRecord
from sightread.server.schema.requests import LearnRequest

WATCH_SECONDS = 1.0
"""Between two looks of a task whether its command still waits for it."""


class DomainHeld(Exception):
    """Another task has the registrable domain, or had it a moment ago, when its worker or its command was killed."""


class LearnOrder(msgspec.Struct, frozen=True):
    """Instructions for a worker, the same for all sites."""

    reader: Mapping[str, Any]
    """Arguments of a worker's `Reader`."""
    policy: EnginePolicy


@asynccontextmanager
async def dask_learner(address: str, order: LearnOrder) -> AsyncIterator[tuple[LearnSite, int]]:
    """Connect to a scheduler; yield what learns sites on its workers, and the number of their threads.

    Raises `Unequipped` without Dask, `Rejected` if the scheduler is not reached. A site whose workers are killed raises `Unequipped`.
    """
    with scheduler_errors(address):
        client = await distributed().Client(address, asynchronous=True, set_as_default=False)

    async def learn_site(_: Engine, request: LearnRequest, progress: Progress) -> LearnedRecord:
        deaths, progress.delay = 0, POLICY.longest_delay  # until a task returns the site's own
        while deaths < MOST_DEATHS:
            key = f"sightread-{registrable_domain(request.url)}-{secrets.token_hex(4)}"
            record: LearnedRecord
            try:
                record, progress.delay = await client.submit(run_task, order, msgspec.json.encode(request), key=key, pure=False)
            except DomainHeld:
                await asyncio.sleep(POLICY.longest_delay)
            except distributed().KilledWorker:
                deaths += 1
            except distributed().client.FutureCancelledError as error:
                raise Unequipped("the Dask scheduler is gone: start it, and run the same command again") from error
            else:
                return record
        raise Unequipped(f"{request.url}: {MOST_DEATHS} times as many workers ended with it as Dask allows: see their logs")

    async with client:
        yield learn_site, sum((await client.nthreads()).values())


def run_task(order: LearnOrder, body: bytes) -> tuple[LearnedRecord, float]:
    """Learn a site on the Dask worker that calls this; return what came of it, and the site's delay in seconds.

    Raises as `learn`, and `DomainHeld`.
    """
    request = msgspec.json.decode(body, type=LearnRequest)
    lock = distributed().Lock(f"sightread-{registrable_domain(request.url)}")
    if not lock.acquire(timeout=WATCH_SECONDS):
        raise DomainHeld(lock.name)
    try:
        return asyncio.run(_learn(order, request))
    finally:
        lock.release()


async def _learn(order: LearnOrder, request: LearnRequest) -> tuple[LearnedRecord, float]:
    worker, progress = distributed().get_worker(), Progress()
    key, learning = worker.get_current_task(), asyncio.current_task()
    assert learning is not None

    async def watch() -> None:
        while (task := worker.state.tasks.get(key)) is not None and task.state != "cancelled":  # noqa: ASYNC110  (Dask has no event for it)
            await asyncio.sleep(WATCH_SECONDS)
        learning.cancel()

    watching = asyncio.create_task(watch())
    try:
        async with Reader(**order.reader) as reader:
            return await learn(Engine(reader, order.policy), request, progress), progress.delay or 0.0
    finally:
        watching.cancel()
