"""What a person at a terminal has of a command: its exit code and what it prints."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

COMMAND = (sys.executable, "-m", "sightread.cli.parser")
ROOT = Path(__file__).parents[2]


class Ran(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    err: str

    @property
    def messages(self) -> list[str]:
        """What sightread itself said on the standard error, without its name; progress is no part of it."""
        return [line.removeprefix("sightread: ") for line in self.err.splitlines() if line.startswith("sightread: ")]

    @property
    def complaint(self) -> str:
        """The one line with which a command failed."""
        assert "Traceback" not in self.err, self.err
        (line,) = self.messages
        return line

    def failed(self, code: int) -> str:
        """The one line with which a command failed with this code, and without any output."""
        assert (self.code, self.out) == (code, "")
        return self.complaint

    def json(self) -> Any:
        (line,) = self.out.splitlines()
        return json.loads(line)


def through_local_door(arguments: tuple[object, ...]) -> tuple[object, ...]:
    """Add --local to a command that opens a page of 127.0.0.1, as nearly all pages of the tests are."""
    command, target = (*map(str, arguments[:2]), "", "")[:2]
    opens = command in ("extract", "learn", "crawl", "inspect") and target.startswith("http://127.0.0.1")
    return (*arguments, "--local") if opens else arguments


def start(*arguments: object, home: Path, **environment: str) -> subprocess.Popen[str]:
    """Start a command as a program of its own; whoever starts it ends it."""
    return subprocess.Popen([*COMMAND, *map(str, through_local_door(arguments))], **piped(home, **environment))


def piped(home: Path, **environment: str) -> dict[str, Any]:
    """Return how a program is started that finds this checkout and heeds Ctrl-C, also where the tests were started to ignore it."""
    return {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
        "env": {**os.environ, "PYTHONPATH": str(ROOT), "SIGHTREAD_HOME": str(home), **environment},
        "preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    }


def finish(program: subprocess.Popen[str], typed: str = "") -> Ran:
    out, err = program.communicate(typed, timeout=60)
    return Ran(program.returncode, out, err)
