"""Processes that are killed: one at random, all of a family, and which of them still run."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def kill_one(processes: Iterable[int], chance: random.Random) -> bool:
    """Send SIGKILL to one of the processes, and return whether there was one to kill."""
    if not (found := list(processes)):
        return False
    try:
        os.kill(chance.choice(found), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def signal_all(processes: Iterable[int], number: signal.Signals) -> None:
    """Send a signal to all processes that still run."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def still_running(processes: Iterable[int], seconds: float) -> list[int]:
    """Return which of the processes still run after the given number of seconds; as soon as none does, return."""
    deadline = time.monotonic() + seconds
    while (left := [each for each in processes if _runs(each)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
