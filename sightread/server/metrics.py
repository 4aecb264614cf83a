"""Metrics of the service in Prometheus' text format: requests, the queue, the browser, and jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
"""Seconds: a page takes some tenths of a second, and a request at most two minutes."""
GAUGES = {
    "open": ("browser_pages_open", "Pages that the browser has open"),
    "waiting": ("browser_pages_waiting", "Pages that wait for a tab"),
    "bound": ("browser_tabs", "Pages that may be open at once"),
    "memory": ("browser_memory_bytes", "Memory of the browser's processes"),
}
COUNTERS = {
    "done": ("browser_pages_read", "Pages that were rendered"),
    "failed": ("browser_pages_failed", "Pages that failed"),
    "retried": ("browser_pages_retried", "Pages that were tried again because the browser failed"),
    "restarts": ("browser_restarts", "Browsers that died and were replaced"),
    "recycled": ("browser_recycled", "Browsers that were replaced after their share of pages"),
    "killed_for_memory": ("browser_killed_for_memory", "Page processes that were ended because of their memory"),
}


class Metrics:
    """Counts requests, and reads the rest from a health record when they are requested."""

    def __init__(self, health: Callable[[], Mapping[str, Any]]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_HealthCollector(health))
        self._requests = Counter(
            "sightread_requests", "Requests that were answered", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "sightread_request_seconds", "Seconds until the answer was sent", ("route",), buckets=BUCKETS, registry=self._registry
        )

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one answered request; `route` is the pattern and never the address, whose values have no end."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """Return all metrics."""
        return generate_latest(self._registry)


class _HealthCollector(Collector):
    def __init__(self, health: Callable[[], Mapping[str, Any]]) -> None:
        self._health = health

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics that the health record holds."""
        health = self._health()
        yield GaugeMetricFamily("sightread_requests_under_way", "Requests under way", value=health.get("under_way", 0))
        browser = health.get("browser", {})
        for field, (name, about) in GAUGES.items():
            if field in browser:
                yield GaugeMetricFamily(f"sightread_{name}", about, value=browser[field])
        for field, (name, about) in COUNTERS.items():
            if field in browser:
                yield CounterMetricFamily(f"sightread_{name}", about, value=browser[field])
        ways = CounterMetricFamily("sightread_pages_by_way", "Pages from their HTML, rendered, or read both ways", labels=("way",))
        for way, count in health.get("ways", {}).items():
            ways.add_metric((way,), count)
        yield ways
        jobs = GaugeMetricFamily("sightread_jobs", "Jobs by state", labels=("state",))
        for state, count in health.get("jobs", {}).items():
            jobs.add_metric((state,), count)
        yield jobs
        hidden = CounterMetricFamily("sightread_hidden_texts", "Texts that no person sees, by how they are hidden", labels=("reason",))
        for reason, count in health.get("hidden", {}).items():
            hidden.add_metric((reason,), count)
        yield hidden
        cache = health.get("cache", {})
        for field in ("hits", "misses"):
            yield CounterMetricFamily(f"sightread_cache_{field}", f"Requests with max_age: {field} of the cache", value=cache.get(field, 0))


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
