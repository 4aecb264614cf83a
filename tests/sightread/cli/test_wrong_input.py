"""Wrong arguments, pages that give nothing, corpora that are damaged: one clear line, the right exit code, nothing lost."""

import re
import socket
from pathlib import Path

import pytest

from sightread.crawler.corpus import Corpus
from sightread.sites.folders import SiteHome
from sightread.sites.history import open_current
from tests.internet import DNS_FAILURES, fail_names
from tests.pages.shown import report_data
from tests.pages.stories import ARTICLE, NOWHERE, PDF, stories

WRONG = [
    ([], "no command is named; there are extract, "),
    (["report"], "sightread report needs FOLDER|SITE; see sightread report --help"),
    (["lern"], "no command is called 'lern'; did you mean learn? There are extract, "),
    (
        ["https://courier.invalid/"],
        "no command is called 'https://courier.invalid/'; did you mean sightread extract https://courier.invalid/?",
    ),
    (["PAGE"], "no command is called 'PAGE'; did you mean sightread extract PAGE?"),
    (["--formt", "text"], "sightread has no option --formt; usage: sightread COMMAND [options]"),
    (
        ["extract", "PAGE", "--format", "pdf"],
        "argument --format: nothing is called 'pdf'; there are chunks, html, json, markdown, ",
    ),
    (["extract", "PAGE", "--format", "markdwn"], "argument --format: nothing is called 'markdwn'; did you mean markdown?"),
    (
        ["extract", "PAGE", "--formt", "text"],
        "sightread extract has no option --formt (did you mean --format?); usage: ",
    ),
    (["extract", "PAGE", "--deadline", "0"], "argument --deadline: '0' is not a number of seconds above 0: give a number up to 999999"),
    (["extract", "PAGE", "--with", "comments"], "argument --with: nothing is called 'comments'; there are posts, attributes"),
    (["extract", "PAGE", "--without", "table"], "argument --without: nothing is called 'table'; did you mean tables?"),
    (["extract", "PAGE", "--model"], "--model needs a value, NAME; see sightread extract --help"),
    (
        ["extract", "PAGE", "--static", "--picture", "page.webp"],
        "--picture and --overlay need a browser, and --static does without one: leave",
    ),
    (
        ["extract", "PAGE", "--picture", "page.jpg"],
        "--picture page.jpg: the file is written as WEBP or PNG: give it a name that ends in .webp or .png",
    ),
    (["extract", "PAGE", "--overlay", "page.html"], "--overlay page.html: the file is written as SVG: give it a name that ends in .svg"),
    (["extract", NOWHERE, "--min-wait", "28"], "--min-wait is 28: give 0 to 24 seconds, "),
    (["extract", NOWHERE, "--action", "click"], "--action 'click': give one of click, "),
    (["extract", "PAGE", "--viewport", "it's\twide"], "--viewport 'it's wide': give width and height in CSS px, such as 1280x800"),
    (["extract", "PAGE", "--header", "X-Key: 1"], "--header, --cookie and --credentials are for a site, and stored HTML sends no requests"),
    (["extract", NOWHERE, "--static"], "--static reads files and standard input, and opens no URL: save the page, or leave --static out"),
    (["extract", "http://127.0.0.2/"], "http://127.0.0.2/: 127.0.0.2, which is no public address; --local opens it"),
    (["serve", "--public-url", "read.example"], "argument --public-url: 'read.example' is not an origin: give scheme and host, such as "),
    (["serve", "--allow-origin", "https://a.example/x"], "argument --allow-origin: 'https://a.example/x' is not an origin: "),
    (["serve", "--allow-host", "a.example:8412"], "argument --allow-host: 'a.example:8412' is not a host name: give it alone"),
    (["serve", "--keep", "long"], "argument --keep: 'long' is not a number of hours above 0"),
    (["token", "add", "reader", "--days", "0"], "argument --days: '0' is not a number of days above 0"),
    (["token", "list", "reader"], "token list takes no name: leave reader out"),
    (["corrections", "list", "courier.invalid"], "courier.invalid: no learned site has this name, and there is no such folder: "),
    (["learn"], "no site is named: give the URL to start from, or a list of URLs with --urls FILE"),
    (["learn", "courier.invalid", "--pages", "0"], "argument --pages: '0' is not a whole number above 0"),
    (["learn", "courier.invalid", "--page", "3", "more"], "sightread learn takes no further argument 'more': leave it out; usage: "),
    (["learn", "courier.invalid", "--delay", "-1"], "argument --delay: '-1' is not a number of seconds: give 0 to 999999"),
    (["learn", "courier.invalid", "--refresh", "--out", "x"], "--refresh replaces the version in use, which is in the home folder: leave"),
    (["crawl", "courier.invalid", "--delay=nan"], "argument --delay: 'nan' is not a number of seconds"),
    (["serve", "--port", "65536"], "argument --port: '65536' is not a port: give 0 to 65535"),
    (["serve", "8412"], "sightread serve takes no further argument '8412': leave it out; usage: sightread serve [options]"),
    (["serve", "--local"], "sightread serve has no option --local: it opens the public web alone, since its callers name the addresses"),
    (["mcp", "--local"], "sightread mcp has no option --local: it opens the public web alone"),
    (["evaluate", "FOLDER", "--folds", "1"], "argument --folds: 1 fold leaves no page to learn from: give 2 or more"),
    (["evaluate", "FOLDER", "--folds", "²"], "argument --folds: '²' is not a whole number above 0"),
    (["label", "FOLDER"], "FOLDER: no corpus there (it has no corpus.json): name the folder that a crawl wrote"),
    (["train", "FOLDER", "--model", "x"], "sightread train has no option --model; usage: sightread train FOLDER|SITE [options]"),
    (["extract"], "no page is named: give a URL, a file, - for standard input, a list of them with --urls FILE, or --site SITE"),
    (["extract", "-", "PAGE"], "standard input holds one page: name - alone, or give --urls - for a list of URLs"),
    (["extract", "--urls", "missing.txt"], "--urls missing.txt: cannot be read: No such file or directory"),
    (["extract", "PAGE", "OTHER"], "several pages in markdown need a file each: add --output-dir FOLDER, or --format jsonl"),
    (["extract", "PAGE", "OTHER", "--output-dir", "out", "--output", "x"], "--output is one file and --output-dir a folder"),
    (["extract", "PAGE", "OTHER", "--output-dir", "out", "--url", "https://x.test/"], "--url is for a single file, and several pages are"),
    (["extract", "PAGE", "OTHER", "--output-dir", "out", "--picture", "x.webp"], "--picture and --overlay are for a single page"),
    (["extract", "PAGE", "OTHER", "--output-dir", "out", "--explain"], "--explain of several pages is part of their JSON: add --format"),
    (["extract", "PAGE", "OTHER", "--format", "jsonl", "--output", "OTHER"], "--output OTHER: the file exists: delete it"),
    (["extract", "https://a.test/", "https://b.test/", "--output-dir", "out", "--header", "A: b"], "--header, --cookie and --cred"),
    (["sites", "lst"], "argument ACTION: nothing is called 'lst'; did you mean list?"),
    (["sites", "show"], "sites show needs a site: sightread sites lists the learned ones"),
    (["sites", "import"], "sites import needs a file"),
    (["sites", "list", "courier.example"], "sites list takes no name: to see one site, run: sightread sites show courier.example"),
    (["sites", "show", "a", "b"], "sites show takes one name, and 'b' is one more: leave it out"),
    (["sites", "forget", "courier.example"], "no learned site is called 'courier.example'; none is known yet: sightread learn"),
    (["sites", "show", ".."], "no learned site is called '..'; "),
    (["sites", "show", "courier.example", "--replace"], "--replace is for sites import: leave it out of sites show"),
    (["sites", "import", "missing.zip"], "missing.zip: there is no such file: check its name"),
]
"""Command lines, and the beginning of the error of each. PAGE and OTHER are HTML files."""


