"""Stored pages on a local server, for what measures browsers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from aiohttp import web

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
    runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        yield f"http://{host}:{port}"
    finally:
        await runner.cleanup()
