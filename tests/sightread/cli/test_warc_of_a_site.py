"""`sightread extract --site --warc`: what is written, also by a crawl that is killed, and the same documents from it without the site."""

import json
import random
import time
from pathlib import Path

from fastwarc.warc import ArchiveIterator, WarcRecordType

from sightread.render.archives.cdxj import surt
from tests.pages.websites import serving
from tests.processes.terminal import start
from tests.sightread.cli.test_extract_many import TOWNS, story

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
