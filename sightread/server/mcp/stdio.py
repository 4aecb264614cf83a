"""The MCP server over standard input and output: one JSON message per line, requests answered at the same time."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import IO

import msgspec

from sightread.server.mcp.protocol import INTERNAL_ERROR, INVALID_REQUEST, Message, ProtocolError, ToolServer, decode_message, error_answer

LOG = logging.getLogger(__name__)
LONGEST_MESSAGE = 1024 * 1024
"""Bytes of one line."""
MOST_CALLS = 32
"""Requests answered at once; further lines are not read meanwhile."""


async def serve_stdio(server: ToolServer, incoming: IO[bytes] | None = None, outgoing: IO[bytes] | None = None) -> None:
    """Answer messages until standard input ends. A client that cancels a request gets no answer to it."""
    reader = asyncio.StreamReader(limit=LONGEST_MESSAGE)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), incoming or sys.stdin.buffer)
    written = outgoing or sys.stdout.buffer
    calls: dict[object, asyncio.Task[None]] = {}
    places = asyncio.Semaphore(MOST_CALLS)

    async def perform(message: Message) -> None:
        try:
            if (answer := await server.answer(message)) is not None:
                send(answer)
        except Exception:
            LOG.exception("a request failed by a defect")
            send(error_answer(message["id"], ProtocolError(INTERNAL_ERROR, "a defect of sightread; please report it")))
        finally:
            calls.pop(message["id"], None)
            places.release()

    def send(answer: Message) -> None:
        written.write(msgspec.json.encode(answer) + b"\n")
        written.flush()

    try:
        while True:
            try:
                line = await reader.readuntil(b"\n")
            except asyncio.IncompleteReadError as error:
                line = error.partial
                if not line.strip():
                    break
            except asyncio.LimitOverrunError:
                send(error_answer(None, ProtocolError(INVALID_REQUEST, f"a message has at most {LONGEST_MESSAGE} bytes")))
                break
            if not line.strip():
                continue
            try:
                message = decode_message(line)
            except ProtocolError as error:
                send(error_answer(None, error))
                continue
            if message.get("method") == "notifications/cancelled":
                if (call := calls.get((message.get("params") or {}).get("requestId"))) is not None:
                    call.cancel()
            elif "id" in message and "method" in message:
                await places.acquire()
                calls[message["id"]] = asyncio.create_task(perform(message))
    finally:
        transport.close()
        pending = list(calls.values())
        for call in pending:
            call.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
