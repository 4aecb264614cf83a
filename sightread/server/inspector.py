"""The inspector: the viewer over a corpus or a single page, served on loopback.

Pages, pictures and reasons are sent on demand, so that a corpus of any size opens at once.
"""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.typedefs import Handler

from sightread.server.http import under_own_name
from sightread.viewer.build import Findings, build_page, build_site, explain_block
from sightread.viewer.records import SiteView, encode
from sightread.viewer.report import viewer_part

_FINDINGS: web.AppKey[Findings] = web.AppKey("findings", Findings)
_SITE: web.AppKey[SiteView] = web.AppKey("site", SiteView)

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def inspector_app(findings: Findings) -> web.Application:
    """Return the inspector as an application. It accepts only GET, and only under a loopback name with its own port.

    Serves `/`, `/viewer.css`, `/viewer.js`, `/data.json` (the site), `/pages/N.json`, `/pictures/N-TILE.webp` (tiles count from 1) and
    `/explain?page=N&block=N`.
    """
    app = web.Application(middlewares=[_protected, under_own_name])
    app[_FINDINGS] = findings
    app[_SITE] = build_site(findings)
    for path, handler in (
        ("/", _index),
        ("/{name:viewer\\.(?:css|js)}", _asset),
        ("/data.json", _site),
        ("/pages/{row:\\d{1,9}}.json", _page),
        ("/pictures/{row:\\d{1,9}}-{tile:\\d{1,3}}.webp", _picture),
        ("/explain", _reasons),
    ):
        app.router.add_get(path, handler, allow_head=False)
    return app


@web.middleware
async def _protected(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Set the content security policy on every response, refusals included."""
    try:
        response = await handler(request)
    except web.HTTPException as error:
        error.headers.update(_HEADERS)
        raise
    response.headers.update(_HEADERS)
    return response


async def _index(_request: web.Request) -> web.Response:
    return web.Response(text=viewer_part("index.html"), content_type="text/html")


async def _asset(request: web.Request) -> web.Response:
    name = request.match_info["name"]
    return web.Response(text=viewer_part(name), content_type="text/css" if name.endswith("css") else "text/javascript")


async def _site(request: web.Request) -> web.Response:
    return web.Response(body=encode(request.app[_SITE]), content_type="application/json")


async def _page(request: web.Request) -> web.Response:
    findings = request.app[_FINDINGS]
    row = _row(request.match_info["row"], len(findings.pages))
    return web.Response(body=encode(await asyncio.to_thread(build_page, findings, row)), content_type="application/json")


async def _picture(request: web.Request) -> web.Response:
    findings = request.app[_FINDINGS]
    picture = findings.pictures[_row(request.match_info["row"], len(findings.pictures))]
    number = int(request.match_info["tile"])
    if picture is None or not 1 <= number <= len(picture.tiles):
        raise web.HTTPNotFound(text="this page has no picture there\n")
    return web.Response(body=picture.tiles[number - 1], content_type="image/webp")


async def _reasons(request: web.Request) -> web.Response:
    findings = request.app[_FINDINGS]
    row = _row(request.query.get("page", ""), len(findings.pages))
    block = _row(request.query.get("block", ""), len(findings.pages[row].blocks))
    return web.Response(body=encode(await asyncio.to_thread(explain_block, findings, row, block)), content_type="application/json")


def _row(text: str, count: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < count):
        raise web.HTTPNotFound(text="there is no such page or block\n")
    return int(text)
