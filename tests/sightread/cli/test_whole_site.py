"""`sightread extract --site`: documents and updates of a whole site, and its archive, replayed without the site."""

import json
import random
import time
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType

from sightread.render.archives.cdxj import surt
from tests.pages.websites import serving
from tests.processes.terminal import start
from tests.sightread.cli.test_extract import TOWNS, index, story

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


PASSWORD = "a-secret-of-the-mayor"
SCRIPT = """
fetch(`/text.json?_=${Date.now()}`).then(r => r.json()).then(texts => {
  for (const text of texts) article.insertAdjacentHTML('beforeend', `<p>${text}</p>`);
  return fetch('/more');
}).then(r => r.text()).then(text => article.insertAdjacentHTML('beforeend', text))"""


def records(folder: Path) -> list[tuple[str, str, bytes]]:
    """Type, URL and content of all records, whose digests are right."""
    found = []
    for path in sorted(folder.glob("*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, parse_http=False):
                revisit = record.record_type == WarcRecordType.revisit
                assert revisit or record.verify_block_digest()
                found.append((record.headers["WARC-Type"], record.headers.get("WARC-Target-URI") or "", record.reader.read()))
    return found


def documents(folder: Path) -> tuple[list[tuple[object, ...]], dict[str, bytes]]:
    """Pages and changes in their order, and the files."""
    lines = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
    order = [(line["source"], line.get("change"), (line.get("article") or {}).get("file")) for line in lines]
    return order, {path.name: path.read_bytes() for path in folder.glob("*.md")}


def front(*towns: str) -> str:
    links = "".join(f'<li><a href="/{town}">The coopers of {town}, and what they kept</a>' for town in towns)
    return story("Everywhere").replace("</article>", f"</article><ul>{links}</ul>")


def test_a_site_is_archived_with_its_failures_and_replayed_without_it(sightread, tmp_path):
    busy = iter([(503, "text/html", b"busy")])
    pages = {f"/{town}": story(town) for town in TOWNS}
    pages |= {"/": front(*TOWNS, "old", "missing"), "/old": (301, "/Breck", b""), "/robots.txt": (200, "text/plain", b"User-agent: *\n")}
    pages["/Carrow"] = lambda: next(busy, story("Carrow"))
    archive, out = tmp_path / "archive", ("--output-dir", tmp_path / "out")
    with serving(pages) as site:
        command = ("extract", "--site", site.root, "--local", "--static")
        assert sightread(*command, *out, "--warc", archive).code == 0
        order, _ = documents(tmp_path / "out")
        site.pages["/Breck"] = story("Breck").replace("when work", "if work")
        site.pages["/Aldmoor"] = (304, "", b"")
        assert "1 changed" in sightread(*command, *out, "--warc", archive, "--update").err
    found = [(kind, url.removeprefix(site.root), content.split(b" ")[1]) for kind, url, content in records(archive) if kind != "warcinfo"]
    assert {(url, status) for kind, url, status in found if kind == "response"} >= {
        ("/Carrow", b"503"), ("/Carrow", b"200"), ("/old", b"301"), ("/missing", b"404"), ("/robots.txt", b"200"), ("/sitemap.xml", b"404"),
    }  # fmt: skip
    assert [(url, status) for kind, url, status in found if kind == "revisit"] == [("/Aldmoor", b"304")]
    assert 2 * sum(kind == "request" for kind, *_ in found) == len(found) == 2 * len(site.requests)

    ran = sightread(*command, "--output-dir", tmp_path / "again", "--from-warc", archive)
    assert ran.code == 0 and "finished: 5 pages read, 1 left out, 1 failed" in ran.err
    assert documents(tmp_path / "again") == (order, documents(tmp_path / "out")[1])
    rows = sightread("batch", *archive.glob("*.warc.gz"), tmp_path / "rows", "--static", "--json").out
    assert json.loads(rows)["extracted"] >= 5

    other = ("extract", "--site", "http://127.0.0.1:1/", "--static", "--output-dir", tmp_path / "other")
    assert "it is not in" in sightread(*other, "--from-warc", archive).err
    assert "no WARC files in it" in sightread(*other, "--from-warc", tmp_path).err
    assert "its archive is WARC files, not none" in sightread(*command, *out, "--update").err
    assert "add --output-dir" in sightread(*command, "--warc", archive, "--format", "jsonl").err


def test_a_rendered_site_is_archived_with_the_bytes_of_its_files_and_replayed_without_it(sightread, tmp_path):
    script = f"const article = document.querySelector('article');{SCRIPT}"
    page = "<meta charset=windows-1252>" + story("Aldmoor").replace("</article>", "</article><script src=/fill.js></script>")
    pages = {
        "/": (200, "text/html", page.replace("Ana", "Zoë").encode("cp1252")),
        "/fill.js": (200, "text/javascript; charset=utf-8", f"\ufeff{script}// ü".encode()),
        "/text.json": (200, "application/json", '["A ledger of the weavers, who worked in Füssen, was found as well."]'.encode()),
        "/more": lambda: time.sleep(0.4) or "<p>The last of the ledgers came to light in the autumn of that year.</p>",
    }
    archive = tmp_path / "archive"
    with serving(pages) as site:
        options = ("--header", f"X-Key: {PASSWORD}", "--cookie", f"session={PASSWORD}")
        command = ("extract", "--site", site.root, "--local")
        assert sightread(*command, *options, "--output-dir", tmp_path / "out", "--warc", archive).code == 0
    assert any(PASSWORD in str(sent) for sent in site.received)
    found = records(archive)
    assert PASSWORD.encode() not in b"".join(content for *_, content in found)
    bodies = {
        url.removeprefix(site.root).partition("?")[0]: content.partition(b"\r\n\r\n")[2]
        for kind, url, content in found
        if kind == "response"
    }
    assert {path: bodies[path] for path in ("/", "/fill.js", "/text.json")} == {
        path: pages[path][2] for path in ("/", "/fill.js", "/text.json")
    }
    rendered = next(content.decode() for kind, _, content in found if kind == "conversion")
    assert "Zoë" in rendered and "Füssen" in rendered and "last of the ledgers" in rendered

    assert sightread(*command, "--output-dir", tmp_path / "again", "--from-warc", archive).code == 0
    assert documents(tmp_path / "again") == documents(tmp_path / "out")
    assert b"last of the ledgers" in b"".join(documents(tmp_path / "again")[1].values())


def test_a_crawl_that_is_killed_leaves_whole_files_and_continues_them(sightread, tmp_path):
    towns = [f"Town{number}" for number in range(60)]
    archive, chance = tmp_path / "archive", random.Random(1)
    with serving({"/": front(*towns), **{f"/{town}": story(town) for town in towns}}) as site:
        command = ("extract", "--site", site.root, "--local", "--static")
        assert sightread(*command, "--output-dir", tmp_path / "whole").code == 0
        command = (*command, "--output-dir", tmp_path / "out", "--warc", archive)
        for number in (5, 25, 45):
            job = start(*command, home=tmp_path)
            while sum((path.stat().st_size for path in archive.glob("*.warc.gz")), 0) < 1300 * number:
                time.sleep(0.002)
            time.sleep(chance.random() / 50)
            job.kill()
            job.communicate()
        assert sightread(*command).code == 0
    assert documents(tmp_path / "out") == documents(tmp_path / "whole")
    whole = [url for kind, url, _ in records(archive) if kind == "response"]
    assert len(whole) == len(set(whole)) == len(towns) + 4  # with robots.txt, the sitemap, the front page and the probe
    assert sightread(*command[:-4], "--output-dir", tmp_path / "again", "--from-warc", archive).code == 0
    assert documents(tmp_path / "again") == documents(tmp_path / "whole")


def test_keys_of_an_index_are_those_of_the_internet_archive():
    expected = {
        "http://127.0.0.1:8080/a/B/?b=2&A=1": "1,0,0,127:8080)/a/b?a=1&b=2",
        "https://www2.Example.com:443/x/": "com,example)/x",
        "http://example.com/?": "com,example)/",
        "http://example.com/a%20b/ü?x=%2F&y": "com,example)/a%20b/%c3%bc?x=/&y",
        "http://e.com/a//b/../c": "com,e)/a/c",
        "https://e.com:8443/%7Euser/": "com,e:8443)/~user",
        "http://[::1]:80/x": "::1)/x",
        "https://müller.de/ä?x=a+b&&c": "de,xn--mller-kva)/%c3%a4?&c&x=a+b",
    }
    assert {url: surt(url) for url in expected} == expected
