"""What is kept of a page besides its blocks: HTML, logs and pictures; and requests that are blocked."""

import base64
import json
from itertools import pairwise

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import Error

from sightread.render.archives.open import open_archive
from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Rejected, Retryable, Unusable
from sightread.render.page import Size
from sightread.render.visit.capture import Blocking, Capture, CaptureLimits, CaptureOptions
from sightread.render.visit.device import Device, named_device
from sightread.render.visit.picture import Picture, image_size, read_picture, remove_picture, write_picture
from sightread.render.visit.requests import Access
from sightread.render.visit.screenshot import LARGEST_TILE, LONGEST_TILE_SIDE, MOST_TILES, screenshot, strips
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


TALL = (
    "<div style='position:fixed;top:0;left:0;right:0;height:100px;background:#f00'>Fixed</div>"
    "<div style='height:100vh'>x</div><div style='height:48900px'></div><div style='height:100px;background:#00f'>End</div>"
)
"""50,000 px tall: a red bar fixed at the top of the window, a blue one at the page's end."""


async def picture_of(browser, html, **options):
    rendering = RenderOptions(picture=True, **options)
    return (await browser.render_html(f"<!doctype html><body style='margin:0'>{html}", options=rendering)).picture


async def colour_at(browser, tile, x, y):
    """The colour that the browser itself sees in a tile, at a place in its px."""
    async with browser._pool.lease() as running:
        context = await running.chromium.browser.new_context()
        try:
            tab = await context.new_page()
            return await tab.evaluate(
                """async ([data, x, y]) => {
                    const image = await createImageBitmap(await (await fetch(`data:;base64,${data}`)).blob())
                    const canvas = new OffscreenCanvas(1, 1).getContext("2d")
                    canvas.drawImage(image, -x, -y)
                    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]
                }""",
                [base64.b64encode(tile).decode(), x, y],
            )
        finally:
            await context.close()


async def test_the_whole_page_is_taken_at_half_scale_or_with_a_pixel_for_each_of_the_page_on_any_device(browser):
    half = await picture_of(browser, "<div style='height:3000px'>x")
    assert (len(half.tiles), image_size(half.tiles[0]), half.boxes) == (1, (800, 1500), ((0, 0, 1600, 3000),))
    whole = await picture_of(browser, "<div style='height:700px'>x", device=Device(Size(400, 300), scale=2), picture_scale=1.0)
    assert (image_size(whole.tiles[0]), whole.boxes) == ((400, 700), ((0, 0, 400, 700),))
    assert (await browser.render_html("<p>x")).picture is None


CHART = "<div id=chart style='position:absolute;left:100px;top:2000px;width:300px;height:200px;background:#f00'></div><hr id=line hidden>"


async def test_one_element_is_taken_and_as_png(browser):
    for device in (Device(), Device(Size(400, 700), scale=2, mobile=True)):
        picture = await picture_of(
            browser, CHART + "<p>The ferry", picture_of="#chart", picture_format="png", picture_scale=1.0, device=device
        )
        assert (image_size(picture.tiles[0]), picture.boxes) == ((300, 200), ((100, 2000, 300, 200),))
        assert [await colour_at(browser, picture.tiles[0], *place) for place in ((0, 0), (299, 199))] == [[255, 0, 0]] * 2


@pytest.mark.parametrize(
    ("selector", "error", "complaint"),
    [
        ("#graph", Unusable, "no picture of '#graph': no element matches it"),
        ("#line", Unusable, "no picture of '#line': it has no size"),
        ("#chart[", Rejected, "RenderOptions: picture_of is '#chart\\[', which is not a CSS selector"),
    ],
)
async def test_an_element_that_is_not_there_is_named(browser, selector, error, complaint):
    with pytest.raises(error, match=complaint):
        await picture_of(browser, CHART + "<p>The ferry", picture_of=selector)


