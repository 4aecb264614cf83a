"""The browser: what it makes of pages, of failures and of pages that fight back; and that no page finds what another left."""

from __future__ import annotations

import asyncio
import os
import time

import pytest
from aiohttp import web

from sightread.render.browser.browser import STORED, Browser, RenderOptions
from sightread.render.browser.limiter import ON_REQUEST
from sightread.render.browser.tab import TabPolicy
from sightread.render.errors import BrowserFailed, PageFailed, Rejected, Retryable, TimedOut, Unusable
from sightread.render.network.egress import LOCAL
from sightread.render.page import Page
from sightread.render.visit.actions import Click
from sightread.render.visit.capture import CaptureOptions
from sightread.render.visit.device import Device
from sightread.render.visit.visit import Rendered
from tests.pages.shown import texts
from tests.processes.families import family, needs_proc


def renderers():
    return [pid for pid, line in family(os.getpid()).items() if "--type=renderer" in line]


async def test_a_served_page_is_rendered_with_its_status_and_addresses(browser, site_server):
    site = await site_server({"/old": (301, {"Location": "/new"}, ""), "/new": "<title>T</title><h1>Seen</h1>"})
    page = (await browser.render(site.url("/old"))).page
    assert (page.url, page.final_url, page.status, page.source) == (site.url("/old"), site.url("/new"), 200, "browser")
    assert [block.text for block in page.blocks] == ["Seen"]
    assert page.blocks[0].box is not None
    assert page.timing is not None


async def test_scripts_run_on_live_pages_and_not_on_stored_ones(browser, site_server):
    html = "<p>Text</p><script>document.body.append('Written by a script')</script>"
    site = await site_server({"/": html})
    live, stored = (await browser.render(site.url())).page, (await browser.render_html(html, site.url())).page
    assert "Written by a script" in " ".join(block.text for block in live.blocks)
    assert [block.text for block in stored.blocks] == ["Text"]


async def test_a_light_browser_requests_no_images_and_fonts_and_names_the_images_all_the_same(browser, site_server):
    face = '<style>@font-face { font-family: F; src: url("/f.woff2") } p { font-family: F }</style>'
    html = f'<link rel=stylesheet href=/s.css>{face}<p>Text</p><img src=/i.png width=30 height=20 alt="Sea">'
    async with Browser(tabs=1, egress=LOCAL, light=True) as light:
        for opened, left_out in ((browser, set()), (light, {"/i.png", "/f.woff2"})):
            site = await site_server({"/": html})
            page = (await opened.render(site.url())).page
            assert {"/s.css", "/i.png", "/f.woff2"} - set(site.requests) == left_out
            assert [(image.source, image.alt) for image in page.images] == [(site.url("/i.png"), "Sea")]
            assert page.images[0].box[2:] == (30, 20)


@pytest.mark.parametrize("html", ["", "<p> ", "<img src=a.png><script>1</script>"])
async def test_a_page_without_text_is_unusable(browser, html):
    with pytest.raises(Unusable, match="no text on the page"):
        await browser.render_html(html)


async def test_a_page_that_reloads_itself_for_ever_is_given_up(browser, site_server):
    site = await site_server({"/": "<script>location.reload()</script><p>Again"})
    with pytest.raises(Unusable, match="it moves on and on"):
        await browser.render(site.url())


async def test_popups_and_dialogs_do_not_come_between(browser, site_server):
    html = "<p>Text<script>for (i = 0; i < 5; i++) open('/popup'); alert(1); confirm(2); prompt(3); onbeforeunload = () => 'stay'</script>"
    site = await site_server({"/": html, "/popup": "<p>Popup"})
    assert texts((await browser.render(site.url())).page) == ["Text"]


async def test_no_page_sees_the_cookies_of_another(browser, site_server):
    async def remember(request: web.Request) -> web.Response:
        seen = request.headers.get("Cookie", "none")
        return web.Response(text=f"<p>{seen}", content_type="text/html", headers={"Set-Cookie": "seen=yes"})

    site = await site_server({"/": remember})
    assert [texts((await browser.render(site.url())).page) for _ in range(2)] == [["none"], ["none"]]


