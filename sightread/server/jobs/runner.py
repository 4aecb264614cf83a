"""Performs jobs of the store: claims them, keeps their leases, stores their results, and gives them back when the service stops."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

import msgspec

from sightread.render.browser.limiter import WORKS_FOR
from sightread.render.errors import SightreadError, StorageFailed
from sightread.server.engine.engine import Engine, Stopping, error_record
from sightread.server.jobs.sites import crawl, keeps_corpus, learn
from sightread.server.jobs.store import HOUR, JobRow, JobStore, Lease, LeaseLost, Progress, StoredJob
from sightread.server.jobs.watch import watch
from sightread.server.schema.answers import ErrorRecord, JobState, LearnedRecord, Outcome
from sightread.server.schema.requests import BatchRequest, CrawlRequest, JobRequest, LearnRequest, PageOptions, WatchRequest

LOG = logging.getLogger(__name__)
IDLE_SECONDS = 1.0
"""Between two looks for a job that another process created or left behind; a job of this process begins at once."""
COUNT_SECONDS = 5.0
"""Between two counts of the jobs per state."""
ALONE_SECONDS = 60.0
"""For which a job that a process ended with is performed alone, unless it has a result before; then it is cleared of that."""
RIGHTS_SECONDS = 1.0
"""Between two looks for jobs whose callers have no token with the right to them any more."""
COMMAND = "command"
"""Origin of jobs that were created on the command line, whose callers have no tokens."""
PURGE_SECONDS = 60.0
"""Between two deletions of jobs past their time."""


@dataclass(frozen=True, slots=True)
class JobEvent:
    """An event of a job, for the API through which it was created; delivered at least once."""

    kind: Literal["started", "page", "round", "finished"]
    job: StoredJob
    row: JobRow | None = None
    """Of a page, its result."""
    error: ErrorRecord | None = None
    """Of a job that finished because it failed."""
    changes: tuple[Outcome, ...] = ()
    """Of a round of a watch."""


LearnSite = Callable[[Engine, LearnRequest, Progress], Awaitable[LearnedRecord]]
Observer = Callable[[JobEvent], Awaitable[None]]
"""Called with the events of an API's jobs; it must return soon, and start a task for what takes long."""


