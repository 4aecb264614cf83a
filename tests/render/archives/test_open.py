"""Which kind of archive a file is, told by its content; and what arbitrary bytes do to all of them."""

import asyncio
import gzip
import os
from threading import Thread
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightread.render.archives.base import Archive, Matches, choose_page, land, request_key
from sightread.render.archives.har import Har
from sightread.render.archives.mhtml import Mhtml, MhtmlLimits
from sightread.render.archives.open import open_archive, open_stored
from sightread.render.archives.warc import Warc
from sightread.render.browser.browser import RenderOptions
from sightread.render.browser.launch import CLOSED_PROXY
from sightread.render.errors import Rejected, SightreadError
from sightread.render.page import Link
from sightread.render.static.parse import read_html
from tests.internet import victim
from tests.pages.archive_files import Part, Sent, har, leaks, mhtml, warc

URL = "https://courier.example/news/ferry.html"
SENT = [Sent(URL, b"<p>Text"), Sent(f"{URL}.css", b"p {}", "text/css")]
FILES = {
    Warc: warc(SENT, packed=False),
    Har: har(SENT),
    Mhtml: mhtml([Part(b"<p>Text", location=URL, name="a@b"), Part(b"p {}", "text/css", f"{URL}.css")]),
}

PACKED = warc(SENT)


@pytest.mark.parametrize("name", ["page.html", "page.warc.gz", "page.har", "page.mhtml", "page"])
@pytest.mark.parametrize("kind", FILES)
def test_the_content_tells_the_kind_and_not_the_name(tmp_path, kind, name):
    (tmp_path / name).write_bytes(FILES[kind])
    assert type(open_archive(tmp_path / name)) is kind


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("page.wacz", b"PK\x03\x04" + bytes(30), "a ZIP file: unpack it, and give a WARC of its archive folder"),
        ("page.maff", b"PK\x03\x04" + bytes(30), "a ZIP file: unpack it, and give what is in it"),
        ("page.warc.zst", b"\x28\xb5\x2f\xfd", "compressed with zstd: unpack it first"),
        ("page.html.gz", gzip.compress(b"<p>Text", mtime=0), r"compressed with gzip, and no WARC: unpack it first"),
        ("page.warc.gz", b"\x1f\x8b\x08", "compressed with gzip, and no WARC"),
        ("page.warc", b"<p>Not found", "it does not begin as a WARC file does"),
        ("page.mht", b"<p>Not found", "it does not begin as a MHTML file does"),
        ("page.har", b"<p>Not found", "it does not begin as a HAR file does"),
        ("page.har", b'{"error": "none"}', "JSON, but no whole HAR"),
    ],
)
def test_other_kinds_are_refused_in_one_line_that_states_what_to_do(tmp_path, name, data, complaint):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(Rejected, match=complaint) as raised:
        open_stored(tmp_path / name)
    assert str(raised.value).startswith(str(tmp_path)) or str(raised.value).startswith(name)
    assert len(str(raised.value).splitlines()) == 1


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """An archive with a few of its bytes changed, taken out or put in, and its end cut off."""
    data = bytearray(draw(st.sampled_from([*FILES.values(), PACKED])))
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, len(data)))
        data[place : place + draw(st.integers(0, 12))] = draw(
            st.binary(max_size=12) | st.sampled_from([b"\r\n", b"--", b"-1", b'"', b"[", b"\xff"])
        )
    return bytes(data[: draw(st.integers(0, len(data)))] if draw(st.booleans()) else data)


BEGUN = st.sampled_from(list(FILES.values())).flatmap(lambda file: st.binary().map(lambda end: file[:40] + end))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=damaged() | st.binary(max_size=200) | BEGUN)
def test_no_file_raises_anything_but_our_errors(tmp_path, data):
    path = tmp_path / "file"
    path.write_bytes(data)
    try:
        opened = open_stored(path)
        if isinstance(opened, Archive):
            for url in {*opened.pages(), URL, f"{URL}.css"}:
                land(opened, choose_page(opened, url))
    except SightreadError as error:
        assert len(str(error).splitlines()) == 1


def test_a_url_is_matched_as_a_browser_requests_it():
    assert request_key("HTTPS://Courier.Example:443/a/../b c?q=ü#top") == "https://courier.example/b%20c?q=%C3%BC"
    assert [request_key(url) for url in ("data:,x", "cid:x", "b.html", "", "http://")] == [""] * 5


@pytest.mark.parametrize(
    ("requested", "found"),
    [
        ("https://a.example/x", "secure"),
        ("http://a.example/x", "plain"),
        ("https://a.example/y", "only plain"),
        ("http://a.example/z", "only secure"),
        ("https://a.example/s?v=2&_=1700000000999", "stamped"),
        ("http://a.example/s?_=0.123456789&v=2", "stamped"),
        ("https://a.example/s?v=3&_=1700000000999", None),
        ("https://a.example/s?v=2&w=1", None),
        ("https://a.example/p?id=2", None),
        ("https://a.example/p", None),
        ("https://a.example/y?", None),
    ],
)
def test_of_the_scheme_and_of_cache_busters_alone_light_is_made(requested, found):
    matches: Matches[str] = Matches()
    for url, entry in {
        "http://a.example/x": "plain",
        "https://a.example/x": "secure",
        "http://a.example/y": "only plain",
        "https://a.example/z": "only secure",
        "https://a.example/s?v=2&_=1600000000123": "stamped",
        "https://a.example/p?id=1": "one",
    }.items():
        matches.add(url, 200, entry)
    assert matches.find(requested) == found


