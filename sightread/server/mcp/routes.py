"""`POST /mcp`: the Model Context Protocol over HTTP (Streamable HTTP), answered in JSON and without sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiohttp import web

from sightread.server.access.bodies import check_json
from sightread.server.engine.engine import Engine
from sightread.server.mcp.protocol import (
    HANDSHAKE_VERSIONS,
    HTTP_STATUSES,
    STATELESS_VERSIONS,
    Message,
    ProtocolError,
    decode_message,
    error_answer,
    unsupported_version,
)
from sightread.server.mcp.source import EngineSource
from sightread.server.mcp.tools import tool_server
from sightread.server.routes.responses import json_response
from sightread.server.routes.table import Route

if TYPE_CHECKING:
    from sightread.server.service import Service


async def _answer(service: Service, request: web.Request) -> web.StreamResponse:
    check_json(request)
    version = request.headers.get("MCP-Protocol-Version", HANDSHAKE_VERSIONS[0])
    try:
        message = decode_message(await service.read_body(request))
    except ProtocolError as error:
        return await json_response(error_answer(None, error), 400)
    if version not in (*HANDSHAKE_VERSIONS, *STATELESS_VERSIONS):
        return await json_response(error_answer(message.get("id"), unsupported_version(version)), 400)

    async def engine() -> Engine:
        return service.engine

    server = tool_server(EngineSource(engine))
    answer = await server.answer(message, request.headers)
    if answer is None:
        return web.Response(status=202)
    return await json_response(answer, _status(answer, version))


def _status(answer: Message, version: str) -> int:
    """Return the HTTP status of an answer: errors have their own in the revisions without a handshake."""
    if "error" not in answer or version in HANDSHAKE_VERSIONS:
        return 200
    return HTTP_STATUSES.get(answer["error"]["code"], 200)


ROUTES = (Route("POST", "/mcp", _answer, "read", reads_page=True),)
