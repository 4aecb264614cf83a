"""Connection timeouts and the connection limit of the servers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

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
