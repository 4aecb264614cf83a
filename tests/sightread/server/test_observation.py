"""What operators see: metrics, readiness, and spans of OpenTelemetry."""

import aiohttp
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client.parser import text_string_to_metric_families

from sightread.reading.reader import Reader
from sightread.server.http import serve_on_loopback
from sightread.server.process.front import app_of
from sightread.server.service import Service

TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.fixture(scope="module")
def exporter():
    """The process's one tracer provider."""
    provider, found = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(found))
    trace.set_tracer_provider(provider)
    return found


async def test_requests_are_counted_by_route_and_traced_below_the_callers_span(exporter):
    async with serve_on_loopback(app_of(Service(Reader()))) as address, aiohttp.ClientSession() as session:
        headers = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01"}
        for path, status in (("/api/v1/jobs/none?token=secret", 404), ("/api/v1/models", 200), ("/nowhere/at/all", 404)):
            async with session.get(address + path, headers=headers) as answer:
                assert answer.status == status
        async with session.post(f"{address}/api/v1/extract", json={"url": "http://127.0.0.1/x?key=secret"}, headers=headers) as answer:
            assert answer.status == 400
        async with session.get(f"{address}/metrics") as answer:
            assert answer.content_type == "text/plain"
            families = {family.name: family for family in text_string_to_metric_families(await answer.text())}
        async with session.get(f"{address}/readyz") as answer:
            assert (answer.status, (await answer.json())["ready"]) == (503, False)  # its browser was never started
    counted = {
        (each.labels["route"], each.labels["status"]) for each in families["sightread_requests"].samples if each.name.endswith("_total")
    }
    assert counted == {("/api/v1/jobs/{id}", "404"), ("/api/v1/models", "200"), ("none", "404"), ("/api/v1/extract", "400")}
    assert families["sightread_requests_under_way"].samples[0].value == 0
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert {f"{span.context.trace_id:032x}" for span in spans.values() if span.name != "GET /metrics"} >= {TRACE}
    assert spans["extract"].parent.span_id == spans["POST /api/v1/extract"].context.span_id
    assert spans["extract"].attributes["url.full"] == "http://127.0.0.1/x"
    assert "secret" not in str([span.to_json() for span in spans.values() if span.name != "extract"])
