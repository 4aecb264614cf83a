"""The job store: jobs with their requests and results, in an SQL database, for callers and for the processes that perform them.

A process performs a job while it holds its lease, which it renews; when that ends, because the process was killed, another one continues.
Everything that the holder writes is refused once the lease is another's, so a job never runs twice at once with effect. Results have a
key that is unique within the job: what was stored before a kill is not stored again.

Jobs about a site (crawl, learn) own its registrable domain: no two jobs of one domain are performed at once, by any process. The next one
begins no sooner than the delay between two requests after the lease of the one before, so a site's limit holds across processes too.
"""

from __future__ import annotations

import asyncio
import secrets
import uuid
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import msgspec

from sightread.batch.inputs.files import registrable_domain
from sightread.crawler.fetch import POLICY
from sightread.crawler.urls import parse_start_url
from sightread.render.errors import Rejected, SightreadError, quoted
from sightread.server.jobs.database import Database, Transaction
from sightread.server.jobs.versions import Versions, schema
from sightread.server.schema.answers import ErrorRecord, JobKind, JobRecord, JobState, Outcome

FIELDS = ", ".join(JobRecord.__struct_fields__)
HOUR = 3600.0
MOST_CHANGES = 10_000
"""Results of a watch that are kept."""
CANCELLED = "cancelled: "
"""Before the token of a lease whose job was cancelled."""
LONGEST_STEP = 500
"""Characters of a step that are recorded."""
_CLAIMABLE = """WITH busy AS (SELECT caller, count(*) AS jobs FROM jobs WHERE state = 'running' AND leased_until >= ? GROUP BY caller)
    SELECT id FROM jobs LEFT JOIN busy ON busy.caller = jobs.caller
    WHERE (state = 'queued' AND due <= ? OR state = 'running' AND leased_until < ?) AND (? = '' OR origin = ?) AND jobs.caller NOT IN ({})
    AND (domain = '' OR NOT EXISTS (SELECT 1 FROM jobs AS other WHERE other.domain = jobs.domain AND other.leased_until + other.delay >= ?))
    ORDER BY COALESCE(busy.jobs, 0), state, created LIMIT 1"""  # queued before those that a process may have ended with


@dataclass(frozen=True, slots=True)
class JobLimits:
    """Limits of jobs; times in seconds."""

    lease: float = 10.0
    """After which a job of a killed process is continued by another."""
    keep: float = 24 * HOUR
    """For which a finished job and its results are kept."""
    deadline: float = 24 * HOUR
    """For one job, from its first start on."""
    per_caller: int = 100
    stalls: int = 2
    """Processes that end in a row while they perform a job and add no result, after which the job fails."""
    under_way: int = 32
    """Jobs that one process has under way: those that wait for their sites hold neither a tab nor a turn, but some MB of memory."""


class QuotaReached(SightreadError):
    """The caller has as many unfinished jobs as one may have."""


class KeyReused(Rejected):
    """The idempotency key was sent before with another request."""


class LeaseLost(Exception):
    """Another process performs the job, or it was cancelled or deleted."""


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to create."""

    kind: JobKind
    request: bytes
    caller: str
    target: str = ""
    """The start URL, or the first URL of a batch."""
    total: int = 0
    """Pages that are wanted."""
    key: str = ""
    """Idempotency key: a second job of the caller with it is the first one."""
    origin: str = "native"
    """The API through which it was created; only that shows it."""
    extra: bytes = b""
    """Data that the API stores with the request."""
    keep: float = 0.0
    """Seconds from its creation for which it is kept at least."""


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job with what only the service sees of it."""

    record: JobRecord
    caller: str
    origin: str
    request: bytes
    extra: bytes


class JobRow(NamedTuple):
    """A result of a job, which has a unique key there."""

    key: str
    failed: bool
    body: bytes
    """An `Outcome` as JSON."""
    seq: int = 0
    """Its place in the order of results, from 1, once it is stored."""


