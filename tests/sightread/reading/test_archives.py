"""Archives through the front door: the command line, a reader, and the service, which has no such door."""

import json

import pytest
import pytest_asyncio
from aiohttp.test_utils import TestClient, TestServer

import sightread
from sightread.reading.reader import Reader
from sightread.render.archives.open import open_archive
from sightread.server.process.front import app_of
from sightread.server.service import Service
from tests.pages.archive_files import Part, Sent, har, mhtml, warc

URL = "https://courier.example/news/ferry.html"
TEXT = "It has carried shift workers across the estuary for ninety years, and by now it runs half empty most of the time."
PAGE = f"<!doctype html><link rel=stylesheet href=a.css><title>The night ferry</title><h1>The night ferry</h1><p>{TEXT}</p>".encode()
CSS = Sent("https://courier.example/news/a.css", b"p { width: 456px }", "text/css")
OTHER = Sent("https://courier.example/news/", f"<title>News</title><p>{TEXT.replace('ninety', 'ten')}".encode())


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def reader(tmp_path_factory):
    async with Reader(home=tmp_path_factory.mktemp("home")) as opened:
        yield opened


@pytest.fixture
def files(tmp_path):
    """One page in every kind of archive, and in two of them another."""
    own = tmp_path / "saved_files"
    own.mkdir()
    (own / "a.css").write_bytes(CSS.body)
    mirror = tmp_path / "mirror" / "courier.example" / "news"
    mirror.mkdir(parents=True)
    (mirror / "a.css").write_bytes(CSS.body)
    written = {
        "crawl.warc.gz": warc([Sent(URL, PAGE), CSS, OTHER]),
        "one.warc": warc([Sent(URL, PAGE), CSS], packed=False),
        "session.har": har([Sent(URL, PAGE), CSS]),
        "page.mhtml": mhtml([Part(PAGE, location=URL), Part(CSS.body, "text/css", CSS.url)]),
        "saved.html": PAGE.replace(b"a.css", b"saved_files/a.css"),
        "mirror/courier.example/news/ferry.html": PAGE,
        "mirror/courier.example/news/index.html": OTHER.body,
    }
    for name, data in written.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


KINDS = [
    ("crawl.warc.gz", ["--url", URL]),
    ("one.warc", []),
    ("session.har", []),
    ("page.mhtml", []),
    ("saved.html", ["--url", URL]),
    ("mirror", ["--url", URL]),
]


@pytest.mark.parametrize(("name", "more"), KINDS)
def test_a_page_is_extracted_from_every_kind_of_archive_with_its_own_css(sightread, files, name, more):
    ran = sightread("extract", files / name, *more, "--json", "--model", "global")
    assert (ran.code, ran.err) == (0, "")
    document = ran.json()
    assert (document["url"], document["metadata"]["title"]) == (URL, "The night ferry")
    assert [block["box"][2] for block in document["blocks"] if block["text"] == TEXT] == [456]


@pytest.mark.parametrize(("name", "more"), KINDS)
def test_without_a_browser_its_html_alone_is_read(sightread, files, name, more, monkeypatch):
    ran = sightread("extract", files / name, *more, "--json", "--static")
    assert (ran.code, ran.json()["url"], [block["box"] for block in ran.json()["blocks"]][:1]) == (0, URL, [None])
    monkeypatch.setenv("SIGHTREAD_BROWSER", "/nonexistent/chromium")
    fallen = sightread("extract", files / name, *more, "--json")
    assert fallen.json() == ran.json()
    assert fallen.messages[0].endswith("reading the file without one")


@pytest.mark.parametrize(("sent_as", "is_guessed"), [("; charset=koi8-r", False), ("; charset=iso-8859-1", True), ("", True)])
def test_the_charset_of_the_answer_counts_unless_the_bytes_contradict_it_with_a_browser_and_without(
    sightread, tmp_path, sent_as, is_guessed
):
    (tmp_path / "a.warc").write_bytes(warc([Sent(URL, "<p>Ночной паром".encode("koi8-r"), f"text/html{sent_as}")], packed=False))
    for options in ((), ("--static",)):
        ran = sightread("extract", tmp_path / "a.warc", "--json", *options).json()
        assert [block["text"] for block in ran["blocks"]] == ["Ночной паром"]
        assert any(note["code"] == "charset-guessed" for note in ran["notes"]) == is_guessed


