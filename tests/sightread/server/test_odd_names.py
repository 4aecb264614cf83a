"""Odd names from callers, over all routes: refused with a word, never an internal error, and nothing is created; no answer has a path."""

import json
import re
import sqlite3
from contextlib import asynccontextmanager
from urllib.parse import quote

import aiohttp
import pytest
from yarl import URL

from sightread.reading.reader import Reader
from sightread.server import service
from sightread.server.access.gate import GatePolicy, TokenFile
from sightread.server.http import serve_on_loopback
from sightread.server.jobs.store import JobLimits
from sightread.server.process.front import all_routes, app_of
from sightread.server.service import JobStorage, Service
from sightread.sites.folders import SiteHome
from sightread.sites.history import locked

ODD = {
    "NUL": "a\0b",
    "surrogate": "\ud800",
    "parent": "../../etc/passwd",
    "backslash": "..\\..\\x",
    "dot": ".",
    "dots": "..",
    "hidden": ".x",
    "separator": "a/b",
    "10,000 characters": "a" * 10_000,
    "300 characters": "a" * 300,
    "full-width dots": "．．",
    "lookalike": "ехample.org",
    "superscript": "²",
    "5,000 digits": "1" * 5_000,
    "line break": "a\nb",
    "control of direction": "\u202ea",
    "C1 control": "\x85",
    "home": "~root",
    "percent": "%2e%2e%2f",
    "bracket": "[::1",
    "space": " ",
}
IN_PATHS = sorted({(route.method, route.path) for route in all_routes() if "{" in route.path and "{address" not in route.path})
"""The route of addresses is that of Jina Reader: an odd host may be one of the web."""
JINA, EXTRACT, JOBS = "/", "/api/v1/extract", "/api/v1/jobs"
BODIES = (
    *((JINA, {"html": "<p>x", name: "{}"}) for name in ("viewport", "timeout", "tokenBudget", "cacheTolerance")),
    *((JINA, {"html": "<p>x", "viewport": viewport}) for viewport in ("{}x3", "3x{}")),
    (EXTRACT, {"html": "<p>x", "model": "{}"}),
    *((EXTRACT, {"html": "<p>x", "model": "none such", name: "{}"}) for name in ("url", "wait_for", "scroll")),
    *((EXTRACT, {"html": "<p>x", "model": "none such", name: ["{}"]}) for name in ("without", "outputs", "keep_selectors")),
    (EXTRACT, {"html": "<p>x", "model": "none such", "{}": 1}),
    (JOBS, {"kind": "{}", "urls": ["https://e.org/"]}),
    (JOBS, {"kind": "crawl", "url": "https://e.org/", "model": "{}"}),
    ("/v2/crawl", {"url": "https://e.org/", "includePaths": ["(?={})"]}),
    ("/loader", {"urls": "{}"}),
)
"""Requests that are refused with any odd name in the place of the braces."""
HEADERS = (
    "Accept",
    "Origin",
    "Content-Type",
    "Content-Encoding",
    "Idempotency-Key",
    "X-Viewport",
    "X-Timeout",
    "Mcp-Session-Id",
    "traceparent",
)


@asynccontextmanager
async def served(home, **options):
    """A service whose browser is never started, since none of the requests gets that far."""
    async with serve_on_loopback(app_of(Service(Reader(home=home), **options))) as address, aiohttp.ClientSession() as session:

        async def send(method, path, **sent):
            async with session.request(method, URL(address + path, encoded=True), **sent) as answer:
                text = await answer.text()
                assert str(home) not in text and "Traceback" not in text
                return answer.status, text

        yield send


def with_odd(value, odd):
    """A body with the odd name in each place of braces."""
    if isinstance(value, dict):
        return {key.replace("{}", odd): with_odd(each, odd) for key, each in value.items()}
    if isinstance(value, list):
        return [with_odd(each, odd) for each in value]
    return value.replace("{}", odd) if isinstance(value, str) else value


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
async def test_an_odd_name_is_refused_with_a_word_on_every_route(tmp_path, odd):
    written = quote(odd.encode("utf-8", "surrogatepass"), safe="")
    async with served(tmp_path) as send:
        answers = {}
        for method, path in IN_PATHS:
            sent = {"json": {}} if method == "POST" else {}
            answers[method, path] = await send(method, re.sub(r"\{\w+(?::[^{}]*(?:\{[^{}]*\}[^{}]*)*)?\}", written, path), **sent)
        for path, body in BODIES:
            sent = {"data": json.dumps(with_odd(body, odd)), "headers": {"Content-Type": "application/json"}}
            answers[path, str(body)] = await send("POST", path, **sent)
        wrong = [(place, *answer) for place, answer in answers.items() if answer[0] not in (400, 403, 404, 422) or len(answer[1]) < 10]
        for name in HEADERS if odd.isprintable() and odd.isascii() else ():
            sent = {"json": {"html": "<p>x", "model": "none such"}, "headers": {name: odd}}
            status, text = await send("POST", EXTRACT, **sent)
            wrong += [(name, status, text)] if status not in (400, 403, 415, 431) else []
        for name in ("limit", "after"):
            status, text = await send("GET", f"{JOBS}?{name}={written}")
            wrong += [(name, status, text)] if status not in ((400, 200) if name == "after" else (400,)) else []
        assert wrong == []
        assert json.loads((await send("GET", JOBS))[1]) == {"jobs": []}
    assert list(tmp_path.rglob("*")) == []


