"""HTTP servers: loopback for inspector and demo site, any address for the service if a token is set; errors as JSON."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from http import HTTPStatus
from types import MappingProxyType

import msgspec
from aiohttp import web
from aiohttp.typedefs import Handler

from sightread.data.demo import Resource, build_site
from sightread.render.errors import BadRecord, PageFailed, Rejected, Retryable, SightreadError, Unequipped
from sightread.render.network.http import BACKLOG, ListeningSockets
from sightread.server.access.limits import RETRY_AFTER
from sightread.server.jobs.store import KeyReused, QuotaReached
from sightread.server.routes.table import ErrorForm, route_of
from sightread.server.schema.answers import worded

HEAD_TIMEOUT = 10.0
"""Seconds for the head of the first request; a slow phone needs one."""
MOST_CONNECTIONS = 2000
"""Most connections at once, each some tens of KiB: a thousand that are idle or slow leave room for those that are not."""
RECEIVED_BYTES = 32_768
"""Most bytes received at once."""
UNREAD_BYTES = 8192
"""Of a body that is not read yet; receiving stops beyond twice as many."""


class ConnectionTimeouts:
    """Makes the connections of a server; closes those whose first request does not arrive.

    At the limit the connection that has been silent longest is closed for the next one; if all have sent a request, the next one is
    refused.
    """

    def __init__(self, handlers: Callable[[], asyncio.Protocol]) -> None:
        """`handlers` is the factory of connection handlers."""
        self._handlers = handlers
        self._silent: dict[_Connection, None] = {}
        self._count = 0
        self.received = memoryview(bytearray(RECEIVED_BYTES))
        """Data of one connection until it is forwarded; a buffer for all of them in turn."""

    def connection(self) -> asyncio.BufferedProtocol:
        """Return the protocol of a new connection."""
        return _Connection(self, self._handlers())

    def enter(self, connection: _Connection) -> bool:
        """Register a new connection, if necessary by closing a silent one."""
        if self._count >= MOST_CONNECTIONS:
            if not self._silent:
                return False
            next(iter(self._silent)).drop()
        self._count += 1
        self._silent[connection] = None
        return True

    def on_data(self, connection: _Connection) -> None:
        """Record that a connection has sent the head of a request."""
        self._silent.pop(connection, None)

    def leave(self, connection: _Connection) -> None:
        """Remove a connection."""
        self._silent.pop(connection, None)
        self._count -= 1


class _Connection(asyncio.BufferedProtocol):
    """Forwards everything to the handler, and detects the end of the first head."""

    def __init__(self, timeouts: ConnectionTimeouts, handler: asyncio.Protocol) -> None:
        self._timeouts = timeouts
        self._handler = handler
        self._transport: asyncio.Transport | None = None
        self._tail: bytes | None = b""
        """The last bytes of the head so far; None once it has ended."""
        self._timer: asyncio.TimerHandle | None = None
        self._entered = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._entered = self._timeouts.enter(self)
        if not self._entered:
            transport.abort()
            return
        self._timer = asyncio.get_running_loop().call_later(HEAD_TIMEOUT, transport.abort)
        self._handler.connection_made(transport)

    def get_buffer(self, _sizehint: int) -> memoryview:
        return self._timeouts.received

    def buffer_updated(self, count: int) -> None:
        data = bytes(self._timeouts.received[:count])
        if self._tail is not None:
            seen = self._tail + data
            self._tail = seen[-3:]
            if b"\r\n\r\n" in seen:
                self._tail = None
                self._end_timer()
                self._timeouts.on_data(self)
        if self._entered:
            self._handler.data_received(data)

    def drop(self) -> None:
        """Close the connection at once."""
        self._timeouts.leave(self)
        self._entered = False
        self._end_timer()
        if self._transport:
            self._transport.abort()
        self._handler.connection_lost(None)

    def eof_received(self) -> bool | None:
        return self._handler.eof_received() if self._entered else None

    def pause_writing(self) -> None:
        if self._entered:
            self._handler.pause_writing()

    def resume_writing(self) -> None:
        if self._entered:
            self._handler.resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        self._end_timer()
        if self._entered:
            self._entered = False
            self._timeouts.leave(self)
            self._handler.connection_lost(error)

    def _end_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


IDLE_TIMEOUT = 15.0
"""Seconds that a connection may stay open without a request."""
NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Allowed host names of a request; any other is DNS rebinding, by which any web page could read the responses."""


@asynccontextmanager
async def serve_on_loopback(app: web.Application) -> AsyncIterator[str]:
    """Serve the application at a free port of 127.0.0.1 for the length of the context, and yield its URL without a trailing slash."""
    with closing(ListeningSockets.open("127.0.0.1", 0)) as sockets:
        async with serve(app, sockets) as url:
            yield url


@asynccontextmanager
async def serve(app: web.Application, sockets: ListeningSockets) -> AsyncIterator[str]:
    """Serve the application at the sockets for the length of the context, and yield the URL of the first without a trailing slash."""
    runner = runner_of(app)
    await runner.setup()
    assert runner.server is not None
    make = runner.server
    try:
        timeouts = ConnectionTimeouts(lambda: _answering_in_json(make()))
        async with AsyncExitStack() as servers:
            for each in sockets.sockets:
                server = await asyncio.get_running_loop().create_server(timeouts.connection, sock=each, backlog=BACKLOG)
                servers.callback(server.close)
            address, port = sockets.sockets[0].getsockname()[:2]
            yield f"http://{f'[{address}]' if ':' in address else address}:{port}"
    finally:
        await runner.cleanup()


