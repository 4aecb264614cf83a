"""Jobs as a client meets them: the options of the synchronous call, results while it runs, and callers who hold up nobody else."""

import asyncio
import json
from contextlib import asynccontextmanager

import aiohttp
from aiohttp import web

from sightread.reading.reader import Reader
from sightread.server.access.gate import GatePolicy, TokenFile
from sightread.server.http import serve_on_loopback
from sightread.server.jobs import runner
from sightread.server.process.front import app_of
from sightread.server.routes import native
from sightread.server.service import Service
from tests.internet import Internet, public_url
from tests.pages.stories import stories

LONG = "It has carried shift workers across the estuary for ninety years, and by now it runs half empty most of the time. " * 3


def story(number):
    return f"<!doctype html><title>Ferry {number}</title><main><h1>Ferry {number}</h1><p>Number {number}. {LONG}</p></main>"


async def create(client, address, status=202, key="", **body):
    headers = {"Idempotency-Key": key} if key else {}
    async with client.post(f"{address}/api/v1/jobs", json=body, headers=headers) as answer:
        assert answer.status == status, await answer.text()
        return await answer.json()


async def get(client, address, path, status=200):
    async with client.get(f"{address}/api/v1/jobs{path}") as answer:
        assert answer.status == status, await answer.text()
        return await answer.json()


async def finished(client, address, job):
    """Wait for the end of the job by its events."""
    async with client.get(f"{address}/api/v1/jobs/{job['id']}/events") as answer:
        assert answer.content_type == "text/event-stream"
        events = [json.loads(line[6:]) async for line in answer.content if line.startswith(b"data: ")]
    return events[-1]


async def test_a_job_gives_what_the_synchronous_call_gives_for_the_same_options(client, address, site_server):
    site = await site_server({"/a": story(1), "/b": story(2)})
    urls = [public_url(site.root, path=path) for path in ("/a", "/b", "/gone")]
    body = {
        "urls": urls,
        "model": "boilerpipe",
        "without": ["links"],
        "outputs": ["links", "html", "page_html"],
        "device": {"viewport": [700, 500]},
    }
    async with client.post(f"{address}/api/v1/batch", json=body) as answer:
        assert (answer.status, answer.content_type) == (200, "application/x-ndjson")
        streamed = [json.loads(line) async for line in answer.content]
    job = await create(client, address, kind="batch", **body)
    ended = await finished(client, address, job)
    assert (ended["state"], ended["total"], ended["done"], ended["failed"]) == ("done", 3, 2, 1)
    stored = (await get(client, address, f"/{job['id']}/results"))["results"]

    def comparable(outcomes):
        for outcome in outcomes:
            if outcome["result"]:
                outcome["result"]["page"].pop("rendered_at", None)
        return sorted(outcomes, key=lambda outcome: outcome["index"])

    assert comparable(stored) == comparable(streamed)
    assert stored[0]["result"]["page"]["html"] and stored[0]["result"]["html"].startswith("<")
    assert [outcome["error"] and outcome["error"]["kind"] for outcome in comparable(stored)] == [None, None, "Unusable"]


async def test_the_events_of_a_job_that_does_not_change_are_kept_open_by_comments(client, address, site_server, monkeypatch):
    monkeypatch.setattr(native, "KEEP_ALIVE_SECONDS", 0.0)
    let_go = asyncio.Event()

    async def held(_):
        await let_go.wait()
        return web.Response(text=story(1), content_type="text/html")

    site = await site_server({"/": held})
    job = await create(client, address, kind="batch", urls=[public_url(site.root)])
    async with client.get(f"{address}/api/v1/jobs/{job['id']}/events") as answer:
        async for line in answer.content:
            if line == b": still there\n":
                let_go.set()
    assert let_go.is_set()
    assert (await finished(client, address, job))["state"] == "done"


