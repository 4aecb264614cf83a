"""Serving on this machine alone: the inspector, the service and the demo site."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.typedefs import Handler

from render.errors import Unequipped

NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The names a browser may call us by; any other is a rebound one, which would let any web page read what we serve."""


@asynccontextmanager
async def serve_on_loopback(app: web.Application, port: int = 0) -> AsyncIterator[str]:
    """Serve the application on 127.0.0.1 for the length of the context, and yield its URL without a trailing slash; port 0 is any free one.

    Raises `Unequipped` where the port is taken.
    """
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0, handler_cancellation=True)  # who hangs up frees a tab
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, "127.0.0.1", port).start()
        except OSError as error:
            raise Unequipped(f"cannot listen on port {port}: {os.strerror(error.errno or 0)}; choose another one with --port") from error
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@web.middleware
async def under_own_name(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a request whose Host is not a loopback name with our own port."""
    assert request.transport is not None
    port = request.transport.get_extra_info("sockname")[1]
    name, _, given = request.headers.get("Host", "").rpartition(":")
    if name.lower() not in NAMES or given != str(port):
        raise web.HTTPForbidden(text="this address answers under its loopback name only\n")
    return await handler(request)
