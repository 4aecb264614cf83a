"""What one page leaves, and the next must not find, whether it gets a new context or one that was cleared."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from sightread.render.browser.browser import STORED, Browser, RenderOptions
from sightread.render.browser.tab import TabPolicy
from sightread.render.network.egress import LOCAL
from sightread.render.page import Page
from sightread.render.visit.visit import Rendered

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


def texts(rendered: Rendered) -> list[str]:
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
        assert texts(await pool.render(site.url())) == ["new"]
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
    assert texts(first) == ["One"]
    assert [texts(rendered) for rendered in again] == [["0"], ["1"], ["2"]]
    assert [rendered.page.final_url for rendered in again] == [f"http://{number}.test/" for number in range(3)]
    scripted = RenderOptions(javascript=True)
    for _ in range(2):
        assert texts(await pool.render_html(PERSISTENT, "http://one.test/", scripted)) == ["new"]


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