@dataclass(slots=True)
class Progress:
    """Progress of a job, which the next renewal of its lease records."""

    step: str = ""
    delay: float | None = None
    """Seconds between two requests to its site; None until its robots.txt was read. If its process is killed by then, the longest
    Crawl-delay that is followed holds."""
    pages: int = 0
    """Pages of a site to learn that were stored."""
    changes: list[Outcome] = field(default_factory=list)
    """Of the current round of a watch, without their texts."""
    has_news: asyncio.Event = field(default_factory=asyncio.Event)
    """Set to renew the lease at once."""

    def on_step(self, step: str) -> None:
        """Record the current step."""
        self.step = step[:LONGEST_STEP]


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to perform a job."""

    job: StoredJob
    token: str
    is_overdue: bool
    stalls: int
    """Processes that have ended in a row while they performed it and added no result."""
    progress: Progress = field(default_factory=Progress)


class JobStore:
    """Jobs in a database. Methods raise `StorageFailed` if it cannot be used."""

    def __init__(self, database: Database, limits: JobLimits = JobLimits()) -> None:
        self._database = database
        self.limits = limits
        self.versions = Versions(database)

    async def open(self) -> None:
        """Make the tables if they are missing."""

        def make(work: Transaction) -> None:
            work.lock("tables")
            for statement in _schema(self._database.blob):
                work.query(statement)

        await self._database.run(make)

    async def close(self) -> None:
        """Close the database."""
        await self._database.close()

    async def create(self, new: NewJob) -> tuple[JobRecord, bool]:
        """Store a job, and return it and whether it is new.

        Raises `QuotaReached`, and `KeyReused` if the caller sent another request with the same idempotency key.
        """
        return await self._database.run(lambda work: self._create(work, new))

    def _create(self, work: Transaction, new: NewJob) -> tuple[JobRecord, bool]:
        work.lock(new.caller)
        if new.key:
            known = work.query(f"SELECT {FIELDS}, request, extra FROM jobs WHERE caller = ? AND key = ?", (new.caller, new.key))  # noqa: S608
            if known and (bytes(known[0][-2]), bytes(known[0][-1])) != (new.request, new.extra):
                raise KeyReused(f"the idempotency key {quoted(new.key)} belongs to another request: send a new key")
            if known:
                return _record(known[0]), False
        active = work.query("SELECT count(*) FROM jobs WHERE caller = ? AND state IN ('queued', 'running')", (new.caller,))[0][0]
        if active >= self.limits.per_caller:
            raise QuotaReached(f"{active} of your jobs wait or run, which is the most: wait for one to end, or cancel one")
        record = JobRecord(id=str(uuid.uuid4()), kind=new.kind, target=new.target, state="queued", created=work.now(), total=new.total)
        work.query(
            "INSERT INTO jobs (id, kind, target, state, caller, origin, request, extra, key, created, total, expires, domain)"
            " VALUES (?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(record.id, new.kind, new.target, new.caller, new.origin, new.request, new.extra, new.key or None),
                *(record.created, new.total, record.created + new.keep if new.keep else 0.0, _domain(new.kind, new.target)),
            ),
        )
        return record, True

    async def repeat(self, ids: Collection[str], states: Collection[JobState]) -> None:
        """Queue again those of the jobs that are in one of the states, without their results."""

        def repeat(work: Transaction) -> None:
            for id in ids:
                sql = (
                    "UPDATE jobs SET state = 'queued', error = NULL, started = 0, finished = 0, done = 0, failed = 0, last = 0, stalls = 0"
                )
                marks = ", ".join("?" for _ in states)
                if work.query(f"{sql} WHERE id = ? AND state IN ({marks}) RETURNING id", (id, *states)):
                    work.query("DELETE FROM results WHERE job = ?", (id,))

        await self._database.run(repeat)

    async def get(self, id: str, caller: str, origin: str = "native") -> StoredJob | None:
        """Return a job of the caller; None if there is none."""
        return await self._database.run(lambda work: _find(work, "id = ? AND caller = ? AND origin = ?", (id, caller, origin)))

    async def list_jobs(self, caller: str, limit: int = 100, origin: str = "native") -> list[JobRecord]:
        """Return the caller's jobs, the newest first."""
        sql = f"SELECT {FIELDS} FROM jobs WHERE caller = ? AND origin = ? ORDER BY created DESC LIMIT ?"  # noqa: S608  (our own names alone)
        return [_record(row) for row in await self._database.run(lambda work: work.query(sql, (caller, origin, limit)))]

    async def results(self, id: str, after: int = 0, limit: int = 100, *, failed: bool | None = None) -> list[JobRow]:
        """Return results in the order in which they were stored, those after a `seq`; only failed or only read pages on request."""
        chosen = "" if failed is None else f" AND failed = {int(failed)}"
        sql = f"SELECT seq, key, failed, body FROM results WHERE job = ? AND seq > ?{chosen} ORDER BY seq LIMIT ?"  # noqa: S608
        rows = await self._database.run(lambda work: work.query(sql, (id, after, limit)))
        return [JobRow(key, bool(has_failed), bytes(body), seq) for seq, key, has_failed, body in rows]

    async def cancel(self, id: str, caller: str, origin: str = "native") -> bool:
        """End a job of the caller that is not finished; its results stay. Return whether it was ended by this call."""

        def cancel(work: Transaction) -> bool:
            now = work.now()
            sql = (  # its domain is free once its holder has noticed, or the lease ends
                "UPDATE jobs SET state = 'cancelled', finished = ?, expires = ?, lease = ? || lease, step = ''"
                " WHERE id = ? AND caller = ? AND origin = ? AND state IN ('queued', 'running') RETURNING id"
            )
            return bool(work.query(sql, (now, now + self.limits.keep, CANCELLED, id, caller, origin)))

        return await self._database.run(cancel)

    async def unfinished(self) -> list[tuple[str, str, str, JobKind]]:
        """Return id, caller, origin and kind of the jobs that wait or run."""
        sql = "SELECT id, caller, origin, kind FROM jobs WHERE state IN ('queued', 'running')"
        return [(id, caller, origin, kind) for id, caller, origin, kind in await self._database.run(lambda work: work.query(sql))]

    async def counts(self) -> dict[JobState, int]:
        """Return the number of jobs per state."""
        rows = await self._database.run(lambda work: work.query("SELECT state, count(*) FROM jobs GROUP BY state"))
        return dict(rows)

    async def purge(self) -> list[str]:
        """Delete finished jobs that are past their time, with their results, and return their ids."""

        def purge(work: Transaction) -> list[str]:
            old = [row[0] for row in work.query("SELECT id FROM jobs WHERE finished > 0 AND expires < ?", (work.now(),))]
            for id in old:
                work.query("DELETE FROM results WHERE job = ?", (id,))
                work.query("DELETE FROM jobs WHERE id = ?", (id,))
            return old

        return await self._database.run(purge)

    async def claim(self, except_of: Collection[str] = (), origin: str = "") -> Lease | None:
        """Take the lease of a job that waits, or whose holder was killed: of the caller with the fewest running jobs, the oldest.

        Jobs of the callers in `except_of` are left, and those whose domain has another owner; with an `origin`, those of other APIs.
        """
        return await self._database.run(lambda work: self._claim(work, except_of, origin))

    def _claim(self, work: Transaction, except_of: Collection[str], origin: str) -> Lease | None:
        work.lock("claim")  # two at once could take two jobs of one domain
        now, token = work.now(), secrets.token_hex(8)
        callers = ", ".join(("''", *("?" for _ in except_of)))
        found = work.query(_CLAIMABLE.format(callers), (now, now, now, origin, origin, *except_of, now))
        if not found:
            return None
        id = found[0][0]
        taken = work.query(
            "UPDATE jobs SET stalls = CASE WHEN state = 'running' THEN stalls + 1 ELSE stalls END, attempts = attempts + 1,"
            " state = 'running', started = CASE WHEN started = 0 THEN ? ELSE started END, lease = ?, leased_until = ?, delay = ?"
            " WHERE id = ? AND (state = 'queued' OR (state = 'running' AND leased_until < ?)) RETURNING stalls",
            (now, token, now + self.limits.lease, POLICY.longest_delay, id, now),
        )
        job = _find(work, "id = ?", (id,))
        if not taken or job is None:  # it was renewed, or cancelled, meanwhile
            return None
        return Lease(job, token, now - job.record.started > self.limits.deadline, taken[0][0])

    async def renew(self, lease: Lease) -> None:
        """Keep the lease, and record what its holder reports. Raises `LeaseLost`."""

        def renew(work: Transaction) -> None:
            values = (work.now() + self.limits.lease, lease.progress.step, lease.progress.delay, lease.job.record.id, lease.token)
            sql = "UPDATE jobs SET leased_until = ?, step = ?, delay = COALESCE(?, delay) WHERE id = ? AND lease = ? RETURNING id"
            if not work.query(sql, values):
                raise LeaseLost

        await self._database.run(renew)

    async def add(self, lease: Lease, rows: Sequence[JobRow]) -> None:
        """Store results; those whose key is there already are passed over. Raises `LeaseLost`."""

        def add(work: Transaction) -> None:
            id = lease.job.record.id
            sql = "UPDATE jobs SET stalls = 0 WHERE id = ? AND lease = ? RETURNING last"
            held = work.query(sql, (id, lease.token))
            if not held:
                raise LeaseLost
            last, read, lost = held[0][0], 0, 0
            for row in rows:
                if work.query("SELECT 1 FROM results WHERE job = ? AND key = ?", (id, row.key)):
                    continue
                last += 1
                work.query("INSERT INTO results VALUES (?, ?, ?, ?, ?)", (id, last, row.key, int(row.failed), row.body))
                lost, read = lost + row.failed, read + (not row.failed)
            work.query("UPDATE jobs SET last = ?, done = done + ?, failed = failed + ? WHERE id = ?", (last, read, lost, id))

        await self._database.run(add)

    async def keys(self, id: str) -> frozenset[str]:
        """Return the keys of the results that are stored."""
        return frozenset(
            row[0] for row in await self._database.run(lambda work: work.query("SELECT key FROM results WHERE job = ?", (id,)))
        )

    async def finish(self, lease: Lease, state: Literal["done", "failed"], error: ErrorRecord | None = None) -> None:
        """End a job. Raises `LeaseLost`."""

        def finish(work: Transaction) -> None:
            now = work.now()
            detail = msgspec.json.encode(error).decode() if error else None
            sql = (
                "UPDATE jobs SET state = ?, error = ?, finished = ?, expires = CASE WHEN expires > ? THEN expires ELSE ? END,"
                " lease = NULL, leased_until = ?, delay = ?, step = '' WHERE id = ? AND lease = ? RETURNING id"
            )
            ends = now + self.limits.keep
            if not work.query(sql, (state, detail, now, ends, ends, now, lease.progress.delay or 0.0, lease.job.record.id, lease.token)):
                raise LeaseLost

        await self._database.run(finish)

    async def put_off(self, lease: Lease, seconds: float) -> None:
        """Give a watch back until its next round; the newest of its results stay. Raises `LeaseLost`."""

        def put_off(work: Transaction) -> None:
            now, id = work.now(), lease.job.record.id
            sql = (
                "UPDATE jobs SET state = 'queued', due = ?, started = 0, stalls = 0, lease = NULL, leased_until = ?, delay = ?, step = ''"
                " WHERE id = ? AND lease = ? RETURNING last"
            )
            found = work.query(sql, (now + seconds, now, lease.progress.delay or 0.0, id, lease.token))
            if not found:
                raise LeaseLost
            work.query("DELETE FROM results WHERE job = ? AND seq <= ?", (id, found[0][0] - MOST_CHANGES))

        await self._database.run(put_off)

    async def free(self, lease: Lease) -> None:
        """Free the domain of a job that was cancelled, now that its holder has stopped."""
        sql = "UPDATE jobs SET leased_until = ?, delay = ? WHERE id = ? AND lease = ?"
        values = lease.progress.delay or 0.0, lease.job.record.id, f"{CANCELLED}{lease.token}"
        await self._database.run(lambda work: work.query(sql, (work.now(), *values)))

    async def release(self, lease: Lease) -> None:
        """Give the job back: another process, or this one after its restart, continues at once."""
        sql = "UPDATE jobs SET state = 'queued', lease = NULL, leased_until = ?, delay = ?, step = '' WHERE id = ? AND lease = ?"
        await self._database.run(lambda work: work.query(sql, (work.now(), lease.progress.delay or 0.0, lease.job.record.id, lease.token)))


