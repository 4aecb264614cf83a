"""The service as it runs in the worker process: the engine and the jobs, which every route uses.

Every address that a client or a page names goes through the egress boundary (`sightread.render.network.egress`), which allows the public
web only.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from sightread.reading.html_first import WAYS
from sightread.reading.reader import Reader
from sightread.server.access.gate import CALLER, ORIGIN, SCOPES, Caller, GatePolicy
from sightread.server.access.limits import Limits, read_body, unavailable
from sightread.server.engine.engine import Engine, EnginePolicy
from sightread.server.inspector import Inspections
from sightread.server.jobs.database import open_database
from sightread.server.jobs.runner import JobEvent, JobRunner, Observer
from sightread.server.jobs.store import JobLimits, JobStore, NewJob, StoredJob
from sightread.server.jobs.webhooks import Webhooks
from sightread.server.schema.answers import ExtractAnswer, JobKind, JobRecord
from sightread.server.schema.requests import BatchRequest, CrawlRequest, ExtractRequest, JobRequest, LearnRequest, PageOptions, WatchRequest
from sightread.sites.folders import home_folder

LONGEST_TARGET = 500
"""Characters of a job's address that lists of jobs show."""
LEAST_FREE_BYTES = 8 * 1024**2
"""Of a disk on which the service takes requests: several results of jobs, and a model."""
HEALTH_AGE = 1.0
"""Seconds for which a reading of the browser's health is reused: a fresh one costs a few ms."""


JobObserver = Callable[["Service", JobEvent], Awaitable[None]]
"""Receives the events of the jobs that were created through one API."""


@dataclass(frozen=True, slots=True)
class JobStorage:
    """Where jobs are."""

    database: str = ":memory:"
    """The path of an SQLite file, or a `postgresql://` URL."""
    folder: Path | None = None
    """For the corpora of crawls under way; by default a temporary one."""
    limits: JobLimits = field(default_factory=JobLimits)


