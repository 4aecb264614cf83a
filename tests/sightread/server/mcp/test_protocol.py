"""Messages of the protocol, documents in pages, and the transport over standard input and output."""

import asyncio
import json
import os
from typing import Annotated

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightread.render.errors import Rejected, Unusable
from sightread.server.mcp.protocol import ProtocolError, Tool, ToolServer, decode_message, serve_stdio
from sightread.server.mcp.tools import PageHeading, paginate

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


WORD = st.sampled_from(["storm", "ferry", "pier", "green"])
PARAGRAPH = st.lists(WORD, min_size=1, max_size=12).map(" ".join)
HEADING = st.tuples(st.integers(1, 4), WORD).map(lambda pair: f"{'#' * pair[0]} {pair[1]}")
CODE = st.lists(WORD | st.just(""), min_size=1, max_size=6).map(lambda lines: "\n".join(["```", *lines, "```"]))
DOCUMENT = st.lists(PARAGRAPH | HEADING | CODE, min_size=1, max_size=20).map("\n\n".join)


@given(DOCUMENT, st.integers(100, 300))
def test_pages_are_the_document_whole_and_none_is_too_long(markdown, size):
    pages = paginate(markdown, size)
    assert "\n\n".join(pages.texts) == markdown
    assert all(0 < len(text) <= size for text in pages.texts)
    assert not any(text.rpartition("\n\n")[2].startswith("# ") for text in pages.texts[:-1])


@given(DOCUMENT)
def test_the_headings_are_those_outside_of_code(markdown):
    found = paginate(markdown, 200).headings
    assert [heading.text for heading in found] == [
        line.lstrip("# ") for block in markdown.split("\n\n") for line in block.split("\n") if line.startswith("#")
    ]


def test_a_heading_goes_with_what_follows_and_has_its_page():
    pages = paginate("# One\n\n" + "a" * 80 + "\n\n## Two\n\n" + "b" * 80, 100)
    assert pages.texts == ("# One\n\n" + "a" * 80, "## Two\n\n" + "b" * 80)
    assert pages.headings == (PageHeading(1, "One", 1), PageHeading(2, "Two", 2))


def test_a_block_that_is_longer_than_a_page_is_divided():
    table = "\n".join(["| a | b |", "| --- | --- |", *(f"| {row} | {row} |" for row in range(100))])
    pages = paginate(table, 200)
    assert "".join(pages.texts).replace("\n", "") == table.replace("\n", "") and all(len(text) <= 200 for text in pages.texts)
    assert all(text.startswith("|") and text.endswith("|") for text in pages.texts)
    assert [len(text) for text in paginate("x" * 500, 200).texts] == [198, 198, 104]


class Nothing(msgspec.Struct):
    pass


async def never(_wanted):
    await asyncio.sleep(3600)


async def broken(_wanted):
    raise ZeroDivisionError


ENDLESS = ToolServer((Tool("never", "Never", "Never ends.", Nothing, never), Tool("broken", "Broken", "Fails.", Nothing, broken)), "")


def call(number, tool):
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool}}


async def message(tmp_path, *lines):
    """Return the answers to lines on standard input, which then ends."""
    reading, writing = os.pipe()
    out = tmp_path / "out"
    with os.fdopen(reading, "rb") as incoming, out.open("wb") as outgoing:
        serving = asyncio.create_task(serve_stdio(ENDLESS, incoming, outgoing))
        with os.fdopen(writing, "wb", buffering=0) as client:
            for line in lines:
                client.write((line if isinstance(line, str) else json.dumps(line)).encode() + b"\n")
        async with asyncio.timeout(60):
            await serving
    return [json.loads(line) for line in out.read_bytes().splitlines()]


async def test_requests_are_answered_by_their_ids_and_calls_under_way_end_with_the_input(tmp_path):
    ping = {"jsonrpc": "2.0", "id": "a", "method": "ping"}
    answers = await message(tmp_path, call(1, "never"), "", "{", ping, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert [answer["id"] for answer in answers] == [None, "a"] and answers[0]["error"]["code"] == -32700


async def test_a_cancelled_call_gets_no_answer_and_a_defect_gets_one(tmp_path):
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    odd = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [1]}}
    answers = await message(tmp_path, call(1, "never"), cancel, odd, call(2, "broken"))
    assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [(2, -32603)]


async def test_a_file_as_standard_input_is_refused(tmp_path):
    (tmp_path / "in").write_text("{}\n")
    with (tmp_path / "in").open("rb") as incoming, pytest.raises(Rejected, match="standard input is a file"):
        await serve_stdio(ENDLESS, incoming)