@pytest.mark.parametrize(("arguments", "complaint"), WRONG)
def test_a_mistyped_argument_is_named(sightread, page, monkeypatch, arguments, complaint):
    monkeypatch.chdir(page.parent)
    page.rename(page.with_name("PAGE"))
    Path("OTHER").write_text(ARTICLE)
    ran = sightread(*arguments)
    assert ran.failed(2).startswith(complaint)
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize("target", ["missing.html", "ftp://courier.invalid/a", "folder/courier.invalid/page.html"])
@pytest.mark.parametrize("command", ["extract", "inspect"])
def test_what_is_neither_url_nor_file(sightread, command, target):
    ran = sightread(command, target)
    assert ran.failed(2) == f"{target}: there is no such file, and it is no URL: check its name, or give an http or https URL"


@pytest.mark.parametrize("target", ["courier.invalid", "courier.invalid/a/page.html", "courier.invalid:443?q=1"])
def test_an_address_without_its_scheme_gets_https_unless_a_file_has_its_name(sightread, monkeypatch, tmp_path, target):
    monkeypatch.chdir(tmp_path)
    fail_names(monkeypatch, socket.EAI_NONAME)
    for command in ("extract", "explain", "inspect"):
        ran = sightread(command, target)
        assert (ran.code, ran.complaint.partition(": ")[0]) == (3, f"https://{target}")
    Path("courier.invalid").write_text(ARTICLE)
    assert sightread("extract", "courier.invalid", "--static").code == 0


