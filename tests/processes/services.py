"""The service as a program of its own, with an internet on this machine."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from typing import Any

from tests.processes.families import PATIENCE
from tests.processes.terminal import piped

SERVICE = """
import sys
from sightread.cli import parser, servers
from sightread.server.process import worker
from tests.internet import Internet

worker.NICENESS = 1  # with more it waits for everything else on a busy machine
servers.egress = lambda options: Internet().egress()
sys.exit(parser.main(["serve", "--port", "0", "--tabs", "2", "--model", "boilerpipe", *sys.argv[1:]]))
"""


@contextmanager
def started(home: Path, *options: str, first: str = "") -> Iterator[Popen[str]]:
    """Start the service as a program of its own, which executes `first` before, and end it."""
    with Popen([sys.executable, "-c", first + SERVICE, *options], **piped(home)) as program:
        try:
            yield program
        finally:
            program.kill()


def address_of(service: Popen[str]) -> str:
    assert service.stdout is not None
    return service.stdout.readline().split()[2]


def ask(url: str, body: object = None, **headers: str) -> tuple[int, dict[str, Any], str | None]:
    """Return status, answer and Retry-After."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"} | headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read()), None
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read()), error.headers["Retry-After"]
