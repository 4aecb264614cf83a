"""Files about a page besides its content, and blocked requests, from the command line."""

import json

import pytest

from tests.pages.stories import ARTICLE

SCRIPT = "<script>console.log('ready'); document.title = 'The ferry'</script><img src=/a.png>"


def test_files_about_a_page_are_written(sightread, serve, tmp_path):
    site = serve({"/": ARTICLE + SCRIPT})
    html, har, console, pdf = (tmp_path / name for name in ("page.html", "page.har", "page.log", "page.pdf"))
    options = ("--save-html", html, "--save-har", har, "--save-console", console, "--save-pdf", pdf, "--model", "boilerpipe")
    ran = sightread("extract", site.url(), *options, "--cookie", "session=s3cret")
    assert ran.code == 0
    assert "<title>The ferry</title>" in html.read_text()
    assert "ready" in [json.loads(line)["text"] for line in console.read_text().splitlines()]
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert b"s3cret" not in har.read_bytes()
    again = sightread("extract", har, "--model", "boilerpipe", "--format", "text")
    assert "half empty most of the time" in again.out


def test_requests_are_blocked(sightread, serve):
    site = serve({"/": ARTICLE + SCRIPT})
    assert sightread("extract", site.url(), "--block", "image", "--block", "*/b.png", "--model", "boilerpipe").code == 0
    assert site.requests == ["/"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-", "--save-pdf", "page.pdf"), "are for pages that are opened by their URL: leave them out"),
        (("-", "--block", "pictures"), "--block pictures: give image, media, font"),
        (("http://a.example/", "http://b.example/", "--save-har", "page.har"), "are for a single page: leave them out"),
    ],
)
def test_what_cannot_be_done_is_refused_before_a_page_is_opened(sightread, arguments, message):
    ran = sightread("extract", *arguments, typed=ARTICLE.encode())
    assert ran.code == 2
    assert message in ran.complaint
