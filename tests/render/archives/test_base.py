"""One page and its files, live and out of every kind of archive: the same blocks in the same boxes, and nothing asked of the network."""

import asyncio
import struct
import zlib

import msgspec
import pytest
import pytest_asyncio

from sightread.render.archives.open import open_archive
from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Rejected, Unusable
from sightread.render.visit.collect import CollectOptions
from sightread.render.visit.settle import WaitLimits
from tests.pages.archive_files import Sent, har, warc
from tests.pages.websites import serving

URL = "https://courier.example/news/ferry.html"
CSS = "@import 'fonts.css'; body { margin: 0 } p { width: 400px; margin: 30px 70px; color: rgb(10, 20, 30) }"
MORE = "iframe { border: 0; width: 500px } h1 { font: bold 40px/60px sans-serif; margin: 5px } img { display: block }"
FRAME = "<!doctype html><link rel=stylesheet href=frame.css><p>The timetable of the ferry"
FRAME_CSS = "p { margin: 11px; font-size: 20px }"
HTML = """<!doctype html><html lang=en><meta charset=utf-8><title>The night ferry</title><link rel=stylesheet href="style.css">
<h1>The night ferry</h1><p>It has carried shift workers across the estuary for ninety years.</p><img src="../boat.png" alt="A boat">
<p>By now it runs <a href="half.html">half empty</a>, Grüße.</p><iframe src="frame.html"></iframe><p>It will go on.</p>"""