async def test_jobs_are_their_callers_own_on_every_database_whatever_their_names(location, tmp_path):
    """Every route with the id of a job, for its caller and for another, and odd names wherever a text gets into the database."""
    file = TokenFile(tmp_path / "tokens.json")
    ada, bob = ({"Authorization": f"Bearer {file.add(name, ['read', 'jobs', 'learn'])}"} for name in ("ada", "bob"))
    storage = JobStorage(location, limits=JobLimits(under_way=0))  # jobs wait
    routes = [(method, path) for method, path in IN_PATHS if "{id" in path and "inspections" not in path]
    wrong = []
    async with served(tmp_path / "home", storage=storage, gate=GatePolicy(file)) as send:
        for name, odd in ODD.items():
            written = quote(odd.encode("utf-8", "surrogatepass"), safe="")
            for method, path in routes:
                status, text = await send(method, re.sub(r"\{id[^}]*\}", written, path), headers=ada)
                wrong += [(path, name, status, text)] if status not in (400, 403, 404) else []
            for body in ({"kind": "batch", "urls": [odd]}, {"kind": "crawl", "url": odd}, {"kind": "learn", "url": odd}):
                key = {"Idempotency-Key": odd} if odd.isprintable() and odd.isascii() else {}
                sent = {"data": json.dumps(body), "headers": {"Content-Type": "application/json"} | ada | key}
                status, text = await send("POST", JOBS, **sent)
                wrong += [(body["kind"], name, status, text)] if status not in (202, 400, 403, 422) else []
            for path in ("/v1/batch/scrape", "/v2/batch/scrape"):
                status, text = await send("POST", path, json={"urls": [odd, "https://e.org/"]}, headers=ada)
                wrong += [(path, name, status, text)] if status not in (200, 400) else []
        for query in ("skip=9999999999", "skip=0", "after=2147483647"):
            for path in (f"/v1/crawl/{'0' * 32}", f"{JOBS}/{'0' * 32}/results"):
                status, text = await send("GET", f"{path}?{query}", headers=ada)
                wrong += [(path, query, status, text)] if status != 404 else []
        assert wrong == []
        jobs = json.loads((await send("GET", JOBS, headers=ada))[1])["jobs"]
        assert jobs and json.loads((await send("GET", JOBS, headers=bob))[1]) == {"jobs": []}
        for method, path in routes:
            assert (await send(method, re.sub(r"\{id[^}]*\}", jobs[0]["id"], path), headers=bob))[0] == 404, (method, path)
        assert json.loads((await send("GET", f"{JOBS}/{jobs[0]['id']}", headers=ada))[1])["state"] == "queued"


@pytest.mark.parametrize("name", ["__Host-a", "__secure-a", "__Http-a", "a b", "a\0", "ä", ""])
async def test_a_cookie_that_no_browser_takes_is_refused_at_once(tmp_path, name):
    async with served(tmp_path) as send:
        body = {"url": "http://e.org/", "access": {"cookies": {name: "x"}}}
        status, text = await send("POST", EXTRACT, json=body)
        assert status == 400 and "cookie" in text


async def test_no_answer_names_a_path_of_the_server(tmp_path):
    name = "news.example"
    (tmp_path / "sites" / name / "0001").mkdir(parents=True)
    (tmp_path / "sites" / name / "0001" / "corpus.json").write_text("damaged")
    (tmp_path / "sites" / name / "current").symlink_to("0001")
    database = tmp_path / "jobs.db"
    async with served(tmp_path, storage=JobStorage(str(database))) as send:
        for path in ("/api/v1/sites", f"/api/v1/sites/{name}"):
            status, text = await send("GET", path)
            assert status == 200 and "corpus.json: damaged" in text
        with sqlite3.connect(database) as connection:
            connection.execute("DROP TABLE jobs")
        status, text = await send("GET", JOBS)
        assert status == 503 and "its storage failed" in text
    with locked(SiteHome.of(f"https://{name}/", tmp_path)), pytest.raises(Exception, match=f"^{name}: another process is learning"):
        locked(SiteHome.of(f"https://{name}/", tmp_path)).__enter__()


async def test_a_service_on_a_full_disk_is_not_ready(tmp_path, monkeypatch):
    monkeypatch.setattr(service, "HEALTH_AGE", 0.0)
    async with served(tmp_path) as send:
        assert json.loads((await send("GET", "/healthz"))[1])["has_disk_space"] is True
        monkeypatch.setattr(service, "LEAST_FREE_BYTES", 2**63)
        assert json.loads((await send("GET", "/healthz"))[1])["has_disk_space"] is False
        assert (await send("GET", "/readyz"))[0] == 503
