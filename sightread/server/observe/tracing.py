"""Spans of OpenTelemetry, by its API alone: the program that embeds or starts the service chooses the exporter. Without it, nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

try:
    _trace: Any = import_module("opentelemetry.trace")
    _propagate: Any = import_module("opentelemetry.propagate")
except ImportError:  # the extra `tracing` is not installed
    _trace = _propagate = None


@contextmanager
def span(name: str, attributes: Mapping[str, str | int | float | bool], headers: Mapping[str, str] | None = None) -> Iterator[Any]:
    """Record the block as a span, below the current one, or below that of a request's `headers`; an error of the block is recorded too.

    Yields the span, or None without OpenTelemetry.
    """
    if _trace is None:
        yield None
        return
    context = _propagate.extract({name.lower(): value for name, value in headers.items()}) if headers is not None else None
    kind = _trace.SpanKind.INTERNAL if headers is None else _trace.SpanKind.SERVER
    tracer = _trace.get_tracer("sightread")
    with tracer.start_as_current_span(name, context=context, kind=kind, attributes=dict(attributes)) as current:
        yield current


def inject(headers: MutableMapping[str, str]) -> None:
    """Add the current span to the headers of a request that is sent."""
    if _propagate is not None:
        _propagate.inject(headers)
