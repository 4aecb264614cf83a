"""`sightread extract --site`: documents, reports and updates of a whole site, without a browser and with one."""

import json

import pytest

from tests.pages.websites import serving
from tests.sightread.cli.test_extract_many import TOWNS, index, story

HTML = "text/html; charset=utf-8"


@pytest.fixture
def site():
    links = "".join(f'<li><a href="/{town}">The coopers of {town}, and what they kept</a>' for town in (*TOWNS, "Missing", "secret"))
    pages = {f"/{town}": story(town) for town in TOWNS}
    front = story("Everywhere").replace("</article>", f"</article><ul>{links}</ul>")
    with serving(
        {"/": front, "/secret": story("secret"), "/robots.txt": (200, "text/plain", b"User-agent: *\nDisallow: /secret"), **pages}
    ) as site:
        yield site


def test_a_site_is_read_and_updated_and_reported(sightread, site, tmp_path):
    folder = ("--output-dir", tmp_path / "out")
    command = ("extract", "--site", site.root, "--local", "--static", *folder)
    assert sightread("extract", "--status", *folder).code == 2
    assert "--skip-noindex is for whole sites: add --site" in sightread("extract", site.url("/Breck"), "--static", "--skip-noindex").err
    ran = sightread(*command, "--log", "-")
    assert ran.code == 0 and "finished: 5 pages read, 1 left out, 1 failed, 0 gone" in ran.err
    lines = {line["url"].rpartition("/")[2]: line for line in map(json.loads, ran.out.splitlines())}
    assert {name: line["state"] for name, line in lines.items()} == {"": "read", **dict.fromkeys(TOWNS, "read"), "Missing": "failed"}
    assert "The coopers of Breck" in (tmp_path / "out" / lines["Breck"]["document"]).read_text()
    assert "--update" in sightread(*command).err

    site.pages["/Breck"] = story("Breck").replace("when work", "if work").replace("Home", "News")
    site.pages["/Carrow"] = story("Carrow").replace("Home", "News")
    del site.pages["/Dunlin"]
    site.pages["/Missing"] = story("Missing")
    ran = sightread(*command, "--update")
    assert ran.code == 0 and "1 new, 1 changed, 0 moved, 1 gone" in ran.err
    found = {source.rpartition("/")[2]: line for source, line in index(tmp_path / "out").items()}
    assert {name: line["change"] for name, line in found.items() if name} == {
        "Aldmoor": "new",
        "Breck": "changed",
        "Carrow": "new",
        "Dunlin": "gone",
        "Missing": "new",
    }
    assert found["Breck"]["article"]["file"] == lines["Breck"]["document"]
    assert [line.count("if work") for line in found["Breck"]["added"]] == [1]
    assert [line.count("when work") for line in found["Breck"]["removed"]] == [1]

    report = json.loads(sightread("extract", "--status", "--json", *folder).out)
    assert (report["state"], report["read"], report["changed"]) == ("finished", 5, 1)
    assert sightread("extract", "--list", "skipped", *folder).out == f"{site.url('/secret')}\trobots.txt forbids it\n"
    assert json.loads(sightread("extract", "--list", "gone", "--json", *folder).out) == {
        "url": site.url("/Dunlin"),
        "reason": "HTTP status 404",
    }
    assert "its choice of pages is" in sightread(*command, "--update", "--exclude", "/Breck").err
    assert "its format is" in sightread(*command, "--format", "text").err
    assert "/secret" not in site.requests


def test_a_browser_reads_a_site_and_redirects_count_once(sightread, site, tmp_path):
    site.pages["/Missing"] = (302, "/Breck", b"")
    ran = sightread(
        "extract",
        "--site",
        site.root,
        "--local",
        "--output-dir",
        tmp_path / "out",
        "--format",
        "csv",
        "--exclude",
        "*dunlin*",
        "--exclude",
        "/Dunlin",
    )
    assert ran.code == 0 and "finished: 4 pages read, 3 left out" in ran.err
    assert (tmp_path / "out" / "pages.csv").read_text().count("looks back") >= 4
    listed = sightread("extract", "--list", "skipped", "--output-dir", tmp_path / "out").out
    assert f"{site.url('/Missing')}\tleads to {site.url('/Breck')}" in listed


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--site", "http://127.0.0.1:1/", "--local", "--static", "--format", "jsonl"), "connection refused"),
        (("--site", "https://e.com/", "page.html", "--format", "jsonl"), "--site reads whole sites"),
        (("--site", "https://e.com/", "--update", "--format", "jsonl"), "--update continues from a folder"),
        (("--site", "https://e.com/"), "several pages in markdown need a file each"),
    ],
)
def test_a_site_that_cannot_be_read_is_refused(sightread, options, problem):
    assert problem in sightread("extract", *options).err