@needs_proc
async def test_a_cancelled_page_leaves_nothing_open(site_server):
    site = await site_server({"/": "<p>Text"})
    others = len(renderers())
    async with Browser(tabs=1, egress=LOCAL) as browser:
        for pause in (0.0, 0.006, 0.02, 0.04, 0.06, 0.1):
            task = asyncio.create_task(browser.render(site.url()))
            await asyncio.sleep(pause)
            if task.cancel():  # else it was faster
                with pytest.raises(asyncio.CancelledError):
                    await task
        assert texts((await browser.render(site.url())).page) == ["Text"]
        async with asyncio.timeout(20):
            while len(renderers()) - others > 3:  # noqa: ASYNC110  (the blank one, the one that rests, one that Chromium keeps ready)
                await asyncio.sleep(0.05)


async def test_a_page_that_offers_a_download_by_itself_is_read(browser, site_server):
    download = (200, {"Content-Type": "application/zip", "Content-Disposition": "attachment"}, "PK")
    site = await site_server({"/": "<p>Your download begins<script>location = '/file.zip'</script>", "/file.zip": download})
    assert texts((await browser.render(site.url())).page) == ["Your download begins"]


@pytest.mark.parametrize(
    ("status", "headers", "error", "message"),
    [
        (404, {}, Unusable, "HTTP status 404"),
        (403, {}, Unusable, "403"),
        (429, {}, Retryable, "429"),
        (500, {}, Retryable, "500"),
        (200, {"Content-Type": "application/pdf"}, Unusable, "only HTML pages"),
        (200, {"Content-Type": "text/plain"}, Unusable, "only HTML pages"),
        (200, {"Content-Disposition": "attachment; filename=a.html"}, Unusable, "only HTML pages"),
    ],
)
async def test_an_answer_that_is_no_page_says_whether_to_try_again(browser, site_server, status, headers, error, message):
    site = await site_server({"/": "<p>Please wait<script>location = '/answer'</script>", "/answer": (status, headers, "<p>Sorry")})
    with pytest.raises(error, match=message) as raised:
        await browser.render(site.url("/answer"))
    assert "\n" not in str(raised.value)
    if status != 200:  # a page that moves on to a file stays where it is
        with pytest.raises(error, match=message):
            await browser.render(site.url())


async def test_a_refused_connection_may_be_taken_later(browser, site_server, unused_tcp_port):
    dead = f"http://127.0.0.1:{unused_tcp_port}/"
    site = await site_server({"/": f"<p>Please wait<script>location = '{dead}'</script>"})
    for url in (dead, site.url()):
        with pytest.raises(Retryable, match="connection refused"):
            await browser.render(url)


@pytest.mark.parametrize(
    "move",
    [
        "<meta http-equiv=refresh content='0; url=/end'>",
        "<script>location = '/end'</script>",
        "<script>onload = () => location.replace('/end')</script>",
    ],
    ids=["meta", "script", "onload"],
)
async def test_a_redirect_inside_the_page_is_followed_also_to_a_slow_page(browser, site_server, move):
    site = await site_server({"/": f"{move}<p>Please wait", "/end": late("<p>Here", 1.5 * move.startswith("<meta"))})
    rendered = await browser.render(site.url())
    assert texts(rendered.page) == ["Here"]
    assert (rendered.page.final_url, rendered.page.status) == (site.url("/end"), 200)


def late(html, seconds):
    """Answer after that many seconds."""

    async def answer(_: web.Request) -> web.Response:
        await asyncio.sleep(seconds)
        return web.Response(text=html, content_type="text/html")

    return answer


async def test_a_server_that_never_answers_ends_the_page_at_its_deadline_and_an_image_that_hangs_does_not(browser, site_server):
    site = await site_server({"/": late("", 60), "/text": "<p>Text<img src=/>"})
    started = time.monotonic()
    for capture in (CaptureOptions(), CaptureOptions(response=True)):
        with pytest.raises(TimedOut, match="not read within 1 s"):
            await browser.render(site.url(), RenderOptions(deadline=1, capture=capture))
    assert texts((await browser.render(site.url("/text"))).page) == ["Text"]
    assert time.monotonic() - started < 20