def test_of_several_pages_one_is_to_be_named(sightread, files):
    ran = sightread("extract", files / "crawl.warc.gz")
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint == f"{files}/crawl.warc.gz: it holds 2 HTML pages: {URL}, https://courier.example/news/: name one with --url"
    missed = sightread("extract", files / "crawl.warc.gz", "--url", "https://courier.example/none")
    assert (missed.code, "https://courier.example/none is not in it; it holds 2 HTML pages" in missed.complaint) == (2, True)


@pytest.mark.parametrize("how", [(), ("--static",)])
def test_standard_input_takes_pages_alone(sightread, files, how):
    for name, kind in (("crawl.warc.gz", "WARC"), ("session.har", "HAR"), ("page.mhtml", "MHTML")):
        ran = sightread("extract", "-", *how, typed=(files / name).read_bytes())
        assert (ran.code, ran.complaint) == (2, f"standard input holds a {kind} file: give the file by its name")


def test_a_corpus_is_no_folder_of_pages(sightread, tmp_path):
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for name in ("corpus.json", "report.html"):
        (corpus / name).touch()
    ran = sightread("extract", corpus)
    complaint = f"{corpus}: this is a corpus, not a folder of saved pages: read it with inspect or compare"
    assert (ran.code, ran.complaint) == (2, complaint)


async def test_a_reader_reads_archives_by_path_and_opened_ones(files, reader):
    document = await reader.extract_archived(files / "page.mhtml")
    assert (TEXT in document.text, document.url) == (True, URL)
    opened = open_archive(files / "crawl.warc.gz")
    readings = [await reader.read_archived(opened, url) for url in (URL, OTHER.url)]
    assert [(one.page.source, one.page.status, one.page.final_url) for one in readings] == [
        ("stored", 200, URL),
        ("stored", 200, OTHER.url),
    ]
    with pytest.raises(sightread.UnknownModel):
        await reader.read_archived(files / "none", model="gpt")
    with pytest.raises(sightread.Rejected, match="cannot be read"):
        await reader.read_archived(str(files / "none"))


def test_pages_without_an_address_are_requested_by_name_and_no_output_has_one_of_ours(sightread, tmp_path):
    for name in ("a.html", "b c.html"):
        (tmp_path / name).write_bytes(PAGE.replace(b"</p>", b" <a href='a.html'>more</a> <img src='x.png'></p>", 1))
    assert sightread("extract", tmp_path).complaint == f"{tmp_path}: it holds 2 HTML pages: a.html, b%20c.html: name one with --url"
    missed = sightread("extract", tmp_path, "--url", "c.html")
    assert (missed.code, missed.complaint[: len(str(tmp_path)) + 23]) == (2, f"{tmp_path}: c.html is not in it; ")
    for more in ([], ["--static"]):
        ran = sightread("extract", tmp_path, "--url", "b c.html", "--json", *more)
        assert (ran.code, ran.json()["url"], "stored.invalid" in ran.out + ran.err) == (0, "", False)


@pytest.mark.parametrize("requested", ["PATH", "file://PATH", "{'path': 'PATH'}", "{'archive': 'PATH', 'url': 'https://courier.example/'}"])
async def test_the_service_opens_no_archive(files, reader, requested):
    path = str(files / "page.mhtml")
    body = (
        json.loads(requested.replace("'", '"').replace("PATH", path))
        if requested.startswith("{")
        else {"url": requested.replace("PATH", path)}
    )
    async with TestClient(TestServer(app_of(Service(reader)))) as client:
        answer = await client.post("/api/v1/extract", json=body)
        assert (answer.status, (await answer.json())["error"]["kind"]) == (400, "Rejected")
        html = {"html": f"<iframe src='file://{path}'></iframe><a href=/x>{TEXT}</a><img src=saved_files/a.css>", "url": URL}
        assert TEXT not in (
            await (await client.post("/api/v1/extract", json={**html, "html": f"<iframe src='file://{path}'></iframe>"})).text()
        )
