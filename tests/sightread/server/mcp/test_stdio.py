"""The server over pipes, without a browser: answers by id, what is no message, cancelled calls, the end of input."""

import asyncio
import json
import os

import msgspec
import pytest

from sightread.render.errors import Rejected
from sightread.server.mcp.protocol import Tool, ToolServer, serve_stdio


class Nothing(msgspec.Struct):
    pass


async def never(_wanted):
    await asyncio.sleep(3600)


async def broken(_wanted):
    raise ZeroDivisionError


SERVER = ToolServer((Tool("never", "Never", "Never ends.", Nothing, never), Tool("broken", "Broken", "Fails.", Nothing, broken)), "")


def call(number, tool):
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool}}


async def message(tmp_path, *lines):
    """Return the answers to lines on standard input, which then ends."""
    reading, writing = os.pipe()
    out = tmp_path / "out"
    with os.fdopen(reading, "rb") as incoming, out.open("wb") as outgoing:
        serving = asyncio.create_task(serve_stdio(SERVER, incoming, outgoing))
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
        await serve_stdio(SERVER, incoming)
