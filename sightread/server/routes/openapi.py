"""The OpenAPI 3.1 document of the native routes, generated from the table of routes and the JSON Schema of their models."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from http import HTTPStatus
from itertools import pairwise
from typing import Any

import msgspec

from sightread.render.network.http import VERSION
from sightread.server.routes.table import PUBLIC, Operation, Route
from sightread.server.schema.answers import ErrorAnswer

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
    """Return the path as OpenAPI writes it: without the patterns of its parameters."""
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
    body = ast.parse(inspect.getsource(model)).body[0]
    assert isinstance(body, ast.ClassDef)
    return {
        field.target.id: " ".join(following.value.value.split())
        for field, following in pairwise(body.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant) and isinstance(following.value.value, str)
    }