async def test_no_more_pages_are_open_at_once_than_there_are_tabs_and_waiting_is_not_part_of_the_deadline(site_server):
    open_now, most, requested, held = 0, 0, 0, asyncio.Event()

    def on_request() -> None:
        nonlocal requested
        requested += 1

    async def count(_: web.Request) -> web.Response:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        await held.wait()
        open_now -= 1
        return web.Response(text="<p>Text", content_type="text/html")

    site = await site_server({f"/{i}": count for i in range(6)})
    async with Browser(tabs=2, egress=LOCAL) as two_tabs:
        ON_REQUEST.set(on_request)
        reading = [asyncio.create_task(two_tabs.render(site.url(f"/{i}"), RenderOptions(deadline=60 if i < 2 else 4))) for i in range(6)]
        await asyncio.sleep(4.2)  # longer than the four that wait are given
        assert requested == 2
        held.set()
        rendered = await asyncio.gather(*reading)
    assert (most, requested) == (2, 6)
    assert [texts(r.page) for r in rendered] == [["Text"]] * 6


async def account(request: web.Request) -> web.Response:
    answer = web.Response(text=f"<p>Hello {request.cookies.get('user', 'stranger')}", content_type="text/html")
    if request.path == "/login":
        answer.set_cookie("user", "Ann")
    return answer


PAGES = {
    "/login": account,
    "/account": account,
    "/form": "<h1>Log in</h1><button onclick=\"document.cookie='user=Ben'; location='/account'\">Enter</button>",
    "/stuck": "<p>Text</p><script>while (true) {}</script>",
    "/store": "<p id=out></p><script>out.textContent = `visit ${localStorage.n = 1 + Number(localStorage.n ?? 0)}`</script>",
}


async def test_cookies_and_storage_last_for_the_block_and_no_longer(browser, site_server):
    site = await site_server(PAGES)
    async with browser.session() as session:
        assert [texts((await session.render(site.url(path))).page) for path in ("/login", "/account")] == [
            ["Hello stranger"],
            ["Hello Ann"],
        ]
        with pytest.raises(PageFailed, match="404"):  # which does not end the session
            await session.render(site.url("/nothing"))
        entered = await session.render(site.url("/form"), RenderOptions(actions=(Click("button"),)))
        assert texts(entered.page) == texts((await session.render(site.url("/account"))).page) == ["Hello Ben"]
        rendered = await asyncio.gather(*(session.render(site.url("/store")) for _ in range(3)))  # one after another
        assert sorted(texts(each.page)[0] for each in rendered) == ["visit 1", "visit 2", "visit 3"]
        with pytest.raises(Rejected, match="device differs from the session's"):
            await session.render(site.url("/account"), RenderOptions(device=Device(language="de-AT")))
    with pytest.raises(BrowserFailed, match="the session is over: its block has ended"):
        await session.render(site.url("/account"))
    async with browser.session() as session:
        assert texts((await session.render(site.url("/account"))).page) == ["Hello stranger"]
        with pytest.raises(PageFailed, match="not read within 1 s"):
            await session.render(site.url("/stuck"), RenderOptions(deadline=1))
    assert texts((await browser.render(site.url("/account"))).page) == ["Hello stranger"]


MARK = """localStorage.x = 'local'; sessionStorage.x = 'session'; name = 'name'
document.cookie = 'x=1; max-age=9999'; history.pushState(1, ''); history.pushState(2, '')"""
PERSISTENT = f"""<p id=p>new</p><script>
const seen = [localStorage.x, sessionStorage.x, document.cookie, name, history.length > 2 && 'history'].filter(Boolean)
if (seen.length) p.textContent = 'seen ' + seen
const mark = () => {{ {MARK} }}
mark()
for (const event of ['pagehide', 'beforeunload', 'unload', 'visibilitychange']) addEventListener(event, mark)
setInterval(mark, 100)
ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, '/worker.js').catch(() => 0)
if (navigator.serviceWorker.controller) p.textContent = 'a worker'
indexedDB.databases().then((found) => {{ if (found.length) p.textContent = 'a database'; indexedDB.open('x') }})
caches.keys().then((found) => {{ if (found.length) p.textContent = 'a cache'; caches.open('x') }})
</script>"""
WORKER = (200, {"Content-Type": "text/javascript"}, "onfetch = (e) => e.respondWith(new Response('<p>worker'))")
IMAGE = (200, {"Content-Type": "image/svg+xml", "Cache-Control": "max-age=9999"}, '<svg xmlns="http://www.w3.org/2000/svg"/>')
"""A whole one: a picture that cannot be read is given up before its end, and whether it was kept by then is chance."""
PAGE = "<p>Text<img src=/cached.svg>"


