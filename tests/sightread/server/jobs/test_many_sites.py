"""`learn --sites`: a list is learned once, by any number of processes, and shared by a store; `serve --worker` performs jobs alone."""

import json
import time
import urllib.error
import urllib.request

import pytest

from tests.pages.stories import stories
from tests.processes.services import address_of, ask, started
from tests.processes.terminal import start

PAGES = 8
SITE = stories(PAGES, lambda town: f"<title>{town} looks back</title>")


def articles(site):
    return [path for path in site.requests if path.startswith("/story")]


def test_a_list_is_learned_once_what_failed_is_tried_again_and_other_machines_import_it(sightread, serve, tmp_path):
    site, broken = serve(SITE), serve({})
    sites, store = tmp_path / "sites.txt", tmp_path / "store"
    sites.write_text(f"# ours\n{site.url()}\n\n{broken.url()}\n{site.url()}\n")
    command = ("learn", "--sites", sites, "--pages", PAGES, "--local", "--store", store)
    ran = sightread(*command, "--json")
    rows = {row["site"]: row for row in map(json.loads, ran.out.splitlines())}
    assert (ran.code, len(rows)) == (3, 2)
    assert (rows[site.url()]["state"], rows[site.url()]["pages"]) == ("trusted", PAGES)
    assert rows[broken.url()]["state"] == "failed" and "HTTP status 404" in rows[broken.url()]["reason"]
    assert ran.messages == ["1 of 2 sites failed; the same command tries them again"]

    requests, of_broken = len(site.requests), len(broken.requests)
    again = sightread(*command)
    assert again.code == 3 and "trusted" in again.out and "expected F1" in again.out
    assert len(site.requests) == requests and len(broken.requests) > of_broken

    sites.write_text(site.url())
    refreshed = sightread(
        "learn", "--sites", "-", "--pages", PAGES, "--local", "--store", store, "--refresh", "--json", typed=site.url().encode()
    )
    assert refreshed.json()["version"] == "0002" and len(articles(site)) == 2 * PAGES

    other = tmp_path / "another machine"
    imported = sightread("sites", "import", store, "--home", other, "--json").json()
    assert (imported["pages"], imported["state"]) == (PAGES, "trusted")
    assert sightread("sites", "import", store, "--home", other, "--json").out == ""


@pytest.mark.parametrize(
    ("options", "listed", "complaint"),
    [
        (("--out", "folder"), "a.example", "--sites learns all sites alike, without --out: leave it out, or learn its site by itself"),
        (("--device", "iPhone 15"), "a.example", "without --device"),
        (("https://b.example/",), "a.example", "without SITE"),
        ((), "# none\n", "the list is empty: give one site per line"),
        ((), "a.example\nftp://b.example/", "line 2: start URL 'ftp://b.example/': only http and https can be crawled"),
        (("--pages", "20000"), "a.example", "Expected `int` <= 10000"),
        (("--database", "mysql://db/jobs"), "a.example", "the database mysql:// is not known"),
    ],
)
def test_what_no_list_can_be_learned_with_is_refused(sightread, tmp_path, options, listed, complaint):
    sites = tmp_path / "sites.txt"
    sites.write_text(listed)
    assert complaint in sightread("learn", "--sites", sites, *options).failed(2)


def test_a_killed_process_leaves_its_site_to_another_one(serve, tmp_path, postgres_url):
    site, sites = serve(SITE), tmp_path / "sites.txt"
    sites.write_text(site.url())
    command = ("learn", "--sites", sites, "--pages", PAGES, "--local", "--json", "--database", postgres_url)
    killed = start(*command, home=tmp_path / "first")
    while not articles(site):
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    other = start(*command, home=tmp_path / "second")
    row = json.loads(other.communicate()[0])
    assert (other.returncode, row["site"], row["state"], row["pages"]) == (0, site.url(), "trusted", PAGES)


def test_a_worker_performs_jobs_and_has_no_routes_but_health_and_metrics(tmp_path):
    location = str(tmp_path / "jobs.sqlite3")
    with started(tmp_path, "--database", location) as service:
        address = address_of(service)
        _, job, _ = ask(f"{address}/api/v1/jobs", {"kind": "batch", "urls": ["http://127.0.0.1/"]})
    with started(tmp_path, "--worker", "--database", location) as worker:
        address = address_of(worker)
        while True:
            with urllib.request.urlopen(f"{address}/metrics") as answer:
                if 'sightread_jobs{state="done"} 1.0' in answer.read().decode():
                    break
            time.sleep(0.1)
        assert ask(f"{address}/healthz")[0] == 200
        for path in ("/", "/api/v1/jobs", f"/api/v1/jobs/{job['id']}"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(f"{address}{path}")


def test_a_store_that_cannot_be_written_is_refused_before_a_site_is_crawled(sightread, tmp_path):
    (tmp_path / "file").write_text("a.example")
    command = ("learn", "--sites", tmp_path / "file", "--store", tmp_path / "file" / "store")
    assert "a part of that path is a file: choose another folder" in sightread(*command).failed(4)
