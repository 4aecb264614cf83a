"""The job store, on SQLite and on PostgreSQL."""

import asyncio
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from sightread.crawler.fetch import POLICY
from sightread.render.errors import StorageFailed
from sightread.server.jobs import database
from sightread.server.jobs import store as store_module
from sightread.server.jobs.database import open_database
from sightread.server.jobs.runner import JobRunner
from sightread.server.jobs.store import JobLimits, JobRow, JobStore, KeyReused, LeaseLost, NewJob, QuotaReached
from sightread.server.schema.answers import ErrorRecord

LIMITS = JobLimits(lease=600, keep=600, per_caller=3)


@pytest.fixture
def pass_time(monkeypatch):
    """Let the clock of both databases go forward by seconds, without waiting for them."""
    passed = [0.0]
    for kind in (database._SQLiteTransaction, database._PostgreSQLTransaction):
        monkeypatch.setattr(kind, "now", lambda self, now=kind.now: now(self) + sum(passed))
    return passed.append


@asynccontextmanager
async def opened(location):
    store = JobStore(open_database(location), LIMITS)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def batch(caller="a", **more):
    return NewJob("batch", b"{}", caller, total=2, **more)


def row(key, *, failed=False):
    return JobRow(key, failed, b'{"index":0}')


async def test_a_job_is_performed_once_by_its_one_holder(location):
    async with opened(location) as store, opened(location) as other:
        job, is_new = await store.create(batch(target="http://a/"))
        assert (is_new, job.state, job.total, job.target) == (True, "queued", 2, "http://a/")
        leases = await asyncio.gather(store.claim(), other.claim())
        (lease,) = [each for each in leases if each]
        await store.add(lease, [row("0"), row("1", failed=True), row("0")])
        await store.finish(lease, "done")
        found = await other.get(job.id, "a")
        assert (found.record.state, found.record.done, found.record.failed, found.record.attempts) == ("done", 1, 1, 1)
        assert await other.claim() is None
        assert [(each.seq, each.key, each.failed) for each in await other.results(job.id)] == [(1, "0", False), (2, "1", True)]
        assert [each.key for each in await other.results(job.id, failed=True)] == ["1"]
        assert [each.key for each in await other.results(job.id, after=1)] == ["1"]


async def test_the_job_of_a_killed_process_is_continued_and_the_late_holder_writes_nothing(location, pass_time):
    async with opened(location) as store:
        job, _ = await store.create(batch())
        first = await store.claim()
        await store.add(first, [row("0")])
        assert await store.claim() is None
        pass_time(LIMITS.lease)
        second = await store.claim()
        assert (second.job.record.id, second.job.record.attempts) == (job.id, 2)
        for write in (store.renew(first), store.add(first, [row("1")]), store.finish(first, "done")):
            with pytest.raises(LeaseLost):
                await write
        await store.release(first)
        assert await store.keys(job.id) == {"0"}
        await store.add(second, [row("0"), row("1")])
        assert [each.key for each in await store.results(job.id)] == ["0", "1"]


async def test_a_renewed_lease_is_nobody_elses(location, pass_time):
    async with opened(location) as store:
        await store.create(batch())
        lease = await store.claim()
        for _ in range(3):
            pass_time(LIMITS.lease / 2)
            lease.progress.on_step("reading")
            await store.renew(lease)
            assert await store.claim() is None
        assert (await store.list_jobs("a"))[0].step == "reading"


def crawl(url, caller="a", **more):
    return NewJob("crawl", b"{}", caller, url, total=2, **more)


async def test_a_registrable_domain_has_one_owner_and_its_delay_outlasts_the_lease(location, pass_time):
    async with opened(location) as store, opened(location) as other:
        for url in ("https://www.news.example/a", "https://blog.news.example/", "https://port.example:8443/", "http://news.example"):
            await store.create(crawl(url, caller=url))
        leases = [lease for lease in await asyncio.gather(store.claim(), other.claim(), store.claim(), other.claim()) if lease]
        assert sorted(lease.job.record.target for lease in leases) == ["https://port.example:8443/", "https://www.news.example/a"]
        first = next(lease for lease in leases if "news" in lease.job.record.target)
        first.progress.delay = 20.0
        await store.finish(first, "done")
        assert await other.claim() is None
        pass_time(20.1)
        second = await other.claim()
        assert "news" in second.job.record.target and await store.claim() is None
        pass_time(LIMITS.lease)  # its holder was killed before it knew the delay: the longest one holds
        assert await store.claim() is None
        pass_time(POLICY.longest_delay + 0.1)
        third = await store.claim()
        assert "news" in third.job.record.target
        third.progress.delay = 20.0
        await store.release(third)
        assert (await store.claim()).job.record.target == "https://port.example:8443/"


class Learner:
    """Learns a site for ever, and has stored a number of its pages."""

    def __init__(self, pages=0):
        self.pages, self.begun, self.ended = pages, asyncio.Event(), asyncio.Event()

    async def learn(self, engine, request, progress):
        progress.pages = self.pages
        progress.has_news.set()
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()


def runner(store, learner, tmp_path):
    return JobRunner(SimpleNamespace(draining=False), store, tmp_path, learn_site=learner.learn)


SITE = NewJob("learn", b'{"kind": "learn", "url": "https://a.example/"}', "a", "https://a.example/")


async def test_a_process_without_the_database_gives_its_site_up_when_its_lease_ends(location, tmp_path, monkeypatch):
    learner, store = Learner(), JobStore(open_database(location), JobLimits(lease=0.3))

    async def renew(_):
        raise StorageFailed("no route to host")

    async with runner(store, learner, tmp_path):
        await store.create(SITE)
        await learner.begun.wait()
        monkeypatch.setattr(store, "renew", renew)
        await learner.ended.wait()