async def test_a_crawl_yields_its_pages_by_a_cursor(client, address, site_server):
    links = "".join(f"<li><a href='/story/{n}'>The story of ferry number {n}</a>" for n in range(4))
    site = await site_server({"/": f"<title>All</title><ul>{links}</ul>"} | {f"/story/{n}": story(n) for n in range(4)})
    job = await create(client, address, kind="crawl", url=public_url(site.root), pages=5, delay=0)
    assert (await finished(client, address, job))["state"] == "done"
    first = await get(client, address, f"/{job['id']}/results?limit=3")
    rest = await get(client, address, f"/{job['id']}/results?after={first['next']}")
    found = [*first["results"], *rest["results"]]
    assert rest["next"] is None
    assert {"/", *(f"/story/{n}" for n in range(4))} == {"/" + outcome["url"].split("/", 3)[3] for outcome in found}
    assert sum("ninety years" in outcome["result"]["text"] for outcome in found) == 4
    async with client.post(f"{address}/api/v1/jobs/{job['id']}/inspect") as answer:
        inspection = (await answer.json())["id"]
    async with client.get(f"{address}/inspections/{inspection}/complete.json") as answer:
        shown = await answer.json()
    assert len(shown["pages"]) == 5 and shown["predicted"] and shown["unlearned"]["command"].startswith("sightread learn http")


async def test_a_site_is_learned_and_then_read_by_its_own_model(client, address, site_server):
    pages = stories(8, lambda town: f"<title>{town} looks back</title>")
    site = await site_server(pages)
    start = public_url(site.root)
    job = await create(client, address, kind="learn", url=start, pages=8, delay=0)
    async with client.get(f"{address}/api/v1/jobs/{job['id']}/events") as answer:
        events = [json.loads(line[6:]) async for line in answer.content if line.startswith(b"data: ")]
    assert (events[0]["kind"], events[-1]["state"], events[-1]["done"], events[-1]["error"]) == ("learn", "done", 1, None)
    assert {"running"} < {event["state"] for event in events}
    (outcome,) = (await get(client, address, f"/{job['id']}/results"))["results"]
    learned = outcome["learned"]
    assert (learned["pages"], learned["failures"], learned["trusted"], learned["doubt"]) == (8, 0, True, "")
    async with client.get(f"{address}/api/v1/sites/{learned['site']}") as answer:
        assert ((found := await answer.json())["state"], found["version"]) == ("trusted", learned["version_in_use"])
    async with client.post(f"{address}/api/v1/extract", json={"url": f"{start}story/3", "model": "auto"}) as answer:
        document = await answer.json()
    assert (document["model"], document["version"], document["note"]) == ("site", learned["version"], "")
    assert "ledger" in document["text"] and "All rights" not in document["text"]


LOOP = "<!doctype html><title>Loop</title><p>Never still.<script>for (;;);</script>"
UNFAIR_SECONDS = 60
"""Less than any of the large jobs takes."""


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


async def read_small(client, url):
    """Perform a job of one page."""
    job = await finished(client, "", await create(client, "", kind="batch", urls=[url]))
    assert (job["state"], job["done"]) == ("done", 1)


async def test_a_hundred_large_jobs_of_one_caller_hold_up_nobody_else(site_server, tmp_path):
    links = "".join(f"<li><a href='/story/{n}'>The story of ferry number {n}</a>" for n in range(30))
    site = await site_server({"/": f"<title>All</title><ul>{links}</ul>", "/loop": LOOP} | {f"/story/{n}": story(n) for n in range(30)})
    good, loop = public_url(site.root, path="/story/1"), public_url(site.root, path="/loop")
    sleeping = {"kind": "crawl", "url": public_url(site.root), "pages": 30, "delay": 60}
    hostile = {"kind": "batch", "urls": [f"{loop}?{n}" for n in range(30)]}
    async with served(tmp_path, "ada", "bob") as (ada, bob):
        for _ in range(2):
            await create(ada, "", **sleeping)
        await read_small(ada, good)  # who sleeps holds no place, of the own caller neither
        await asyncio.gather(*(create(ada, "", **large) for _ in range(49) for large in (hostile, sleeping)))
        await asyncio.sleep(2)
        async with asyncio.timeout(UNFAIR_SECONDS):
            for _ in range(3):
                await read_small(bob, good)


