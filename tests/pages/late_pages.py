"""Small pages whose content comes late: by timer, fetch, chained fetches, idle callback, animation frames, animation or polling."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from sightread.server.http import serve_on_loopback

LAST = "Paragraph 5"
"""How the last block of the content begins."""
SHELLS = {
    "message": "<div id=out>Loading…</div>",
    "empty": "<div id=out></div>",
    "heading": "<h1>Markets</h1><div id=out></div>",
    "main": f"<nav>{' '.join(f'<a href=/{n}>Section {n}</a>' for n in range(12))}</nav>"
    f"<p>{'About this site and its people. ' * 40}</p><main id=out></main>",
    "skeleton": "<h1>Markets</h1><div id=out class=skeleton style='height:400px'></div>",
}
"""Text that a page shows before its content."""
_TEXT = "".join(f"<p>Paragraph {n} of the story about towns along the river that keep their markets.</p>" for n in range(6))
_FILL = f"out.innerHTML = `{_TEXT}`; out.className = ''"
WAYS = {
    "timer": f"setTimeout(() => {{ {_FILL} }}, MS)",
    "fetch": f"fetch('/late?MS').then(() => {{ {_FILL} }})",
    "chained fetches": f"fetch('/late?' + MS / 2).then(() => fetch('/late?' + MS / 2)).then(() => {{ {_FILL} }})",
    "idle callback": f"setTimeout(() => requestIdleCallback(() => {{ {_FILL} }}), MS)",
    "animation frames": f"const f = (now) => {{ if (now > MS) {{ {_FILL} }} else requestAnimationFrame(f) }}; requestAnimationFrame(f)",
    "animation": f"out.animate([{{opacity: 0.5}}, {{opacity: 1}}], MS).onfinish = () => {{ {_FILL} }}",
    "polling": f"const i = setInterval(() => {{ if (performance.now() > MS) {{ clearInterval(i); {_FILL} }} }}, 50)",
}
"""How the content comes; `MS` is replaced by the delay."""


def late_page(shell: str, way: str, delay: int) -> str:
    """Return the HTML of a page that shows `shell` first and fills it after `delay` ms."""
    return f"<!doctype html><title>Markets</title>{SHELLS[shell]}<script>{WAYS[way].replace('MS', str(delay))}</script>"


@asynccontextmanager
async def serve_late_pages() -> AsyncIterator[str]:
    """Serve every page as `/SHELL/WAY/DELAY` on this machine, and yield the server's address."""

    async def late(request: web.Request) -> web.Response:
        await asyncio.sleep(float(request.query_string) / 1000)
        return web.Response(text="here")

    async def page(request: web.Request) -> web.Response:
        found = request.match_info
        return web.Response(text=late_page(found["shell"], found["way"], int(found["delay"])), content_type="text/html")

    app = web.Application()
    app.router.add_get("/late", late)
    app.router.add_get("/{shell}/{way}/{delay}", page)
    async with serve_on_loopback(app) as root:
        yield root