def words_of(rendered: Rendered) -> list[str]:
    return [block.text for block in rendered.page.blocks]


@pytest.fixture(scope="module")
async def pool():
    """A pool that clears its seats and keeps them, however slow the machine is; each test finds what those before it left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sightread.render.browser.tab.POLICY", TabPolicy(clear=20.0, idle=60.0))
        async with Browser(tabs=1, egress=LOCAL) as browser:
            yield browser


async def test_nothing_of_a_page_lives_on_in_the_next(pool, site_server):
    site = await site_server({"/": PERSISTENT, "/worker.js": WORKER})
    for pause in (0, 0, 0.3, 0):
        assert words_of(await pool.render(site.url())) == ["new"]
        await asyncio.sleep(pause)


async def test_pages_of_one_origin_share_what_servers_let_be_kept(pool, site_server):
    site, other = await site_server({"/": PAGE, "/cached.svg": IMAGE}), await site_server({"/": PAGE, "/cached.svg": IMAGE})
    for url in [site.url(), site.url("/?2"), other.url()]:
        await pool.render(url)
    assert [site.requests.count("/cached.svg"), other.requests.count("/cached.svg")] == [1, 1]


async def test_a_tab_that_has_read_its_share_is_replaced(pool, site_server, monkeypatch):
    monkeypatch.setattr("sightread.render.browser.tab.POLICY", TabPolicy(clear=20.0, idle=60.0, pages=2))
    site = await site_server({"/": PAGE, "/cached.svg": IMAGE})
    for _ in range(3):
        await pool.render(site.url())
    assert site.requests.count("/cached.svg") == 2


async def test_a_cookie_goes_no_further_than_its_page(pool, site_server):
    reported: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        reported.append(request.headers.get("Cookie", ""))
        return web.Response(text="<p>Text", content_type="text/html", headers={"Set-Cookie": "x=1"})

    site = await site_server({"/": answer})
    for javascript in (False, False, True, True):
        await pool.render(site.url(), RenderOptions(javascript=javascript))
    assert reported == [""] * 4


@pytest.mark.parametrize(
    "page",
    [
        "<p>Text<img src=/cached.svg><iframe src=OTHER></iframe>",
        "<p>Text<img src=/cached.svg><script>alert(1)</script>",
    ],
    ids=["a frame of another origin", "a dialog"],
)
async def test_a_page_that_does_more_than_can_be_cleared_has_its_context_to_itself(pool, site_server, page):
    other = await site_server({"/": "<p>Other"})
    site = await site_server({"/": page.replace("OTHER", other.url()), "/cached.svg": IMAGE})
    for _ in range(2):
        await pool.render(site.url())
    assert site.requests.count("/cached.svg") == 2


async def test_stored_pages_do_not_meet_those_before_them(pool):
    first = await pool.render_html("<title>One</title><p>One", "http://one.test/")
    again = [await pool.render_html(f"<p>{number}", f"http://{number}.test/") for number in range(3)]
    assert words_of(first) == ["One"]
    assert [words_of(rendered) for rendered in again] == [["0"], ["1"], ["2"]]
    assert [rendered.page.final_url for rendered in again] == [f"http://{number}.test/" for number in range(3)]
    scripted = RenderOptions(javascript=True)
    for _ in range(2):
        assert words_of(await pool.render_html(PERSISTENT, "http://one.test/", scripted)) == ["new"]


async def test_a_page_that_will_move_on_is_not_kept(pool, site_server):
    site = await site_server({"/": PAGE + "<meta http-equiv=refresh content='1; url=/next'>", "/cached.svg": IMAGE, "/next": "<p>Next"})
    for javascript in (True, False, False):
        await pool.render(site.url(), RenderOptions(javascript=javascript))
    await asyncio.sleep(1.2)
    assert site.requests.count("/cached.svg") == 3
    assert "/next" not in site.requests


async def test_the_same_page_is_the_same_in_a_new_context_and_in_a_cleared_one(pool):
    def stripped(page: Page) -> tuple[object, ...]:
        return page.blocks, page.styles, page.elements, page.document, page.links

    pages = [(await pool.render_html("<style>p { margin: 3px }</style><h1>A</h1><p>B", options=STORED)).page for _ in range(4)]
    assert len({repr(stripped(page)) for page in pages}) == 1
