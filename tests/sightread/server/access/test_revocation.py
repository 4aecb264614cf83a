"""What a token leaves behind when it is revoked: nothing that works, of inspections, streams and jobs, and no path in what refuses it."""

import sqlite3
import time

import pytest

from sightread.render.errors import BadRecord, Rejected, SightreadError
from sightread.server.access.gate import TokenFile
from sightread.server.schema.error_words import worded
from tests.internet import public_url
from tests.processes.families import PATIENCE
from tests.processes.services import address_of, ask, started
from tests.sightread.server.jobs.test_jobs import story


def within(seconds, is_so):
    ends = time.monotonic() + seconds
    while not is_so() and time.monotonic() < ends:
        time.sleep(0.1)
    return is_so()


def test_what_a_revoked_token_opened_and_started_ends_with_it(sightread, serve, tmp_path):
    site = serve({"/": story(1), "/a": story(2)})
    file = TokenFile(tmp_path / "tokens.json")
    ada, old, new = (file.add(name, ["read", "jobs", "learn"]) for name in ("ada", "bob", "bob"))
    database = tmp_path / "jobs.sqlite3"
    with started(tmp_path, "--token-file", str(file.path), "--database", str(database)) as service:
        address = address_of(service)
        page = {"url": public_url(site.url("/a"), path="/a")}
        crawl = {"kind": "crawl", "url": public_url(site.url("/"), path="/"), "pages": 3, "delay": 60}

        def send(token, path, body=None):
            return ask(f"{address}{path}", body, Authorization=f"Bearer {token}")

        def open_as(token):
            status, made, _ = send(token, "/api/v1/inspect", page)
            assert status == 200, made
            return f"{address}/inspections/{made['id']}"

        def state(job):
            with sqlite3.connect(database) as connection:
                return connection.execute("SELECT state FROM jobs WHERE id = ?", (job,)).fetchone()[0]

        shown = {token: open_as(token) for token in (ada, old, new)}
        assert [ask(f"{at}/data.json")[0] for at in shown.values()] == [200] * 3
        running, kept = (send(token, "/api/v1/jobs", crawl)[1]["id"] for token in (ada, old))
        assert within(PATIENCE, lambda: state(running) == state(kept) == "running")
        ended = sightread("token", "revoke", "ada", "--file", file.path)
        rotated = sightread("token", "revoke", old.split("_")[1], "--file", file.path)
        assert ("jobs end  ada" in ended.out, "jobs go on  bob" in rotated.out) == (True, True)
        for token in (ada, old):
            assert ask(f"{shown[token]}/data.json")[0] == 404
            assert ask(f"{shown[token]}/learn", {}, Origin=address)[0] == 404
        assert ask(f"{shown[new]}/data.json")[0] == 200
        assert within(5, lambda: state(running) == "cancelled")
        assert send(new, f"/api/v1/jobs/{kept}")[1]["state"] == "running"
        with sqlite3.connect(database) as connection:
            assert connection.execute("SELECT count(*) FROM jobs WHERE kind = 'learn'").fetchone() == (0,)
        file.path.unlink()
        for answer in (send(new, "/api/v1/jobs"), ask(f"{shown[new]}/data.json")):
            assert answer[0] == 503 and str(tmp_path) not in str(answer) and "the operator finds the reason" in str(answer)
        time.sleep(1.5)
        assert state(kept) == "running"  # a file that cannot be read revokes nothing


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (
            Rejected("/srv/home/sites/a/0001: no labels: run: sightread label /srv/home/sites/a/0001"),
            "0001: no labels: run: sightread label 0001",
        ),
        (BadRecord("/srv/x: damaged"), "one of its files is damaged"),
        (SightreadError("a defect of sightread: OSError: [Errno 5] '/srv/x'"), "by a defect of its own"),
        (Rejected("http://a.example/b/c: no"), "http://a.example/b/c: no"),
    ],
)
def test_no_error_names_a_path_of_the_server(error, shown):
    assert shown in worded(error) and "/srv" not in worded(error)