@pytest.mark.parametrize("html", [b"<p>" + b"Text " * 40_000, FILES[Warc]], ids=["a page", "an archive"])
def test_what_comes_through_a_pipe_is_read_once(tmp_path, html):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(html,))
    writer.start()
    if html.startswith(b"<p>"):
        assert open_stored(pipe) == html
    else:
        with pytest.raises(Rejected, match="a WARC file cannot be read through a pipe: write it to the disk first"):
            open_stored(pipe)
    writer.join()


@pytest.mark.parametrize(
    ("data", "limit", "most", "message"),
    [
        (bytes(101), "open.LARGEST_PAGE", 100, "larger than 100 bytes, and not an archive"),
        (FILES[Har], "har.LARGEST_FILE", 100, "too much for a HAR"),
        (FILES[Mhtml], "mhtml.LIMITS", MhtmlLimits(file=100), "too much for one page"),
    ],
    ids=["a page", "HAR", "MHTML"],
)
def test_a_file_that_is_too_large_is_refused(tmp_path, monkeypatch, data, limit, most, message):
    monkeypatch.setattr(f"sightread.render.archives.{limit}", most)
    (tmp_path / "a.html").write_bytes(data)
    with pytest.raises(Rejected, match=message):
        open_stored(tmp_path / "a.html")


TODAY = "https://example.com/news/today.html"


async def test_without_an_address_it_says_nothing_that_is_not_in_it(browser):
    html = (
        "<link rel=canonical href=/c><p>See <a href='/a'>this</a>, <a href='#below'>below</a> and <a href='https://example.com/x'>that</a>"
        "<img src=/i.png alt=Boat width=99 height=99>"
    )
    page = (await browser.render_html(html)).page
    assert (page.url, page.final_url, page.canonical) == ("", "", "")
    assert page.links == (Link("https://example.com/x", "that"),)
    assert [inline.target for inline in page.blocks[0].inlines] == ["", "#below", "https://example.com/x"]
    assert [(image.source, image.alt) for image in page.images] == [("", "Boat")]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Grüße 你好", "Grüße 你好"),
        ("<meta charset=windows-1252><p>Grüße".encode("cp1252"), "Grüße"),
        ("<meta charset=gb18030><p>你好".encode("gb18030"), "你好"),
        ("\ufeff<p>Grüße".encode(), "Grüße"),
        ("<p>Grüße 你好".encode(), "Grüße 你好"),
        ("<p>Grüße".encode("cp1252"), "Grüße"),
        ("<p>Контора порта".encode("koi8-r"), "Контора порта"),
        ("<meta charset=utf-8><p>海湾办公室保存着登记册".encode("gb18030"), "海湾办公室保存着登记册"),
    ],
)
async def test_bytes_are_decoded_with_a_browser_as_without_one(browser, html, text):
    rendered, static = (await browser.render_html(html, TODAY)).page, read_html(html, TODAY)
    assert [block.text for block in rendered.blocks] == [block.text for block in static.blocks] == [text]
    assert rendered.guessed_charset == static.guessed_charset


@pytest.mark.parametrize("javascript", [False, True])
async def test_nothing_of_it_reaches_the_network(browser, site_server, javascript):
    async with victim() as listener:
        html = leaks(listener.root)
        options = RenderOptions(javascript=javascript)
        page = (await browser.render_html(html, TODAY, options)).page
        assert "Text" in [block.text for block in page.blocks]
        assert page.final_url == TODAY
        assert listener.received == []
        site = await site_server({"/": html.replace("form.submit();", "").replace("<meta", "<!-- <meta")})
        await browser.render(site.url(), options)
        assert listener.received  # the same page does get out where it may


async def test_no_request_of_a_worker_reaches_whoever_listens_at_the_discard_port(browser):
    """Port 9 was the address of the proxy that leads nowhere; port 0, which is it now, cannot be bound."""
    came: list[bytes] = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await reader.read(100))
        writer.close()

    relay = """<script>
        const peer = new RTCPeerConnection({iceServers: [{urls: "turn:9.9.9.9:443?transport=tcp", username: "u", credential: "c"}]});
        peer.createDataChannel("x");
        peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        setTimeout(() => document.body.append("Late"), 500);
      </script>"""
    try:
        server = await asyncio.start_server(note, "127.0.0.1", 9)
    except OSError as error:
        pytest.skip(f"port 9 cannot be bound here: {error}")
    async with server:
        await browser.render_html(leaks("http://9.9.9.9") + relay, TODAY, RenderOptions(javascript=True))
        await asyncio.sleep(1)
        assert came == []
        assert urlsplit(CLOSED_PROXY).port == 0
