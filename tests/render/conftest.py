"""What the renderer's tests share."""

import asyncio

import pytest

from sightread.render.browser.browser import Browser, PoolPolicy, RenderOptions
from sightread.render.network.egress import LOCAL
from sightread.render.visit.settle import WaitLimits

FAST = WaitLimits(look=200, load=1500, promise=600, scheduled=900, answer=500, answer_if_incomplete=1000, cap=1500)
"""Waits for pages of tests that are about something else; in those about waiting, a module's PATIENT is true."""


@pytest.fixture(autouse=True, scope="module")
def hurry(request):
    """Do not wait long for pages that never fill."""
    with pytest.MonkeyPatch.context() as patch:
        if not getattr(request.module, "PATIENT", False):
            patch.setattr("sightread.render.visit.settle.LIMITS", FAST)
        yield


@pytest.fixture(scope="session")
async def browser():
    """The one browser of these tests: pages that wait do so beside each other. Tests that kill theirs open their own."""
    async with Browser(tabs=4, egress=LOCAL) as opened:
        yield opened


@pytest.fixture
def read_all(browser, site_server):
    """Serve pages by name, render them beside each other, and return them by name."""

    async def read_all(pages, others=None, **options):
        site = await site_server({f"/{number}": html for number, html in enumerate(pages.values())} | (others or {}))
        urls = [site.url(f"/{number}") for number in range(len(pages))]
        rendered = await asyncio.gather(*(browser.render(url, RenderOptions(**options)) for url in urls))
        return {name: each.page for name, each in zip(pages, rendered, strict=True)}

    return read_all


@pytest.fixture(scope="module")
async def tight():
    """A browser whose renderers may take 200 MiB; small pages take 30 to 70.

    It looks at them often: what fills the memory burns CPU time until it is seen.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sightread.render.browser.pool.WATCH_SECONDS", 0.05)
        async with Browser(tabs=1, egress=LOCAL, policy=PoolPolicy(renderer=200 * 2**20)) as opened:
            yield opened


@pytest.fixture
def read(browser):
    """Return what the browser collects of a page's HTML."""

    async def read(html, **options):
        options.setdefault("javascript", False)
        return (await browser.render_html(f"<!doctype html>{html}", "http://site.test/a/", RenderOptions(**options))).page

    return read