def png(width: int, height: int) -> bytes:
    """A white picture, which takes as much room as it is large."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\xff" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def answers(root: str) -> list[Sent]:
    """The page as it was sent, its files, and the redirect by which one comes to it."""
    return [
        Sent(f"{root}/", b"", status=302, headers={"Location": "/news/ferry.html"}),
        Sent(f"{root}/news/ferry.html", HTML.encode()),
        Sent(f"{root}/news/style.css", CSS.encode(), "text/css"),
        Sent(f"{root}/news/fonts.css", MORE.encode(), "text/css"),
        Sent(f"{root}/boat.png", png(120, 80), "image/png"),
        Sent(f"{root}/news/frame.html", FRAME.encode()),
        Sent(f"{root}/news/frame.css", FRAME_CSS.encode(), "text/css"),
    ]


def comparable(page):
    """What must be the same of a page wherever it comes from."""
    styles = [page.style_of(block) for block in page.blocks]
    blocks = [msgspec.structs.replace(block, style=None) for block in page.blocks]
    images = [(image.alt, image.box) for image in page.images]
    return blocks, styles, images, page.links, page.document, page.tag_paths()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def live(browser):
    """The page rendered from a server, which is gone afterwards; the server's address, and Chromium's own snapshot of the page."""
    sent = {one.url: (one.status, one.headers.get("Location", one.kind), one.body) for one in answers("")}
    snapshot = b""

    async def capture(tab):
        nonlocal snapshot
        session = await tab.context.new_cdp_session(tab)
        snapshot = (await session.send("Page.captureSnapshot"))["data"].encode()

    with serving(sent) as site:
        page = (await browser.render(site.url(), RenderOptions(javascript=False))).page
        await browser.render(site.url(), RenderOptions(before_collect=capture))
    assert len(page.blocks) == 5 and page.images[0].box.width == 120
    return page, site.root, snapshot


@pytest.mark.parametrize("kind", ["page.warc.gz", "page.warc", "page.har", "page.mhtml", "mirror"])
async def test_a_page_looks_the_same_from_its_archive_as_it_did_live(browser, live, tmp_path, kind):
    page, root, snapshot = live
    path = tmp_path / kind
    if kind == "mirror":
        for sent in answers(root)[1:]:
            file = path / root.removeprefix("http://") / sent.url.removeprefix(f"{root}/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(sent.body)
    elif kind == "page.mhtml":
        path.write_bytes(snapshot)
    else:
        path.write_bytes(har(answers(root)) if kind == "page.har" else warc(answers(root), packed=kind.endswith("gz")))
    archived = (await browser.render_archived(open_archive(path), f"{root}/news/ferry.html")).page
    assert (archived.source, archived.status, archived.final_url) == ("stored", 200, f"{root}/news/ferry.html")
    assert archived.titles == ("The night ferry",)
    assert comparable(archived) == comparable(page)


def archive_of(tmp_path, *answers):
    path = tmp_path / f"crawl-{len(list(tmp_path.iterdir()))}.warc.gz"
    path.write_bytes(warc(answers))
    return open_archive(path)


async def test_redirects_inside_an_archive_are_followed_to_the_url_that_was_shown(browser, tmp_path):
    hops = [Sent(f"https://a.example/{n}", status=301, headers={"Location": f"/{n + 1}"}) for n in range(10)]
    archive = archive_of(tmp_path, *hops, Sent("https://a.example/10", b"<p>There", status=203))
    page = (await browser.render_archived(archive, "https://a.example/0")).page
    assert (page.url, page.final_url, page.status) == ("https://a.example/0", "https://a.example/10", 203)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ([Sent(URL, status=302, headers={"Location": "/elsewhere"})], "leads to https://courier.example/elsewhere, which is not in"),
        ([Sent(URL, status=302, headers={"Location": URL})], "redirects more than 10 times"),
        ([Sent(URL, b"<p>Gone", status=404)], "the answer with HTTP status 404"),
        ([Sent(URL, b"<p>Busy", status=503)], "the answer with HTTP status 503"),
        ([Sent(URL, b"%PDF", "application/pdf")], "its content is application/pdf"),
        ([Sent(URL, b"<p>   ")], "no text on the page"),
    ],
)
async def test_what_is_no_page_is_unusable(browser, tmp_path, answer, complaint):
    with pytest.raises(Unusable, match=complaint):
        await browser.render_archived(archive_of(tmp_path, *answer), URL)


async def test_scripts_run_when_they_are_requested_and_get_their_answers_from_the_archive(browser, tmp_path):
    html = b"""<p id=p>Still</p><script>
        const ask = method => fetch("/data?_=1700000000123", {method})
        ask("GET").then(a => a.text()).then(t => { p.textContent = t; return ask("POST") })
            .catch(() => { p.textContent += ", and nothing was sent" })</script>"""
    archive = archive_of(tmp_path, Sent(URL, html), Sent("https://courier.example/data?_=1600000000000", b"From the archive", "text/plain"))
    texts = [(await browser.render_archived(archive, URL, RenderOptions(javascript=on))).page.blocks[0].text for on in (False, True)]
    assert texts == ["Still", "From the archive, and nothing was sent"]


async def test_a_page_that_moves_on_is_followed_inside_the_archive_and_stays_where_it_would_leave_it(browser, tmp_path):
    def moving(target):
        return f"<meta http-equiv=refresh content='0; url={target}'><p>First".encode()

    second = Sent("https://courier.example/second", b"<p>Second", status=202)
    moved = (await browser.render_archived(archive_of(tmp_path, Sent(URL, moving("/second")), second), URL)).page
    assert (moved.final_url, moved.status, moved.blocks[0].text) == (second.url, 202, "Second")
    stayed = (await browser.render_archived(archive_of(tmp_path, Sent(URL, moving("https://other.example/"))), URL)).page
    assert (stayed.final_url, stayed.blocks[0].text) == (URL, "First")


@pytest.mark.parametrize("javascript", [False, True])
async def test_frames_of_other_sites_have_their_files_and_are_read_when_they_are_requested(browser, tmp_path, javascript):
    files = [
        Sent(URL, b"<p>Page<iframe src=https://other.example/f style='width: 600px; border: 0'></iframe>"),
        Sent("https://other.example/f", b"<link rel=stylesheet href=f.css><p>Frame"),
        Sent("https://other.example/f.css", b"p { width: 234px }", "text/css"),
    ]
    archive = archive_of(tmp_path, *files)
    for frames, found in (("same", [("Page", 1584)]), ("all", [("Page", 1584), ("Frame", 234)])):
        options = RenderOptions(javascript=javascript, collect=CollectOptions(frames=frames))
        page = (await browser.render_archived(archive, URL, options)).page
        assert [(block.text, block.box.width) for block in page.blocks] == found


async def test_headers_that_no_browser_takes_and_damaged_files_cost_nothing_but_themselves(browser, tmp_path):
    odd = {"X-Odd": "a\tb", "Bad Name": "1", "Content-Encoding": "gzip", "Transfer-Encoding": "chunked", "Set-Cookie": "a=b; Secure"}
    html = b"<link rel=stylesheet href=/a.css><link rel=stylesheet href=/b.css><p id=p>Text"
    html += b"<script>onload = () => { p.append(' loaded') }</script>"
    a = Sent("https://courier.example/a.css", b"p { width: 222px }", "text/css", headers=odd)
    b = Sent("https://courier.example/b.css", b"p { margin: 0 }", "text/css", headers={"Content-Encoding": "rot13"})
    archive = archive_of(tmp_path, Sent(URL, html), a, b)
    block = (await browser.render_archived(archive, URL, RenderOptions())).page.blocks[0]
    assert (block.text, block.box.width) == ("Text loaded", 222)


async def test_hundreds_of_files_leave_no_task_behind(browser, tmp_path, monkeypatch):
    monkeypatch.setattr("sightread.render.visit.settle.LIMITS", WaitLimits(load=60_000))  # three hundred requests take a slow machine long
    files = [Sent(f"https://courier.example/{n}.png", png(3, 3), "image/png") for n in range(150)]
    html = "<p>Text" + "".join(f"<img src=/{n}.png><img src=/{n}.gif>" for n in range(150))
    archive = archive_of(tmp_path, Sent(URL, html.encode()), *files)
    await browser.render_archived(archive_of(tmp_path, Sent(URL, b"<p>Text")), URL)
    before = len(asyncio.all_tasks())
    page = (await browser.render_archived(archive, URL)).page
    assert sum(image.box.width == 3 for image in page.images if image.box) == 150
    for _ in range(1000):  # what was under way when the tab was closed ends by itself
        if len(asyncio.all_tasks()) <= before:
            break
        await asyncio.sleep(0.05)
    assert len(asyncio.all_tasks()) <= before


async def test_a_page_is_given_no_more_bytes_than_a_live_one(browser, tmp_path, monkeypatch):
    html = b"<link rel=stylesheet href=/a.css><p>Text"
    archive = archive_of(tmp_path, Sent(URL, html), Sent("https://courier.example/a.css", b"p { width: 222px }", "text/css"))
    widths = []
    for most in (len(html), len(html) - 1):
        monkeypatch.setattr("sightread.render.archives.replay.MOST_SERVED", most)
        widths.append((await browser.render_archived(archive, URL)).page.blocks[0].box.width)
    assert widths == [222, 1584]


async def test_a_page_that_is_not_there_is_named_with_some_that_are(browser, tmp_path):
    archive = archive_of(tmp_path, *(Sent(f"https://a.example/{n}", b"<p>Text") for n in range(5)))
    held = "5 HTML pages: https://a.example/0, https://a.example/1, https://a.example/2, …"
    with pytest.raises(Rejected, match=f"https://a.example/9 is not in it; it holds {held}"):
        await browser.render_archived(archive, "https://a.example/9")
    with pytest.raises(Rejected, match=f"it holds {held}: name one with --url"):
        await browser.render_archived(archive)
    with pytest.raises(Rejected, match="not an http or https address"):
        await browser.render_archived(archive, "file:///etc/passwd")