class Service:
    """The service over a reader; the caller opens and closes the reader.

    It has no access to private networks: a reader with such access raises `ValueError`, since every client would have it too.
    """

    def __init__(
        self,
        reader: Reader,
        limits: Limits = Limits(),  # noqa: B008  (frozen)
        gate: GatePolicy = GatePolicy(),  # noqa: B008  (frozen)
        storage: JobStorage = JobStorage(),
        policy: EnginePolicy = EnginePolicy(),  # noqa: B008  (frozen)
    ) -> None:
        self.engine = Engine(reader, policy)
        self.jobs = JobStore(open_database(storage.database), storage.limits)
        self.inspections = Inspections()
        self.crawls = storage.folder or Path()
        """Where the corpora of crawls are, once the service runs."""
        self.webhooks = Webhooks(reader.egress)
        self.limits = limits
        self._storage = storage
        self.gate = gate
        self._tokens = gate.tokens
        self._runner: JobRunner | None = None
        self._health_seen = (-HEALTH_AGE, reader.health, True)

    async def run_jobs(self, observers: Mapping[str, JobObserver]) -> AsyncIterator[None]:
        """Run jobs until the iterator is closed; `observers` are those of each origin that has one."""
        with tempfile.TemporaryDirectory(prefix="sightread-jobs-") as temporary:
            self.crawls = self._storage.folder or Path(temporary)
            rights = self._tokens.rights if self._tokens else None
            bound: dict[str, Observer] = {origin: partial(observe, self) for origin, observe in observers.items()}
            async with self.webhooks, JobRunner(self.engine, self.jobs, self.crawls, bound, rights) as runner:
                self._runner = runner
                yield

    @property
    def draining(self) -> bool:
        """Whether the service stops."""
        return self.engine.draining

    async def drain(self) -> None:
        """Refuse new requests, give jobs back to the store, and wait for the open pages."""
        self.engine.draining = True
        if self._runner is not None:
            await self._runner.stop()
        await self.engine.drain()

    async def read_body(self, request: web.Request) -> bytes:
        """Return the decoded body of a request. Raises `Rejected`, and HTTP 413, 415 and 408."""
        return await read_body(request, self.limits)

    def rights(self, caller: Caller) -> frozenset[str]:
        """Return the scopes that the token of a caller has now; none once it is revoked, expired or deleted. Raises `BadRecord`."""
        return self._tokens.rights(caller.name, caller.token) if self._tokens else SCOPES

    @staticmethod
    def origin(request: web.Request) -> str:
        """Return scheme, host and port under which the client reached the service, for absolute URLs in answers."""
        return request.get(ORIGIN) or f"http://{request.host}"

    async def start_job(
        self, job: JobRequest, caller: str, *, key: str = "", origin: str = "native", extra: bytes = b""
    ) -> tuple[JobRecord, bool]:
        """Store a job and begin it; return it and whether it is new: an idempotency `key` that was sent before returns the first job.

        `origin` is the API through which it is created, whose observer receives its events, and `extra` what that API keeps with it.
        Raises `Rejected` for options that no page could be read with, `QuotaReached` and `KeyReused`.
        """
        kind: JobKind
        match job:
            case BatchRequest(urls=urls):
                kind, target, total = "batch", urls[0], len(urls)
            case CrawlRequest(url=target, pages=total):
                kind = "crawl"
            case LearnRequest(url=target):
                kind, total = "learn", 1
            case WatchRequest(url=target):
                kind, total = "watch", 0
                if job.webhook:
                    await self.webhooks.check(job.webhook)
        if isinstance(job, PageOptions):
            self.engine.check(job)
        if not isinstance(job, BatchRequest):
            job.scope.scope()
        body = msgspec.json.encode(job)
        if self.draining:
            raise unavailable("the service is stopping: try again later")
        created = await self.jobs.create(NewJob(kind, body, caller, target[:LONGEST_TARGET], total, key, origin, extra))
        if self._runner is not None:
            self._runner.wake()
        return created

    async def extract(self, request: ExtractRequest, caller: Caller) -> ExtractAnswer:
        """Return the main content of one page, with what changed in it if that is requested. Raises as `Engine.extract`."""
        answer = await self.engine.extract(request)
        await self.compare(request, answer, caller)
        return answer

    async def compare(self, request: PageOptions, answer: ExtractAnswer, caller: Caller) -> None:
        """Add what changed since the caller's last request for a page to its answer, if that is requested."""
        await self.jobs.versions.compare(caller.name, request, answer)
        await self.jobs.versions.keep(caller.name, request, answer)

    async def find_job(self, request: web.Request, origin: str = "native") -> StoredJob:
        """Return the job whose id is in the path, of the caller and the API. Raises HTTP 404."""
        found = await self.jobs.get(request.match_info["id"], request[CALLER].name, origin)
        if found is None:
            raise web.HTTPNotFound(text="you have no job with this id: it is wrong, or past its time\n")
        return found

    async def cancel_job(self, id: str, caller: str, origin: str = "native") -> bool:
        """End a job of the caller that is not finished; its results stay. Return whether it was ended by this call."""
        was_ended = await self.jobs.cancel(id, caller, origin)
        if was_ended and self._runner is not None:
            self._runner.check(id)
        return was_ended

    def known(self) -> dict[str, Any]:
        """Return the health record."""
        now = asyncio.get_running_loop().time()
        reader = self.engine.reader
        if now - self._health_seen[0] >= HEALTH_AGE:
            self._health_seen = now, reader.health, self._has_disk_space()
        known: dict[str, Any] = {
            "status": "stopping" if self.draining else "ok",
            "process": os.getpid(),
            "overdue": reader.overdue,
            "ways": {way: reader.ways[way] for way in WAYS},
            "hidden": dict(self.engine.hidden),
            "browser": msgspec.to_builtins(self._health_seen[1]),
            "has_disk_space": self._health_seen[2],
            "cache": {"hits": self.engine.cache.hits, "misses": self.engine.cache.misses},
        }
        return known if self._runner is None or self._runner.counts is None else known | {"jobs": self._runner.counts}

    def _has_disk_space(self) -> bool:
        """Return whether the disks of the jobs' database, of their corpora and of the learned sites have space left."""
        is_file = "://" not in self._storage.database and self._storage.database != ":memory:"
        home = self.engine.reader.home or home_folder()
        folders = [self.crawls.absolute(), home.absolute(), *([Path(self._storage.database).absolute().parent] if is_file else [])]
        there = {next(folder for folder in (each, *each.parents) if folder.is_dir()) for each in folders}
        return all(shutil.disk_usage(folder).free >= LEAST_FREE_BYTES for folder in there)
