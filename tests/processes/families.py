"""The processes of the tests, as /proc shows them, and a limit for the files that they write."""

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

PATIENCE = 60.0
"""Seconds after which nothing may be left."""

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="reads /proc")


def family(pid: int) -> dict[int, str]:
    """The process ids below `pid`, with their command lines."""
    found: dict[int, str] = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in _children(thread):
            with suppress(FileNotFoundError, ProcessLookupError):  # it ended meanwhile
                found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
                found |= family(child)
    return found


def _children(thread: Path) -> list[int]:
    """The processes that the thread started; none if the thread has ended meanwhile."""
    try:
        return [int(child) for child in thread.joinpath("children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []


def left(pids: dict[int, str]) -> dict[int, str]:
    """Those of the processes that still live after at most PATIENCE seconds."""
    deadline = time.monotonic() + PATIENCE
    while (living := {pid: line for pid, line in pids.items() if _lives(pid)}) and time.monotonic() < deadline:
        time.sleep(0.02)
    return living


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Let the system refuse, as a full disk does, what makes a file longer than `size` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
