"""Tokens in a file: scopes, expiry, rotation while the service runs; and nothing that a revoked token opened goes on."""

import asyncio
import json
import sys
import time
from contextlib import AsyncExitStack, asynccontextmanager

import aiohttp
import pytest

from sightread.reading.reader import Reader
from sightread.render.errors import BadRecord, Rejected, SightreadError
from sightread.server.access.gate import GatePolicy, TokenFile
from sightread.server.http import serve_on_loopback
from sightread.server.jobs import runner
from sightread.server.process.front import app_of
from sightread.server.schema.answers import worded
from sightread.server.service import JobStorage, Service
from tests.internet import public_url
from tests.sightread.server.jobs.test_jobs import story

CRAWL = {"kind": "crawl", "url": "http://a.invalid/"}
LEARN = {"kind": "learn", "url": "http://a.invalid/"}


@asynccontextmanager
async def served(policy):
    """A service whose browser is never started."""
    async with serve_on_loopback(app_of(Service(Reader(), gate=policy))) as address, aiohttp.ClientSession() as session:

        async def ask(method, path, token="", body=None, **headers):
            given = headers | ({"Authorization": f"Bearer {token}"} if token else {})
            async with session.request(method, f"{address}{path}", json=body, headers=given) as answer:
                return answer.status, answer.headers, await answer.text()

        yield ask


async def test_a_token_allows_what_its_scopes_name_and_a_change_of_the_file_counts_at_once(tmp_path):
    file = TokenFile(tmp_path / "tokens.json")
    reader, worker = file.add("reader", ["read"]), file.add("worker", ["jobs", "metrics"])
    async with served(GatePolicy(TokenFile(file.path))) as ask:
        assert (await ask("GET", "/api/v1/models", reader))[0] == 200
        assert (await ask("GET", "/api/v1/jobs", reader))[0] == 403
        assert (await ask("GET", "/metrics", worker))[0] == 200
        assert (await ask("POST", "/api/v1/jobs", worker, LEARN))[0] == 403
        status, _, text = await ask("GET", "/metrics")
        assert status == 401 and "send the token, as Authorization: Bearer TOKEN" in text
        assert [(await ask("GET", path))[0] for path in ("/", "/api", "/api/v1/openapi.json", "/healthz")] == [200] * 4
        status, _, text = await ask("POST", "/api/v1/jobs", worker, CRAWL)
        job = json.loads(text)
        assert (status, (await ask("GET", f"/api/v1/jobs/{job['id']}", worker))[0]) == (202, 200)
        successor, stranger = file.add("worker", ["jobs"]), file.add("stranger", ["jobs"])
        file.revoke(worker.split("_")[1])
        for wrong in (worker, "unknown", f"{worker}x"):
            status, _, text = await ask("GET", "/api/v1/jobs", wrong)
            assert status == 401 and "the token is not valid: it is unknown, expired or revoked" in text
        assert (await ask("GET", f"/api/v1/jobs/{job['id']}", successor))[0] == 200
        assert (await ask("GET", f"/api/v1/jobs/{job['id']}", stranger))[0] == 404
        assert (await ask("DELETE", f"/api/v1/jobs/{job['id']}", stranger))[0] == 404


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere 127.0.0.2 is no address of this machine")
async def test_without_tokens_a_caller_is_an_address_and_sees_its_own_jobs_alone():
    async with serve_on_loopback(app_of(Service(Reader()))) as address, AsyncExitStack() as stack:
        connectors = [aiohttp.TCPConnector(local_addr=(f"127.0.0.{number}", 0)) for number in (1, 2)]
        one, other = [await stack.enter_async_context(aiohttp.ClientSession(address, connector=each)) for each in connectors]
        async with one.post("/api/v1/jobs", json=CRAWL) as answer:
            job = (await answer.json())["id"]
        for session, status in ((one, 200), (other, 404)):
            async with session.get(f"/api/v1/jobs/{job}") as answer:
                assert answer.status == status


