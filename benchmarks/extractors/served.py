"""Stored pages on a local server, and visits to them with a bare browser, for what measures browsers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from aiohttp import web
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page as Tab

from sightread.render.browser.find_browser import find_browser
from sightread.render.browser.launch import Chromium, launch
from sightread.render.network.http import first_line

Found = TypeVar("Found")

NO_HEADERS: Mapping[str, str] = {}


@asynccontextmanager
async def served(bodies: Sequence[bytes], headers: Mapping[str, str] = NO_HEADERS) -> AsyncIterator[str]:
    """Serve the pages as /0, /1 and so on with these headers, and yield the server's address; anything else is a 404."""

    async def answer(request: web.Request) -> web.Response:
        name = request.path[1:]
        if not name.isdigit() or int(name) >= len(bodies):
            return web.Response(status=404)
        return web.Response(body=bodies[int(name)], content_type="text/html", charset="utf-8", headers=headers)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    async with serving(app) as root:
        yield root


@asynccontextmanager
async def serving(app: web.Application) -> AsyncIterator[str]:
    """Serve on this machine, and yield the address."""
    runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()


async def visit_each(bodies: Sequence[bytes], visit: Callable[[Chromium, str], Awaitable[Found]], warm: int = 0) -> list[Found]:
    """Serve pages and return what a visit gives of each, after `warm` visits that do not count.

    A page whose scripts lead elsewhere is left out with a word.
    """
    found: list[Found] = []
    async with served(bodies) as root:
        chromium = await launch(find_browser(None))
        try:
            for number, row in enumerate([*range(min(warm, len(bodies))), *range(len(bodies))]):
                try:
                    of_page = await visit(chromium, f"{root}/{row}")
                except PlaywrightError as error:
                    print(f"  page {row} is left out: {first_line(error.message)}")
                    continue
                if number >= warm:
                    found.append(of_page)
        finally:
            await chromium.close()
    return found


@asynccontextmanager
async def bare_tab(chromium: Chromium, javascript: bool = True) -> AsyncIterator[Tab]:
    """Open a tab in a context of its own that reaches loopback alone: other requests of the page are refused at once."""
    context = await chromium.browser.new_context(
        viewport={"width": 1600, "height": 1000},
        java_script_enabled=javascript,
        proxy={"server": "http://127.0.0.1:9", "bypass": "127.0.0.1"},
        service_workers="block",
        reduced_motion="reduce",
    )
    try:
        yield await context.new_page()
    finally:
        await context.close()
