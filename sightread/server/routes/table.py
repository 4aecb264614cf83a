"""The table of routes: what the listening process lets through and forwards, what the worker performs, and what OpenAPI describes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from sightread.server.schema.answers import ErrorAnswer

PUBLIC = "public"
"""Scope of routes that need no token and show nothing of callers or pages."""

ErrorForm = Callable[[int, str, str], object]
"""From status, kind (the name of an error of ours or of an HTTP status) and message to the body of an error, as JSON has it."""
Perform = Callable[[Any, web.Request], Awaitable[web.StreamResponse]]
"""Performs a route for the `sightread.server.service.Service`, which this layer does not know."""


@dataclass(frozen=True, slots=True)
class Operation:
    """Description of a route in OpenAPI."""

    summary: str
    tag: str
    body: Any = None
    """The request model; None if there is none."""
    answers: Mapping[int, Any] = field(default_factory=dict)
    """From an HTTP status to the model of the answer; a string is a media type."""
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a route's path, query or header."""

    name: str
    place: str
    """`path`, `query` or `header`."""
    model: Any
    about: str


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """One route."""

    method: str
    path: str
    """A pattern of aiohttp."""
    perform: Perform | None
    """None for a route that both processes perform in their own way."""
    scope: str
    """`read`, `jobs`, `learn`, `metrics`, or `PUBLIC`."""
    reads_page: bool = False
    """Whether a request takes a place in the queue, since the browser works for it until it is answered."""
    operation: Operation | None = None
    """None for routes that OpenAPI does not describe."""
    error_form: ErrorForm | None = None
    """The form of errors, those of gate and queue included; None for the service's own."""


_KEY = "sightread_route"


def add_routes(app: web.Application, routes: Iterable[Route], bind: Callable[[Route], Handler]) -> None:
    """Add routes to an application, in their order."""
    for route in routes:
        handler = partial(_call, bind(route))
        setattr(handler, _KEY, route)
        app.router.add_route(route.method, route.path, handler)


async def _call(handler: Handler, request: web.Request) -> web.StreamResponse:
    return await handler(request)


def routes_of(app: web.Application) -> tuple[Route, ...]:
    """Return the routes of an application, each once."""
    found = (getattr(each.handler, _KEY, None) for each in app.router.routes())
    return tuple(dict.fromkeys(route for route in found if route is not None))


def route_of(request: web.Request) -> Route | None:
    """Return the route that a request matches; None if it matches none."""
    found: Route | None = getattr(request.match_info.handler, _KEY, None)
    return found


class HealthAnswer(msgspec.Struct, frozen=True):
    """Whether the service works; the other figures of the answer may change."""

    status: str
    """`ok`, `stopping`, `stuck` or `starting`."""
    under_way: int
    waiting_limit: int


class ReadyAnswer(msgspec.Struct, frozen=True):
    """Whether the service takes requests."""

    ready: bool


_DENIED = dict.fromkeys((401, 403), ErrorAnswer)
HEALTH = Route(
    "GET",
    "/healthz",
    None,
    PUBLIC,
    operation=Operation("Return whether the service works", "operation", None, {200: HealthAnswer, 403: ErrorAnswer, 503: HealthAnswer}),
)
READY = Route(
    "GET",
    "/readyz",
    None,
    PUBLIC,
    operation=Operation(
        "Return whether the service takes requests", "operation", None, {200: ReadyAnswer, 403: ErrorAnswer, 503: ReadyAnswer}
    ),
)
METRICS = Route(
    "GET",
    "/metrics",
    None,
    "metrics",
    operation=Operation("Return metrics", "operation", None, {200: "text/plain", **_DENIED}),
)
FRONT_ROUTES = (HEALTH, READY, METRICS)
