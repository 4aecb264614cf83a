"""HTTP server of the bundled demo site, on loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from sightread.data.demo import Resource, build_site
from sightread.render.network.http import ListeningSockets
from sightread.server.http import serve, serve_on_loopback


@asynccontextmanager
async def serve_demo(sockets: ListeningSockets | None = None) -> AsyncIterator[str]:
    """Serve the demo site for the length of the context, at any free port if no sockets are given, and yield its front page's URL."""
    site: dict[str, Resource] = {}

    async def answer(request: web.Request) -> web.Response:
        found = site.get(request.path, Resource("text/plain; charset=utf-8", b"there is no such page\n", 404))
        headers = {"Content-Type": found.content_type} | ({"Location": found.location} if found.location else {})
        return web.Response(status=found.status, body=found.body, headers=headers)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    async with serve(app, sockets) if sockets else serve_on_loopback(app) as origin:
        site.update(build_site(origin))
        yield f"{origin}/"