def _domain(kind: JobKind, target: str) -> str:
    """Return the registrable domain that a job owns while it is performed; empty for none."""
    if kind != "batch":
        with suppress(Rejected):  # the job fails by its address
            return registrable_domain(parse_start_url(target).url)
    return ""


def _schema(blob: str) -> tuple[str, ...]:
    columns = {"state": "state, created", "caller": "caller, created", "domain": "domain"}
    return (
        f"""CREATE TABLE IF NOT EXISTS jobs (
            id TEXT PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, state TEXT NOT NULL, caller TEXT NOT NULL, origin TEXT NOT NULL,
            request {blob} NOT NULL, extra {blob} NOT NULL, key TEXT,
            created DOUBLE PRECISION NOT NULL, started DOUBLE PRECISION NOT NULL DEFAULT 0,
            finished DOUBLE PRECISION NOT NULL DEFAULT 0, expires DOUBLE PRECISION NOT NULL DEFAULT 0,
            total INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
            last INTEGER NOT NULL DEFAULT 0, step TEXT NOT NULL DEFAULT '', error TEXT,
            attempts INTEGER NOT NULL DEFAULT 0, stalls INTEGER NOT NULL DEFAULT 0,
            lease TEXT, leased_until DOUBLE PRECISION NOT NULL DEFAULT 0, due DOUBLE PRECISION NOT NULL DEFAULT 0,
            domain TEXT NOT NULL DEFAULT '', delay DOUBLE PRECISION NOT NULL DEFAULT 0, UNIQUE (caller, key))""",
        f"""CREATE TABLE IF NOT EXISTS results (
            job TEXT NOT NULL REFERENCES jobs (id), seq INTEGER NOT NULL, key TEXT NOT NULL, failed INTEGER NOT NULL,
            body {blob} NOT NULL, PRIMARY KEY (job, seq), UNIQUE (job, key))""",
        schema(blob),
        *(f"CREATE INDEX IF NOT EXISTS jobs_by_{name} ON jobs ({listed})" for name, listed in columns.items()),
    )


def _find(work: Transaction, condition: str, values: tuple[object, ...]) -> StoredJob | None:
    found = work.query(f"SELECT {FIELDS}, caller, origin, request, extra FROM jobs WHERE {condition}", values)  # noqa: S608
    if not found:
        return None
    *_, caller, origin, request, extra = found[0]
    return StoredJob(_record(found[0]), caller, origin, bytes(request), bytes(extra))


def _record(row: tuple[Any, ...]) -> JobRecord:
    values = dict(zip(JobRecord.__struct_fields__, row, strict=False))
    return JobRecord(**values | {"error": msgspec.json.decode(values["error"], type=ErrorRecord) if values["error"] else None})
