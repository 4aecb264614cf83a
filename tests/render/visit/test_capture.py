"""What is kept of a page besides its blocks, and requests that are blocked."""

import json

import pytest
from aiohttp import web

from sightread.render.archives.open import open_archive
from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Rejected
from sightread.render.visit.capture import Blocking, Capture, CaptureLimits, CaptureOptions
from sightread.render.visit.requests import Access
from tests.pages.shown import texts

SECRET = "s3cret"
SCRIPT = (
    "console.warn('careful', 7); fetch('/data?q=1', { method: 'POST', body: 'password=s3cret' }).then(() => { throw new Error('torn') })"
)
PAGE = f"<!doctype html><title>Markets</title><p>The markets<img src=/a.png><script>{SCRIPT}</script>"


async def front(request: web.Request) -> web.Response:
    answer = web.Response(text=PAGE, content_type="text/html", headers={"X-Kind": "page"})
    answer.set_cookie("session", SECRET)
    return answer


async def data(_: web.Request) -> web.Response:
    return web.Response(text="some data")


SITE = {"/": (302, {"Location": "/front"}, ""), "/front": front, "/data": data, "/a.png": (200, {"Content-Type": "image/png"}, b"\x89PNG")}


async def captured(browser, site, path="/front", **options) -> Capture:
    rendered = await browser.render(site.url(path), RenderOptions(min_wait=0.3, **options))
    assert rendered.capture is not None
    return rendered.capture


async def test_nothing_is_kept_unless_it_is_requested(browser, site_server):
    site = await site_server(SITE)
    assert (await browser.render(site.url("/front"))).capture is None


async def test_html_response_console_and_pdf_are_kept(browser, site_server):
    site = await site_server(SITE)
    expected = CaptureOptions(html=True, response=True, console=True, pdf=True)
    found = await captured(browser, site, "/", capture=expected)
    assert found.html.startswith("<!DOCTYPE html>\n<html><head><title>Markets</title>")
    assert (found.status, found.header("X-Kind"), found.header("set-cookie")) == (200, "page", "[redacted]")
    assert [(message.level, message.text) for message in found.console] == [("warning", "careful 7"), ("uncaught", "torn")]
    assert found.pdf.startswith(b"%PDF-")
    assert (found.har, found.note) == (b"", "")


async def test_the_network_log_holds_every_request_and_no_secret(browser, site_server):
    site = await site_server(SITE)
    access = Access(site.root, headers=(("X-Own-Key", SECRET),), cookies=(("agreed", SECRET),))
    found = await captured(browser, site, "/", capture=CaptureOptions(har=True, har_bodies=False), access=access)
    assert SECRET.encode() not in found.har
    log = json.loads(found.har)["log"]
    entries = [
        (entry["request"]["method"], entry["request"]["url"].removeprefix(site.root), entry["response"]["status"])
        for entry in log["entries"]
    ]
    assert entries == [("GET", "/", 302), ("GET", "/front", 200), ("GET", "/a.png", 200), ("POST", "/data?q=1", 200)]
    assert all(entry["time"] == pytest.approx(sum(entry["timings"].values())) for entry in log["entries"])
    assert {"name": "x-own-key", "value": "[redacted]"} in log["entries"][1]["request"]["headers"]
    reported = await captured(browser, site, "/", capture=CaptureOptions(har=True, secrets=True), access=access)
    assert reported.har.count(SECRET.encode()) >= 4


async def test_a_page_can_be_read_again_from_its_network_log(browser, site_server, tmp_path):
    site = await site_server(SITE)
    found = await captured(browser, site, capture=CaptureOptions(har=True, har_bodies=True))
    (tmp_path / "page.har").write_bytes(found.har)
    archived = await browser.render_archived(open_archive(tmp_path / "page.har"))
    assert texts(archived.page) == ["The markets"]
    assert archived.page.images[0].source == site.url("/a.png")


async def test_what_is_kept_is_capped_and_the_note_names_it(browser, site_server, monkeypatch):
    limits = CaptureLimits(html=50, requests=2, messages=1, message=4, body=3, headers=200)
    monkeypatch.setattr("sightread.render.visit.recorder.LIMITS", limits)
    site = await site_server(SITE)
    found = await captured(browser, site, capture=CaptureOptions(har=True, har_bodies=True, console=True))
    assert len(json.loads(found.har)["log"]["entries"]) == 2
    assert [len(message.text) for message in found.console] == [5]
    headers = json.loads(found.har)["log"]["entries"][0]["request"]["headers"]
    assert 0 < sum(len(header["name"]) + len(header["value"]) for header in headers) <= 200
    assert "1 requests beyond 2 are left out" in found.note
    assert "bodies are left out of the network log" in found.note
    assert "1 messages beyond 1 are left out" in found.note


async def test_requests_are_blocked_by_kind_and_by_address(browser, site_server):
    site = await site_server(SITE)
    for blocking in (Blocking(kinds=("image", "fetch")), Blocking(patterns=("*/a.png", "*/data?*"))):
        site.requests.clear()
        assert texts((await browser.render(site.url("/front"), RenderOptions(block=blocking))).page) == ["The markets"]
        assert site.requests == ["/front"]
    site.requests.clear()
    await browser.render(site.url("/front"))
    assert "/a.png" in site.requests  # the next page is not affected


async def test_frames_are_blocked_and_the_page_itself_is_not(browser, site_server):
    site = await site_server({"/": "<p>Page</p><iframe src=/frame></iframe>", "/frame": "<p>Frame"})
    rendered = await browser.render(site.url(), RenderOptions(block=Blocking(kinds=("frame",))))
    assert texts(rendered.page) == ["Page"]
    assert site.requests == ["/"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Blocking(kinds=("picture",)), "Blocking: kinds"),
        (lambda: Blocking(patterns=("**",)), "fits every address"),
        (lambda: CaptureOptions(har_bodies=True), "set har=True too"),
        (lambda: CaptureOptions(html="yes"), "CaptureOptions: html is 'yes'"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(make, message):
    with pytest.raises(Rejected, match=message):
        make()
