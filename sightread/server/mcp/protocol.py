"""JSON-RPC messages of the Model Context Protocol, for a server that has tools alone.

It answers the revisions with a handshake (`initialize`) and the one without (2026-07-28), in which every request names its revision. No
state is kept between requests, so any number of processes may answer them. Specification: modelcontextprotocol.io.

The MCP server over standard input and output: one JSON message per line, requests answered at the same time.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any, Generic, TypeVar

import msgspec

from sightread.render.errors import Rejected, SightreadError, quoted
from sightread.render.version import VERSION
from sightread.server.schema.answers import worded
from sightread.server.schema.requests import describe_invalid

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
"""Revisions that begin with `initialize`, the newest last."""
STATELESS_VERSIONS = ("2026-07-28",)
"""Revisions in which every request is self-contained."""
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022
HTTP_STATUSES: Mapping[int, int] = {
    **dict.fromkeys((PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, HEADER_MISMATCH, UNSUPPORTED_VERSION), 400),
    METHOD_NOT_FOUND: 404,
}
_META = "io.modelcontextprotocol/"
_CACHE = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""The tools are the same for every caller, and change with the version of sightread only."""
T = TypeVar("T", bound=msgspec.Struct)

Message = dict[str, Any]


class ProtocolError(Exception):
    """A message that cannot be answered by a result; `code` is that of JSON-RPC."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


@dataclass(frozen=True, slots=True)
class Tool(Generic[T]):
    """A tool that a language model may call."""

    name: str
    title: str
    description: str
    arguments: type[T]
    """Its fields with their descriptions are the tool's JSON Schema."""
    call: Callable[[T], Awaitable[str]]
    """Returns Markdown; a sightread error becomes a result that the model reads."""

    def record(self) -> Message:
        """Return the tool as `tools/list` has it."""
        (_, schemas) = msgspec.json.schema_components([self.arguments], ref_template="#/$defs/{name}")
        schema = schemas.pop(self.arguments.__name__)
        if schemas:
            schema["$defs"] = schemas
        hints = {"title": self.title, "readOnlyHint": True, "openWorldHint": True}
        return {"name": self.name, "title": self.title, "description": self.description, "inputSchema": schema, "annotations": hints}


@dataclass(frozen=True, slots=True)
class ToolServer:
    """Answers messages with a list of tools."""

    tools: tuple[Tool[Any], ...]
    instructions: str
    _by_name: dict[str, Tool[Any]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {tool.name: tool for tool in self.tools})

    async def answer(self, message: Message, headers: Mapping[str, str] | None = None) -> Message | None:
        """Return the answer to a message; None for a notification, and for an answer of the client. `headers` are those of HTTP."""
        if "method" not in message or "id" not in message:
            return None if "method" in message or "result" in message or "error" in message else error_answer(None, _no_request())
        try:
            is_stateless = _is_stateless(message, headers)
            result = await self._result(str(message["method"]), message.get("params") or {})
        except ProtocolError as error:
            return error_answer(message["id"], error)
        if is_stateless:
            result = {"resultType": "complete", **result}
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    async def _result(self, method: str, params: Message) -> Message:
        about = {"name": "sightread", "title": "sightread", "version": VERSION}
        capabilities = {"tools": {"listChanged": False}}
        match method:
            case "initialize":
                request = params.get("protocolVersion")
                version = request if request in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]
                return {"protocolVersion": version, "capabilities": capabilities, "serverInfo": about, "instructions": self.instructions}
            case "server/discover":
                versions = [*STATELESS_VERSIONS, *HANDSHAKE_VERSIONS]
                stamp = {"_meta": {f"{_META}serverInfo": about}}
                return {"supportedVersions": versions, "capabilities": capabilities, "instructions": self.instructions, **_CACHE, **stamp}
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [tool.record() for tool in self.tools], **_CACHE}
            case "tools/call":
                return await self._call(params)
            case _:
                raise ProtocolError(
                    METHOD_NOT_FOUND, f"method {quoted(method, 100)} is not among those of this server, which has tools alone"
                )

    async def _call(self, params: Message) -> Message:
        tool = self._by_name.get(str(params.get("name")))
        if tool is None:
            raise ProtocolError(
                INVALID_PARAMS, f"there is no tool {quoted(str(params.get('name')), 100)}: those are {', '.join(self._by_name)}"
            )
        try:
            arguments = msgspec.convert(params.get("arguments") or {}, tool.arguments)
        except msgspec.ValidationError as error:
            return _content(f"the arguments are invalid: {describe_invalid(error, tool.arguments)}", is_error=True)
        try:
            return _content(await tool.call(arguments))
        except SightreadError as error:
            return _content(f"{type(error).__name__}: {worded(error)}", is_error=True)


def decode_message(data: bytes | str) -> Message:
    """Return a message. Raises `ProtocolError` for anything other than JSON, and for a batch, which the newer revisions do not have."""
    try:
        message = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError(PARSE_ERROR, f"this is no JSON: {error}") from error
    if not isinstance(message, dict):
        raise _no_request()
    if not isinstance(message.get("params", {}), dict):
        raise ProtocolError(INVALID_PARAMS, "params must be an object")
    if not isinstance(message.get("id", ""), str | int):
        raise ProtocolError(INVALID_REQUEST, "the id must be a string or an integer")
    return message


def error_answer(id: object, error: ProtocolError) -> Message:
    """Return an error as the answer to the message with that id."""
    data = {} if error.data is None else {"data": error.data}
    return {"jsonrpc": "2.0", "id": id, "error": {"code": error.code, "message": str(error), **data}}


def unsupported_version(version: object) -> ProtocolError:
    """Return the error for a revision that this server does not have, with those of its kind that it has."""
    supported = {"supported": list(STATELESS_VERSIONS), "requested": version}
    return ProtocolError(UNSUPPORTED_VERSION, "this revision of the protocol is not supported", supported)


def _no_request() -> ProtocolError:
    return ProtocolError(INVALID_REQUEST, "this is no JSON-RPC request: send one object with jsonrpc, id and method")


def _content(text: str, *, is_error: bool = False) -> Message:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def _is_stateless(message: Message, headers: Mapping[str, str] | None) -> bool:
    """Return whether a request is of a revision without a handshake. Raises `ProtocolError` for an unknown one, and if headers differ."""
    meta = (message.get("params") or {}).get("_meta")
    version = meta.get(f"{_META}protocolVersion") if isinstance(meta, dict) else None
    if version is None:
        return False
    if headers is not None and (headers.get("MCP-Protocol-Version"), headers.get("Mcp-Method")) != (version, message["method"]):
        raise ProtocolError(HEADER_MISMATCH, "the headers MCP-Protocol-Version and Mcp-Method differ from the message")
    if version not in STATELESS_VERSIONS:
        raise unsupported_version(version)
    return True


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
