"""Requests and responses as all routes read and write them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from sightread.server.access.bodies import check_json
from sightread.server.schema.requests import parse

if TYPE_CHECKING:
    from sightread.server.service import Service


async def json_response(answer: object, status: int = 200) -> web.Response:
    """Return an answer as JSON; it is encoded in a thread, since it may be large."""
    body = await asyncio.to_thread(msgspec.json.encode, answer)
    return web.Response(status=status, body=body, content_type="application/json")


async def body_of(service: Service, request: web.Request, model: Any) -> Any:
    """Return the parsed body of a request. Raises `Rejected`, and HTTP 413, 415 and 408."""
    check_json(request)
    return parse(await service.read_body(request), model)
