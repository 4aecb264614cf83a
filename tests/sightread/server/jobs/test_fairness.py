"""Jobs of one caller beside those of another: sleeping, hanging and looping sites cost their own caller alone."""

import asyncio
from contextlib import asynccontextmanager
from time import perf_counter

import aiohttp

from sightread.reading.reader import Reader
from sightread.server.access.gate import GatePolicy, TokenFile
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service
from tests.internet import Internet, public_url
from tests.sightread.server.jobs.test_jobs import finished, story

LOOP = "<!doctype html><title>Loop</title><p>Never still.<script>for (;;);</script>"
START_SECONDS = 10
"""Within which a small job starts, whatever other callers have under way."""


@asynccontextmanager
async def served(tmp_path, *callers):
    """A service with two tabs, and a client for each caller."""
    file = TokenFile(tmp_path / "tokens.json")
    tokens = [file.add(name, ["read", "jobs"]) for name in callers]
    async with Reader("boilerpipe", home=tmp_path, tabs=2, egress=Internet().egress()) as reader:
        service = Service(reader, gate=GatePolicy(file))
        async with serve_on_loopback(app_of(service)) as address:
            clients = [aiohttp.ClientSession(address, headers={"Authorization": f"Bearer {token}"}) for token in tokens]
            try:
                yield clients
            finally:
                for client in clients:
                    await client.close()


async def create(client, **job):
    async with client.post("/api/v1/jobs", json=job) as answer:
        assert answer.status == 202, await answer.text()
        return await answer.json()


async def small(client, url):
    """Perform a job of one page, and return its record and the seconds that it took."""
    begun = perf_counter()
    job = await finished(client, "", await create(client, kind="batch", urls=[url]))
    assert (job["state"], job["done"]) == ("done", 1)
    return job, perf_counter() - begun


async def test_a_hundred_large_jobs_of_one_caller_hold_up_nobody_else(site_server, tmp_path):
    links = "".join(f"<li><a href='/story/{n}'>The story of ferry number {n}</a>" for n in range(30))
    site = await site_server({"/": f"<title>All</title><ul>{links}</ul>", "/loop": LOOP} | {f"/story/{n}": story(n) for n in range(30)})
    good, loop = public_url(site.root, path="/story/1"), public_url(site.root, path="/loop")
    sleeping = {"kind": "crawl", "url": public_url(site.root), "pages": 30, "delay": 60}
    hostile = {"kind": "batch", "urls": [f"{loop}?{n}" for n in range(30)]}
    async with served(tmp_path, "ada", "bob") as (ada, bob):
        await small(bob, good)
        alone = min([(await small(bob, good))[1] for _ in range(3)])
        for _ in range(2):
            await create(ada, **sleeping)
        await small(ada, good)  # who sleeps holds no place, of the own caller neither
        await asyncio.gather(*(create(ada, **large) for _ in range(49) for large in (hostile, sleeping)))
        await asyncio.sleep(2)
        jobs = [await small(bob, good) for _ in range(3)]
    assert max(job["started"] - job["created"] for job, _ in jobs) < START_SECONDS
    assert min(seconds for _, seconds in jobs) < max(2 * alone, alone + 1)  # half the speed, or what a loaded machine adds
