"""Waiting: until a page is what it is going to be, and no longer."""

import asyncio
import contextlib
import time

import pytest
from aiohttp import web

from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import Unusable
from sightread.render.visit.settle import WaitLimits
from tests.pages.shown import texts


@pytest.fixture
def impatient(monkeypatch):
    """Shorten the waits that are seconds long."""
    monkeypatch.setattr("sightread.render.visit.settle.LIMITS", WaitLimits(look=200, stall=600, load=600, cap=1200))


def later(seconds, text, kind="text/html"):
    """Answer after a while."""

    async def answer(_: web.Request) -> web.Response:
        await asyncio.sleep(seconds)
        return web.Response(text=text, content_type=kind)

    return answer


async def seen(browser, site, path="/", **options):
    return texts((await browser.render(site.url(path), RenderOptions(**options))).page)


async def test_an_application_that_fills_an_empty_root_after_two_fetches_is_read(browser, site_server):
    script = (
        "fetch('/list').then(r => r.json()).then(async ids => {"
        " root.innerHTML = '<h1>Markets</h1>';"
        " for (const id of ids) root.innerHTML += `<p>${await (await fetch('/item' + id)).text()}</p>` })"
    )
    site = await site_server(
        {
            "/": f"<div id=root></div><script>{script}</script>",
            "/list": later(0.3, "[1, 2]", "application/json"),
            "/item1": later(0.4, "First"),
            "/item2": later(0.4, "Second"),
        }
    )
    assert await seen(browser, site) == ["Markets", "First", "Second"]


async def test_text_that_a_page_adds_to_its_own_after_a_slow_fetch_is_read(browser, site_server):
    text = "<p>The towns along the river keep their markets.</p>" * 40
    script = "onload = () => fetch('/more').then(r => r.text()).then(t => document.body.append(t))"
    site = await site_server({"/": f"{text}<script>{script}</script>", "/more": later(1, "Comments of readers")})
    assert (await seen(browser, site))[-1] == "Comments of readers"


async def test_a_page_that_says_that_it_is_loading_is_waited_for(browser, site_server):
    script = "setTimeout(() => document.body.innerHTML = '<h1>Markets</h1><p>They open at nine.', 900)"
    site = await site_server({"/": f"<p>Loading…</p><script>{script}</script>"})
    assert await seen(browser, site) == ["Markets", "They open at nine."]


async def test_a_page_in_shadow_roots_is_waited_for(browser, site_server):
    script = "customElements.define('x-app', class extends HTMLElement { connectedCallback() {" + (
        " const root = this.attachShadow({ mode: 'open' }); setTimeout(() => root.innerHTML = '<p>Markets', 600) } })"
    )
    site = await site_server({"/": f"<x-app></x-app><script>{script}</script>"})
    assert await seen(browser, site) == ["Markets"]


async def test_what_a_page_does_while_it_fills_itself_is_seen_to_its_end(browser, site_server):
    script = "let n = 0; const add = () => { document.body.insertAdjacentHTML('beforeend', `<p>Paragraph ${n} of the long story</p>`);" + (
        " if (++n < 12) setTimeout(add, 90) }; onload = add"
    )
    site = await site_server({"/": f"<h1>Story</h1><script>{script}</script>"})
    assert len(await seen(browser, site)) == 13


ENDLESS = {
    "a clock": "setInterval(() => { clock.textContent = new Date().toISOString() }, 20)",
    "slides that take turns": "let n = 0; setInterval(() => { slide.textContent = ['One slide', 'Another, longer slide'][n++ % 2] }, 60)",
    "a box that moves": "let n = 0; setInterval(() => { slide.style.transform = `translateX(${n++ % 50}px)` }, 20)",
    "an advertisement that is never answered": "fetch('http://nowhere.invalid/')",
    "a channel that stays open": "fetch('/channel')",
}


@pytest.mark.parametrize("script", ENDLESS.values(), ids=ENDLESS.keys())
async def test_what_never_ends_does_not_use_up_the_time(browser, site_server, script):
    text = "<p>The towns along the river keep their markets.</p>" * 40
    site = await site_server(
        {"/": f"{text}<p id=clock>2000-01-01T00:00:00.000Z</p><p id=slide>One slide</p><script>{script}</script>"} | CHANNEL
    )
    started = time.monotonic()
    assert len(await seen(browser, site)) == 42
    assert time.monotonic() - started < 15


CHANNEL = {"/channel": later(60, "")}


async def test_a_page_that_grows_for_ever_is_read_at_the_cap(browser, site_server, impatient):
    script = "setInterval(() => document.body.insertAdjacentHTML('beforeend', '<p>' + 'More and more of it. '.repeat(9)), 30)"
    site = await site_server({"/": f"<p>First</p><script>{script}</script>"})
    assert (await seen(browser, site, deadline=15))[0] == "First"


async def test_a_page_that_overrides_what_waiting_needs_is_read(browser, site_server):
    script = (
        "window.requestIdleCallback = window.setTimeout = () => 0; window.MutationObserver = null; Promise = null;"
        " Element.prototype.querySelectorAll = Document.prototype.querySelectorAll = () => { throw 1 };"
        " performance.now = () => 0; JSON.stringify = () => 'no'"
    )
    site = await site_server({"/": f"<form><input name=children><input name=textContent></form><p>Text</p><script>{script}</script>"})
    assert await seen(browser, site) == ["Text"]


@contextlib.asynccontextmanager
async def raw_server(head, pieces, pause):
    """Serve one answer as it is written here, piece by piece, and keep the connection open."""

    async def answer(reader, writer):
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(head)
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(pause)
            await reader.read()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield "http://{}:{}/".format(*server.sockets[0].getsockname())


SHORT = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5000\r\n\r\n"


@pytest.mark.parametrize("javascript", [True, False])
async def test_a_body_shorter_than_it_was_said_to_be_is_read_as_far_as_it_came(browser, impatient, javascript):
    async with raw_server(SHORT, [b"<h1>Markets</h1><p>They open"], 0) as url:
        page = (await browser.render(url, RenderOptions(javascript=javascript, deadline=20))).page
    assert texts(page) == ["Markets", "They open"]
    assert page.truncated


async def test_a_body_that_never_ends_is_read_before_the_deadline(browser, impatient):
    async with raw_server(SHORT, [b"<h1>Markets</h1>", *[b"<p>They open. "] * 120], 0.1) as url:
        page = (await browser.render(url, RenderOptions(deadline=5))).page
    assert texts(page)[:2] == ["Markets", "They open."]
    assert page.truncated


async def test_a_script_that_never_comes_does_not_hold_back_the_rest_of_the_document(browser, site_server, impatient):
    site = await site_server({"/": "<p>Before</p><script src=/never.js></script><p>After</p>", "/never.js": later(60, "")})
    page = (await browser.render(site.url())).page
    assert texts(page) == ["Before", "After"]
    assert not page.truncated


async def test_a_whole_page_is_not_marked_truncated(browser, site_server):
    site = await site_server({"/": "<p>Text<script>1</script>"})
    assert not (await browser.render(site.url())).page.truncated


async def test_ten_redirects_are_followed_and_not_one_more(browser, site_server):
    site = await site_server({f"/{n}": (302, {"Location": f"/{n + 1}"}, "") for n in range(40)} | {"/10": "<p>Ten"})
    assert await seen(browser, site, "/0") == ["Ten"]
    site = await site_server({f"/{n}": (302, {"Location": f"/{n + 1}"}, "") for n in range(15)} | {"/15": "<p>Fifteen"})
    with pytest.raises(Unusable, match="redirects more than 10 times"):
        await browser.render(site.url("/0"))
