"""Sessions: pages that share cookies and storage, one after another."""

import asyncio

import pytest
from aiohttp import web

from sightread.render.browser.browser import RenderOptions
from sightread.render.errors import BrowserFailed, PageFailed, Rejected
from sightread.render.visit.actions import Click
from sightread.render.visit.device import Device
from tests.pages.shown import texts


def greeting(request: web.Request) -> web.Response:
    return web.Response(text=f"<p>Hello {request.cookies.get('user', 'stranger')}", content_type="text/html")


async def account(request: web.Request) -> web.Response:
    return greeting(request)


async def login(request: web.Request) -> web.Response:
    answer = greeting(request)
    answer.set_cookie("user", "Ann")
    return answer


PAGES = {
    "/login": login,
    "/account": account,
    "/form": "<h1>Log in</h1><button onclick=\"document.cookie='user=Ben'; location='/account'\">Enter</button>",
    "/stuck": "<p>Text</p><script>while (true) {}</script>",
    "/store": "<p id=out></p><script>out.textContent = `visit ${localStorage.n = 1 + Number(localStorage.n ?? 0)}`</script>",
}


async def test_cookies_and_storage_last_for_the_block_and_no_longer(browser, site_server):
    site = await site_server(PAGES)
    async with browser.session() as session:
        found = [texts((await session.render(site.url(path))).page)[0] for path in ("/login", "/account", "/store", "/store")]
    assert found == ["Hello stranger", "Hello Ann", "visit 1", "visit 2"]
    async with browser.session() as session:
        assert texts((await session.render(site.url("/account"))).page) == ["Hello stranger"]
    assert texts((await browser.render(site.url("/account"))).page) == ["Hello stranger"]


async def test_a_login_by_actions_lasts(browser, site_server):
    site = await site_server(PAGES)
    async with browser.session() as session:
        entered = await session.render(site.url("/form"), RenderOptions(actions=(Click("button"),)))
        assert texts(entered.page) == ["Hello Ben"]
        assert texts((await session.render(site.url("/account"))).page) == ["Hello Ben"]


async def test_pages_that_are_requested_at_once_are_read_one_after_another(browser, site_server):
    site = await site_server(PAGES)
    async with browser.session() as session:
        rendered = await asyncio.gather(*(session.render(site.url("/store")) for _ in range(3)))
    assert sorted(texts(each.page)[0] for each in rendered) == ["visit 1", "visit 2", "visit 3"]


async def test_a_page_that_fails_does_not_end_the_session(browser, site_server):
    site = await site_server(PAGES)
    async with browser.session() as session:
        await session.render(site.url("/login"))
        with pytest.raises(PageFailed, match="404"):
            await session.render(site.url("/nothing"))
        assert texts((await session.render(site.url("/account"))).page) == ["Hello Ann"]


async def test_a_session_after_its_block_or_with_another_device_is_refused(browser, site_server):
    site = await site_server(PAGES)
    async with browser.session() as session:
        with pytest.raises(Rejected, match="device differs from the session's"):
            await session.render(site.url("/account"), RenderOptions(device=Device(language="de-AT")))
    with pytest.raises(BrowserFailed, match="the session is over: its block has ended"):
        await session.render(site.url("/account"))


async def test_a_page_that_blocks_its_tab_is_ended_by_its_deadline_and_the_browser_goes_on(browser, site_server):
    site = await site_server(PAGES)
    async with browser.session() as session:
        with pytest.raises(PageFailed, match="not read within 1 s"):
            await session.render(site.url("/stuck"), RenderOptions(deadline=1))
    assert texts((await browser.render(site.url("/account"))).page) == ["Hello stranger"]
