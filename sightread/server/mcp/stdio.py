"""The MCP server over standard input and output: one JSON message per line, requests answered at the same time."""

from __future__ import annotations

import asyncio
import logging
import sys
from functools import partial
from typing import IO

import msgspec

from sightread.render.errors import Rejected
from sightread.server.mcp.protocol import INTERNAL_ERROR, INVALID_REQUEST, Message, ProtocolError, ToolServer, decode_message, error_answer

LOG = logging.getLogger(__name__)
LONGEST_MESSAGE = 1024 * 1024
"""Bytes of one line."""
MOST_CALLS = 32
"""Requests answered at once; further lines are not read meanwhile."""
LAST_SECONDS = 1.0
"""For the requests under way when standard input ends, which are given up after that: a client that leaves waits for the end."""


async def serve_stdio(server: ToolServer, incoming: IO[bytes] | None = None, outgoing: IO[bytes] | None = None) -> None:
    """Answer messages until standard input ends. A client that cancels a request gets no answer to it.

    Raises `Rejected` if standard input is a file.
    """
    reader = asyncio.StreamReader(limit=LONGEST_MESSAGE)
    loop = asyncio.get_running_loop()
    try:
        transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), incoming or sys.stdin.buffer)
    except ValueError as error:
        raise Rejected("standard input is a file: give messages through a pipe, as in `cat messages | sightread mcp`") from error
    written = outgoing or sys.stdout.buffer
    calls: dict[str | int, asyncio.Task[None]] = {}
    places = asyncio.Semaphore(MOST_CALLS)

    async def perform(message: Message) -> None:
        try:
            if (answer := await server.answer(message)) is not None:
                send(answer)
        except Exception:  # a defect in one call is logged and answered, and ends no other
            LOG.exception("a request failed by a defect")
            send(error_answer(message["id"], ProtocolError(INTERNAL_ERROR, "a defect of sightread; please report it")))

    def forget(id: str | int, call: asyncio.Task[None]) -> None:
        if calls.get(id) is call:
            del calls[id]
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
                cancelled = (message.get("params") or {}).get("requestId")
                if isinstance(cancelled, str | int) and cancelled in calls:
                    calls[cancelled].cancel()
            elif "id" in message and "method" in message:
                await places.acquire()
                calls[message["id"]] = call = asyncio.create_task(perform(message))
                call.add_done_callback(partial(forget, message["id"]))  # also if it is cancelled before it begins
    finally:
        transport.close()
        if calls:
            await asyncio.wait(list(calls.values()), timeout=LAST_SECONDS)
        pending = list(calls.values())
        for call in pending:
            call.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
