"""Stored HTML: it looks as if it came from its own address, and nothing of it reaches the network."""

import asyncio
from urllib.parse import urlsplit

import pytest

from sightread.render.browser.browser import RenderOptions
from sightread.render.browser.launch import CLOSED_PROXY
from sightread.render.errors import Rejected
from sightread.render.page import Link
from sightread.render.static.parse import read_html
from tests.internet import victim
from tests.pages.archive_files import leaks

URL = "https://example.com/news/today.html"


async def test_addresses_are_resolved_against_its_own(browser):
    page = (await browser.render_html("<p><a href='../about'>About</a>", URL)).page
    assert page.links == (Link("https://example.com/about", "About"),)
    assert (page.url, page.final_url, page.source, page.status) == (URL, URL, "stored", 0)


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


@pytest.mark.parametrize("url", ["file:///etc/hosts", "example.com/a", "javascript:1"])
async def test_only_web_addresses_are_taken_for_its_own(browser, url):
    with pytest.raises(Rejected, match="not an http or https address"):
        await browser.render_html("<p>Text", url)


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
    rendered, static = (await browser.render_html(html, URL)).page, read_html(html, URL)
    assert [block.text for block in rendered.blocks] == [block.text for block in static.blocks] == [text]
    assert rendered.guessed_charset == static.guessed_charset


@pytest.mark.parametrize("javascript", [False, True])
async def test_nothing_of_it_reaches_the_network(browser, site_server, javascript):
    async with victim() as listener:
        html = leaks(listener.root)
        options = RenderOptions(javascript=javascript)
        page = (await browser.render_html(html, URL, options)).page
        assert "Text" in [block.text for block in page.blocks]
        assert page.final_url == URL
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
        await browser.render_html(leaks("http://9.9.9.9") + relay, URL, RenderOptions(javascript=True))
        await asyncio.sleep(1)
        assert came == []
        assert urlsplit(CLOSED_PROXY).port == 0


async def test_hundreds_of_refused_requests_leave_no_task_behind(browser):
    await browser.render_html("<p>Text", URL)
    before = len(asyncio.all_tasks())
    page = (await browser.render_html("<p>Text" + "".join(f"<img src={i}.png>" for i in range(200)), URL)).page
    assert [block.text for block in page.blocks] == ["Text"]
    assert len(asyncio.all_tasks()) <= before
