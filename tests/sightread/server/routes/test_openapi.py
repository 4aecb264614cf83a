"""The OpenAPI document: valid, complete, and true of the running service."""

import asyncio
import json
import urllib.request

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from sightread.server.process.front import all_routes
from sightread.server.routes.catalog import openapi_document
from sightread.server.routes.table import FRONT_ROUTES

DOCUMENT = json.loads(openapi_document(all_routes()))
EXAMPLES = settings(max_examples=4, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck))


def test_the_document_is_valid_and_names_every_native_route():
    from openapi_spec_validator import validate  # here, since each worker would import it to collect the tests

    validate(DOCUMENT)
    assert DOCUMENT["openapi"] == "3.1.0"
    paths = {route.path for route in (*all_routes(), *FRONT_ROUTES)}
    native = {path for path in paths if path.startswith("/api/v1/")} - {"/api/v1/openapi.json"}
    assert set(DOCUMENT["paths"]) == native | {"/healthz", "/readyz", "/metrics"}
    fields = DOCUMENT["components"]["schemas"]["ExtractRequest"]["properties"]
    assert fields["max_age"]["description"].startswith("Seconds: an answer to the same request that is no older")
    assert (fields["deadline"]["maximum"], fields["url"]["maxLength"]) == (120, 8000)


@pytest.mark.filterwarnings("ignore:Do not use the `random` module")  # the service, which runs in another thread, does
@pytest.mark.parametrize("path", sorted(DOCUMENT["paths"]))
async def test_no_answer_is_a_server_error_or_undocumented(address, path):
    import schemathesis  # here, since each worker would import it to collect the tests
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

    checked = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)

    def check_all():
        with urllib.request.urlopen(f"{address}/api/v1/openapi.json", timeout=20) as answer:
            schema = schemathesis.openapi.from_dict(json.loads(answer.read()))
        schema.config.update(base_url=address)
        for operation in schema.include(path=path).get_all_operations():

            @EXAMPLES
            @given(case=operation.ok().as_strategy())
            def check(case):
                case.call_and_validate(checks=checked, timeout=30)

            check()

    await asyncio.to_thread(check_all)