async def test_an_answer_has_what_changed_since_the_callers_last_request_for_its_page(client, address, site_server):
    pages = {"/a": story(1)}
    site = await site_server(pages)
    url = public_url(site.root, path="/a")

    async def extract(**body):
        async with client.post(f"{address}/api/v1/extract", json={"url": url, "outputs": ["change"], **body}) as answer:
            return (await answer.json())["change"]

    async def scrape(version, **body):
        async with client.post(f"{address}/v{version}/scrape", json={"url": url, **body}) as answer:
            return (await answer.json())["data"]["changeTracking"]

    assert (await extract())["status"] == "new"
    pages["/a"] = story(1).replace("<title>Ferry", "<title>Design")
    assert (await extract())["status"] == "same"
    pages["/a"] = story(1).replace("Number 1", "Number 9")
    assert (await extract(change_tag="other"))["status"] == "new"
    changed = await extract()
    assert (
        changed["status"] == "changed" and changed["previous"] and "-Number 1. It" in changed["diff"] and "+Number 9. It" in changed["diff"]
    )
    tracked = await scrape(2, formats=["markdown", {"type": "changeTracking", "modes": ["git-diff"], "tag": "other"}])
    assert tracked["changeStatus"] == "same" and tracked["previousScrapeAt"].startswith("20") and "diff" not in tracked
    pages["/a"] = story(2)
    assert "+# Ferry 2" in (await scrape(2, formats=[{"type": "changeTracking", "modes": ["git-diff"]}]))["diff"]["text"]
    options = {"formats": ["markdown", "changeTracking"], "changeTrackingOptions": {"tag": "third"}}
    assert await scrape(1, **options) == {"previousScrapeAt": None, "changeStatus": "new", "visibility": "visible"}
    async with client.post(f"{address}/api/v1/extract", json={"html": story(1), "outputs": ["change"]}) as answer:
        assert answer.status == 400 and "give url, or change_tag" in await answer.text()
    job = await create(client, address, kind="batch", urls=[url], outputs=["change"])
    await finished(client, address, job)
    (stored,) = (await get(client, address, f"/{job['id']}/results"))["results"]
    assert stored["result"]["change"]["status"] == "same"


async def test_a_watch_reports_what_changed_in_each_round_and_sends_it_to_its_webhook(client, address, site_server, monkeypatch):
    monkeypatch.setattr(runner, "HOUR", 30.0)
    links = "".join(f"<li><a href=/{name}>The story of {name}</a>" for name in "abcde")
    pages = {"/": story(0).replace("</main>", f"</main><ul>{links}</ul>")} | {f"/{name}": story(name) for name in "abcd"}
    received = asyncio.Queue()

    async def receive(request):
        received.put_nowait((request.headers.get("X-Sightread-Signature"), await request.json()))
        return web.Response()

    site = await site_server(pages)
    hook = public_url((await site_server({"/hook": receive})).root, path="/hook")
    body = {"url": public_url(site.root), "every": 1 / 60, "webhook": hook, "delay": 0.0}
    async with client.post(f"{address}/api/v1/watches", json={"kind": "watch", **body, "webhook": "http://127.0.0.1/hook"}) as answer:
        assert answer.status == 400, await answer.text()
    async with client.post(f"{address}/api/v1/watches", json=body) as answer:
        assert answer.status == 202, await answer.text()
        job = await answer.json()

    async def next_round():
        while True:
            record = await get(client, address, f"/{job['id']}")
            assert record["state"] != "failed", record
            if record["due"] and record["state"] == "queued":
                return record
            await asyncio.sleep(0.2)

    first = await next_round()
    assert (await get(client, address, f"/{job['id']}/results"))["results"] == [] and site.requests.count("/a") == 1
    pages["/a"] = story("a").replace("ninety years", "a hundred years")
    pages["/b"] = story("b").replace("<title>", "<meta name=theme-color content=red><title>")
    pages["/e"] = story("e")
    del pages["/c"]
    _, sent = await received.get()
    changes = {(change["url"].rpartition("/")[2], change["change"]) for change in sent["changes"]}
    assert changes == {("a", "changed"), ("c", "gone"), ("e", "new")} and sent["counts"] == {"changed": 1, "gone": 1, "new": 1}
    results = (await get(client, address, f"/{job['id']}/results"))["results"]
    found = {each["url"].rpartition("/")[2]: each["change"] for each in results}
    assert "a hundred years" in found["a"]["markdown"] and "a hundred years" in found["a"]["added"][0]
    assert found["c"]["detail"] == "HTTP status 404" and found["e"]["title"] == "Ferry e"
    while (await next_round())["due"] <= first["due"]:
        pass
    async with client.delete(f"{address}/api/v1/jobs/{job['id']}") as answer:
        assert (await answer.json())["state"] == "cancelled" and received.empty()