async def test_with_an_allow_list_other_hosts_are_refused_and_named_origins_alone_get_answers():
    async with served(GatePolicy(hosts=frozenset({"read.example"}), origins=frozenset({"https://app.example"}))) as ask:
        assert (await ask("GET", "/api/v1/models", Host="read.example:80"))[0] == 200
        assert (await ask("GET", "/api/v1/models", Host="evil.example"))[0] == 403
        assert (await ask("GET", "/healthz"))[0] == 200  # under the loopback name, as the container's health check
        assert (await ask("GET", "/healthz", Host="127.0.0.1:1"))[0] == 403
        for path in ("/api/v1/models", "/nowhere"):
            _, headers, _ = await ask("GET", path, Host="read.example", Origin="https://app.example")
            assert (headers["Access-Control-Allow-Origin"], headers["Vary"]) == ("https://app.example", "Origin")
        preflight = {"Access-Control-Request-Method": "POST", "Host": "read.example"}
        assert (await ask("OPTIONS", "/api/v1/extract", Origin="https://app.example", **preflight))[0] == 204
        status, headers, _ = await ask("OPTIONS", "/api/v1/extract", Origin="https://evil.example", **preflight)
        assert (status in (403, 405), "Access-Control-Allow-Origin" in headers) == (True, False)


async def test_every_answer_carries_a_strict_policy():
    async with served(GatePolicy()) as ask:
        for path in ("/", "/api", "/api/v1/models", "/nowhere", "/inspections/" + "0" * 32 + "/"):
            _, headers, _ = await ask("GET", path)
            assert headers["Content-Security-Policy"].startswith("default-src 'none'")
            assert (headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == ("nosniff", "no-referrer")


def test_the_file_holds_hashes_alone_and_expired_and_revoked_tokens_are_none(tmp_path, monkeypatch):
    file = TokenFile(tmp_path / "tokens.json")
    token = file.add("a", ["read"], days=1)
    assert token not in file.path.read_text() and file.path.stat().st_mode & 0o077 == 0
    assert file.find(token).name == "a"
    assert file.find("") is file.find("\udc80") is file.find(token[:-1]) is None
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 86_401)
    assert file.find(token) is None
    assert [record.id for record in file.revoke("a")] == [token.split("_")[1]]
    with pytest.raises(Rejected, match="no token in use has the id or name 'a'"):
        file.revoke("a")
    for name in ("", "x" * 61, "a b", "a\r\nb", "../x"):
        with pytest.raises(Rejected, match="is not one"):
            file.add(name, ["read"])
    with pytest.raises(Rejected, match="no scope is called 'all'"):
        file.add("b", ["all"])
    file.path.write_text("{")
    with pytest.raises(BadRecord, match="add the tokens again"):
        file.find(token)


def test_tokens_are_added_listed_and_revoked_by_commands(sightread, tmp_path):
    file = tmp_path / "tokens.json"
    added = sightread("token", "add", "ci", "--file", file, "--scope", "read")
    assert (added.code, added.out.startswith("sightread_")) == (0, True)
    listed = sightread("token", "list", "--file", file)
    assert listed.out.split("\t")[1:4] == ["ci", "read", "in use"]
    old, _ = (sightread("token", "add", "ci", "--file", file).out for _ in range(2))
    rotated = sightread("token", "revoke", old.split("_")[1], "--file", file)
    ended = sightread("token", "revoke", "ci", "--file", file)
    assert ("jobs go on  ci" in rotated.out, "jobs end  ci" in ended.out, ended.code) == (True, True, 0)
    assert "revoked" in sightread("token", "list", "--file", file, "--json").out
    refused = sightread("token", "add", "--file", file)
    assert (refused.code, refused.complaint) == (2, "token add needs a name: that of the caller")
    assert sightread("serve", "--port", 0, "--token-file", tmp_path / "none.json").code == 2


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
