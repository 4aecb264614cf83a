"""What may be typed wrong: one line that names it, before anything is done."""

import pytest

from tests.sightread.stories import ARTICLE, NOWHERE, PDF


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(ARTICLE)
    return path


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["lern"], "argument COMMAND: invalid choice: 'lern'"),
        (["extract"], "the following arguments are required: URL|FILE"),
        (["extract", "PAGE", "--format", "pdf"], "argument --format: invalid choice: 'pdf'"),
        (["extract", "PAGE", "--formt", "text"], "unrecognized arguments: --formt text"),
        (["extract", "PAGE", "--deadline", "0"], "argument --deadline: must be more than 0 seconds"),
        (["extract", "PAGE", "--deadline", "soon"], "argument --deadline: 'soon' is not a number of seconds"),
        (["learn", "courier.invalid", "--pages", "0"], "argument --pages: '0' is not a whole number above 0"),
        (["learn", "courier.invalid", "--pages", "many"], "argument --pages: 'many' is not a whole number above 0"),
        (["learn", "courier.invalid", "--delay", "-1"], "argument --delay: '-1' is not a number of seconds"),
        (["crawl", "courier.invalid", "--delay=nan"], "argument --delay: 'nan' is not a number of seconds"),
        (["crawl", "courier.invalid", "--tabs", "1.5"], "argument --tabs: '1.5' is not a whole number above 0"),
        (["serve", "--port", "65536"], "argument --port: '65536' is not a port, 0 to 65535"),
        (["demo", "--port", "http"], "argument --port: 'http' is not a port, 0 to 65535"),
        (["evaluate", "FOLDER", "--folds", "1"], "argument --folds: 1 fold leaves no page to learn from: give 2 or more"),
        (["evaluate", "FOLDER", "--folds", "²"], "argument --folds: '²' is not a whole number above 0"),
    ],
)
def test_a_mistyped_argument_is_named(sightread, arguments, complaint):
    ran = sightread(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(complaint)
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "name", "complaint"),
    [
        ("extract", "boilerpip", "no model is called 'boilerpip'; did you mean boilerpipe? There are auto, site, global, "),
        ("extract", "gpt", "no model is called 'gpt'; there are auto, site, global, "),
        ("evaluate", "sit", "no model is called 'sit'; did you mean site?"),
        ("evaluate", "auto", "'auto' names no one model: evaluate site, or one of global, "),
        ("serve", "boilerpip", "no model is called 'boilerpip'; did you mean boilerpipe?"),
        ("inspect", "boilerpip", "no model is called 'boilerpip'; did you mean boilerpipe?"),
    ],
)
def test_a_mistyped_model_is_named_with_the_nearest(sightread, page, corpus, command, name, complaint):
    target = {"extract": [page], "inspect": [page], "evaluate": [corpus], "serve": []}[command]
    ran = sightread(command, *target, "--model", name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(complaint)


@pytest.mark.parametrize(
    ("site", "complaint"),
    [
        ("", "the start URL is empty"),
        ("ftp://courier.invalid/", "start URL 'ftp://courier.invalid/': only http and https can be crawled"),
        ("http://", "start URL 'http://': "),
        ("http://me:secret@courier.invalid/", "the start URL holds a user name or password"),
        ("http://courier.invalid:99999/", "start URL 'http://courier.invalid:99999/': "),
        ("http://../", "start URL 'http://../': "),
        ("a site", "start URL 'a site': holds a backslash, a space or a control character"),
    ],
)
def test_a_mistyped_site_is_refused_before_a_browser_starts(sightread, tmp_path, site, complaint):
    ran = sightread("learn", site, "--browser", "/nonexistent/chromium")
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint.startswith(complaint)
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("missing.html", "No such file or directory"),
        ("ftp://courier.invalid/a", "No such file or directory"),
        ("courier.invalid/a", "No such file or directory"),
    ],
)
@pytest.mark.parametrize("command", ["extract", "inspect"])
def test_what_is_neither_url_nor_file(sightread, command, target, why):
    ran = sightread(command, target)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint == f"{target}: not an http(s) URL, and as a file it cannot be read: {why}"


def test_a_folder_without_a_page_cannot_be_extracted(sightread, tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    ran = sightread("extract", folder)
    assert (ran.code, ran.out) == (2, "")
    assert ran.complaint == f"{folder}: no HTML page in it"


def test_a_url_cannot_be_read_statically(sightread):
    ran = sightread("extract", NOWHERE, "--static")
    assert (ran.code, ran.complaint[:40]) == (2, "--static reads files and standard input,")


@pytest.mark.parametrize("how", [(), ("--static",)], ids=["rendered", "static"])
@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, PDF[2]], ids=["png", "pdf"])
def test_a_file_that_is_no_text(sightread, tmp_path, how, content):
    (tmp_path / "page.html").write_bytes(content)
    ran = sightread("extract", tmp_path / "page.html", *how)
    assert (ran.code, ran.out) == (3, "")
    assert "binary data" in ran.complaint


def test_a_file_of_no_bytes_rendered(sightread, tmp_path):
    (tmp_path / "page.html").touch()
    ran = sightread("extract", tmp_path / "page.html")
    assert (ran.code, ran.out) == (3, "")
    assert ran.complaint.endswith("no text on the page")


def test_a_file_of_no_bytes_read_statically(sightread, tmp_path):
    (tmp_path / "page.html").touch()
    ran = sightread("extract", tmp_path / "page.html", "--static", "--model", "boilerpipe")
    assert (ran.code, ran.out) == (3, "")
    assert ran.complaint.endswith("no text on the page")
