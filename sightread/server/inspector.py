"""The inspector: the viewer over a corpus or a single page, served on loopback.

Pages, pictures and reasons are sent on demand, so that a corpus of any size opens at once. Of a learned site corrections are made there
(`sightread.server.correcting`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from aiohttp import web
from aiohttp.typedefs import Handler

from render.errors import Rejected
from sightread.document.selection import select
from sightread.reading import Reading
from sightread.registry import MODELS
from sightread.review.explanation import explain_reading
from sightread.review.session import ReviewSession
from sightread.server.http import under_own_name
from sightread.sites import learn as job
from sightread.viewer.build import Findings, build_page, build_site, explain_block
from sightread.viewer.records import Offer, SiteView, encode
from sightread.viewer.report import viewer_part

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


class Inspected:
    """Content of the inspector; of a learned site that is being corrected, its current state."""

    def __init__(self, findings: Findings, readings: Sequence[Reading] = (), session: ReviewSession | None = None) -> None:
        self._first = findings
        self._readings = tuple(readings)
        self.session = session
        self._shown: tuple[object, Findings, SiteView] | None = None

    def _current(self) -> tuple[Findings, SiteView]:
        trained = self.session.trained if self.session else None
        if self._shown is None or self._shown[0] is not trained:
            findings = self._first
            if self.session and trained:
                documents = [reading.document for reading in trained.readings]
                if trained is not self.session.begun:
                    findings = job.findings(
                        self.session.site, trained.labels, trained.evaluation, trained.model, documents, self.session.bench.predictions
                    )
                findings = replace(findings, kept=[document.rows for document in documents])  # as corrected, whatever the probability
            self._shown = trained, findings, replace(build_site(findings), offers=self._offers)
        return self._shown[1], self._shown[2]

    @property
    def _offers(self) -> tuple[Offer, ...]:
        return ("models", *(("why",) if self.readings else ()), *(("corrections",) if self.session else ()))

    @property
    def findings(self) -> Findings:
        """The findings as they are with all saved corrections."""
        return self._current()[0]

    @property
    def site(self) -> SiteView:
        """Their overview."""
        return self._current()[1]

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Result of `auto` per page; empty if no model read them."""
        return self.session.trained.readings if self.session else self._readings


INSPECTED: web.AppKey[Inspected] = web.AppKey("inspected", Inspected)


def inspector_app(findings: Findings, readings: Sequence[Reading] = (), session: ReviewSession | None = None) -> web.Application:
    """Return the inspector as an application, only under a loopback name with its own port.

    Serves `/`, `/viewer.css`, `/viewer.js`, `/data.json` (the site), `/pages/N.json`, `/pictures/N-TILE.webp` (tiles count from 1),
    `/explain?page=N&block=N` (contributions), `/why?page=N&block=N` (the whole explanation) and `/models/N.json`, all by GET. With a
    session there is `/corrections` too (`sightread.server.correcting`).
    """
    from sightread.server.correcting import add_correcting  # noqa: PLC0415  (it needs the key of this module)

    app = web.Application(middlewares=[_protected, under_own_name], client_max_size=1 << 16)
    app[INSPECTED] = Inspected(findings, readings, session)
    for path, handler in (
        ("/", _index),
        ("/{name:viewer\\.(?:css|js)}", _asset),
        ("/data.json", _site),
        ("/pages/{row:\\d{1,9}}.json", _page),
        ("/pictures/{row:\\d{1,9}}-{tile:\\d{1,3}}.webp", _picture),
        ("/explain", _reasons),
        ("/why", _why),
        ("/models/{row:\\d{1,9}}.json", _models),
    ):
        app.router.add_get(path, handler, allow_head=False)
    if session is not None:
        add_correcting(app)
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
    site = await asyncio.to_thread(lambda: request.app[INSPECTED].site)
    return web.Response(body=encode(site), content_type="application/json")


async def _page(request: web.Request) -> web.Response:
    findings = request.app[INSPECTED].findings
    row = row_of(request.match_info["row"], len(findings.pages))
    return web.Response(body=encode(await asyncio.to_thread(build_page, findings, row)), content_type="application/json")


async def _picture(request: web.Request) -> web.Response:
    findings = request.app[INSPECTED].findings
    picture = findings.pictures[row_of(request.match_info["row"], len(findings.pictures))]
    number = int(request.match_info["tile"])
    if picture is None or not 1 <= number <= len(picture.tiles):
        raise web.HTTPNotFound(text="this page has no picture there\n")
    return web.Response(body=picture.tiles[number - 1], content_type="image/webp")


async def _reasons(request: web.Request) -> web.Response:
    findings = request.app[INSPECTED].findings
    row, block = _place(request, findings)
    return web.Response(body=encode(await asyncio.to_thread(explain_block, findings, row, block)), content_type="application/json")


async def _why(request: web.Request) -> web.Response:
    """Explain one block, with the effect of its neighbours."""
    shown = request.app[INSPECTED]
    row, block = _place(request, shown.findings)
    if not shown.readings:
        raise web.HTTPNotFound(text="no model has read this page: label and train the site first\n")
    found = await asyncio.to_thread(explain_reading, shown.readings[row], [block], with_neighbours=True)
    return web.Response(body=encode(found.blocks[0]), content_type="application/json")


async def _models(request: web.Request) -> web.Response:
    """Return which blocks every model keeps, in the order of the registry; those that cannot read the page are left out."""
    shown = request.app[INSPECTED]
    row = row_of(request.match_info["row"], len(shown.findings.pages))
    return web.Response(body=encode(await asyncio.to_thread(_kept_by_models, shown, row)), content_type="application/json")


def _kept_by_models(shown: Inspected, row: int) -> dict[str, list[int]]:
    page = shown.findings.pages[row]
    kept = {}
    if shown.readings:
        kept["auto"] = sorted(shown.readings[row].document.rows)
    for name, model in MODELS.items():
        try:
            prediction = model.make().predict(page)
        except Rejected:  # it needs what the page lacks
            continue
        kept[name] = sorted(select(page, prediction).rows)
    return kept


def _place(request: web.Request, findings: Findings) -> tuple[int, int]:
    """Return the rows of the page and of the block that the query names."""
    row = row_of(request.query.get("page", ""), len(findings.pages))
    return row, row_of(request.query.get("block", ""), len(findings.pages[row].blocks))


def row_of(text: str, count: int) -> int:
    """Return the row of that many that a text names. Raises `HTTPNotFound`."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) < count):
        raise web.HTTPNotFound(text="there is no such page or block\n")
    return int(text)
