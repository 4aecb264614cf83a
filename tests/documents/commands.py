"""The command `sightread` for shell scripts: a small program that sends each command to one server, which has the packages imported and
keeps its browser open.

    with serving_commands(folder):              # makes `bin/sightread` in the folder
        subprocess.run(["sh", "-c", "sightread extract page.html | head"], env={"PATH": f"{folder / 'bin'}:…"})

A command has the folder, the environment and the standard input of its caller; what it prints arrives when it has ended.
"""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path

from sightread.cli.parser import main
from tests.processes.kept_browsers import KeptBrowsers

ROOT = Path(__file__).parents[2]
SHIM = """#!/bin/sh
case "$1 $*" in
extract*127.0.0.1* | extract*--urls* | compare*127.0.0.1*) set -- "$@" --local ;;
esac
exec "{python}" -IS "{client}" {port} "$@"
"""
CLIENT = """
import json, os, socket, sys

command = {"arguments": sys.argv[2:], "folder": os.getcwd(), "environment": dict(os.environ), "typed": sys.stdin.read()}
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as server:
    server.sendall(json.dumps(command).encode())
    server.shutdown(socket.SHUT_WR)
    code, out, err = json.load(server.makefile("rb"))
sys.stderr.write(err)
sys.stdout.write(out)
sys.exit(code)
"""
OF_SHELLS = ("PWD", "OLDPWD", "SHLVL", "_")
"""Environment variables that a shell sets for itself."""


@contextmanager
def serving_commands(folder: Path) -> Iterator[None]:
    """Run the server of commands for the length of the context, and make `bin/sightread` in the folder."""
    client, shim = folder / "client.py", folder / "bin" / "sightread"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = listening.getsockname()
        client.write_text(CLIENT)
        shim.parent.mkdir()
        shim.write_text(SHIM.format(python=sys.executable, client=client, port=address[1]))
        shim.chmod(0o755)
        command = [sys.executable, "-m", __name__, str(listening.fileno())]
        server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, pass_fds=(listening.fileno(),))
    try:
        yield
    finally:
        with suppress(ConnectionRefusedError):  # the server has ended by itself
            socket.create_connection(address).close()
        assert server.wait(20) == 0


def serve(listening: socket.socket) -> None:
    """Run the commands that arrive, until a connection has none."""
    browsers = KeptBrowsers()
    try:
        while True:
            connection, _ = listening.accept()
            with connection, connection.makefile("rb") as received:
                command = received.read()
                if not command:
                    break
                connection.sendall(json.dumps(run(browsers, **json.loads(command))).encode())
    finally:
        browsers.close()


def run(browsers: KeptBrowsers, arguments: list[str], folder: str, environment: dict[str, str], typed: str) -> tuple[int, str, str]:
    """Run a command; return its exit code and what it printed."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update({name: value for name, value in environment.items() if name not in OF_SHELLS})
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()))
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            code = browsers.run_main(main, arguments)
        except SystemExit as stop:  # argparse's way to refuse
            code = int(stop.code or 0)
    return code, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
