"""A folder served on this machine."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web


class FolderServer:
    """Serves a folder over HTTP for as long as the context lasts, `index.html` for its folders; entering gives its address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        app = web.Application()
        app.router.add_get("/{path:.*}", self._serve)
        self._runner = web.AppRunner(app)

    async def __aenter__(self) -> str:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        path = (self._folder / request.match_info["path"]).resolve()
        if path.is_dir():
            path /= "index.html"
        if not path.is_relative_to(self._folder) or not path.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(path)
