"""Options of a visit: device, access, late content, actions, capture and blocked requests reach the page."""

import json
import re

import pytest

from sightread.cli.visiting import read_action
from sightread.render.errors import Rejected
from sightread.render.network.http import PRODUCT
from sightread.render.visit.actions import Click, Press, ScrollTo, TypeText, WaitFor
from sightread.render.visit.device import NAMED
from sightread.render.visit.picture import image_size
from tests.pages.stories import ARTICLE, NOWHERE

WORDS = "It has carried shift workers across the estuary every night for ninety years, and now it runs half empty most of the time."
PAGE = f"""<!doctype html><meta name=viewport content="width=device-width"><title>The night ferry</title><article><h1>The night ferry</h1>
<p>{WORDS}</p><p id=seen></p></article><script>document.getElementById("seen").textContent =
`The page sees ${{innerWidth}} px at ${{devicePixelRatio}}, ${{matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"}}, ` +
`${{navigator.language}}, ${{Intl.DateTimeFormat().resolvedOptions().timeZone}}, touch ${{navigator.maxTouchPoints > 0}}, and so on and on.`
</script>"""
SECRET = "s3cret"
TEXT = ("--format", "text", "--model", "boilerpipe")


def test_device_headers_and_cookies_reach_the_site(sightread, serve, tmp_path, monkeypatch):
    site = serve({"/": PAGE})
    (tmp_path / "headers").write_text(f"X-Key: {SECRET}\n\nX-More: a: b\n")
    (tmp_path / "cookies").write_text("session=abc=\n")
    monkeypatch.setenv("AGREED", "consent=yes\n")
    shown = ("--viewport", "700x500", "--scale", "2", "--colour-scheme", "dark", "--language", "de-AT", "--time-zone", "Asia/Tokyo")
    headers = ("--header", f"@{tmp_path / 'headers'}", "--header", "X-Plain:x")
    ran = sightread("extract", site.url(), *TEXT, *shown, *headers, "--cookie", f"@{tmp_path / 'cookies'}", "--cookie", "env:AGREED")
    assert "The page sees 700 px at 2, dark, de-AT, Asia/Tokyo, touch false" in ran.out and SECRET not in ran.out + ran.err
    received = site.received[0]
    assert received["accept-language"].startswith("de-AT") and received["user-agent"].endswith(PRODUCT)
    assert (received["x-key"], received["x-more"], received["x-plain"]) == (SECRET, "a: b", "x")
    assert sorted(received["cookie"].split("; ")) == ["consent=yes", "session=abc="]
    ran = sightread("extract", site.url(), *TEXT, "--device", "iphone 15", "--scale", "1.5", "--user-agent", "Newsbot/1.0")
    assert "The page sees 393 px at 1.5, light, en-US" in ran.out and "touch true" in ran.out
    assert site.received[-1]["user-agent"] == "Newsbot/1.0"


def test_a_crawl_takes_them_along_to_every_page(sightread, serve, tmp_path):
    links = "".join(f"<a href=/news/{number}.html>Story number {number} of the night ferry</a> " for number in range(3))
    site = serve({"/": f"<h1>Front</h1>{links}"} | {f"/news/{number}.html": PAGE for number in range(3)})
    options = ("--pages", 3, "--out", tmp_path / "site", "--no-pictures", "--delay", 0, "--json")
    ran = sightread("crawl", site.url(), *options, "--header", f"X-Key: {SECRET}", "--language", "fr")
    assert ran.code == 0
    pages = [received for path, received in zip(site.requests, site.received, strict=True) if path.startswith("/news/")]
    assert pages and all(received["x-key"] == SECRET and received["accept-language"].startswith("fr") for received in pages)
    assert not [path for path in (tmp_path / "site").rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_a_proxy_that_is_not_there_is_named_without_its_password(sightread, serve, monkeypatch):
    site = serve({"/": PAGE})
    monkeypatch.setenv("UPSTREAM", f"http://ann:{SECRET}@127.0.0.1:9")
    ran = sightread("extract", site.url(), "--proxy", "env:UPSTREAM")
    assert (ran.code, site.requests) == (3, [])
    assert "the upstream proxy 127.0.0.1:9: connection refused" in ran.complaint and SECRET not in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--device", "iPhone15"), f"no device 'iPhone15' (did you mean iPhone 15?): give one of {', '.join(NAMED)}"),
        (("--viewport", "big"), "--viewport 'big': give width and height in CSS px, such as 1280x800"),
        (("--viewport", "1x1"), "viewport 1 × 1: give whole CSS px, 100 to 10000 a side"),
        (("--scale", "two"), "--scale 'two': give device pixels per CSS pixel, such as 2 or 1.5"),
        (("--colour-scheme", "sepia"), "--colour-scheme is 'sepia': give 'light' or 'dark'"),
        (("--language", "german"), "language "),
        (("--time-zone", "Vienna"), "time zone 'Vienna' (did you mean Europe/Vienna?): give a name of the time zone database"),
        (("--header", f"Bearer {SECRET}"), "--header: the value has no ':': write 'NAME: VALUE'"),
        (("--header", f"X-Key: {SECRET}\r\nX-Other: 1"), "header X-Key: its value holds a line break"),
        (("--cookie", SECRET), "--cookie: the value has no '=': write NAME=VALUE"),
        (("--credentials", SECRET), "--credentials: the value has no ':': write USER:PASSWORD"),
        (("--header", "@nowhere/at-all"), "--header @nowhere/at-all: cannot be read: No such file or directory"),
        (("--cookie", "env:NOT_SET_AT_ALL"), "--cookie env:NOT_SET_AT_ALL: there is no such environment variable"),
        (("--proxy", f"ftp://ann:{SECRET}@proxy.example"), "an upstream proxy by ftp is not supported: give http://HOST:PORT"),
    ],
)
def test_what_is_wrong_is_one_line_and_opens_nothing(sightread, tmp_path, options, message):
    for command, *more in (("extract",), ("crawl", "--out", tmp_path / "site"), ("inspect",)):
        ran = sightread(command, NOWHERE, *options, *more)
        assert (ran.code, ran.complaint.startswith(message)) == (2, True), ran
        assert SECRET not in ran.err + ran.out


