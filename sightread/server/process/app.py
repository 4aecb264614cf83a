"""The service as an aiohttp application: every route over one `Service`."""

from __future__ import annotations

from functools import partial

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from sightread.render.browser.limiter import WORKS_FOR
from sightread.server.access.gate import CALLER, behind_listener
from sightread.server.http import errors_as_json
from sightread.server.process.front import Front
from sightread.server.routes.all_routes import all_routes, job_observers
from sightread.server.routes.front_routes import HEALTH
from sightread.server.routes.table import Route, add_routes
from sightread.server.service import Service


def app_of(service: Service, *, guarded: bool = True) -> web.Application:
    """Return the application, which also runs the jobs; an unguarded one is for a socket that only the listening process reaches."""

    def bind(route: Route) -> Handler:
        assert route.perform is not None
        perform = partial(route.perform, service)

        async def handle(request: web.Request) -> web.StreamResponse:
            WORKS_FOR.set(request[CALLER].name)
            return await perform(request)

        return handle

    async def answer_health(_request: web.Request) -> web.Response:
        status = 503 if service.draining else 200
        return web.Response(status=status, body=msgspec.json.encode(service.known()), content_type="application/json")

    if guarded:
        app = Front(service.limits, service.gate, service.known).app(bind)
    else:
        app = web.Application(middlewares=[errors_as_json, behind_listener])
        add_routes(app, (HEALTH,), lambda _: answer_health)
        add_routes(app, all_routes(), bind)
    app.cleanup_ctx.append(lambda _: service.run_jobs(job_observers()))
    return app
