"""Routes that the front answers by itself, even if the worker does not respond: health, readiness, metrics."""

from __future__ import annotations

import msgspec

from sightread.server.routes.table import PUBLIC, Operation, Route
from sightread.server.schema.answers import ErrorAnswer


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
