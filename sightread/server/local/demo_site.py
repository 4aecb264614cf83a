"""HTTP server of the bundled demo site, on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from data.demo import Resource, build_site
from sightread.server.http import serve_on_loopback

PORT = 8417
"""Fixed, so that a killed demo finds its corpus again."""


@asynccontextmanager
async def serve_demo(port: int = PORT) -> AsyncIterator[str]:
    """Serve the demo site for the length of the context, and yield its front page's URL; port 0 is any free port."""
    site: dict[str, Resource] = {}

    async def answer(request: web.Request) -> web.Response:
        found = site.get(request.path, Resource("text/plain; charset=utf-8", b"there is no such page\n", 404))
        headers = {"Content-Type": found.content_type} | ({"Location": found.location} if found.location else {})
        return web.Response(status=found.status, body=found.body, headers=headers)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    async with serve_on_loopback(app, port) as origin:
        site.update(build_site(origin))
        yield f"{origin}/"