async def test_a_tall_page_goes_on_in_further_tiles_and_what_is_fixed_is_seen_once(browser):
    picture = await picture_of(browser, TALL)
    assert picture.boxes == ((0, 0, 1600, 32_000), (0, 32_000, 1600, 18_000))
    top, below, end = [
        await colour_at(browser, tile, 400, y) for tile, y in ((picture.tiles[0], 20), (picture.tiles[1], 20), (picture.tiles[1], 8_990))
    ]
    assert top == pytest.approx([255, 0, 0], abs=12)
    assert below == pytest.approx([255, 255, 255], abs=12)
    assert end == pytest.approx([0, 0, 255], abs=12)


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
async def test_what_is_parked_beside_the_page_does_not_move_the_picture(browser, direction):
    side = "left" if direction == "rtl" else "right"
    parked = f"<p style='position:absolute;top:0;margin:0;{side}:-9000px'>Parked</p>"
    html = f"<div style='width:400px;height:1000px;background:#f00'>Text</div>{parked}<script>document.dir = '{direction}'</script>"
    picture = await picture_of(browser, html, javascript=True)
    assert picture.boxes == ((0, 0, 1600, 1000),)
    x = 700 if direction == "rtl" else 100
    assert await colour_at(browser, picture.tiles[0], x, 250) == pytest.approx([255, 0, 0], abs=12)


async def test_a_mobile_picture_shows_the_layout_that_was_measured_also_of_a_page_not_made_for_it(browser):
    html = "<div style='height:300px;width:1200px'>Wide</div><p style='margin:0;height:100px;background:#f00'>As wide as the page</p>"
    picture = await picture_of(browser, html, device=named_device("iPhone 15"))
    assert picture.boxes[0].width == pytest.approx(1200, abs=2)
    assert await colour_at(browser, picture.tiles[0], 480, 190) == pytest.approx([255, 0, 0], abs=12)


@given(st.floats(1, 20_000), st.floats(1, 10_000_000), st.sampled_from([0.25, 0.5, 1.0, 2.0]))
def test_tiles_cover_the_page_without_a_gap_as_far_as_the_caps_go(width, height, scale):
    boxes = list(strips(Size(min(width, LONGEST_TILE_SIDE / scale), height), scale))
    assert 1 <= len(boxes) <= MOST_TILES
    assert boxes[0].y == 0
    assert all(box.y + box.height == below.y for box, below in pairwise(boxes))
    assert all(
        box.height * scale <= LONGEST_TILE_SIDE and box.width * box.height * scale**2 <= LARGEST_TILE + box.width * scale for box in boxes
    )
    assert all((box.y * scale).is_integer() for box in boxes)
    bottom = boxes[-1].y + boxes[-1].height
    assert bottom >= height or len(boxes) == MOST_TILES


def test_a_shorter_picture_leaves_nothing_of_a_taller_one_behind(tmp_path):
    path = tmp_path / "page.webp"
    write_picture(path, Picture((b"one", b"two", b"three")))
    (tmp_path / "page-2.webp").write_bytes(b"somebody else's")
    write_picture(path, Picture((b"new",)))
    assert read_picture(path) == Picture((b"new",))
    remove_picture(path)
    assert read_picture(path) is None
    assert [file.name for file in tmp_path.iterdir()] == ["page-2.webp"]


class FailingTab:
    """A tab that takes no picture."""

    def __init__(self, answer):
        self.url = "http://site.test/"
        self.context = self
        self.answer = answer

    async def new_cdp_session(self, tab):
        return self

    async def send(self, method, options=None):
        if method == "Page.getLayoutMetrics":
            return {"cssLayoutViewport": {"pageX": 0}, "cssVisualViewport": {"pageX": 0}}
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    async def detach(self):
        pass


@pytest.mark.parametrize(
    "answer", [Error("Target closed\nlong log"), {}, {"data": "?"}, {"data": ""}], ids=["closed", "none", "broken", "empty"]
)
async def test_a_failed_picture_may_work_later_and_states_so_in_one_line(answer):
    with pytest.raises(Retryable, match=r"^http://site\.test/: .*picture.*try again") as raised:
        await screenshot(FailingTab(answer), Size(10, 20))
    assert "\n" not in str(raised.value)


class SlowTab(FailingTab):
    """A tab whose compositor has no frame at first."""

    async def send(self, method, options=None):
        answer = await super().send(method, options)
        if method == "Page.captureScreenshot" and self.url:
            self.url = ""
            raise Error("CDPSession.send: Protocol error (Page.captureScreenshot): Unable to capture screenshot")
        return answer


async def test_a_tile_without_a_frame_yet_is_taken_again_and_where_time_is_short_the_picture_ends_early_but_is_one():
    answer = {"data": base64.b64encode(b"tile").decode()}
    assert await screenshot(SlowTab(answer), Size(10, 20)) == Picture((b"tile",))
    assert await screenshot(FailingTab(answer), Size(1600, 100_000), seconds_left=0) == Picture((b"tile",))
