"""Listening sockets: opened before anything else of a command is imported or started, so that a taken port is refused at once."""

from __future__ import annotations

import errno
import os
import socket
from dataclasses import dataclass

from sightread.render.errors import Unequipped

BACKLOG = 128
"""Connections that wait to be accepted: while the browser starts, none is."""


@dataclass(frozen=True, slots=True)
class ListeningSockets:
    """Sockets that listen at one port of this machine, one per address of the host. Connections wait until an application is served."""

    sockets: tuple[socket.socket, ...]

    @classmethod
    def open(cls, host: str, port: int) -> ListeningSockets:
        """Listen; port 0 is any free port. Raises `Unequipped` if the port is taken, or the host is no address of this machine."""
        opened: list[socket.socket] = []
        try:
            for family, _, _, _, address in dict.fromkeys(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)):
                opened.append(socket.create_server(address, family=family, backlog=BACKLOG))
                opened[-1].setblocking(False)
        except OSError as error:
            for each in opened:
                each.close()
            raise Unequipped(f"cannot listen on {host} port {port}: {_listen_problem(error)}") from error
        return cls(tuple(opened))

    def close(self) -> None:
        """Close this process's copy of the sockets; another process may still listen with its own."""
        for each in self.sockets:
            each.close()


def _listen_problem(error: OSError) -> str:
    """Return why a port cannot be listened on, with the remedy."""
    if error.errno == errno.EADDRINUSE:
        return "another program listens there: end it, or choose another port with --port"
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return "this is no address of this machine: choose another one with --host"
    return f"{os.strerror(error.errno) if error.errno else error}: choose another port with --port"
