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

PATIENT = True
SENTENCE = "The towns along the river keep their markets."
LONG = f"<p>{SENTENCE}</p>" * 40


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


FILLING = {
    "an application that fills an empty root after two fetches": (
        "<div id=root></div><script>fetch('/list').then(r => r.json()).then(async ids => { root.innerHTML = '<h1>Markets</h1>';"
        " for (const id of ids) root.innerHTML += `<p>${await (await fetch('/item' + id)).text()}</p>` })</script>",
        ["Markets", "First", "Second"],
    ),
    "text that a page adds to its own after a slow fetch": (
        f"{LONG}<script>onload = () => fetch('/more').then(r => r.text()).then(t => document.body.append(t))</script>",
        [*[SENTENCE] * 40, "Comments of readers"],
    ),
    "a page that says that it is loading": (
        "<p>Loading…</p><script>setTimeout(() => document.body.innerHTML = '<h1>Markets</h1><p>They open at nine.', 900)</script>",
        ["Markets", "They open at nine."],
    ),
    "a page in shadow roots": (
        "<x-app></x-app><script>customElements.define('x-app', class extends HTMLElement { connectedCallback() {"
        " const root = this.attachShadow({ mode: 'open' }); setTimeout(() => root.innerHTML = '<p>Markets', 600) } })</script>",
        ["Markets"],
    ),
    "a page that fills itself piece by piece": (
        "<h1>Story</h1><script>let n = 0; const add = () => { document.body.insertAdjacentHTML('beforeend', `<p>Piece ${n} of it</p>`);"
        " if (++n < 12) setTimeout(add, 90) }; onload = add</script>",
        ["Story", *(f"Piece {number} of it" for number in range(12))],
    ),
}


async def test_a_page_that_fills_itself_is_waited_for_to_its_end(read_all):
    answers = {"/list": later(0.3, "[1, 2]", "application/json"), "/item1": later(0.4, "First"), "/item2": later(0.4, "Second")}
    pages = await read_all({name: html for name, (html, _) in FILLING.items()}, answers | {"/more": later(1, "Comments of readers")})
    assert {name: texts(page) for name, page in pages.items()} == {name: expected for name, (_, expected) in FILLING.items()}
    assert not any(page.truncated for page in pages.values())


ENDLESS = {
    "a clock": "setInterval(() => { clock.textContent = new Date().toISOString() }, 20)",
    "slides that take turns": "let n = 0; setInterval(() => { slide.textContent = ['One slide', 'Another, longer slide'][n++ % 2] }, 60)",
    "a box that moves": "let n = 0; setInterval(() => { slide.style.transform = `translateX(${n++ % 50}px)` }, 20)",
    "an advertisement that is never answered": "fetch('http://nowhere.invalid/')",
    "a channel that stays open": "fetch('/channel')",
}


async def test_what_never_ends_does_not_use_up_the_time(read_all):
    clock = f"{LONG}<p id=clock>2000-01-01T00:00:00.000Z</p><p id=slide>One slide</p>"
    started = time.monotonic()
    pages = await read_all({name: f"{clock}<script>{script}</script>" for name, script in ENDLESS.items()}, {"/channel": later(60, "")})
    assert [len(page.blocks) for page in pages.values()] == [42] * len(ENDLESS)
    assert time.monotonic() - started < 25


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


async def test_ten_redirects_are_followed_and_not_one_more(browser, site_server):
    site = await site_server({f"/{n}": (302, {"Location": f"/{n + 1}"}, "") for n in range(40)} | {"/10": "<p>Ten"})
    assert await seen(browser, site, "/0") == ["Ten"]
    site = await site_server({f"/{n}": (302, {"Location": f"/{n + 1}"}, "") for n in range(15)} | {"/15": "<p>Fifteen"})
    with pytest.raises(Unusable, match="redirects more than 10 times"):
        await browser.render(site.url("/0"))
