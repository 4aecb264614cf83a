"""HTTP servers: loopback for inspector and demo, any address for the service if a token is set; errors as JSON."""

from __future__ import annotations

import asyncio
import hmac
import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from types import MappingProxyType

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from crawler.urls import is_loopback
from render.errors import PageFailed, Rejected, Retryable, SightreadError, Unequipped
from sightread.server.timeouts import Patience

TOKEN_SETTING = "SIGHTREAD_TOKEN"  # noqa: S105  (the name of one)
RETRY_AFTER = "2"
"""Seconds after which a caller who is turned away may come again."""
IDLE_PATIENCE = 15.0
"""Seconds that a connection may be kept without a request."""
NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""The names a browser may call us by; any other is a rebound one, which would let any web page read what we serve."""


@asynccontextmanager
async def serve_on_loopback(app: web.Application, port: int = 0) -> AsyncIterator[str]:
    """Serve the application on 127.0.0.1 for the length of the context, and yield its URL without a trailing slash; port 0 is any free one.

    Raises `Unequipped` if the port is taken.
    """
    async with serve(app, "127.0.0.1", port) as url:
        yield url


@asynccontextmanager
async def serve(app: web.Application, host: str, port: int = 0) -> AsyncIterator[str]:
    """Do the same at an address of the caller's choice. Raises `Unequipped` if it is none of this machine's."""
    runner = runner_of(app)
    await runner.setup()
    assert runner.server is not None
    make = runner.server
    try:
        patience = Patience(lambda: _answering_in_json(make()))
        try:
            server = await asyncio.get_running_loop().create_server(patience.connection, host, port)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise Unequipped(f"cannot listen on {host} port {port}: {reason}; choose another one with --port") from error
        try:
            address, own = server.sockets[0].getsockname()[:2]
            yield f"http://{f'[{address}]' if ':' in address else address}:{own}"
        finally:
            server.close()
    finally:
        await runner.cleanup()


def runner_of(app: web.Application) -> web.AppRunner:
    """Return what runs the application; a caller who hangs up cancels the request, which frees a tab."""
    return web.AppRunner(app, access_log=None, shutdown_timeout=1.0, handler_cancellation=True, keepalive_timeout=IDLE_PATIENCE)


class _JsonHandler(web.RequestHandler):
    """Answers in JSON, and without a traceback in the log, what the HTTP parser refuses."""

    __slots__ = ()

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Return the answer, and close the connection after it. A fault of ours is handled as ever."""
        if status >= 500 or request.writer.output_size > 0:
            return super().handle_error(request, status, exc, message)
        kind, said = HTTPStatus(status).phrase, (str(exc) if exc else message or "").partition("\n")[0].strip(" :")
        response = error_response(status, kind, f"this is no HTTP request: {said}" if said else "this is no HTTP request")
        response.force_close()
        return response


def _answering_in_json(handler: web.RequestHandler) -> web.RequestHandler:
    handler.__class__ = _JsonHandler  # aiohttp has no other way to choose the class of what handles a connection
    return handler


def error_response(status: int, kind: str, message: str, headers: Mapping[str, str] = MappingProxyType({})) -> web.Response:
    """Return an error as JSON, in one line."""
    body = msgspec.json.encode({"error": {"kind": kind, "message": " ".join(message.split())}})
    kept = {name: value for name, value in headers.items() if name in ("Retry-After", "Allow", "WWW-Authenticate")}
    return web.Response(status=status, body=body, content_type="application/json", headers=kept)


def read_token(host: str) -> str:
    """Return the token that callers must bear, empty for none. Raises `Rejected` if one is needed, or is set and too easy."""
    token = os.environ.get(TOKEN_SETTING, "")
    if token and not re.fullmatch(r"[\x21-\x7e]{16,}", token):
        raise Rejected(f"{TOKEN_SETTING} must have at least 16 characters, all of them printable ASCII: openssl rand -hex 24 makes one")
    if not token and not is_loopback(f"http://[{host}]" if ":" in host else f"http://{host}"):
        raise Rejected(f"--host {host}: whoever reaches it could use it: set {TOKEN_SETTING}, or listen on 127.0.0.1")
    return token


@web.middleware
async def errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer in JSON whatever goes wrong."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return error_response(error.status, error.reason, error.text or error.reason, error.headers)
    except SightreadError as error:
        later = {"Retry-After": RETRY_AFTER} if isinstance(error, Retryable) else {}
        return error_response(_status(error), type(error).__name__, str(error), later)


def _status(error: SightreadError) -> int:
    if isinstance(error, Rejected):
        return 400
    if isinstance(error, Retryable | Unequipped):
        return 503
    return 422 if isinstance(error, PageFailed) else 500


@web.middleware
async def under_own_name(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a request whose Host is not a loopback name with our own port."""
    assert request.transport is not None
    port = request.transport.get_extra_info("sockname")[1]
    name, _, given = request.headers.get("Host", "").rpartition(":")
    if name.lower() not in NAMES or given != str(port):
        raise web.HTTPForbidden(text="this address answers under its loopback name only\n")
    return await handler(request)


def bearing(token: str) -> Middleware:
    """Return what refuses every request, but for /healthz, that does not bear the token; a token in the query is none."""
    expected = f"Bearer {token}".encode()

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        given = request.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        if request.path != "/healthz" and not hmac.compare_digest(given, expected):
            raise web.HTTPUnauthorized(text="send the token, as Authorization: Bearer TOKEN\n", headers={"WWW-Authenticate": "Bearer"})
        return await handler(request)

    return guard