class JobRunner:
    """Performs jobs; an async context manager. `observers` receive the events of the jobs of each origin."""

    def __init__(
        self,
        engine: Engine,
        store: JobStore,
        folder: Path,
        observers: Mapping[str, Observer] | None = None,
        rights: Callable[[str], frozenset[str]] | None = None,
        origin: str = "",
        learn_site: LearnSite = learn,
    ) -> None:
        """`folder` holds the corpora of crawls under way; `rights` returns the scopes that a caller has now, None if all have all.

        With an `origin`, only jobs that were created through that API are performed. `learn_site` learns a site, here or elsewhere.
        """
        self._engine = engine
        self._store = store
        self._folder = folder
        self._observers = dict(observers or {})
        self._rights = rights
        self._origin = origin
        self._learn_site = learn_site
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._jobs: dict[asyncio.Task[None], str] = {}
        """Jobs under way, with their callers."""
        self._leases: dict[str, Lease] = {}
        """Of the jobs under way, by id."""
        self._alone_until = 0.0
        """Time of the event loop until which no further job is taken."""
        self.counts: dict[JobState, int] | None = None
        """Jobs per state, some seconds old; None while the store cannot be used."""

    async def __aenter__(self) -> Self:
        """Open the store and begin to perform jobs. Raises `StorageFailed`."""
        await self._store.open()
        await self._end_revoked()
        loops = (self._perform_all, self._purge, self._count, *([self._watch_rights] if self._rights else []))
        self._tasks = [asyncio.create_task(loop()) for loop in loops]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()
        await self._store.close()

    async def stop(self) -> None:
        """Perform no more jobs, and give those that run back to the store."""
        for tasks in (self._tasks, self._jobs):  # the first may begin one more
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def check(self, id: str) -> None:
        """Look at once whether a job that this process performs was cancelled."""
        if id in self._leases:
            self._leases[id].progress.has_news.set()

    def wake(self) -> None:
        """Look for a job at once."""
        self._wake.set()

    async def _perform_all(self) -> None:
        """Begin jobs; what they do is shared between callers page by page, by the turns of the browser and of the engine."""
        while not self._engine.draining:
            self._wake.clear()
            try:
                lease = await self._claim()
            except StorageFailed as error:
                LOG.warning("jobs: %s", error)
                lease = None
            if lease is None:
                with suppress(TimeoutError):  # `wait_for` would lose a cancellation that comes with the event (Python 3.11)
                    async with asyncio.timeout(IDLE_SECONDS):
                        await self._wake.wait()
                continue
            task = asyncio.create_task(self._perform(lease))
            self._jobs[task] = lease.job.caller
            task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        del self._jobs[task]
        self.wake()

    async def _claim(self) -> Lease | None:
        """Take a job, of a caller with fewer under way than are free: some are always left for others.

        None is taken beside a job that may have ended a process, which would end this one for both.
        """
        now = asyncio.get_running_loop().time()
        free = self._store.limits.under_way - len(self._jobs)
        if free <= 0 or now < self._alone_until:
            return None
        own = Counter(self._jobs.values())
        lease = await self._store.claim([caller for caller in own if own[caller] >= free], self._origin)
        if lease is not None and lease.stalls:
            self._alone_until = now + ALONE_SECONDS
        return lease

    async def _perform(self, lease: Lease) -> None:
        """Perform one job to its end, unless it is cancelled or the service stops."""
        WORKS_FOR.set(f"jobs of {lease.job.caller}")  # whose requests have turns of their own
        try:
            async with self._keep(lease):
                error = await self._run(lease)
                request: JobRequest = msgspec.json.decode(lease.job.request, type=JobRequest)
                if isinstance(request, WatchRequest) and not error:
                    await self._store.put_off(lease, HOUR * request.every)
                    await self._notify(JobEvent("round", lease.job, changes=tuple(lease.progress.changes)))
                    return
                await self._store.finish(lease, "failed" if error else "done", error)
                await self._notify(JobEvent("finished", lease.job, error=error))
            if error or not keeps_corpus(lease.job.record):
                await self._remove_folder(lease.job)
        except LeaseLost:
            with suppress(StorageFailed):
                if await self._has_ended(lease):
                    await self._store.free(lease)
                    await self._remove_folder(lease.job)
        except StorageFailed as error:  # it is continued when its lease ends
            LOG.warning("job %s: %s", lease.job.record.id, error)
            with suppress(StorageFailed, LeaseLost):
                if lease.job.record.kind == "watch":  # which no full disk ends
                    await self._store.put_off(lease, ALONE_SECONDS)
        except (Stopping, asyncio.CancelledError) as error:
            with suppress(StorageFailed):
                await asyncio.shield(self._store.release(lease))
            if isinstance(error, asyncio.CancelledError):
                raise
        finally:
            self._alone_until = 0.0 if lease.stalls else self._alone_until

    async def _run(self, lease: Lease) -> ErrorRecord | None:
        limits = self._store.limits
        if lease.stalls >= limits.stalls:
            return ErrorRecord("Unusable", f"it ended {limits.stalls} processes of the service without a result in between")
        is_watch = lease.job.record.kind == "watch"
        if lease.is_overdue and not is_watch:
            return ErrorRecord("Unusable", f"not done within {limits.deadline:g} s")
        if lease.job.record.attempts == 1:
            await self._notify(JobEvent("started", lease.job))
        request: JobRequest = msgspec.json.decode(lease.job.request, type=JobRequest)
        options = request if isinstance(request, PageOptions) else None
        try:
            async with asyncio.timeout(limits.deadline):
                async with aclosing(self._outcomes(lease, request)) as outcomes:
                    async for key, outcome in outcomes:
                        if options and outcome.result:
                            await self._store.versions.compare(lease.job.caller, options, outcome.result)
                        if outcome.change:  # kept for the end of the round, without its texts
                            brief = msgspec.structs.replace(outcome.change, markdown="", added=(), removed=())
                            lease.progress.changes.append(msgspec.structs.replace(outcome, change=brief))
                        row = JobRow(key, outcome.error is not None, await asyncio.to_thread(msgspec.json.encode, outcome))
                        await self._store.add(lease, [row])
                        if options and outcome.result:
                            await self._store.versions.keep(lease.job.caller, options, outcome.result)
                        self._alone_until = 0.0 if lease.stalls else self._alone_until
                        await self._notify(JobEvent("page", lease.job, row))
        except TimeoutError:  # of a watch: its next round continues
            return None if is_watch else ErrorRecord("Unusable", f"not done within {limits.deadline:g} s")
        except StorageFailed:
            raise
        except SightreadError as error:
            return error_record(error)
        except Exception as error:
            if isinstance(error, LeaseLost | Stopping):
                raise
            LOG.exception("job %s failed by a defect", lease.job.record.id)
            return error_record(SightreadError(f"a defect of sightread: {type(error).__name__}: {error}; please report it"))
        return None

    async def _outcomes(self, lease: Lease, request: JobRequest) -> AsyncGenerator[tuple[str, Outcome], None]:
        job = lease.job.record
        done = await self._store.keys(job.id)
        match request:
            case BatchRequest():
                async with aclosing(self._engine.batch(request, frozenset(map(int, done)))) as pages:
                    async for outcome in pages:
                        yield str(outcome.index), outcome
            case CrawlRequest():
                async with aclosing(crawl(self._engine, request, self._folder / job.id, done, lease.progress)) as pages:
                    async for outcome in pages:
                        yield outcome.url, outcome
            case WatchRequest():
                async with aclosing(watch(self._engine, request, self._folder / job.id, lease.progress)) as changes:
                    async for key, outcome in changes:
                        yield key, outcome
            case LearnRequest():
                if not done:
                    learned = await self._learn_site(self._engine, request, lease.progress)
                    yield learned.site, Outcome(0, request.url, learned=learned)

    @asynccontextmanager
    async def _keep(self, lease: Lease) -> AsyncIterator[None]:
        """Renew the lease while the block runs; the block is cancelled, and `LeaseLost` raised, once it is lost.

        It is lost too if the store cannot be reached for as long as it lasts: another process may have the job then.
        """
        performing, clock = asyncio.current_task(), asyncio.get_running_loop().time
        assert performing is not None
        is_lost, is_suspected = False, lease.stalls > 0
        alone_until = clock() + ALONE_SECONDS
        ends = clock() + self._store.limits.lease
        self._leases[lease.job.record.id] = lease

        async def renew() -> None:
            nonlocal is_lost, is_suspected, ends
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._store.limits.lease / 3):
                        await lease.progress.has_news.wait()
                lease.progress.has_news.clear()
                began = clock()
                try:
                    await self._store.renew(lease)
                    ends = began + self._store.limits.lease
                    if is_suspected and (lease.progress.pages or began >= alone_until):
                        await self._store.add(lease, ())  # no process has ended with it again
                        is_suspected, self._alone_until = False, 0.0
                except LeaseLost:
                    is_lost = True
                except StorageFailed as error:
                    LOG.warning("job %s: %s", lease.job.record.id, error)
                    is_lost = clock() >= ends
                if is_lost:
                    performing.cancel()
                    return

        renewing = asyncio.create_task(renew())
        try:
            yield
        except asyncio.CancelledError:
            if is_lost and not performing.uncancel():
                raise LeaseLost from None
            raise
        finally:
            renewing.cancel()
            self._leases.pop(lease.job.record.id, None)

    async def _notify(self, event: JobEvent) -> None:
        observer = self._observers.get(event.job.origin)
        if observer is not None:
            try:
                await observer(event)
            except Exception:  # an observer's defect is logged, and ends no job
                LOG.exception("job %s: its events cannot be delivered", event.job.record.id)

    async def _watch_rights(self) -> None:
        while True:
            await asyncio.sleep(RIGHTS_SECONDS)
            await self._end_revoked()

    async def _end_revoked(self) -> None:
        """End the jobs of callers who have no token left that could create them: revoked, expired or deleted."""
        try:
            for id, caller, origin, kind in await self._store.unfinished() if self._rights else ():
                if origin != COMMAND and self._rights and ("learn" if kind == "learn" else "jobs") not in self._rights(caller):
                    await self._store.cancel(id, caller, origin)
                    self.check(id)
        except SightreadError as error:  # tokens or database cannot be read: nothing is ended for that
            LOG.warning("jobs of revoked tokens: %s", error)

    async def _has_ended(self, lease: Lease) -> bool:
        found = await self._store.get(lease.job.record.id, lease.job.caller, lease.job.origin)
        return found is None or found.record.state == "cancelled"

    async def _remove_folder(self, job: StoredJob) -> None:
        await asyncio.to_thread(shutil.rmtree, self._folder / job.record.id, ignore_errors=True)

    async def _purge(self) -> None:
        while True:
            with suppress(StorageFailed):
                await self._store.versions.purge()
                for id in await self._store.purge():
                    await asyncio.to_thread(shutil.rmtree, self._folder / id, ignore_errors=True)
            await asyncio.sleep(PURGE_SECONDS)

    async def _count(self) -> None:
        while True:
            try:
                self.counts = await self._store.counts()
            except StorageFailed:
                self.counts = None
            await asyncio.sleep(COUNT_SECONDS)
