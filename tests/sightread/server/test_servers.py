"""`sightread serve` and `inspect` as programs: what they serve, what operators and the start page show, how they end."""

import asyncio
import json
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import Popen

import aiohttp
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from sightread.cli.commands import InspectCommand
from sightread.cli.inspect import inspected_app
from sightread.reading.reader import Reader
from sightread.server.access.gate import TokenFile
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service
from sightread.sites.learn import Site, known_results, label, train
from sightread.viewer.report import site_findings
from tests.internet import public_url
from tests.pages.hostile import COUNT, TEXTS, hostile_page
from tests.pages.stories import ARTICLE
from tests.processes.families import PATIENCE
from tests.processes.services import started
from tests.processes.terminal import start
from tests.sightread.server.jobs.test_jobs import story


@contextmanager
def served(program: Popen[str]) -> Iterator[str]:
    """Yield the address of a server, and see it end at Ctrl-C as it should."""
    with program:
        try:
            line = program.stdout.readline()
            assert "http://127.0.0.1:" in line, program.stderr.read()
            yield next(word for word in line.split() if word.startswith("http")).rstrip("/")
            program.send_signal(signal.SIGINT)
            complaints = [line for line in program.communicate(timeout=PATIENCE)[1].splitlines() if "stopping" not in line]
            assert (program.returncode, complaints) == (0, [])
        finally:
            program.kill()


def fetch(url, body=None):
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read())


def test_a_file_is_inspected_with_its_picture(tmp_path):
    (tmp_path / "page.html").write_text(ARTICLE)
    with served(start("inspect", tmp_path / "page.html", "--no-open", "--model", "boilerpipe", home=tmp_path / "home")) as address:
        view = fetch(f"{address}/data.json")
        assert (view["job"]["model"], view["predicted"], view["labelled"]) == ("boilerpipe", True, False)
        assert view["pages"][0]["tiles"] == 1
        assert fetch(f"{address}/pages/0.json")["blocks"][0]["text"].startswith("It has carried")


async def test_a_corpus_is_inspected(corpus, tmp_path):
    app = await inspected_app(InspectCommand(target=str(corpus), home=tmp_path / "home"))
    async with serve_on_loopback(app) as address:
        first, whole = [await asyncio.to_thread(fetch, f"{address}/{view}.json") for view in ("data", "complete")]
    assert first["waiting_for"] and not first["predicted"] and not whole["waiting_for"]
    assert (whole["labelled"], whole["predicted"], len(first["pages"])) == (False, True, 12)  # the global model's predictions


def test_a_site_is_shown_as_far_as_the_job_has_got_and_left_as_it_is(corpus):
    site = Site.open(corpus)
    for step, labelled, predicted in ((None, False, False), (label, True, False), (train, True, True)):
        if step:
            step(site)
        before = sorted(path.name for path in corpus.iterdir())
        found = site_findings(known_results(Site.open(corpus)))
        assert ((found.labels is not None), (found.predictions is not None)) == (labelled, predicted)
        assert sorted(path.name for path in corpus.iterdir()) == before


APP, OWN = "https://app.example", "https://read.example"
OTHERS = ("https://evil.example", "null", f"{APP}.evil.example", f"{APP}:444", "http://app.example", f"{APP}, {OWN}")
SPOOFED = {
    **{"Host": "evil.example", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "gopher", "X-Forwarded-For": "127.0.0.1"},
    **{"Forwarded": "for=127.0.0.1;host=evil.example;proto=https", "X-Original-URL": "/metrics", "X-HTTP-Method-Override": "DELETE"},
    **{"X-Sightread-Caller": "bob", "X-Sightread-Scopes": "learn metrics", "X-Sightread-Origin": "https://evil.example"},
}


def test_behind_a_proxy_other_origins_read_and_do_nothing_and_no_header_is_taken_for_the_services_own(serve, tmp_path):
    file, private = TokenFile(tmp_path / "tokens.json"), serve({"/": ARTICLE})
    token = file.add("ada", ["read", "jobs"])
    options = ("--token-file", str(file.path), "--allow-origin", APP, "--public-url", OWN)
    with started(tmp_path, *options) as program, served(program) as address:

        def ask(method, path, body=None, **headers):
            data = None if body is None else json.dumps(body).encode()
            bearer = {"Authorization": f"Bearer {token}"} if "Authorization" not in headers else {}
            sent = {name.replace("_", "-"): value for name, value in headers.items() if value}
            request = urllib.request.Request(address + path, data, {"Content-Type": "application/json"} | bearer | sent, method=method)
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    return answer.status, answer.headers, answer.read().decode()
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.headers, error.read().decode()

        batch = {"urls": ["https://e.org/"]}
        inspection = json.loads(ask("POST", "/api/v1/inspect", {"html": ARTICLE})[2])["id"]
        undo = f"/inspections/{inspection}/corrections/undo"
        for origin in OTHERS:
            for site in ("cross-site", "same-site", ""):
                sent = {"Origin": origin, "Sec_Fetch_Site": site}
                for method, path, body in (
                    ("GET", "/api/v1/models", None),
                    ("POST", "/v2/batch/scrape", batch),
                    ("GET", "/https://e.org/", None),
                ):
                    status, headers, _ = ask(method, path, body, **sent)
                    assert (status, headers["Access-Control-Allow-Origin"]) == (403, None), (origin, site, path)
                assert ask("POST", undo, {}, **sent)[0] == 403
                assert ask("GET", f"/inspections/{inspection}/data.json", **sent)[1]["Access-Control-Allow-Origin"] is None
            status, headers, _ = ask("OPTIONS", "/api/v1/extract", Origin=origin, Access_Control_Request_Method="POST")
            assert status in (401, 403, 405) and headers["Access-Control-Allow-Origin"] is None
        status, headers, _ = ask("GET", "/api/v1/models", Origin=APP, Sec_Fetch_Site="cross-site")
        assert (status, headers["Access-Control-Allow-Origin"], headers["Access-Control-Allow-Credentials"]) == (200, APP, None)
        assert ask("GET", "/api/v1/models", Origin=APP, Authorization="Bearer x")[0] == 401
        assert [ask("POST", undo, {}, Origin=each)[0] for each in (APP, address, OWN)] == [403, 403, 404]
        status, _, text = ask("POST", "/v2/batch/scrape", batch, **SPOOFED)
        assert (status, json.loads(text)["url"].startswith(f"{OWN}/v2/batch/scrape/")) == (200, True) and "evil" not in text
        assert ask("GET", f"/v2/batch/scrape/{json.loads(text)['id']}")[0] == 200  # it is of the token's caller
        assert ask("GET", "/api/v1/jobs", Authorization="none", **SPOOFED)[0] == 401
        assert ask("POST", "/api/v1/jobs", {"kind": "learn", "url": "https://e.org/"}, **SPOOFED)[0] == 403
        assert ask("GET", "/metrics", **SPOOFED)[0] == 403
        assert json.loads(ask("POST", "/api/v1/extract", {"html": ARTICLE})[2])["model"] == "boilerpipe"  # as it was started with
        assert (ask("POST", "/api/v1/extract", {"url": private.url()})[0], private.requests) == (400, [])
        assert ask("GET", f"/inspections/{inspection}/data.json")[0] == 200
        file.add("ada", ["read", "jobs"])  # another token of the same caller
        file.revoke(token.split("_")[1])
        assert ask("GET", f"/inspections/{inspection}/data.json", Authorization="none")[0] == 404


TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture(scope="module")
def exporter():
    """The process's one tracer provider."""
    provider, found = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(found))
    trace.set_tracer_provider(provider)
    return found


async def test_requests_are_counted_by_route_and_traced_below_the_callers_span(exporter):
    async with serve_on_loopback(app_of(Service(Reader()))) as address, aiohttp.ClientSession() as session:
        headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
        for path, status in (("/api/v1/jobs/none?token=secret", 404), ("/api/v1/models", 200), ("/nowhere/at/all", 404)):
            async with session.get(address + path, headers=headers) as answer:
                assert answer.status == status
        async with session.post(f"{address}/api/v1/extract", json={"url": "http://127.0.0.1/x?key=secret"}, headers=headers) as answer:
            assert answer.status == 400
        async with session.get(f"{address}/metrics") as answer:
            assert answer.content_type == "text/plain"
            families = {family.name: family for family in text_string_to_metric_families(await answer.text())}
        async with session.get(f"{address}/readyz") as answer:
            assert (answer.status, (await answer.json())["ready"]) == (503, False)  # its browser was never started
    counted = {
        (each.labels["route"], each.labels["status"]) for each in families["sightread_requests"].samples if each.name.endswith("_total")
    }
    assert counted == {("/api/v1/jobs/{id}", "404"), ("/api/v1/models", "200"), ("none", "404"), ("/api/v1/extract", "400")}
    assert families["sightread_requests_under_way"].samples[0].value == 0
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert {f"{span.context.trace_id:032x}" for span in spans.values() if span.name != "GET /metrics"} >= {TRACE}
    assert spans["extract"].parent.span_id == spans["POST /api/v1/extract"].context.span_id
    assert spans["extract"].attributes["url.full"] == "http://127.0.0.1/x"
    assert "secret" not in str([span.to_json() for span in spans.values() if span.name != "extract"])


async def test_a_page_is_read_and_inspected_and_a_crawl_is_started(watched, address, site_server):
    site = await site_server({"/": hostile_page(story=story(1))})
    tab, witness = watched.tab, watched.witness
    await tab.goto(address)
    await tab.evaluate(COUNT)
    await tab.locator("#model option").nth(5).wait_for(state="attached")
    await tab.get_by_text("running · ").wait_for()
    await tab.fill("#url", public_url(site.root))
    await tab.click("#read")
    await tab.wait_for_selector("#result:not([hidden])")
    assert "ninety years" in await tab.inner_text("#output")
    assert await tab.inner_text("#facts b") == TEXTS[0]
    await tab.click("[data-view=json]")
    assert '"schema": 1' in await tab.inner_text("#output")
    await tab.frame_locator("#inspector").locator("#sheet .block").first.wait_for(state="attached")
    assert await tab.frames[1].evaluate(f"{COUNT}; change({{ block: 3 }}); document.body.innerText.includes('hit(')")
    await tab.fill("#crawl-url", public_url(site.root, path=f"/?{TEXTS[0]}"))
    await tab.fill("#crawl-pages", "1")
    await tab.click("#crawl button")
    await tab.get_by_text("1 read").wait_for()
    await tab.fill("#url", "http://127.0.0.1/")
    await tab.click("#read")
    await tab.wait_for_selector("#try-message:not([hidden])")
    assert "no public address" in await tab.inner_text("#try-message")
    assert await tab.is_hidden("#result")
    assert [await frame.evaluate("hits") for frame in tab.frames] == [[], []]
    await tab.goto(f"{address}/api")
    await tab.get_by_text("/api/v1/extract", exact=True).click()
    assert await tab.get_by_text("Body: ExtractRequest").first.is_visible()
    assert all(url.startswith(address) for url in witness.requests)
    assert [error for error in witness.errors if "400" not in error] == []  # the refusal above
