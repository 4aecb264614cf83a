"""Messages of the protocol, without a transport."""

from typing import Annotated

import msgspec
import pytest

from sightread.render.errors import Unusable
from sightread.server.mcp.protocol import ProtocolError, Tool, ToolServer, decode_message

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Greeting(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(description="Who is greeted")]
    times: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1


async def greet(expected: Greeting) -> str:
    if expected.name == "nobody":
        raise Unusable("nobody is there")
    return ", ".join(["hello " + expected.name] * expected.times)


SERVER = ToolServer((Tool("greet", "Greet", "Greet somebody.", Greeting, greet),), "Greets.")


async def ask(method, params=None, headers=None):
    answer = await SERVER.answer({"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}}, headers)
    assert answer is not None and (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
    return answer.get("result") or answer.get("error")


@pytest.mark.parametrize(("expected", "given"), [("2025-03-26", "2025-03-26"), ("1999-01-01", "2025-11-25"), (None, "2025-11-25")])
async def test_the_handshake_settles_on_a_revision_of_both(expected, given):
    answer = await ask("initialize", {"protocolVersion": expected})
    assert answer["protocolVersion"] == given and answer["serverInfo"]["name"] == "sightread" and answer["instructions"] == "Greets."


async def test_a_tool_has_the_schema_of_its_arguments():
    (tool,) = (await ask("tools/list"))["tools"]
    assert tool["inputSchema"]["type"] == "object" and tool["inputSchema"]["required"] == ["name"]
    assert tool["inputSchema"]["properties"]["name"] == {"type": "string", "description": "Who is greeted"}
    assert tool["annotations"]["readOnlyHint"]


@pytest.mark.parametrize(
    ("arguments", "text", "is_error"),
    [
        ({"name": "Ana", "times": 2}, "hello Ana, hello Ana", False),
        ({"name": "nobody"}, "Unusable: nobody is there", True),
        ({"name": "Ana", "times": 9}, "the arguments are invalid: Expected `int` <= 3 - at `$.times`", True),
        ({"nam": "Ana"}, "the arguments are invalid: Object contains unknown field `nam` (did you mean name?)", True),
    ],
)
async def test_a_call_gives_text_and_errors_are_text_for_the_model(arguments, text, is_error):
    answer = await ask("tools/call", {"name": "greet", "arguments": arguments})
    assert (answer["content"][0]["text"], answer["isError"]) == (text, is_error)


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [("resources/list", {}, -32601), ("tools/call", {"name": "other"}, -32602), ("tools/call", {}, -32602)],
)
async def test_what_there_is_not_is_an_error(method, params, code):
    assert (await ask(method, params))["code"] == code


async def test_the_revision_without_a_handshake_marks_results_and_compares_headers():
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "ping"}
    assert (await ask("ping", {"_meta": META}, headers))["resultType"] == "complete"
    assert (await ask("ping", {"_meta": META}, headers | {"Mcp-Method": "tools/call"}))["code"] == -32020
    future = {**META, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}
    answer = await ask("ping", {"_meta": future})
    assert answer["code"] == -32022 and answer["data"] == {"supported": ["2026-07-28"], "requested": "2099-01-01"}
    assert "2026-07-28" in (await ask("server/discover"))["supportedVersions"]


async def test_notifications_and_answers_of_the_client_get_no_answer():
    assert await SERVER.answer({"jsonrpc": "2.0", "method": "notifications/initialized"}) is None
    assert await SERVER.answer({"jsonrpc": "2.0", "id": 1, "result": {}}) is None


@pytest.mark.parametrize("data", [b"{", b"[1]", b'"a"', b'{"params": 1}', b'{"id": [1], "method": "x"}', b"\xff", b"[" * 100_000])
def test_what_is_no_message_is_refused(data):
    with pytest.raises(ProtocolError):
        decode_message(data)
