"""The table of routes: what the listening process lets through and forwards, what the worker performs, and what OpenAPI describes.

The OpenAPI 3.1 document of the native routes is generated from the table and the JSON Schema of their models.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from http import HTTPStatus
from itertools import pairwise
from textwrap import dedent
from typing import Any

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from sightread.render.version import VERSION
from sightread.server.access.limits import check_json
from sightread.server.schema.answers import ErrorAnswer
from sightread.server.schema.requests import parse

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


async def json_response(answer: object, status: int = 200) -> web.Response:
    """Return an answer as JSON; it is encoded in a thread, since it may be large."""
    body = await asyncio.to_thread(msgspec.json.encode, answer)
    return web.Response(status=status, body=body, content_type="application/json")


async def body_of(service: Any, request: web.Request, model: Any) -> Any:
    """Return the parsed body of a request. Raises `Rejected`, and HTTP 413, 415 and 408."""
    check_json(request)
    return parse(await service.read_body(request), model)


ERRORS = dict.fromkeys((400, 401, 403, 408, 413, 415, 422, 429, 500, 503), ErrorAnswer)
"""Answers that every route with a body may give."""


class HealthAnswer(msgspec.Struct, frozen=True):
    """Whether the service works; the other figures of the answer may change."""

    status: str
    """`ok`, `stopping`, `stuck` or `starting`."""
    under_way: int
    waiting_limit: int


class ReadyAnswer(msgspec.Struct, frozen=True):
    """Whether the service takes requests."""

    ready: bool


_HEALTH = Operation("Return whether the service works", "operation", None, {200: HealthAnswer, 403: ErrorAnswer, 503: HealthAnswer})
HEALTH = Route("GET", "/healthz", None, PUBLIC, operation=_HEALTH)
_READY = Operation("Return whether the service takes requests", "operation", None, {200: ReadyAnswer, 403: ErrorAnswer, 503: ReadyAnswer})
READY = Route("GET", "/readyz", None, PUBLIC, operation=_READY)
_METRICS = Operation("Return metrics", "operation", None, {200: "text/plain", 401: ErrorAnswer, 403: ErrorAnswer})
METRICS = Route("GET", "/metrics", None, "metrics", operation=_METRICS)
FRONT_ROUTES = (HEALTH, READY, METRICS)


REFERENCE = "#/components/schemas/{name}"
ABOUT = "Extracts the main content of web pages from how they look in a browser."


def document(routes: Iterable[Route]) -> dict[str, Any]:
    """Return the OpenAPI document of the routes that have an `operation`."""
    described = [route for route in routes if route.operation is not None]
    schemas = _Schemas(described)
    paths: dict[str, dict[str, Any]] = {}
    for route in described:
        assert route.operation is not None
        paths.setdefault(_template(route.path), {})[route.method.lower()] = _operation(route, route.operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "sightread", "version": VERSION, "summary": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "Not required on loopback by default."}},
        },
        "security": [{"token": []}, {}],
    }


class _Schemas:
    """JSON Schemas of all models, each named once."""

    def __init__(self, routes: Iterable[Route]) -> None:
        models: list[Any] = [ErrorAnswer]
        for route in routes:
            assert route.operation is not None
            models += [route.operation.body] if route.operation.body is not None else []
            models += [parameter.model for parameter in route.operation.parameters]
            models += [model for _, model in map(_content, route.operation.answers.values()) if model is not None]
        self._models = models
        schemas, components = msgspec.json.schema_components(models, ref_template=REFERENCE)
        self._found = {id(model): schema for model, schema in zip(models, schemas, strict=True)}
        self.components: Mapping[str, Any] = _described(components)

    def of(self, model: Any) -> dict[str, Any]:
        """Return the schema of a model."""
        return self._found[id(model)]


def _operation(route: Route, operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": re.sub(r"\W+", "_", f"{route.method.lower()}{_template(route.path).removeprefix('/api/v1')}").strip("_"),
        "summary": operation.summary,
        "tags": [operation.tag],
        "responses": {str(status): _answer(status, model, schemas) for status, model in sorted(operation.answers.items())},
    }
    if operation.body is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": schemas.of(operation.body)}}}
    if operation.parameters:
        found["parameters"] = [
            {
                "name": parameter.name,
                "in": parameter.place,
                "required": parameter.place == "path",
                "description": parameter.about,
                "schema": schemas.of(parameter.model),
            }
            for parameter in operation.parameters
        ]
    if route.scope == PUBLIC:
        found["security"] = []
    else:
        found["description"] = f"Requires the scope `{route.scope}`."
    return found


def _answer(status: int, model: Any, schemas: _Schemas) -> dict[str, Any]:
    media_type, model = _content(model)
    schema = schemas.of(model) if model is not None else {"type": "string"}
    return {"description": HTTPStatus(status).phrase, "content": {media_type: {"schema": schema}}}


def _content(model: Any) -> tuple[str, Any]:
    """Return the media type and the model of an answer: JSON, unless a pair or a media type alone is given."""
    if isinstance(model, str):
        return model, None
    if isinstance(model, tuple):
        return str(model[0]), model[1]
    return "application/json", model


def _template(path: str) -> str:
    return re.sub(r"\{(\w+):[^}]*\}", r"{\1}", path)


def _described(components: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schemas with the documentation of their fields, which JSON Schema of msgspec does not have."""
    classes: dict[str, type] = {found.__name__: found for found in _structs(msgspec.Struct) if found.__module__.startswith("sightread.")}
    for name, schema in components.items():
        if name in classes:
            fields: dict[str, str] = {}
            for ancestor in reversed(classes[name].__mro__):
                fields |= _field_docs(ancestor)
            for field, text in fields.items():
                if (described := schema.get("properties", {}).get(field)) is not None:
                    described["description"] = text
    return components


def _structs(base: type) -> Iterator[type]:
    subclasses: list[type] = type.__subclasses__(base)
    for subclass in subclasses:
        yield subclass
        yield from _structs(subclass)


@cache
def _field_docs(model: type) -> Mapping[str, str]:
    """Return the string after each annotated field of a class, in one line."""
    if not model.__module__.startswith("sightread."):
        return {}
    body = ast.parse(dedent(inspect.getsource(model))).body[0]
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: " ".join(following.value.value.split())
        for field, following in pairwise(body.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant) and isinstance(following.value.value, str)
    }
