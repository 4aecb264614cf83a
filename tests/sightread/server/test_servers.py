"""`sightread serve` and `sightread inspect` as programs: what they serve, and how they end."""

import asyncio
import json
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import Popen

from sightread.cli.commands import InspectCommand
from sightread.cli.inspect import inspected_app
from sightread.server.access.gate import TokenFile
from sightread.server.http import serve_on_loopback
from sightread.sites.learn import Site, known_results, label, train
from sightread.viewer.report import site_findings
from tests.pages.stories import ARTICLE
from tests.processes.families import PATIENCE
from tests.processes.services import started
from tests.processes.terminal import start


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