def test_a_folder_without_a_page_cannot_be_extracted(sightread, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    assert sightread("extract", folder).failed(2) == f"{folder}: no HTML page in it"


@pytest.mark.parametrize("how", [(), ("--static",)], ids=["rendered", "static"])
@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf\n"], ids=["nothing", "blank"])
def test_an_empty_file_is_named(sightread, tmp_path, how, content):
    (tmp_path / "page.html").write_bytes(content)
    assert sightread("extract", tmp_path / "page.html", *how).failed(3) == f"{tmp_path / 'page.html'}: it is empty: give the HTML of a page"
    ran = sightread("extract", "-", *how, typed=content)
    assert (ran.code, ran.complaint) == (3, "standard input: it is empty: give the HTML of a page")


@pytest.mark.parametrize(
    ("path", "answer", "complaint"),
    [
        ("/gone", (404, "text/html", b"<p>Gone"), "HTTP status 404"),
        ("/broken", (500, "text/html", b"<p>Oh"), "HTTP status 500: try again later"),
        (
            "/tides.mp3",
            (200, "audio/mpeg", PDF[2]),
            "its content is audio/mpeg: HTML, plain text, Markdown, JSON, RSS, Atom and PDF are read",
        ),
        ("/picture", "<title>Dusk</title><img src=/dusk.png>", "no text on the page"),
        (
            "/wall",
            "<title>Shop</title><p>Are you a robot?",
            "block page ('Are you a robot?'): blocked by bot detection: request access, or use the site's feeds or API",
        ),
    ],
)
def test_extract_states_why(sightread, serve, path, answer, complaint):
    url = serve({path: answer}).url(path)
    assert sightread("extract", url).failed(3) == f"{url}: {complaint}"


def test_learn_from_a_name_that_does_not_resolve_leaves_nothing(sightread, tmp_path, monkeypatch):
    fail_names(monkeypatch, socket.EAI_NONAME)
    ran = sightread("learn", NOWHERE)
    assert (ran.code, ran.complaint) == (3, f"{NOWHERE}: {DNS_FAILURES[socket.EAI_NONAME]}")
    assert list((tmp_path / "home" / "sites").iterdir()) == []


def test_a_site_of_one_page_has_its_article_and_report_and_is_not_trusted(sightread, serve, tmp_path):
    url = serve({"/": stories(1, lambda town: f"<title>{town}</title>")["/story/0"]}).url()
    ran = sightread("learn", url, "--out", tmp_path / "site", "--no-pictures", "--json")
    assert ran.code == 5
    assert "auto will not use the model: it was learned from 1 page, the minimum is 5; look at" in ran.messages[-1]
    result = ran.json()
    assert (result["pages"], result["trusted"], result["f1"], result["expected_f1"]) == (1, False, None, None)
    assert "The crawl found 1 page, 25 were wanted: start from a page that links to more, or name the pages (--urls)." in result["advice"]
    report = report_data(tmp_path / "site" / "report.html")["site"]
    assert "it was learned from 1 page, the minimum is 5" in report and "The crawl found 1 page" in report
    assert len(list((tmp_path / "site" / "articles").glob("*.md"))) == len(Corpus.open(tmp_path / "site")) == 1


def test_a_site_whose_articles_lie_on_another_one_is_reported_its_name(sightread, serve, tmp_path):
    pages = stories(6, lambda town: f"<title>{town}</title>")
    other = serve({path: html for path, html in pages.items() if path != "/"})
    url = serve({path: pages[path] if path == "/" else (302, other.url(path), b"") for path in pages}).url()
    ran = sightread("learn", url, "--out", tmp_path / "site", "--no-pictures")
    name = other.url().removeprefix("http://").rstrip("/")
    assert ran.failed(2) == f"{tmp_path / 'site'}: 6 of the 7 visits led to {name}: if the articles are there, learn that site"


def test_what_a_template_engine_left_is_not_requested(sightread, serve, tmp_path):
    pages = stories(3, lambda town: f"<title>{town}</title>")
    left = "".join(
        f"<p><a href='/{path}'>{path}</a>" for path in ("{{ id }}", "story/${id}", "story/%7B%7Bid%7D%7D", "<%= x %>", "{% url %}")
    )
    site = serve(pages | {"/": str(pages["/"]) + left})
    sightread("crawl", site.url(), "--out", tmp_path / "site", "--no-pictures")
    assert {path for path in site.requests if "story" in path} == {"/story/0", "/story/1", "/story/2"}
    assert not any("%" in path or "{" in path for path in site.requests)


def test_a_site_without_titles_and_descriptions_is_learned_by_the_predictions_of_the_global_model(sightread, serve, tmp_path):
    url = serve(stories(8, lambda _: "")).url()
    ran = sightread("learn", url, "--pages", 8, "--out", tmp_path / "site", "--no-pictures", "--json")
    answer = ran.json()
    assert (ran.code, answer["trusted"], answer["pages"], answer["confidence"]) == (0, True, 8, 0.5)
    assert answer["expected_f1"] > 0.95
    advice = answer["advice"][0]
    assert advice.startswith("Titles and descriptions alone leave open what the content is, and the global model's predictions decide")
    assert answer["conclusion"] == f"Good: The site's own model reads its pages with an expected word F1 of {answer['expected_f1']:.2f}."
    assert {path.name for path in (tmp_path / "site").iterdir()} >= {"labels.json", "model.json", "evaluation.json", "report.html"}
    articles = [path.read_text() for path in (tmp_path / "site" / "articles").glob("*.md")]
    assert len(articles) == 8
    assert all("kept a ledger" in text for text in articles)


NO_TEXT = "start from a page that leads to articles"


LONG, ODD = "昨日の洪水で古い橋が流された" * 15_000, "\x00\x1b[31m\x7f\u202e\ufeff"


def test_a_site_whose_every_article_fails_is_not_learned_and_the_reasons_are_reported_and_kept(sightread, serve, tmp_path):
    pages = stories(4, lambda _: "")
    site = serve({path: page if path == "/" else (404, "text/html", b"<p>Oh") for path, page in pages.items()})
    ran = sightread("learn", site.url(), "--pages", 4, "--out", tmp_path / "site", "--no-pictures", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.messages[-1].endswith(f"{NO_TEXT}; 4 visits gave no page, the first was {site.url('/story/0')}: HTTP status 404")
    assert [reason for _, reason in Corpus.open(tmp_path / "site").failures] == ["HTTP status 404"] * 4


@pytest.mark.parametrize(
    ("name", "command", "content"),
    [
        ("corpus.json", "label", b"\x00\xff\xfe"),
        ("labels.json", "train", b'{"schema":1}'),
        ("labels.json", "train", b"\x80binary"),
        ("crawl.jsonl", "inspect", b'["nonsense"]\n'),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(sightread, corpus, name, command, content):
    (corpus / name).write_bytes(content)
    ran = sightread(command, corpus)
    assert ran.failed(2).startswith(str(corpus / name))
    assert re.search(r"new folder|again", ran.complaint)


@pytest.mark.parametrize("content", [b"", b"\x80\x04binary", b'{"kind":"site","schema":1,"sha256":"0","payload":{}}'])
def test_a_damaged_model_is_not_used(sightread, page, tmp_path, content):
    folder = open_current(SiteHome.of("http://courier.example/", tmp_path / "home"))
    folder.model.write_bytes(content)
    assert sightread("extract", page, "--url", "http://courier.example/ferry", "--model", "site").failed(2).startswith(str(folder.model))


def test_a_corpus_without_pages_says_to_crawl(sightread, store):
    folder = store([])
    ran = sightread("label", folder)
    assert (ran.code, ran.complaint) == (2, f"{folder}: the corpus has no pages yet; crawl the site first")


def test_a_corpus_is_not_inspected_with_another_model_than_its_own(sightread, corpus):
    ran = sightread("inspect", corpus, "--model", "boilerpipe", "--no-open")
    assert ran.failed(2).startswith(f"{corpus}: a corpus is shown with its own model")