def runner_of(app: web.Application) -> web.AppRunner:
    """Return the runner of the application; a client that disconnects cancels its request, which frees a tab."""
    return web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=1.0,
        handler_cancellation=True,
        keepalive_timeout=IDLE_TIMEOUT,
        read_bufsize=UNREAD_BYTES,
    )


class _JsonHandler(web.RequestHandler):
    """Responds in JSON, and without a traceback in the log, to requests that the HTTP parser refuses."""

    __slots__ = ()

    def handle_error(
        self, request: web.BaseRequest, status: int = 500, exc: BaseException | None = None, message: str | None = None
    ) -> web.StreamResponse:
        """Return the response, and close the connection after it. An internal error is handled as usual."""
        if status >= 500 or request.writer.output_size > 0:
            return super().handle_error(request, status, exc, message)
        kind, detail = HTTPStatus(status).phrase, (str(exc) if exc else message or "").partition("\n")[0].strip(" :")
        response = error_response(status, kind, f"this is not an HTTP request: {detail}" if detail else "this is not an HTTP request")
        response.force_close()
        return response


def _answering_in_json(handler: web.RequestHandler) -> web.RequestHandler:
    handler.__class__ = _JsonHandler  # aiohttp has no other way to choose the class of the connection handler
    return handler


def _own_form(_status: int, kind: str, message: str) -> object:
    return {"error": {"kind": kind, "message": message}}


def error_response(
    status: int, kind: str, message: str, headers: Mapping[str, str] = MappingProxyType({}), form: ErrorForm = _own_form
) -> web.Response:
    """Return an error as JSON, its message in one line."""
    body = msgspec.json.encode(form(status, kind, " ".join(message.split())))
    kept = {name: value for name, value in headers.items() if name in ("Retry-After", "Allow", "WWW-Authenticate")}
    return web.Response(status=status, body=body, content_type="application/json", headers=kept)


@web.middleware
async def errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn every error into a JSON response, in the form of the route's API."""
    route = route_of(request)
    form = route.error_form if route and route.error_form else _own_form
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < 400:
            raise
        return error_response(error.status, error.reason, _text_of(error, request), error.headers, form)
    except SightreadError as error:
        later = {"Retry-After": RETRY_AFTER} if isinstance(error, Retryable | QuotaReached) else {}
        return error_response(status_of(error), type(error).__name__, worded(error), later, form)


def _text_of(error: web.HTTPException, request: web.Request) -> str:
    """Return the message of an error; one that aiohttp raises for a path or a method without a route names the remedy."""
    if error.text != f"{error.status}: {error.reason}":
        return error.text or error.reason
    if isinstance(error, web.HTTPMethodNotAllowed):
        return f"{request.method} is not a method of this path: use {' or '.join(sorted(error.allowed_methods))}"
    return "nothing is at this path: /api lists the routes" if error.status == 404 else error.text


def status_of(error: SightreadError) -> int:
    """Return the HTTP status of an error."""
    if isinstance(error, KeyReused):
        return 422
    if isinstance(error, QuotaReached):
        return 429
    if isinstance(error, BadRecord):  # of the server's own files
        return 503
    if isinstance(error, Rejected):
        return 400
    if isinstance(error, Retryable | Unequipped):
        return 503
    return 422 if isinstance(error, PageFailed) else 500


@web.middleware
async def under_own_name(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse a request whose Host is not a loopback name with our own port."""
    check_loopback_host(request)
    return await handler(request)


def check_loopback_host(request: web.Request) -> None:
    """Raise HTTP 403 unless the Host is a loopback name with our own port."""
    if not _is_loopback_host(request):
        raise web.HTTPForbidden(text="this address answers under its loopback name only\n")


def _is_loopback_host(request: web.Request) -> bool:
    assert request.transport is not None
    port = request.transport.get_extra_info("sockname")[1]
    name, _, given = request.headers.get("Host", "").rpartition(":")
    return name.lower() in NAMES and given == str(port)


def check_host(request: web.Request, hosts: Collection[str]) -> None:
    """Raise HTTP 403 unless the Host, without its port, is one of the allowed names (in lower case), or a loopback name with our own port.

    No page of another site has the latter as its host, and health checks on this machine use it.
    """
    name = re.sub(r":\d*$", "", request.headers.get("Host", "")).lower()
    if name not in hosts and not _is_loopback_host(request):
        raise web.HTTPForbidden(text="this address does not answer under that name\n")


@asynccontextmanager
async def serve_demo(sockets: ListeningSockets | None = None) -> AsyncIterator[str]:
    """Serve the demo site for the length of the context, at any free port if no sockets are given, and yield its front page's URL."""
    site: dict[str, Resource] = {}

    async def answer(request: web.Request) -> web.Response:
        found = site.get(request.path, Resource("text/plain; charset=utf-8", b"there is no such page\n", 404))
        headers = {"Content-Type": found.content_type} | ({"Location": found.location} if found.location else {})
        return web.Response(status=found.status, body=found.body, headers=headers)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    async with serve(app, sockets) if sockets else serve_on_loopback(app) as origin:
        site.update(build_site(origin))
        yield f"{origin}/"
