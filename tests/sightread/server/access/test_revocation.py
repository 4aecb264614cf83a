"""What a token leaves behind when it is revoked: nothing that works, of inspections, streams and jobs, and no path in what refuses it."""

import asyncio

import pytest

from sightread.render.errors import BadRecord, Rejected, SightreadError
from sightread.server.access.gate import GatePolicy, TokenFile
from sightread.server.http import serve_on_loopback
from sightread.server.jobs import runner
from sightread.server.process.front import app_of
from sightread.server.schema.answers import worded
from sightread.server.service import JobStorage, Service
from tests.internet import public_url
from tests.sightread.server.jobs.test_jobs import story


async def test_what_a_revoked_token_opened_and_started_ends_with_it(reader, client, site_server, tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "RIGHTS_SECONDS", 0.05)
    site, other = [await site_server({"/": story(1), "/a": story(2)}) for _ in range(2)]
    file = TokenFile(tmp_path / "tokens.json")
    ada, old, new = (file.add(name, ["read", "jobs", "learn"]) for name in ("ada", "bob", "bob"))
    service = Service(reader, gate=GatePolicy(TokenFile(file.path)), storage=JobStorage(str(tmp_path / "jobs.sqlite3")))
    page = {"url": public_url(site.root, path="/a")}
    crawls = [{"kind": "crawl", "url": public_url(each.root), "pages": 3, "delay": 60} for each in (site, other)]
    async with serve_on_loopback(app_of(service)) as address, asyncio.timeout(60):

        async def send(path, body=None, token="", **headers):
            given = headers | ({"Authorization": f"Bearer {token}"} if token else {})
            async with client.request("GET" if body is None else "POST", address + path, json=body, headers=given) as answer:
                return answer.status, await answer.json()

        async def states(count):
            """The states of the jobs, once as many are running."""
            while (counts := await service.jobs.counts()).get("running") != count:  # noqa: ASYNC110  (a job of the store sends no event)
                await asyncio.sleep(0.05)
            return counts

        shown = {token: f"/inspections/{(await send('/api/v1/inspect', page, token))[1]['id']}" for token in (ada, old, new)}
        assert [(await send(f"{at}/data.json"))[0] for at in shown.values()] == [200] * 3
        _, kept = [(await send("/api/v1/jobs", crawl, token))[1]["id"] for crawl, token in zip(crawls, (ada, old), strict=True)]
        await states(2)
        file.revoke("ada")
        file.revoke(old.split("_")[1])
        for token in (ada, old):
            assert (await send(f"{shown[token]}/data.json"))[0] == 404
            assert (await send(f"{shown[token]}/learn", {}, Origin=address))[0] == 404
        assert (await send(f"{shown[new]}/data.json"))[0] == 200
        assert await states(1) == {"running": 1, "cancelled": 1}  # and no learning job
        assert (await send(f"/api/v1/jobs/{kept}", token=new))[1]["state"] == "running"
        file.path.unlink()
        for answer in (await send("/api/v1/jobs", token=new), await send(f"{shown[new]}/data.json")):
            assert answer[0] == 503 and str(tmp_path) not in str(answer) and "the operator finds the reason" in str(answer)
        await asyncio.sleep(0.3)
        assert await service.jobs.counts() == {"running": 1, "cancelled": 1}  # a file that cannot be read revokes nothing


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (Rejected("/srv/sites/a/0001: no labels: run: sightread label /srv/sites/a/0001"), "0001: no labels: run: sightread label 0001"),
        (BadRecord("/srv/x: damaged"), "one of its files is damaged"),
        (SightreadError("a defect of sightread: OSError: [Errno 5] '/srv/x'"), "by a defect of its own"),
        (Rejected("http://a.example/b/c: no"), "http://a.example/b/c: no"),
    ],
)
def test_no_error_names_a_path_of_the_server(error, shown):
    assert shown in worded(error) and "/srv" not in worded(error)