def test_a_picture_and_an_overlay_are_written_beside_the_text(sightread, tmp_path):
    (tmp_path / "page.html").write_text(PAGE + "<div style='height:12000px'></div>")
    picture, overlay = tmp_path / "shot.webp", tmp_path / "shot.svg"
    ran = sightread("extract", tmp_path / "page.html", *TEXT, "--picture", picture, "--overlay", overlay, "--deadline", 150)
    assert WORDS in ran.out
    assert f"{picture} continues in shot.tile-2.webp" in ran.err
    assert image_size(picture.read_bytes())[0] == image_size((tmp_path / "shot.tile-2.webp").read_bytes())[0] == 1600
    assert b'class="block kept' in overlay.read_bytes() and overlay.read_bytes().count(b"<image ") == 2


def test_a_picture_of_one_element_is_written(sightread, tmp_path):
    (tmp_path / "page.html").write_text(PAGE + "<div id=chart style='width:300px;height:200px'></div>")
    ran = sightread("extract", tmp_path / "page.html", "--picture", tmp_path / "shot.png", "--picture-of", "#chart")
    assert (ran.code, image_size((tmp_path / "shot.png").read_bytes())) == (0, (300, 200))
    ran = sightread("extract", tmp_path / "page.html", "--picture", tmp_path / "shot.png", "--picture-of", "#chart[")
    assert ran.failed(2) == "--picture-of is '#chart[', which is not a CSS selector"
    for options in (("--picture-of", "#chart"), ("--picture", "a.webp", "--overlay", "a.svg", "--picture-of", "#chart")):
        ran = sightread("extract", tmp_path / "page.html", *options)
        assert ran.failed(2).startswith("--picture-of names the element that --picture shows: give --picture FILE")


LONG = "<p>The towns along the river keep their markets, and the markets keep the towns.</p>" * 30


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click #more a", Click("#more a")),
        ("type input[name=q] 'river towns'", TypeText("input[name=q]", "river towns")),
        ("press Control+A", Press("Control+A")),
        ("scroll", ScrollTo("bottom")),
        ("scroll 900", ScrollTo(900)),
        ("scroll #last", ScrollTo("#last")),
        ("wait 1.5", WaitFor(1.5)),
        ("wait text=Showing 20 of", WaitFor("text=Showing 20 of")),
    ],
)
def test_an_action_is_a_verb_and_what_it_is_done_to(text, action):
    assert read_action(text) == action


@pytest.mark.parametrize("text", ["", "click", "klick #more", "type #q", "type #q two words", "type #q 'two", "press", "wait"])
def test_any_other_action_is_refused_with_an_example(text):
    with pytest.raises(Rejected, match=r"--action .*: give "):
        read_action(text)


def test_a_page_is_acted_on_and_waited_for(sightread, serve, monkeypatch):
    late = "document.querySelector('main').innerHTML += '<p id=late>At last they came home, and the market was open again.'"
    script = f"<script>more.onclick = () => setTimeout(() => {{ {late} }}, 900)</script>"
    site = serve({"/": f"<title>Markets</title><button id=more>More</button><main><h1>Markets</h1>{LONG}</main>{script}"})
    ran = sightread("extract", site.url(), "--action", "click #more", "--wait-for", "#late", "--model", "boilerpipe", "--format", "text")
    assert "At last they came home" in ran.out
    monkeypatch.setattr("sightread.render.visit.visit.READING_SHARE", 0.1)
    ran = sightread("extract", site.url(), "--wait-for", "#never", "--deadline", 50, "--model", "boilerpipe")
    assert re.match(rf"{site.url()}: --wait-for '#never' was not met within [2-5] s: check it, or give a longer", ran.failed(6))
    ran = sightread("extract", site.url(), "--action", "click ##", "--model", "boilerpipe")
    assert (ran.code, ran.complaint) == (2, "--action is '##', no CSS selector: correct it")


SCRIPT = "<script>console.log('ready'); document.title = 'The ferry'</script><img src=/a.png>"


def test_files_about_a_page_are_written_and_requests_are_blocked(sightread, serve, tmp_path):
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
    before = len(site.requests)
    assert sightread("extract", site.url(), "--block", "image", "--block", "*/b.png", "--model", "boilerpipe").code == 0
    assert site.requests[before:] == ["/"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-", "--wait-for", ".late"), "--wait-for, --min-wait and --action are for pages that are opened by their URL: leave them out"),
        (("-", "--save-pdf", "page.pdf"), "are for pages that are opened by their URL: leave them out"),
        (("-", "--block", "pictures"), "--block pictures: give image, media, font"),
        (("http://a.example/", "http://b.example/", "--save-har", "page.har"), "are for a single page: leave them out"),
    ],
)
def test_what_cannot_be_done_is_refused_before_a_page_is_opened(sightread, arguments, message):
    ran = sightread("extract", *arguments, typed=ARTICLE.encode())
    assert ran.code == 2
    assert message in ran.complaint
