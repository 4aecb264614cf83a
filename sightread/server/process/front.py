"""The front of the service: gate, queue, body limits, metrics and health, before the worker that performs the routes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from sightread.render.browser.limiter import WORKS_FOR
from sightread.server.access.gate import CALLER, Gate, GatePolicy, behind_listener
from sightread.server.access.limits import BodyMemory, Limits, RequestQueue
from sightread.server.compat import reader_routes
from sightread.server.compat.firecrawl import routes as firecrawl
from sightread.server.http import errors_as_json
from sightread.server.mcp import tools as mcp
from sightread.server.metrics import CONTENT_TYPE, Metrics, span
from sightread.server.routes import catalog, inspect, native
from sightread.server.routes.table import HEALTH, METRICS, READY, Route, add_routes, route_of
from sightread.server.service import JobObserver, Service

MODULES = (native, catalog, inspect, firecrawl, mcp, reader_routes)
"""Modules that define `ROUTES`; a pattern that fits any path is in the last one."""


def all_routes() -> tuple[Route, ...]:
    """Return all routes."""
    return tuple(route for module in MODULES for route in module.ROUTES)


def job_observers() -> Mapping[str, JobObserver]:
    """Return the observer of each origin of jobs that has one: `OBSERVERS` of the modules."""
    return {origin: observe for module in MODULES for origin, observe in getattr(module, "OBSERVERS", {}).items()}


ReadHealth = Callable[[], dict[str, Any]]
"""Returns the health record: `status` is ok, stopping, stuck or starting; the rest are figures."""


class Front:
    """Builds the application in which every route is behind the gate."""

    def __init__(self, limits: Limits, policy: GatePolicy, health: ReadHealth) -> None:
        self.queue = RequestQueue(limits)
        self._bodies = BodyMemory(limits)
        self._limits = limits
        self._gate = Gate(policy)
        self._health = health
        self._metrics = Metrics(self._known)

    def app(self, routes: Sequence[Route], perform: Callable[[Route], Handler]) -> web.Application:
        """Return the application of these routes, health and metrics; `perform` makes the handler of a route."""
        app = web.Application(middlewares=[self._measure, errors_as_json])
        self._gate.install(app)
        local = {HEALTH: self._answer_health, READY: self._answer_ready, METRICS: self._answer_metrics}
        add_routes(app, local, local.__getitem__)
        add_routes(app, routes, lambda route: self._within_limits(route, perform(route)))
        return app

    def _within_limits(self, route: Route, perform: Handler) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            caller = request[CALLER].name
            if route.reads_page:
                self.queue.check(caller)
            async with self._bodies.body(request, caller):  # before its turn: a slow sender keeps no one waiting
                if not route.reads_page:
                    return await perform(request)
                async with self.queue.place(caller):
                    return await perform(request)

        return handle

    @web.middleware
    async def _measure(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        route = route_of(request)
        pattern = route.path if route else "none"
        method = request.method if route else "other"
        began = time.perf_counter()
        status = 499
        """Of a client that went away, as nginx counts it."""
        try:
            with span(f"{method} {pattern}", {"http.request.method": method, "http.route": pattern}, request.headers):
                response = await handler(request)
            status = response.status
            return response
        finally:
            self._metrics.count(method, pattern, status, time.perf_counter() - began)

    def _known(self) -> dict[str, Any]:
        return self._health() | {"under_way": self.queue.under_way, "waiting_limit": self._limits.waiting}

    async def _answer_health(self, _request: web.Request) -> web.Response:
        """Respond with figures alone, no names or addresses: this path needs no token."""
        known = self._known()
        return _json(known, 200 if known["status"] == "ok" else 503)

    async def _answer_ready(self, _request: web.Request) -> web.Response:
        """Respond 200 if the service takes requests: for load balancers, which send none while it is 503."""
        known = self._known()
        works = known["status"] == "ok" and bool(known.get("browser", {}).get("alive"))
        is_ready = works and "jobs" in known and bool(known.get("has_disk_space"))
        return _json({"ready": is_ready}, 200 if is_ready else 503)

    async def _answer_metrics(self, _request: web.Request) -> web.Response:
        return web.Response(body=self._metrics.text(), headers={"Content-Type": CONTENT_TYPE})


def _json(answer: object, status: int) -> web.Response:
    return web.Response(status=status, body=msgspec.json.encode(answer), content_type="application/json")


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
        app = Front(service.limits, service.gate, service.known).app(all_routes(), bind)
    else:
        app = web.Application(middlewares=[errors_as_json, behind_listener])
        add_routes(app, (HEALTH,), lambda _: answer_health)
        add_routes(app, all_routes(), bind)
    app.cleanup_ctx.append(lambda _: service.run_jobs(job_observers()))
    return app