async def test_a_site_whose_pages_are_stored_does_not_count_as_ending_processes(location, tmp_path, pass_time):
    store = JobStore(open_database(location), LIMITS)
    async with opened(location) as other:
        await other.create(SITE)
        assert await other.claim()
        pass_time(LIMITS.lease + POLICY.longest_delay + 1)
        async with runner(store, Learner(pages=1), tmp_path):
            while await other._database.run(lambda work: work.query("SELECT attempts, stalls FROM jobs")) != [(2, 0)]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def test_the_domain_of_a_cancelled_job_is_free_once_its_holder_has_stopped(location):
    async with opened(location) as store:
        job, _ = await store.create(crawl("https://a.example/"))
        await store.create(crawl("https://b.a.example/"))
        lease = await store.claim()
        await store.cancel(job.id, "a")
        assert await store.claim() is None
        await store.free(lease)
        assert await store.claim()


async def test_jobs_are_claimed_by_origin_and_repeated_without_their_results(location):
    async with opened(location) as store:
        await store.create(batch("b"))
        job, _ = await store.create(crawl("https://a.example/", origin="command", keep=2 * LIMITS.keep))
        lease = await store.claim(origin="command")
        await store.add(lease, [row("0")])
        await store.finish(lease, "failed", ErrorRecord("Unusable", "gone"))
        found = (await store.get(job.id, "a", "command")).record
        assert found.expires - found.created == 2 * LIMITS.keep
        await store.repeat([job.id], ["done"])
        assert await store.claim(origin="command") is None
        await store.repeat([job.id], ["failed"])
        found = (await store.get(job.id, "a", "command")).record
        assert (found.state, found.error, found.done, await store.results(job.id)) == ("queued", None, 0, [])


async def test_processes_that_end_with_a_job_are_counted(location, pass_time):
    async with opened(location) as store:
        await store.create(batch())
        stalled = []
        for _ in range(3):
            stalled.append((await store.claim()).stalls)
            pass_time(LIMITS.lease)
        assert stalled == [0, 1, 2]  # written down: a service that starts again counts on


async def test_a_cancelled_job_keeps_its_results_and_its_holder_loses_the_lease(location):
    async with opened(location) as store:
        job, _ = await store.create(batch())
        lease = await store.claim()
        await store.add(lease, [row("0")])
        assert not await store.cancel(job.id, "someone else")
        assert await store.cancel(job.id, "a")
        assert not await store.cancel(job.id, "a")
        with pytest.raises(LeaseLost):
            await store.add(lease, [row("1")])
        assert (await store.get(job.id, "a")).record.state == "cancelled"
        assert len(await store.results(job.id)) == 1


async def test_a_second_job_with_the_same_key_is_the_first_and_another_request_with_it_is_refused(location):
    async with opened(location) as store:
        first, _ = await store.create(batch(key="k"))
        assert await store.create(batch(key="k")) == (first, False)
        assert (await store.create(batch("b", key="k")))[1]
        with pytest.raises(KeyReused, match="belongs to another request"):
            await store.create(NewJob("batch", b"[]", "a", key="k"))


async def test_jobs_are_their_callers_own_and_have_a_quota(location):
    async with opened(location) as store:
        jobs = [(await store.create(batch()))[0] for _ in range(3)]
        with pytest.raises(QuotaReached, match="3 of your jobs wait or run"):
            await store.create(batch())
        assert await store.get(jobs[0].id, "b") is None
        assert await store.get(jobs[0].id, "a", "firecrawl") is None
        await store.create(batch("b"))
        assert (await store.claim()).job.caller == "a"
        assert (await store.claim()).job.caller == "b"  # who has none under way comes first
        assert await store.counts() == {"queued": 2, "running": 2}
        assert await store.claim(["a"]) is None
        assert (await store.claim(["b", "c"])).job.caller == "a"


async def test_a_server_that_cannot_be_reached_is_reported_in_a_line():
    pytest.importorskip("psycopg")
    store = JobStore(open_database("postgresql://reader@127.0.0.1:1/jobs"), LIMITS)
    with pytest.raises(StorageFailed, match=r"PostgreSQL database cannot be reached: .*: check --database and the server$"):
        await store.open()
    await store.close()


async def test_finished_jobs_are_deleted_after_their_time(location, pass_time):
    async with opened(location) as store:
        job, _ = await store.create(batch())
        lease = await store.claim()
        await store.add(lease, [row("0")])
        await store.finish(lease, "done")
        assert await store.purge() == []
        pass_time(LIMITS.keep)
        assert await store.purge() == [job.id]
        assert (await store.get(job.id, "a"), await store.results(job.id)) == (None, [])


async def test_a_watch_is_put_off_until_its_next_round_and_keeps_its_newest_results(location, pass_time, monkeypatch):
    monkeypatch.setattr(store_module, "MOST_CHANGES", 2)
    async with opened(location) as store:
        job, _ = await store.create(NewJob("watch", b"{}", "a", target="https://a.example/"))
        lease = await store.claim()
        await store.add(lease, [row("0"), row("1"), row("2")])
        await store.put_off(lease, 100.0)
        with pytest.raises(LeaseLost):
            await store.put_off(lease, 100.0)
        assert await store.claim() is None and await store.keys(job.id) == {"1", "2"}
        pass_time(101.0)
        assert (await store.claim()).job.record.id == job.id


async def test_a_runner_that_is_woken_as_it_stops_stops(location, tmp_path):
    store = JobStore(open_database(location), LIMITS)
    async with asyncio.timeout(30), runner(store, Learner(), tmp_path) as running:
        while running.counts is None:  # noqa: ASYNC110  (until it waits for jobs)
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        running.wake()
